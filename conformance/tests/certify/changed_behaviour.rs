//! Testees that are honest at first and change when they believe that nobody watches any more.
//!
//! A run over one process at a time starts one for hello, one for both orders and eight for the sample; those after them
//! are for the controls.

use std::fs;

use serde_json::Value;

use super::{ASSIZE, source};
use crate::support::{PATIENT, Ran, run};

/// Processes before those of the controls.
const BEFORE: usize = 10;

/// Certifies a testee which, from its `first` process on, does what the lines of Python say.
fn changing(first: usize, change: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let (shims, bank) = (source("shims"), source("tests/wrong_testees"));
    let counter = folder.path().join("starts");
    let script = format!(
        r#"
import os, sys, time
sys.dont_write_bytecode = True
sys.path[:0] = [{shims:?}, {bank:?}]
from atp import Session
from honest_canonical import FRAMES, SOVEREIGN

sys.setrecursionlimit(FRAMES)
with open({counter:?}, "a+") as starts:
    starts.write("x")
    starts.seek(0)
    start = len(starts.read())
session = Session("changing", "1", {{"canon.bytes": {{"profile": ["sovereign"]}}}}, SOVEREIGN.answer)
if start >= {first}:
{change}
sys.exit(session.run())
"#,
        change = change.lines().map(|line| format!("    {line}\n")).collect::<String>(),
    );
    let testee = folder.path().join("testee.py");
    fs::write(&testee, script).unwrap();
    // It counts its starts in a file outside of its scratch.
    let order =
        ["certify", "--unsealed", "--config", PATIENT, "--format", "json", "--filter", "canon/sovereign/*array*"];
    run(&[&order[..], &["--", "python3", testee.to_str().unwrap()]].concat())
}

fn messages(report: &Value, member: &str) -> Vec<String> {
    let rows = report["run"][member].as_array().unwrap().iter();
    rows.map(|row| row["message"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn one_that_never_changes_conforms() {
    let report = changing(usize::MAX, "pass").exits(0).json();
    assert!(report["result"]["totals"]["pass"].as_u64().unwrap() > 2);
    let sessions = report["run"]["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), BEFORE, "the count on which these tests rest");
}

#[test]
fn one_that_no_longer_starts_is_given_up() {
    let report = changing(BEFORE + 1, "sys.exit(1)").exits(3).json();
    assert_eq!(report["result"]["complete"], false);
    let faults = messages(&report, "session_faults");
    assert!(faults.iter().any(|fault| fault.starts_with("in the controls: ")), "{faults:?}");
}

#[test]
fn one_that_lies_about_receipts_in_the_controls_is_no_better_than_any_liar() {
    let report = changing(BEFORE + 1, "session.seen = lambda docs: {}").exits(1).json();
    let receipts = messages(&report, "receipts");
    assert!(receipts.iter().any(|receipt| receipt.contains("in the controls: seen.doc is absent")), "{receipts:?}");
    let report = changing(BEFORE + 1, "session.count = lambda identity, verdict: None").exits(1).json();
    let receipts = messages(&report, "receipts");
    assert!(receipts.iter().any(|receipt| receipt.contains("in the controls: bye says served 0")), "{receipts:?}");
    assert_eq!(report["result"]["totals"]["fail"], 0);
}

/// The outcome of an altered wrong answer shows nothing about the harness, neither that it caught it nor that it missed it.
#[test]
fn other_answers_in_the_controls_are_no_bug_of_the_harness() {
    let change = "answer = session.answer\n\
        session.answer = lambda request: {**answer(request), \"is\": \"reject\", \"codes\": [\"A_LIMIT\"]}";
    let report = changing(BEFORE + 1, change).exits(1).json();
    assert_eq!(report["result"]["controls"]["missed"], Value::Array(Vec::new()));
    let unstable = report["result"]["unstable"].as_array().unwrap();
    assert!(!unstable.is_empty() && unstable.iter().all(|case| case["where"] == "controls"), "{unstable:?}");
}

#[test]
fn a_declaration_binds_every_process() {
    let report = changing(2, "session.testee[\"version\"] = \"2\"").exits(3).json();
    let faults = messages(&report, "session_faults");
    assert!(faults.iter().all(|fault| fault.contains("something else than that of the first process")), "{faults:?}");
    assert!(!faults.is_empty());
}

#[test]
fn nothing_is_said_after_goodbye() {
    let change = "bye = session.bye\n\
        def more():\n    bye()\n    time.sleep(0.7)\n    session.write({\"t\": \"answer\", \"id\": \"k-1\", \"is\": \"accept\"})\n\
        session.bye = more";
    // Late, as on a busy machine; and late in the run, to take less time.
    let report = changing(BEFORE, change).exits(1).json();
    let faults = messages(&report, "session_faults");
    assert!(faults.iter().all(|fault| fault.contains("after bye came")) && !faults.is_empty(), "{faults:?}");
}

/// Whoever could tell a control from the rest of a run could be another in it.
#[cfg(unix)]
#[test]
fn nothing_tells_a_control_from_the_rest_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let command = format!("tee -a {} | {ASSIZE} testee", heard.display());
    let order = ["certify", "--unsealed", "--config", PATIENT, "--filter", "canon/i-json", "--challenges", "none"];
    let ran = run(&[&order[..], &["--format", "json", "--", "sh", "-c", &command]].concat()).exits(0).json();
    // Answers that never came, and others that came late, were waited for.
    for kind in ["dropped", "late"] {
        assert_eq!(ran["result"]["controls"]["kinds"][kind]["planted"], 1);
    }
    let frames = fs::read_to_string(&heard).unwrap();
    let frames: Vec<Value> = frames.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |pointer: &str| {
        let told = frames.iter().filter_map(|frame| frame.pointer(pointer)?.as_u64());
        told.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(told("/limits/case_ms"), [3_600_000]);
    // A case that timed out alone is asked once more with five times the time, wherever that happens.
    assert_eq!(told("/ms"), [3_600_000, 18_000_000]);
}
