//! The graph as a table: one line for each node.

use super::{Graph, Node, output};

/// Edges to a node that are named.
const NAMED: usize = 8;

/// Every node with its kind, its words and what leads to it.
pub(super) fn write(name: &str, graph: &Graph, verdict: &str) -> String {
    let headline = format!("{}: {}, {}\n", output::clean(name), output::clean(verdict), graph.counted());
    if graph.nodes.is_empty() {
        return headline;
    }
    let [one, _] = graph.terms.nodes;
    let rows = graph.nodes.iter().map(|node| {
        let [name, kind, words] = [&node.name, &node.kind, &node.words].map(|part| output::middle(part).into_owned());
        [name, kind, words, after(node, graph)]
    });
    format!("{headline}\n{}", output::table([one, "kind", "state", "after"], rows))
}

/// What leads to a node, with the kind of each edge where edges have kinds.
fn after(node: &Node, graph: &Graph) -> String {
    let named = node.after.iter().take(NAMED).filter_map(|edge| {
        let from = output::middle(&graph.nodes.get(edge.from)?.name);
        Some(match &edge.kind {
            Some(kind) => format!("{from} ({})", output::middle(kind)),
            None => from.into_owned(),
        })
    });
    let mut text = named.collect::<Vec<_>>().join(", ");
    if let Some(rest @ 1..) = node.after.len().checked_sub(NAMED) {
        text.push_str(&format!(" and {rest} more"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::graph::tests::{example, graph, node, with_kinds};

    #[test]
    fn nodes_with_states() {
        let shown = write("p", &graph(example()), "DIVERGE");
        let wanted = "\
p: DIVERGE, 6 steps

step  kind         state     after
m     LOAD_INPUT   PASSED
b     EMIT_OUTPUT  PASSED    m
z     EMIT_OUTPUT  DIVERGED  m
c     EMIT_OUTPUT  SKIPPED   b
a     EMIT_OUTPUT  PASSED    z
k     EMIT_OUTPUT  SKIPPED   a, c
";
        assert_eq!(shown, wanted);
        assert_eq!(write("p", &graph(Vec::new()), "MATCH"), "p: MATCH, 0 steps\n");
    }

    #[test]
    fn edges_say_their_kinds() {
        let shown = write("p", &with_kinds(), "MATCH");
        for line in ["PASSED    m (refines)\n", "m, k (contradicts)\n", "a (a_b|\"<c>), c\n"] {
            assert!(shown.contains(line), "{line:?} is not in {shown}");
        }
    }

    #[test]
    fn names_of_strangers_do_not_steer() {
        let mut nodes: Vec<_> = (0..12).map(|n| node(&n.to_string(), &[], 0)).collect();
        nodes.push(node("\u{1b}[31m\n", &(0..12).collect::<Vec<_>>(), 0));
        nodes[0].kind = "\u{9b}2J".to_owned();
        nodes[1].words = "\u{202e}".to_owned();
        let shown = write("a\u{202e}b", &graph(nodes), "MATCH");
        assert!(shown.starts_with("a\\u{202e}b: MATCH, 13 steps\n"), "{shown}");
        assert!(shown.ends_with("  0, 1, 2, 3, 4, 5, 6, 7 and 4 more\n"), "{shown}");
        assert!(shown.contains("\\u{1b}[31m\\n ") && !shown.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{shown}");
    }
}
