//! The graph as a Mermaid flowchart.

use super::{
    super::graph::{Graph, State},
    output,
};

/// The flowchart, without a fence around it.
pub(super) fn write(graph: &Graph<'_>) -> String {
    let mut text = "flowchart TD\n".to_owned();
    for (index, node) in graph.nodes.iter().enumerate() {
        let (id, opcode) = (label(&output::middle(&node.step.step_id)), label(node.step.opcode));
        let (words, class) = (node.words(), node.state.name());
        text.push_str(&format!("  s{index}[\"{id}<br/>{opcode}<br/>{words}\"]:::{class}\n"));
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        for before in &node.after {
            text.push_str(&format!("  s{before} --> s{index}\n"));
        }
    }
    for state in State::ALL {
        let (fill, border) = state.colours();
        let line = match state {
            State::Skipped | State::NotReached => ",stroke-dasharray:4 3",
            State::Diverged => ",stroke-width:3px",
            State::Passed | State::Failed => "",
        };
        text.push_str(&format!("  classDef {} fill:{fill},stroke:{border},color:#111111{line}\n", state.name()));
    }
    text
}

/// Text between quotes. Whatever Mermaid, Markdown or HTML could take for more than a letter is written by its number.
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
    use crate::cli::episode::graph::tests::{example, step};

    #[test]
    fn nodes_edges_and_classes() {
        let steps = example();
        let shown = write(&Graph::of(&steps));
        let wanted = r#"flowchart TD
  s0["m<br/>LOAD#95;INPUT<br/>PASS, match"]:::passed
  s1["b<br/>EMIT#95;OUTPUT<br/>FAIL, match"]:::failed
  s2["z<br/>EMIT#95;OUTPUT<br/>PASS, diverged"]:::diverged
  s3["c<br/>EMIT#95;OUTPUT<br/>SKIPPED"]:::skipped
  s4["a<br/>EMIT#95;OUTPUT<br/>PASS, match"]:::passed
  s5["k<br/>EMIT#95;OUTPUT<br/>not reached"]:::unreached
  s0 --> s1
  s0 --> s2
  s1 --> s3
  s2 --> s4
  s4 --> s5
  s3 --> s5
"#;
        assert!(shown.starts_with(wanted), "{shown}");
        assert_eq!(shown.lines().count(), 1 + 6 + 6 + 5);
        assert!(shown.contains("  classDef diverged fill:#ffcdd2,stroke:#c62828,color:#111111,stroke-width:3px\n"));
    }

    #[test]
    fn labels_hold_letters_alone() {
        let steps = [step("\"]\n%% <script>`#&", &[], None, None)];
        let shown = write(&Graph::of(&steps));
        let line = shown.lines().nth(1).unwrap();
        let wanted = "#34;#93;#92;n#37;#37; #60;script#62;#96;#35;#38;";
        assert_eq!(line, format!("  s0[\"{wanted}<br/>LOAD#95;INPUT<br/>not reached\"]:::unreached"));
    }
}
