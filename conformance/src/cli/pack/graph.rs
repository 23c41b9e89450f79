//! The script of an episode as a graph: what became of every step.

use std::collections::HashMap;

use assize_verifier::episode::{StepState, StepStatus};

use crate::cli::graph::{Edge, Graph, Line, Look, Node, Terms};

const PASSED: Look = Look { name: "passed", fill: "#c8e6c9", border: "#2e7d32", line: Line::Plain };
const FAILED: Look = Look { name: "failed", fill: "#ffe0b2", border: "#b26a00", line: Line::Plain };
const SKIPPED: Look = Look { name: "skipped", fill: "#e0e0e0", border: "#757575", line: Line::Dashed };
const DIVERGED: Look = Look { name: "diverged", fill: "#ffcdd2", border: "#c62828", line: Line::Heavy };
/// The pack failed before the step was replayed.
const UNREACHED: Look = Look { name: "unreached", fill: "#ffffff", border: "#757575", line: Line::Dashed };

const TERMS: Terms = Terms {
    nodes: ["step", "steps"],
    edges: "dependencies",
    subject: "the script of an episode",
    looks: &[PASSED, FAILED, SKIPPED, DIVERGED, UNREACHED],
};

/// Draws steps that stand in an order in which each comes after those that it depends on.
pub(super) fn of(steps: &[StepState]) -> Graph {
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(steps.len());
    let mut nodes = Vec::with_capacity(steps.len());
    for step in steps {
        let after = step.depends_on.iter().filter_map(|id| places.get(id.as_str()).copied());
        let after = after.map(|from| Edge { from, kind: None }).collect();
        places.insert(&step.step_id, nodes.len());
        let (words, look) = state(step);
        nodes.push(Node {
            name: step.step_id.clone(),
            kind: step.opcode.to_owned(),
            words: words.to_owned(),
            look,
            after,
        });
    }
    Graph { terms: &TERMS, nodes }
}

/// The status of the receipt and what the replay made of the step.
fn state(step: &StepState) -> (&'static str, &'static Look) {
    match (step.status, step.matched) {
        (Some(StepStatus::Skipped), _) => ("SKIPPED", &SKIPPED),
        (Some(StepStatus::Pass), Some(true)) => ("PASS, match", &PASSED),
        (Some(StepStatus::Pass), Some(false)) => ("PASS, diverged", &DIVERGED),
        (Some(StepStatus::Pass), None) => ("PASS, not replayed", &UNREACHED),
        (Some(StepStatus::Fail), Some(true)) => ("FAIL, match", &FAILED),
        (Some(StepStatus::Fail), Some(false)) => ("FAIL, diverged", &DIVERGED),
        (Some(StepStatus::Fail), None) => ("FAIL, not replayed", &UNREACHED),
        (None, Some(false)) => ("not reached", &DIVERGED),
        (None, _) => ("not reached", &UNREACHED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::graph::Form;

    /// A step by its id, dependencies, status and match.
    fn step(id: &str, after: &[&str], status: Option<StepStatus>, matched: Option<bool>) -> StepState {
        StepState {
            step_id: id.to_owned(),
            opcode: if after.is_empty() { "LOAD_INPUT" } else { "EMIT_OUTPUT" },
            loads: None,
            depends_on: after.iter().map(ToString::to_string).collect(),
            status,
            matched,
        }
    }

    #[test]
    fn each_state_has_its_words_and_its_look() {
        let (pass, fail, skipped) = (Some(StepStatus::Pass), Some(StepStatus::Fail), Some(StepStatus::Skipped));
        // The example of ruling EP-29.
        let steps = [
            step("m", &[], pass, Some(true)),
            step("b", &["m"], fail, Some(true)),
            step("z", &["m"], pass, Some(false)),
            step("c", &["b"], skipped, None),
            step("a", &["z"], pass, None),
            step("k", &["a", "c"], None, None),
        ];
        let drawn = of(&steps).write(Form::Mermaid, "p", "DIVERGE").unwrap();
        let wanted = r#"flowchart TD
  s0["m<br/>LOAD#95;INPUT<br/>PASS, match"]:::passed
  s1["b<br/>EMIT#95;OUTPUT<br/>FAIL, match"]:::failed
  s2["z<br/>EMIT#95;OUTPUT<br/>PASS, diverged"]:::diverged
  s3["c<br/>EMIT#95;OUTPUT<br/>SKIPPED"]:::skipped
  s4["a<br/>EMIT#95;OUTPUT<br/>PASS, not replayed"]:::unreached
  s5["k<br/>EMIT#95;OUTPUT<br/>not reached"]:::unreached
  s0 --> s1
  s0 --> s2
  s1 --> s3
  s2 --> s4
  s4 --> s5
  s3 --> s5
"#;
        assert!(drawn.starts_with(wanted), "{drawn}");
        assert_eq!(drawn.matches("  classDef ").count(), 5);
        assert!(drawn.contains("  classDef diverged fill:#ffcdd2,stroke:#c62828,color:#111111,stroke-width:3px\n"));
    }
}
