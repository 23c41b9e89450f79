//! The graph in the language of Graphviz.

use super::{Graph, Line, output};

/// The digraph, with the verdict above it.
pub(super) fn write(graph: &Graph, verdict: &str) -> String {
    let title = label(&[verdict, &format!("{}, {}", graph.terms.subject, graph.counted())]);
    let mut text = format!("digraph {{\n  graph [label={title}, labelloc=t]\n  node [shape=box]\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        let (fill, border) = (node.look.fill, node.look.border);
        let line = match node.look.line {
            Line::Dashed => "style=\"filled,dashed\"",
            Line::Heavy => "style=filled, penwidth=3",
            Line::Plain => "style=filled",
        };
        let label = label(&[&node.name, &node.kind, &node.words]);
        text.push_str(&format!("  s{index} [label={label}, fillcolor=\"{fill}\", color=\"{border}\", {line}]\n"));
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        for edge in &node.after {
            let kind = edge.kind.as_deref().map(|kind| format!(" [label={}]", label(&[kind])));
            text.push_str(&format!("  s{} -> s{index}{}\n", edge.from, kind.unwrap_or_default()));
        }
    }
    text.push_str("}\n");
    text
}

/// Lines between quotes. A quote would end them, a backslash starts an escape, and an ampersand an entity of HTML.
fn label(lines: &[&str]) -> String {
    let line = |line: &&str| {
        output::clean(&output::middle(line)).replace('\\', "\\\\").replace('"', "\\\"").replace('&', "&amp;")
    };
    format!("\"{}\"", lines.iter().map(line).collect::<Vec<_>>().join("\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::graph::tests::{example, graph, node, with_kinds};

    #[test]
    fn nodes_and_edges() {
        let wanted = r##"digraph {
  graph [label="DIVERGE\nan example, 6 steps", labelloc=t]
  node [shape=box]
  s0 [label="m\nLOAD_INPUT\nPASSED", fillcolor="#ffffff", color="#757575", style=filled]
  s1 [label="b\nEMIT_OUTPUT\nPASSED", fillcolor="#ffffff", color="#757575", style=filled]
  s2 [label="z\nEMIT_OUTPUT\nDIVERGED", fillcolor="#ffffff", color="#757575", style=filled, penwidth=3]
  s3 [label="c\nEMIT_OUTPUT\nSKIPPED", fillcolor="#ffffff", color="#757575", style="filled,dashed"]
  s4 [label="a\nEMIT_OUTPUT\nPASSED", fillcolor="#ffffff", color="#757575", style=filled]
  s5 [label="k\nEMIT_OUTPUT\nSKIPPED", fillcolor="#ffffff", color="#757575", style="filled,dashed"]
  s0 -> s1
  s0 -> s2
  s1 -> s3
  s2 -> s4
  s4 -> s5
  s3 -> s5
}
"##;
        assert_eq!(write(&graph(example()), "DIVERGE"), wanted);
    }

    #[test]
    fn edges_say_their_kinds() {
        let shown = write(&with_kinds(), "MATCH");
        for line in
            ["s0 -> s1 [label=\"refines\"]", "s5 -> s2 [label=\"contradicts\"]", r#"s4 -> s5 [label="a_b|\"<c>"]"#]
        {
            assert!(shown.contains(&format!("\n  {line}\n")), "{shown}");
        }
    }

    #[test]
    fn names_of_strangers_stay_text() {
        let mut nodes = vec![node("\"]\n\\N&lt;\u{1b}\\", &[], 0), node(&"n".repeat(500), &[], 0)];
        nodes[0].kind = "\\".to_owned();
        let shown = write(&graph(nodes), "\"");
        assert!(shown.contains(r#"label="\"\nan example, 2 steps""#), "{shown}");
        assert!(shown.contains(r#"s0 [label="\"]\\n\\N&amp;lt;\\u{1b}\\\n\\\nPASSED","#), "{shown}");
        assert!(!shown.contains('\u{1b}') && !shown.contains(&"n".repeat(61)), "{shown}");
    }
}
