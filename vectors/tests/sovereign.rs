//! What no operation of `sovereign` shows: which paths a reader is asked for, and diagnostics and limits of a report.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deterministic Path Selection Law; rulings FILE-10 to FILE-12,
//! RES-06, SCH-08.

use std::collections::BTreeMap;
use std::sync::Mutex;

use assize_verifier::{
    files::{Files, Unreadable},
    sovereign::{
        self, Inputs, Rejection,
        contract::{self, Contract},
        reference,
        report::{Report, Surface, reason},
    },
    threads::Threads,
};
use serde_json::{Value, json};

const REGISTRY: &str = "e972895604cb3d52eba871f38ba6b39aec1215f461b0de8e25d62d8f0d112d09";
/// The limit that a report states for the breaches of one document.
const MOST: usize = 1_000;

/// Notes every path that it is asked for; serves the files that it has.
#[derive(Default)]
struct Asked {
    files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Whether any other path is an empty file, as opposed to unreadable.
    willing: bool,
    paths: Mutex<Vec<Vec<u8>>>,
}

impl Files for Asked {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        self.paths.lock().unwrap().push(path.to_vec());
        into.clear();
        match self.files.get(path) {
            Some(text) => into.extend_from_slice(text),
            None if self.willing => {}
            None => return Err(Unreadable { reason: "absent" }),
        }
        Ok(())
    }
}

fn bundle(paths: &str) -> String {
    let zeros = "0".repeat(64);
    format!(
        r#"{{"contract_version":"replay_bundle/v1","run_envelope":{{"run_id":"run-1","workflow_id":"wf"}},"registry_digest":"{REGISTRY}","digests":{{"policy_digest":"{zeros}","runtime_profile_digest":"{zeros}","contract_registry_snapshot_digest":"{zeros}"}},"turn_results":[{{"turn_id":"turn-0001","turn_result_digest":"{zeros}","paths":{paths}}}]}}"#
    )
}

fn turn(decisions: Value, issues: Value) -> Value {
    let zeros = "0".repeat(64);
    json!({
        "run_id": "run-1", "turn_id": "turn-0001",
        "transition": {"prior_state_digest": zeros, "proposed_state_digest": zeros, "inputs_digest": zeros},
        "capabilities": {"decisions": decisions}, "issues": issues, "events": [],
    })
}

fn record(ordinal: usize, action: &str, reason: Value) -> Value {
    json!({
        "contract_version": "kernel_api/v1", "decision_id": "0".repeat(64), "run_id": "run-1", "turn_id": "turn-0001",
        "tool_name": "fs", "action": action, "ordinal": ordinal, "stage": "capability", "outcome": "allowed",
        "deny_code": null, "info_code": null, "reason": reason,
        "provenance": {"policy_source": "policy://p", "policy_digest": "0".repeat(64), "rule_id": "r1"},
    })
}

fn issue(location: &str, details: Value) -> Value {
    json!({
        "contract_version": "kernel_api/v1", "level": "FAIL", "stage": "policy", "code": "E_X", "location": location,
        "message": "m", "details": details,
    })
}

/// Compares two turns in law mode, perhaps under another registry or stage order.
fn compare(a: &Value, b: &Value, registry: Option<&[u8]>, stage_order: Option<&[u8]>) -> Report {
    let side = |text: &Value| Asked {
        files: BTreeMap::from([(b"t.json".to_vec(), text.to_string().into_bytes())]),
        ..Asked::default()
    };
    let bundle = bundle(r#"["t.json"]"#);
    let inputs = Inputs { registry, stage_order, ..Inputs::of(bundle.as_bytes(), bundle.as_bytes()) };
    sovereign::compare(&inputs, &side(a), &side(b), Threads::Caller)
}

/// Path and side of every row, as the text of the report has them.
fn sides(report: &Report) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(&report.text).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rows = report["mismatches"].as_array().unwrap();
    rows.iter().map(|row| (text(&row["path"]), text(&row["diagnostic"]["side"]))).collect()
}

#[test]
fn a_path_that_no_file_system_can_be_asked_for_is_passed_over() {
    let files = Asked { willing: true, ..Asked::default() };
    let entry = br#"{"paths":["","a\u0000","z"]}"#;
    assert_eq!(sovereign::select_path(entry, &files).unwrap(), "z");
    assert_eq!(*files.paths.lock().unwrap(), [b"z".to_vec()]);
}

/// The bytes are those of Python's `encode("utf-8", "surrogateescape")`.
#[test]
fn a_surrogate_escape_stands_for_its_byte_in_reference_mode() {
    let files = Asked::default();
    let bundle = bundle(r#"["\udc80","x\udcbf\u00e9","\udcc0","\udcff"]"#);
    reference::compare(&Inputs::of(bundle.as_bytes(), bundle.as_bytes()), &files, Threads::Caller).unwrap();
    let expected: [&[u8]; 4] = [b"x\xbf\xc3\xa9", b"\x80", b"\xc0", b"\xff"];
    assert_eq!(*files.paths.lock().unwrap(), expected);
}

#[test]
fn a_breach_names_its_side() {
    let (good, bad) = (turn(json!([]), json!([])), turn(json!([]), Value::Null));
    let other = turn(Value::Null, json!([]));
    let row = |path: &str, side: &str| (path.to_owned(), side.to_owned());
    assert_eq!(sides(&compare(&bad, &good, None, None)), [row("/issues", "a")]);
    assert_eq!(sides(&compare(&good, &bad, None, None)), [row("/issues", "b")]);
    assert_eq!(sides(&compare(&bad, &bad, None, None)), [row("/issues", "both")]);
    let apart = [row("/capabilities/decisions", "b"), row("/issues", "a")];
    assert_eq!(sides(&compare(&bad, &other, None, None)), apart);
    assert_eq!(sides(&compare(&good, &good, Some(b"[]"), None))[0].1, "registry");
    assert_eq!(sides(&compare(&good, &good, None, Some(b"[]")))[0].1, "stage_order");
}

/// One row more than the limit: the last says that there is more, in words of its own.
fn assert_cut(report: &Report) {
    assert_eq!(report.rows.len(), MOST + 1);
    let messages = |row: &assize_verifier::sovereign::report::Row| row.diagnostic.as_ref().unwrap().message.clone();
    let (limits, named): (Vec<_>, Vec<_>) = report.rows.iter().partition(|row| row.reason.is_none());
    assert_eq!(limits.len(), 1);
    assert_eq!(limits[0].surface, Surface::Schema);
    assert!(named.iter().all(|row| row.reason == Some(reason::CANONICALIZATION)));
    assert!(named.iter().all(|row| messages(row) != messages(limits[0])));
    assert!(sides(report).iter().any(|(path, _)| path.is_empty()));
}

#[test]
fn more_breaches_than_the_limit_are_cut_and_reported() {
    let good = turn(json!([]), json!([]));
    let issues: Vec<_> = (0..MOST + 7).map(|n| issue(&format!("/{n}"), json!({"n": 1.5}))).collect();
    assert_cut(&compare(&turn(json!([]), json!(issues)), &good, None, None));
    // Nor are the floats of a single value fewer.
    let issues = [issue("/x", json!({"n": vec![1.5; MOST + 7]}))];
    assert_cut(&compare(&turn(json!([]), json!(issues)), &good, None, None));
}

#[test]
fn a_document_at_the_limit_is_still_compared() {
    let differences = |report: &Report| {
        assert_eq!(report.rows.len(), MOST + 1);
        report.rows.iter().filter(|row| row.reason == Some(reason::EQUIVALENCE)).count()
    };
    let mut records: Vec<_> = (0..MOST).map(|n| record(n, "write", json!(1.5))).collect();
    records.push(record(MOST, "write", Value::Null));
    let b = turn(json!([record(MOST, "read", Value::Null)]), json!([]));
    assert_eq!(differences(&compare(&turn(json!(records), json!([])), &b, None, None)), 1);
    let mut issues: Vec<_> = (0..MOST).map(|n| issue(&format!("/{n}"), json!({"n": 1.5}))).collect();
    issues.push(issue("/x", json!({})));
    let b = turn(json!([]), json!([]));
    assert_eq!(differences(&compare(&turn(json!([]), json!(issues)), &b, None, None)), 1);
}

/// Without an outcome the four conditional blocks contradict each other; none of them is a place of its own.
#[test]
fn a_record_without_outcome_breaks_its_contract_at_one_place() {
    let mut denied = record(0, "write", Value::Null);
    denied.as_object_mut().unwrap().remove("outcome");
    let found = contract::check(Contract::DecisionRecord, denied.to_string().as_bytes());
    let Err(Rejection::Schema(found)) = found else { panic!("{found:?}") };
    assert_eq!(found.iter().map(|breach| breach.pointer.as_str()).collect::<Vec<_>>(), ["/outcome"]);
}
