//! `record`: what a runtime writes, and what it cannot.

use serde_json::{Value, json};

use crate::support::{run, run_in, scene, write};

fn attempts() -> Value {
    let provenance = json!({"policy_source": "policy://p", "policy_digest": "0".repeat(64), "rule_id": "r1"});
    json!([
        {"tool_name": "fs", "action": "write", "conditions": ["E_CAPABILITY_DENIED"]},
        {"tool_name": "fs", "action": "write", "conditions": [], "provenance": provenance},
        {"tool_name": "fs", "action": "write", "conditions": [], "skipped": true, "reason": "enforcement_off"},
    ])
}

#[test]
fn a_turn_is_recorded_and_holds_before_the_audit() {
    let folder = scene();
    write(&folder, "attempts.json", attempts().to_string());
    let record = ["record", "attempts.json", "--run", "run-1", "--turn", "turn-0001"];
    let turn = run_in(folder.path(), &record, b"").exits(0).json();
    // The check values of ruling SV-6.
    let ids = [
        "8f2ad8752ea573e559f2f65ba3638cd7a6942da4ff3cfe5e6421bc1ff9bf8b80",
        "41973c728fccba93e297a74e50e48d7d4e233653e312307b5c67e3260938dc50",
        "d2e17c0ce5a21008f6d986dd1b67a246717d4d30a510a69b42b132b6dd24103d",
    ];
    let decisions = turn["capabilities"]["decisions"].as_array().unwrap();
    assert_eq!(decisions.iter().map(|made| made["decision_id"].as_str().unwrap()).collect::<Vec<_>>(), ids);
    assert_eq!(turn["issues"].as_array().unwrap().len(), 1);

    // With a transition it is a turn that the audit finds nothing in.
    let mut whole = turn;
    let zeros = "0".repeat(64);
    whole["transition"] = json!({"prior_state_digest": zeros, "proposed_state_digest": zeros, "inputs_digest": zeros});
    write(&folder, "turn.json", whole.to_string());
    let audit = ["audit", "turn.json", "--attempts", "attempts.json", "--profile", "decision-id/published"];
    run_in(folder.path(), &audit, b"").exits(0).says(&["lawful: ", "0 errors, 0 warnings"]);
}

#[test]
fn a_turn_is_written_whole_or_not_at_all() {
    let folder = scene();
    let said = attempts().to_string();
    let record = |text: &str, more: &[&str]| {
        run_in(folder.path(), &[&["record", "-", "--run", "r", "--turn", "t"], more].concat(), text.as_bytes())
    };
    let ran = record(&said, &[]).exits(0);
    let printed = ran.text();
    assert!(printed.ends_with("}\n"));
    assert!(record(&said, &["--output", "out.json"]).exits(0).stdout.is_empty());
    assert_eq!(std::fs::read_to_string(folder.path().join("out.json")).unwrap(), printed);
    record("[", &["--output", "none.json"]).exits(3);
    assert!(!folder.path().join("none.json").exists());
}

#[test]
fn what_holds_no_attempts_is_named() {
    let record = |text: &str| run_in(scene().path(), &["record", "-", "--run", "r", "--turn", "t"], text.as_bytes());
    record("[tru]").exits(3).complains(&["standard input: byte 4", "help: "]);
    record("{}").exits(3).complains(&["attempts are an array"]);
    record(r#"[{"tool_name": "t", "action": "a", "conditions": []}]"#).exits(3).complains(&["/0/provenance: "]);
    let half = r#"[{"tool_name": "\ud800", "action": "a", "conditions": ["E_PERMISSION_DENIED"]}]"#;
    record(half).exits(1).complains(&["E_CANONICALIZATION_ERROR"]);
    run(&["record", "attempts.json"]).exits(64);
}
