//! All pairs of short issue lists, compared in both modes.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Issue Detail Parity Law, and C, compare_issues.

use std::{collections::BTreeMap, ops::Range};

use assize_oracle::{
    Case, Files, Outcome, compare,
    sovereign::{Compared, Entry, law_report},
};
use assize_verifier::operation::{Answer, Output};
use serde_json::{Value, json};

use crate::{
    ask::{differ, of_files},
    search::{Facts, Tally, World},
    sequences,
};

/// Pairs of issue lists.
#[derive(Debug)]
pub(crate) struct Issues;

const REGISTRY: &[u8] = include_bytes!("../../../../../contracts/sovereign/error-codes-v1.json");
/// That of the sealed registry.
const REGISTRY_DIGEST: &str = "e972895604cb3d52eba871f38ba6b39aec1215f461b0de8e25d62d8f0d112d09";
/// Two codes of one stage, and one of a stage that comes earlier.
const CODES: [(&str, &str); 3] = [
    ("capability", "E_CAPABILITY_DENIED"),
    ("capability", "E_PERMISSION_DENIED"),
    ("determinism", "E_CANONICALIZATION_ERROR"),
];

fn bundle(path: &str) -> Vec<u8> {
    let digest = |digit: &str| digit.repeat(64);
    let turn = json!({"turn_id": "turn-0001", "turn_result_digest": digest("0"), "paths": [path]});
    json!({
        "contract_version": "replay_bundle/v1",
        "run_envelope": {"run_id": "run-1", "workflow_id": "wf"},
        "registry_digest": REGISTRY_DIGEST,
        "digests": {
            "policy_digest": digest("0"),
            "runtime_profile_digest": digest("1"),
            "contract_registry_snapshot_digest": digest("2"),
        },
        "turn_results": [turn],
    })
    .to_string()
    .into_bytes()
}

/// A turn with these issues. What each says to people tells them apart, and is not compared.
fn turn(codes: &[usize]) -> Vec<u8> {
    let issue = |(place, code): (usize, &usize)| {
        let (stage, code) = CODES.get(*code).copied().unwrap_or_default();
        json!({
            "contract_version": "kernel_api/v1", "level": "FAIL", "stage": stage, "code": code, "location": "/here",
            "message": format!("issue {place} of {}", codes.len()), "details": {},
        })
    };
    let digest = |digit: &str| digit.repeat(64);
    json!({
        "run_id": "run-1", "turn_id": "turn-0001",
        "transition": {
            "prior_state_digest": digest("0"), "proposed_state_digest": digest("1"), "inputs_digest": digest("2"),
        },
        "capabilities": {"decisions": []},
        "issues": codes.iter().enumerate().map(issue).collect::<Vec<_>>(),
        "events": [],
    })
    .to_string()
    .into_bytes()
}

impl World for Issues {
    fn facts(&self) -> Facts {
        let codes: Vec<_> = CODES.iter().map(|(_, code)| format!("`{code}`")).collect();
        Facts {
            name: "issues",
            alphabet: format!("{}: {}; issues alike but for their messages", CODES.len(), codes.join(" ")),
            bounds: [2, 4],
        }
    }

    fn size(&self, bound: usize) -> u64 {
        sequences::count(CODES.len(), bound).pow(2)
    }

    fn batch(&self) -> u64 {
        64
    }

    fn check(&self, bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String> {
        let lists = sequences::count(CODES.len(), bound);
        let (a, b) = (bundle("a.json"), bundle("b.json"));
        for place in places {
            let [left, right] = [place / lists, place % lists].map(|list| turn(&sequences::at(CODES.len(), list)));
            let files = BTreeMap::from([("a.json".to_owned(), left), ("b.json".to_owned(), right)]);
            tally.judge(place, judge([&a, &b], &files)?);
        }
        Ok(())
    }
}

/// Whether the two are equivalent. The outer error is the oracle's.
fn judge(bundles: [&[u8]; 2], files: &BTreeMap<String, Vec<u8>>) -> Result<Result<bool, String>, String> {
    let [bundle_a, bundle_b] = bundles;
    let entries = files.iter().map(|(path, octets)| (path.clone(), Entry::File(octets.clone()))).collect();
    let compared = Compared { bundle_a, bundle_b, registry: REGISTRY, stage_order: None };
    let law = law_report(&compared, &entries).map_err(|error| error.to_string())?;
    let case = Case { bundle_a, bundle_b, stage_order: None, files: Files::Memory(files) };
    let reference = match compare(&case).map_err(|error| error.to_string())? {
        Outcome::Report(octets) => String::from_utf8(octets).map_err(|error| error.to_string())?,
        Outcome::Abort(class) => return Err(format!("the comparator aborts with {class}")),
    };
    let mut equivalent = false;
    for (mode, expected) in [("law", law), ("reference", reference)] {
        let docs = [("bundle_a", bundle_a), ("bundle_b", bundle_b)];
        let answer = of_files("sovereign.compare", &[("mode", mode.into())], &docs, files)?;
        let found = match &answer {
            Answer::Accept { out } => match out.get("report") {
                Some(Output::Doc(report)) => Some(if mode == "law" { undiagnosed(report)? } else { report.clone() }),
                _ => None,
            },
            _ => None,
        };
        if found.as_ref() != Some(&expected) {
            let lists: Vec<_> = files.values().map(|octets| String::from_utf8_lossy(octets)).collect();
            return Ok(Err(differ(
                &format!("sovereign.compare, {mode}"),
                lists.join("\n").as_bytes(),
                &expected,
                &answer,
            )));
        }
        equivalent = expected.contains("EQUIVALENT");
    }
    Ok(Ok(equivalent))
}

/// The report without what it says to people, which the second source leaves out.
fn undiagnosed(report: &str) -> Result<String, String> {
    let mut value: Value = serde_json::from_str(report).map_err(|error| format!("the report is no JSON: {error}"))?;
    let rows = value.get_mut("mismatches").and_then(Value::as_array_mut).into_iter().flatten();
    for diagnostic in rows.filter_map(|row| row.get_mut("diagnostic")) {
        *diagnostic = Value::Null;
    }
    Ok(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_does_not_tell_lists_apart_and_number_does() {
        let ask = |left: &[usize], right: &[usize]| {
            let files = BTreeMap::from([("a.json".to_owned(), turn(left)), ("b.json".to_owned(), turn(right))]);
            judge([&bundle("a.json"), &bundle("b.json")], &files).unwrap().unwrap()
        };
        assert!(ask(&[0, 1, 0], &[0, 0, 1]));
        assert!(!ask(&[0, 1, 0], &[0, 1]));
    }
}
