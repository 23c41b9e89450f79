//! All graphs of nodes and edges that a few operations make.
//!
//! Spec: Kernel Contract 0.1.0, 2.5 DAG; rulings AU-1 to AU-48.

use std::ops::Range;

use assize_oracle::authority::{OracleAnswer, dag};
use assize_verifier::operation::Answer;
use serde_json::{Value, json};

use crate::{
    ask::{differ, value, verifier},
    search::{Facts, Tally, World},
    sequences::Mixed,
};

/// Operations on a graph.
#[derive(Debug)]
pub(crate) struct Graphs;

const NODES: usize = 3;
const EDGE_KINDS: [&str; 3] = ["depends_on", "refines", "contradicts"];

/// What may stand at an index: a node, an edge between earlier operations, or one to itself.
fn choices(index: usize) -> usize {
    NODES + EDGE_KINDS.len() * index * index + 1
}

fn operation(index: usize, choice: usize) -> Value {
    if choice < NODES {
        let (kind, payload) = match choice {
            0 => ("seed", json!({})),
            1 => ("seed", json!(1)),
            _ => ("assumption", json!(1)),
        };
        return json!({"node": {"kind": kind, "payload": payload}});
    }
    let mut rest = Mixed((choice - NODES) as u64);
    let kind = EDGE_KINDS.get(rest.take(EDGE_KINDS.len())).copied().unwrap_or_default();
    if index == 0 || choice + 1 == choices(index) {
        return json!({"edge": {"kind": kind, "from": 0, "to": index}});
    }
    json!({"edge": {"kind": kind, "from": rest.take(index), "to": rest.take(index)}})
}

fn lists(length: usize) -> u64 {
    (0..length).map(|index| choices(index) as u64).product()
}

impl World for Graphs {
    fn facts(&self) -> Facts {
        Facts {
            name: "graphs",
            alphabet: format!(
                "{NODES} nodes, {} kinds of edges between any two earlier operations, and an edge to what comes no earlier",
                EDGE_KINDS.len()
            ),
            bounds: [3, 5],
        }
    }

    fn size(&self, bound: usize) -> u64 {
        (0..=bound).map(lists).sum()
    }

    fn batch(&self) -> u64 {
        128
    }

    fn check(&self, _bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String> {
        for place in places {
            let (mut length, mut rest) = (0, place);
            while rest >= lists(length) {
                rest -= lists(length);
                length += 1;
            }
            let mut rest = Mixed(rest);
            let operations: Value = (0..length).map(|index| operation(index, rest.take(choices(index)))).collect();
            tally.judge(place, judge(&operations.to_string())?);
        }
        Ok(())
    }
}

/// Whether no operation is refused. The outer error is the oracle's.
fn judge(operations: &str) -> Result<Result<bool, String>, String> {
    let expected = dag("run-1", operations.as_bytes()).map_err(|error| error.to_string())?;
    let found = verifier("authority.dag", &[("run_id", "run-1".into())], &[("ops", operations.as_bytes())]);
    let same = match (&expected, &found) {
        (OracleAnswer::Accept(expected), Answer::Accept { out }) => {
            let mut members = expected.iter();
            expected.len() == out.len()
                && members.all(|(name, text)| value(out, name).map(Value::to_string).as_ref() == Some(text))
        }
        _ => false,
    };
    if !same {
        return Ok(Err(differ("authority.dag", operations.as_bytes(), &expected, &found)));
    }
    Ok(Ok(
        matches!(&expected, OracleAnswer::Accept(out) if out.get("results").is_some_and(|text| !text.contains("error"))),
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_choice_is_another_operation() {
        for index in 0..4 {
            let all: BTreeSet<_> = (0..choices(index)).map(|choice| operation(index, choice).to_string()).collect();
            assert_eq!(all.len(), choices(index), "{index}");
        }
    }

    #[test]
    fn a_circle_is_refused_in_one_kind_and_taken_in_another() {
        let circle = |kind: &str| {
            let edge = |from: u8, to: u8| json!({"edge": {"kind": kind, "from": from, "to": to}});
            json!([operation(0, 0), operation(1, 1), edge(0, 1), edge(1, 0)]).to_string()
        };
        assert_eq!(judge(&circle("refines")), Ok(Ok(false)));
        assert_eq!(judge(&circle("contradicts")), Ok(Ok(true)));
    }
}
