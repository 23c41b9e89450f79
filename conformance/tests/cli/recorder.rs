//! `record` and `bundle`: what a runtime writes, and what it cannot; `sovereign`: single steps.

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

#[test]
fn a_run_is_bundled_and_compares_with_itself() {
    let folder = scene();
    write(&folder, "digests.json", digests().to_string());
    write(&folder, "turns.json", json!([{"turn_id": "turn-0001", "paths": ["none.json", "a/1.json"]}]).to_string());
    let bundle = ["bundle", "turns.json", "--run", "run-1", "--workflow", "wf", "--digests", "digests.json"];
    let told = run_in(folder.path(), &bundle, b"").exits(0).json();
    assert_eq!(told["turn_results"][0]["paths"], json!(["a/1.json", "none.json"]));
    assert_eq!(told["digests"], digests());
    run_in(folder.path(), &[&bundle[..], &["--output", "made.json"]].concat(), b"").exits(0);
    run_in(folder.path(), &["compare", "made.json", "made.json"], b"").exits(0).says(&["EQUIVALENT"]);
    run_in(folder.path(), &["sovereign", "contract", "replay-bundle", "made.json"], b"").exits(0).says(&["lawful: "]);

    // Another registry is another lock, and messages are nobody's business.
    write(&folder, "codes.json", r#"{"contract_version": "kernel_api/v1", "codes": {}}"#);
    let other = run_in(folder.path(), &[&bundle[..], &["--registry", "codes.json"]].concat(), b"").exits(0).json();
    assert_ne!(other["registry_digest"], told["registry_digest"]);
    assert_eq!(other["turn_results"], told["turn_results"]);
}

fn digests() -> Value {
    json!({
        "policy_digest": "0".repeat(64), "runtime_profile_digest": "1".repeat(64),
        "contract_registry_snapshot_digest": "2".repeat(64),
    })
}

#[test]
fn a_run_that_cannot_be_bundled_is_named() {
    let folder = scene();
    write(&folder, "digests.json", digests().to_string());
    write(&folder, "turns.json", json!([{"turn_id": "t", "paths": ["a/1.json"]}]).to_string());
    write(&folder, "gone.json", json!([{"turn_id": "t", "paths": ["none.json"]}]).to_string());
    write(
        &folder,
        "twice.json",
        json!([{"turn_id": "t", "paths": ["a"]}, {"turn_id": "t", "paths": ["b"]}]).to_string(),
    );
    write(&folder, "broken.json", "[tru]");
    write(&folder, "empty.json", "{}");
    write(&folder, "float.json", r#"{"a": 1.5}"#);
    write(&folder, "floats.json", json!([{"turn_id": "t", "paths": ["float.json"]}]).to_string());
    let bundle = |turns: &str, digests: &str, more: &[&str]| {
        let args = ["bundle", turns, "--run", "r", "--workflow", "w", "--digests", digests];
        run_in(folder.path(), &[&args[..], more].concat(), b"")
    };
    for (turns, digests, more, code, says) in [
        ("gone.json", "digests.json", &[][..], 3, "gone.json: E_REPLAY_INPUT_MISSING: turn t: "),
        ("twice.json", "digests.json", &[], 3, "twice.json: /1/turn_id: "),
        ("broken.json", "digests.json", &[], 3, "broken.json: byte 4"),
        ("turns.json", "empty.json", &[], 3, "empty.json: /policy_digest: "),
        ("turns.json", "broken.json", &[], 3, "broken.json: byte 4"),
        ("turns.json", "digests.json", &["--registry", "broken.json"], 3, "broken.json: byte 4"),
        ("turns.json", "digests.json", &["--registry", "float.json"], 1, "float.json: E_CANONICALIZATION_ERROR"),
        ("floats.json", "digests.json", &[], 1, "floats.json: E_CANONICALIZATION_ERROR"),
        ("turns.json", "digests.json", &["--root", "none"], 3, "none: cannot be opened as a folder"),
    ] {
        let ran = bundle(turns, digests, more).exits(code).complains(&[says, "help: "]);
        assert!(ran.stdout.is_empty(), "{turns} {digests}");
    }
}

#[test]
fn single_steps_of_comparison_and_audit() {
    let folder = scene();
    let at = |args: &[&str], text: &str| run_in(folder.path(), &[&["sovereign"], args].concat(), text.as_bytes());
    let record = r#"{"contract_version": "kernel_api/v1", "run_id": "run-1", "turn_id": "turn-0001", "tool_name": "fs",
        "action": "write", "ordinal": 0, "stage": "capability", "outcome": "denied", "deny_code": "E_CAPABILITY_DENIED"}"#;
    // Check values of the rulings.
    let id = "8f2ad8752ea573e559f2f65ba3638cd7a6942da4ff3cfe5e6421bc1ff9bf8b80\n";
    assert_eq!(at(&["decision-id", "-"], record).exits(0).text(), id);
    let report = r#"{"contract_version": "kernel_api/v1", "report_id": "x", "run_id": "r", "status": "EQUIVALENT",
        "exit_code": 0, "mismatches": []}"#;
    let id = "29c57fcebad76a149da7ae4e094e93c79f9cc256079b8ff33b3225495a077f62\n";
    assert_eq!(at(&["report-id", "-"], report).exits(0).text(), id);
    let digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\n";
    assert_eq!(at(&["registry-digest", "-"], "{ }").exits(0).text(), digest);
    let conditions = r#"["E_PERMISSION_DENIED", "E_CAPABILITY_DENIED"]"#;
    assert_eq!(at(&["deny-code", "-"], conditions).exits(0).text(), "E_CAPABILITY_DENIED\n");
    assert_eq!(at(&["deny-code", "-"], "[]").exits(0).text(), "null\n");

    let row =
        |turn: &str| format!(r#"{{"ordinal":0,"path":"","stage_name":"replay","surface":"issue","turn_id":"{turn}"}}"#);
    let (one, two) = (row("a"), row("b"));
    assert_eq!(at(&["order", "-"], &format!("[{two}, {one}]")).exits(0).text(), format!("[{one},{two}]\n"));
    write(&folder, "stages.json", "[]");
    at(&["order", "-", "--stage-order", "stages.json"], "[]").exits(3).complains(&["stages.json: /stage_order"]);

    let entry = r#"{"paths": ["b/1.json", "a/1.json", "A"]}"#;
    assert_eq!(at(&["select-path", "-"], entry).exits(0).text(), "a/1.json\n");
    at(&["select-path", "-", "--root", "a"], entry).exits(3).complains(&["E_REPLAY_INPUT_MISSING"]);
    at(&["select-path", "-"], "{}").exits(3).complains(&["standard input: /paths"]);

    at(&["contract", "stage-order", "-"], "{}").exits(1).says(&["sovereign/contract-stage-order", "unlawful: "]);
    let found = at(&["contract", "stage-order", "-", "--format", "json"], "{}").exits(1).json();
    assert_eq!(found["findings"][0]["law"], "sovereign/contract-stage-order");
    at(&["contract", "none", "-"], "{}").exits(64);
    for step in ["decision-id", "registry-digest", "report-id"] {
        at(&[step, "-"], "[tru]").exits(3).complains(&["standard input: byte 4"]);
        at(&[step, "-"], "[]").exits(3).complains(&["--help"]);
    }
    at(&["registry-digest", "-"], r#"{"n": 1.0}"#).exits(1).complains(&["E_CANONICALIZATION_ERROR"]);
}
