//! The graph for a terminal: level by level.

use assize::report::Paint;

use super::{Graph, Node, Tone, output};

/// Edges to a node that are named.
const NAMED: usize = 8;
/// Letters of a name for which room is made in every line.
const WIDE: usize = 24;

/// Every node with its kind, its words and what it comes after.
pub(super) fn write(name: &str, graph: &Graph, verdict: &str, paint: Paint) -> String {
    let deep = output::counted(graph.levels.len(), "level", "levels");
    let mut text = format!("{}: {}, {} on {deep}\n", output::clean(name), output::clean(verdict), graph.counted());
    let names: Vec<String> = graph.nodes.iter().map(|node| short(&node.name)).collect();
    let wide = names.iter().map(|name| name.chars().count()).filter(|&wide| wide <= WIDE).max().unwrap_or(0);
    for (number, level) in graph.levels.iter().enumerate() {
        text.push_str(&format!("\n{}\n", paint.strong(&format!("level {number}"))));
        for (node, name) in level.iter().filter_map(|&index| graph.nodes.get(index).zip(names.get(index))) {
            // Room is reckoned before paint, which takes none.
            let words = format!("{:<18}", short(&node.words));
            let words = match node.look.tone {
                Tone::Good => paint.good(&words),
                Tone::Bad => paint.bad(&words),
                Tone::Plain => words,
            };
            let line = format!("  {name:<wide$}  {:<15}  {words}{}", short(&node.kind), after(node, &names));
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// What leads to a node, edges of a kind together.
fn after(node: &Node, names: &[String]) -> String {
    let mut text = String::new();
    let mut before = None;
    for edge in node.after.iter().take(NAMED) {
        let Some(name) = names.get(edge.from) else { continue };
        let same = before == Some(&edge.kind);
        match &edge.kind {
            _ if same => text.push_str(", "),
            None => text.push_str("  after "),
            Some(kind) => text.push_str(&format!("  {} from ", short(kind))),
        }
        text.push_str(name);
        before = Some(&edge.kind);
    }
    match node.after.len().saturating_sub(NAMED) {
        0 => text,
        rest => format!("{text} and {rest} more"),
    }
}

fn short(text: &str) -> String {
    output::clean(&output::middle(text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::graph::tests::{example, graph, node, with_kinds};

    #[test]
    fn levels_with_states() {
        let shown = write("p", &graph(example()), "DIVERGE", Paint::Plain);
        let wanted = "\
p: DIVERGE, 6 steps on 4 levels

level 0
  m  LOAD_INPUT       PASSED

level 1
  b  EMIT_OUTPUT      PASSED              after m
  z  EMIT_OUTPUT      DIVERGED            after m

level 2
  c  EMIT_OUTPUT      SKIPPED             after b
  a  EMIT_OUTPUT      PASSED              after z

level 3
  k  EMIT_OUTPUT      SKIPPED             after a, c
";
        assert_eq!(shown, wanted);
    }

    #[test]
    fn edges_say_their_kinds() {
        let shown = write("p", &with_kinds(), "MATCH", Paint::Plain);
        for line in ["PASSED              refines from m\n", "after m  contradicts from k\n", "<c> from a  after c\n"] {
            assert!(shown.contains(line), "{line:?} is not in {shown}");
        }
    }

    #[test]
    fn names_of_strangers_do_not_steer() {
        let mut nodes: Vec<_> = (0..12).map(|n| node(&n.to_string(), &[], 0)).collect();
        nodes.push(node("\u{1b}[31m\n", &(0..12).collect::<Vec<_>>(), 0));
        nodes[0].kind = "\u{9b}2J".to_owned();
        nodes[1].words = "\u{202e}".to_owned();
        let shown = write("a\u{202e}b", &graph(nodes), "MATCH", Paint::Plain);
        assert!(shown.starts_with("a\\u{202e}b: MATCH, 13 steps on 2 levels\n"), "{shown}");
        assert!(shown.ends_with("  after 0, 1, 2, 3, 4, 5, 6, 7 and 4 more\n"), "{shown}");
        assert!(shown.contains("\\u{1b}[31m\\n ") && !shown.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{shown}");
    }
}
