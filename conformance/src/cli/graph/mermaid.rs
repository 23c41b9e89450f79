//! The graph as a Mermaid flowchart.

use super::{Graph, Line, output};

/// The flowchart, without a fence around it.
pub(super) fn write(graph: &Graph) -> String {
    let mut text = "flowchart TD\n".to_owned();
    for (index, node) in graph.nodes.iter().enumerate() {
        let [name, kind, words] = [&node.name, &node.kind, &node.words].map(|part| label(&output::middle(part)));
        text.push_str(&format!("  s{index}[\"{name}<br/>{kind}<br/>{words}\"]:::{}\n", node.look.name));
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        for edge in &node.after {
            let kind = edge.kind.as_deref().map(|kind| format!("|\"{}\"|", label(&output::middle(kind))));
            text.push_str(&format!("  s{} -->{} s{index}\n", edge.from, kind.unwrap_or_default()));
        }
    }
    for look in graph.terms.looks {
        let line = match look.line {
            Line::Dashed => ",stroke-dasharray:4 3",
            Line::Heavy => ",stroke-width:3px",
            Line::Plain => "",
        };
        let (name, fill, border) = (look.name, look.fill, look.border);
        text.push_str(&format!("  classDef {name} fill:{fill},stroke:{border},color:#111111{line}\n"));
    }
    text
}

/// Text between quotes. Anything that Mermaid, Markdown or HTML could take for more than a letter is written by its number.
fn label(text: &str) -> String {
    let mut label = String::with_capacity(text.len());
    for letter in output::clean(text).chars() {
        if letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '.' | ',') {
            label.push(letter);
        } else {
            label.push_str(&format!("#{};", u32::from(letter)));
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::graph::tests::{example, graph, node, with_kinds};

    #[test]
    fn nodes_edges_and_classes() {
        let shown = write(&graph(example()));
        let wanted = r#"flowchart TD
  s0["m<br/>LOAD#95;INPUT<br/>PASSED"]:::passed
  s1["b<br/>EMIT#95;OUTPUT<br/>PASSED"]:::passed
  s2["z<br/>EMIT#95;OUTPUT<br/>DIVERGED"]:::diverged
  s3["c<br/>EMIT#95;OUTPUT<br/>SKIPPED"]:::skipped
  s4["a<br/>EMIT#95;OUTPUT<br/>PASSED"]:::passed
  s5["k<br/>EMIT#95;OUTPUT<br/>SKIPPED"]:::skipped
  s0 --> s1
  s0 --> s2
  s1 --> s3
  s2 --> s4
  s4 --> s5
  s3 --> s5
"#;
        assert!(shown.starts_with(wanted), "{shown}");
        assert_eq!(shown.lines().count(), 1 + 6 + 6 + 3);
        assert!(shown.contains("  classDef diverged fill:#ffffff,stroke:#757575,color:#111111,stroke-width:3px\n"));
    }

    #[test]
    fn edges_say_their_kinds() {
        let shown = write(&with_kinds());
        for line in ["s0 -->|\"refines\"| s1", "s5 -->|\"contradicts\"| s2", "s4 -->|\"a#95;b#124;#34;#60;c#62;\"| s5"]
        {
            assert!(shown.contains(&format!("\n  {line}\n")), "{shown}");
        }
    }

    #[test]
    fn labels_hold_letters_alone() {
        let shown = write(&graph(vec![node("\"]\n%% <script>`#&", &[], 0)]));
        let line = shown.lines().nth(1).unwrap();
        let wanted = "#34;#93;#92;n#37;#37; #60;script#62;#96;#35;#38;";
        assert_eq!(line, format!("  s0[\"{wanted}<br/>LOAD#95;INPUT<br/>PASSED\"]:::passed"));
    }
}
