//! The graph for a terminal: level by level.

use assize::report::Paint;

use super::{
    super::graph::{Graph, Node, State},
    output,
};

/// Dependencies of a step that are named.
const NAMED: usize = 8;
/// Letters of a step id for which room is made in every line.
const WIDE: usize = 24;

/// Every step with its opcode, its state and what it comes after.
pub(super) fn write(name: &str, graph: &Graph<'_>, verdict: &str, paint: Paint) -> String {
    let levels = graph.levels();
    let steps = output::counted(graph.nodes.len(), "step", "steps");
    let deep = output::counted(levels.len(), "level", "levels");
    let mut text = format!("{}: {verdict}, {steps} on {deep}\n", output::clean(name));
    let ids: Vec<String> = graph.nodes.iter().map(id).collect();
    let wide = ids.iter().map(|id| id.chars().count()).filter(|&wide| wide <= WIDE).max().unwrap_or(0);
    for (number, level) in levels.iter().enumerate() {
        text.push_str(&format!("\n{}\n", paint.strong(&format!("level {number}"))));
        for (node, id) in level.iter().filter_map(|&index| graph.nodes.get(index).zip(ids.get(index))) {
            // Room is reckoned before paint, which takes none.
            let words = format!("{:<18}", node.words());
            let state = match node.state {
                State::Passed => paint.good(&words),
                State::Diverged | State::Failed => paint.bad(&words),
                State::Skipped | State::NotReached => words,
            };
            let line = format!("  {id:<wide$}  {:<15}  {state}{}", node.step.opcode, after(node, &ids));
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

fn after(node: &Node<'_>, ids: &[String]) -> String {
    if node.after.is_empty() {
        return String::new();
    }
    let named: Vec<&str> =
        node.after.iter().take(NAMED).filter_map(|&index| ids.get(index)).map(String::as_str).collect();
    let rest = node.after.len().saturating_sub(NAMED);
    let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    format!("  after {}{more}", named.join(", "))
}

fn id(node: &Node<'_>) -> String {
    output::clean(&output::middle(&node.step.step_id)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::episode::graph::tests::{example, step};

    #[test]
    fn levels_with_states() {
        let steps = example();
        let shown = write("p", &Graph::of(&steps), "DIVERGE", Paint::Plain);
        let wanted = "\
p: DIVERGE, 6 steps on 4 levels

level 0
  m  LOAD_INPUT       PASS, match

level 1
  b  EMIT_OUTPUT      FAIL, match         after m
  z  EMIT_OUTPUT      PASS, diverged      after m

level 2
  c  EMIT_OUTPUT      SKIPPED             after b
  a  EMIT_OUTPUT      PASS, match         after z

level 3
  k  EMIT_OUTPUT      not reached         after a, c
";
        assert_eq!(shown, wanted);
    }

    #[test]
    fn names_of_strangers_do_not_steer() {
        let many: Vec<_> = (0..12).map(|n| n.to_string()).collect();
        let mut steps: Vec<_> = many.iter().map(|id| step(id, &[], None, None)).collect();
        let after: Vec<_> = many.iter().map(String::as_str).collect();
        steps.push(step("\u{1b}[31m\n", &after, None, None));
        let shown = write("a\u{202e}b", &Graph::of(&steps), "MATCH", Paint::Plain);
        assert!(shown.starts_with("a\\u{202e}b: MATCH, 13 steps on 2 levels\n"), "{shown}");
        assert!(shown.ends_with("  after 0, 1, 2, 3, 4, 5, 6, 7 and 4 more\n"), "{shown}");
        assert!(shown.contains("\\u{1b}[31m\\n ") && !shown.contains('\u{1b}'), "{shown}");
    }
}
