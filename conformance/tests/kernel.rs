//! `assize kernel`, from the command line: scenarios in memory and on disk, the judgement of the home that they leave, and
//! registries of codes.

mod registry;

use std::{fs, path::Path};

use crate::support::{Ran, run_in};
use serde_json::{Value, json};

/// Digests of `{}`, and of two objects, computed with Python's `json` and `hashlib`.
const EMPTY: &str = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
const BODY: &str = "12153c7925e56d1c960bc4cedc011e530ecbfe9e3c0a37c30645f238fbfb7629";
const LINKS: &str = "94be0e4b6eede94d0c1b363bd8bee8a871abde2ea78616f4ce6c37e155a27599";

/// One triplet staged and promoted.
fn promoted() -> Vec<Value> {
    vec![
        json!({
            "op": "stage_triplet", "run_id": "r", "turn_id": "turn-0001", "stem": "inv/one",
            "body": {"dto_type": "invocation", "id": "inv:one"},
            "links": {"declares": {"type": "skill", "id": "skill:alpha", "relationship": "declares"}},
            "manifest": {},
        }),
        json!({"op": "promote", "run_id": "r", "turn_id": "turn-0001"}),
    ]
}

/// A folder with the scenario in it.
fn scene(operations: &[Value]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scenario"), json!(operations).to_string()).unwrap();
    folder
}

#[track_caller]
fn kernel(folder: &Path, args: &[&str]) -> Ran {
    run_in(folder, &[&["kernel"], args].concat(), b"")
}

/// A folder whose `home` is what the operations left there.
fn home(operations: &[Value]) -> tempfile::TempDir {
    let folder = scene(operations);
    kernel(folder.path(), &["run", "scenario", "--home", "home"]).exits(0);
    folder
}

const RECORD: &str = "home/index/committed/triplets/inv/one.json";
const REFERENCE: &str = "home/index/committed/refs/by_id/skill/skill%3Aalpha.json";

#[test]
fn a_scenario_is_told_step_by_step() {
    let mut operations = promoted();
    operations.insert(1, json!({"op": "validate_links", "run_id": "r", "turn_id": "turn-0001", "stem": "inv/one"}));
    let folder = scene(&operations);
    let ran = kernel(folder.path(), &["run", "scenario"]).exits(1);
    let text = ran.text();
    let steps: Vec<_> = text.lines().take(6).collect();
    assert_eq!(steps[0], "  1  PASS  stage_triplet");
    assert_eq!(steps[1], "  2  FAIL  validate_links");
    assert!(steps[2].starts_with("       FAIL lsi E_LSI_ORPHAN_REFERENCE /links/declares/id {"), "{text}");
    assert_eq!(steps[3], "  3  PASS  promote");
    assert!(steps[4].starts_with("       INFO promotion I_PROMOTION_PASS /index/committed {"), "{text}");
    assert!(text.contains(LINKS) && text.ends_with("failed: scenario: 3 steps, 1 failed\n"), "{text}");
    assert!(!folder.path().join("index").exists(), "nothing is written without --home");
}

#[test]
fn machines_get_every_step_and_the_view() {
    let folder = scene(&promoted());
    let document = kernel(folder.path(), &["run", "scenario", "--format", "json"]).exits(0).json();
    assert_eq!(document["exit_code"], 0);
    let ops: Vec<_> = document["steps"].as_array().unwrap().iter().map(|step| &step["op"]).collect();
    assert_eq!(ops, ["stage_triplet", "promote"]);
    let digests = json!({"body_digest": BODY, "links_digest": LINKS, "manifest_digest": EMPTY});
    assert_eq!(document["steps"][0]["result"]["digests"], digests);
    assert_eq!(document["steps"][1]["result"]["promoted_stems"], json!(["inv/one"]));
    let view = &document["view"];
    assert_eq!(view["triplets"]["inv/one"], json!(["inv/one", BODY, LINKS, EMPTY, "turn-0001", "lsi/v1"]));
    // Tokens stand as on disk.
    assert_eq!(view["refs"]["skill:skill%3Aalpha"], json!([["inv/one", "/links/declares", "declares", LINKS]]));
    assert_eq!(view["objects"], json!([BODY, EMPTY, LINKS]));
    assert_eq!(view["ledger"], json!({"r": "turn-0001"}));
}

#[test]
fn events_and_triplets_by_themselves_are_steps() {
    let event = json!({
        "op": "emit_event", "level": "INFO", "stage": "lsi", "code": "I_REF_MULTISOURCE", "location": "/links/a",
        "text": "two | three", "pairs": {"n": 2, "id": "x"},
    });
    let unheard = json!({"op": "validate_triplet", "body": {"dto_type": "unheard"}, "links": {}});
    let folder = scene(&[event, unheard]);
    let line = r"[INFO] [STAGE:lsi] [CODE:I_REF_MULTISOURCE] [LOC:/links/a] two \u007c three | id=x n=2";
    let text = kernel(folder.path(), &["run", "scenario"]).exits(1).text().to_owned();
    let told = ["  1  PASS  emit_event", &format!("       {line}"), "  2  FAIL  validate_triplet"];
    assert_eq!(text.lines().take(3).collect::<Vec<_>>(), told);
    assert!(text.contains("FAIL dto_links E_DTO_LINKS_UNKNOWN_KEY /body/dto_type"), "{text}");
    let document = kernel(folder.path(), &["run", "scenario", "--format", "json"]).exits(1).json();
    assert_eq!(document["steps"][0]["result"]["line"], line);
}

#[test]
fn a_plan_is_a_step() {
    let step = json!({"op": "resolve_capability", "role": "critic", "task": "read", "context": {"permissions": ["b", "a", "b"]}});
    let folder = scene(&[step, json!({"op": "resolve_capability", "role": 7, "task": "read"})]);
    let document = kernel(folder.path(), &["run", "scenario", "--format", "json"]).exits(1).json();
    let plan = json!({
        "mode": "enabled", "role": "critic", "task": "read", "permissions": ["a", "b"],
        "policy_source": "context", "policy_version": null,
    });
    assert_eq!(document["steps"][0]["result"], json!({"outcome": "PASS", "issues": [], "capability_plan": plan}));
    assert_eq!(document["steps"][1]["result"]["capability_plan"], Value::Null);
    assert_eq!(document["steps"][1]["result"]["issues"][0]["location"], "/role");
}

#[test]
fn a_run_is_started_once() {
    let start =
        json!({"op": "start_run", "request": {"contract_version": "kernel_api/v1", "workflow_id": "w", "run_id": "r"}});
    let mut made = start.clone();
    made["request"].as_object_mut().unwrap().remove("run_id");
    let folder = scene(&[start.clone(), start, made]);
    let document = kernel(folder.path(), &["run", "scenario", "--home", "home", "--format", "json"]).exits(1).json();
    let envelope = |run| {
        json!({
            "contract_version": "kernel_api/v1", "run_id": run, "workflow_id": "w", "policy_profile_ref": null,
            "model_profile_ref": null, "visibility_mode": "local_only",
        })
    };
    let results: Vec<_> =
        document["steps"].as_array().unwrap().iter().map(|step| &step["result"]["run_envelope"]).collect();
    assert_eq!(results, [&envelope("r"), &Value::Null, &envelope("run-0001")]);
    assert!(!folder.path().join("home/index").exists(), "a start writes nothing");
}

#[test]
fn artifacts_are_written_and_audited() {
    let write =
        |content| json!({"op": "write_trace_artifacts", "run_id": "r/1", "trace_bundle": {"a": content, "b:c": []}});
    let folder = scene(&[write(json!({"z": 1, "a": null}))]);
    let run = || kernel(folder.path(), &["run", "scenario", "--home", "home", "--format", "json"]);
    let document = run().exits(0).json();
    let names: Vec<_> =
        document["steps"][0]["result"]["artifacts"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["a", "b:c"]);
    let file = folder.path().join("home/trace/r%2F1/b%3Ac.json");
    let text = r#"{"content":[],"contract_version":"kernel_api/v1","name":"b:c","schema_version":"trace_artifact/v1"}"#;
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    kernel(folder.path(), &["audit", "home"]).exits(0);
    fs::write(folder.path().join("scenario"), json!([write(json!(1))]).to_string()).unwrap();
    assert_eq!(run().exits(1).json()["steps"][0]["result"]["issues"][0]["location"], "/trace_bundle/a");
    fs::write(&file, format!("{text}\n")).unwrap();
    let audit = kernel(folder.path(), &["audit", "home"]).exits(1);
    audit.says(&["kernel/trace-artifacts", "error /trace/r%2F1/b%3Ac.json: ", "error /trace/r%2F1/index.json: "]);
}

#[test]
fn a_replay_is_held_to_what_was_recorded() {
    let replay = |recorded: Value| {
        let request = json!({
            "contract_version": "kernel_api/v1", "run_handle": {"run_id": "r"}, "turn_id": "turn-0001",
            "turn_input": {"stage_triplet": {"stem": "invocation", "body": {}, "links": {}}},
        });
        json!({"op": "replay_run", "run_descriptor": {
            "contract_version": "kernel_api/v1", "run_id": "r", "requests": [request], "recorded": recorded,
        }})
    };
    let folder = scene(&[replay(json!({"turn_digests": [], "issues": []}))]);
    let run = || kernel(folder.path(), &["run", "scenario", "--format", "json"]);
    let report = run().exits(1).json()["steps"][0]["result"]["report"].clone();
    assert_eq!(report["turn_digests"].as_array().unwrap().len(), 1);
    fs::write(folder.path().join("scenario"), json!([replay(report)]).to_string()).unwrap();
    let document = run().exits(0).json();
    assert_eq!(document["view"]["staged_triplets"], json!({}), "a replay stages nothing");
}

#[test]
fn the_help_names_every_operation() {
    let folder = tempfile::tempdir().unwrap();
    let help = kernel(folder.path(), &["run", "--help"]).exits(0).text().to_owned();
    let (_, listed) = help.split_once("and so on with").unwrap();
    let (listed, _) = listed.split_once('.').unwrap();
    let names: Vec<_> = listed.split([',', ' ', '\n']).filter(|name| !name.is_empty()).collect();
    let known: Vec<_> = assize_verifier::kernel::scenario_operations().map(|(name, _)| *name).collect();
    assert_eq!(names, known);
    let table: Value = serde_json::from_str(include_str!("../../contracts/interface/operations/kernel.json")).unwrap();
    let steps: Vec<_> = table["operations"][0]["steps"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(steps, known, "the steps that a testee can declare are those that there are");
}

#[test]
fn a_home_that_the_kernel_wrote_is_lawful() {
    let folder = home(&promoted());
    let ran = kernel(folder.path(), &["audit", "home"]).exits(0);
    assert_eq!(ran.text(), "lawful: home: 0 errors, 0 warnings\n");
    // The second run continues where the first one ended.
    let again = kernel(folder.path(), &["run", "scenario", "--home", "home", "--format", "json"]).exits(1).json();
    assert_eq!(again["steps"][1]["result"]["issues"][0]["details"]["reason"], "already_applied");
}

#[test]
fn each_law_is_found_where_it_is_broken() {
    let ledger = "home/index/committed/index/run_ledger.json";
    let object = format!("home/index/committed/objects/12/{BODY}");
    for (path, text, laws) in [
        (RECORD, Some("[]"), &["kernel/record-shape"][..]),
        (REFERENCE, None, &["kernel/link-of-record"]),
        (&object, Some("{}"), &["kernel/object-digest"]),
        (ledger, Some("{}"), &["kernel/ledger"]),
        ("home/index/committed/stray", Some(""), &["kernel/path-safety"]),
    ] {
        let folder = home(&promoted());
        let place = folder.path().join(path);
        match text {
            Some(text) => fs::write(place, text).unwrap(),
            None => fs::remove_file(place).unwrap(),
        }
        let document = kernel(folder.path(), &["audit", "home", "--format", "json"]).exits(1).json();
        let found: Vec<_> = document["findings"].as_array().unwrap().iter().map(|one| &one["law"]).collect();
        assert_eq!(found, laws, "{path}");
        kernel(folder.path(), &["audit", "home"]).exits(1).says(&[laws[0], "unlawful: home: 1 error, "]);
    }
}

#[test]
fn a_snapshot_shows_who_changed_committed() {
    let folder = home(&promoted());
    let before = kernel(folder.path(), &["snapshot", "home"]).exits(0);
    assert_eq!(before.json()["index/committed"], "dir");
    assert_eq!(before.json()[format!("index/committed/objects/44/{EMPTY}")], EMPTY);
    fs::write(folder.path().join("before"), &before.stdout).unwrap();
    let audit = |args: &[&str]| kernel(folder.path(), &[&["audit", "home", "--before", "before"], args].concat());
    audit(&["--operation", "execute_turn"]).exits(0);
    let next = json!([{"op": "promote", "run_id": "r", "turn_id": "turn-0002"}]);
    fs::write(folder.path().join("scenario"), next.to_string()).unwrap();
    kernel(folder.path(), &["run", "scenario", "--home", "home"]).exits(0);
    audit(&["--operation", "promote", "--outcome", "PASS"]).exits(0);
    audit(&["--operation", "promote", "--outcome", "FAIL"]).exits(1).says(&["kernel/promotion-atomicity"]);
    audit(&["--operation", "execute_turn", "--outcome", "PASS"]).exits(1).says(&[
        "kernel/fortress",
        "error /index/committed/index/run_ledger.json: ",
        "unlawful: home: 1 error, ",
    ]);
}

#[test]
fn what_cannot_be_used_is_named() {
    let folder = scene(&[json!({"op": "dance"})]);
    kernel(folder.path(), &["run", "scenario", "--home", "home"]).exits(3).complains(&["scenario: A_INPUT"]);
    fs::write(folder.path().join("cut"), "[").unwrap();
    kernel(folder.path(), &["run", "cut"]).exits(3).complains(&["cut: byte 1"]);
    kernel(folder.path(), &["run", "gone"]).exits(3).complains(&["gone"]);
    for task in ["audit", "snapshot"] {
        kernel(folder.path(), &[task, "gone"]).exits(3).complains(&["gone: cannot be opened as a folder"]);
        kernel(folder.path(), &[task, "cut"]).exits(3).complains(&["cut: cannot be opened as a folder"]);
    }
    kernel(folder.path(), &["audit", ".", "--before", "cut"]).exits(3).complains(&["cut: byte 1"]);
    fs::write(folder.path().join("list"), "[]").unwrap();
    kernel(folder.path(), &["audit", ".", "--before", "list"]).exits(3).complains(&["list: a snapshot is an object"]);
}

#[cfg(unix)]
#[test]
fn links_are_found_and_never_followed() {
    let folder = home(&promoted());
    std::os::unix::fs::symlink("one.json", folder.path().join("home/index/committed/triplets/inv/two.json")).unwrap();
    let audit = kernel(folder.path(), &["audit", "home"]).exits(1);
    audit.says(&["kernel/path-safety", "error /index/committed/triplets/inv/two.json: ", "1 error, "]);
    kernel(folder.path(), &["snapshot", "home"])
        .exits(3)
        .complains(&["triplets/inv/two.json: neither a file nor a folder"]);
}

#[test]
fn what_is_no_home_is_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let ran = kernel(folder.path(), &["audit", "empty"]).exits(3).complains(&["empty: no `index` here", "help: name"]);
    assert!(ran.stdout.is_empty());
    // Where a home is due, and what stands there is none, there is something to judge.
    fs::write(folder.path().join("empty/index"), "").unwrap();
    kernel(folder.path(), &["audit", "empty"]).exits(1);
    let folder = home(&promoted());
    let before = kernel(folder.path(), &["snapshot", "home"]).exits(0);
    fs::write(folder.path().join("before"), before.stdout).unwrap();
    let with =
        |operation: &str| kernel(folder.path(), &["audit", "home", "--before", "before", "--operation", operation]);
    with("promote").exits(0);
    with("promot").exits(64).complains(&["promot", "execute_turn"]);
}
