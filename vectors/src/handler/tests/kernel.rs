//! `kernel.scenario` over folders on disk.

use std::{collections::BTreeMap, path::Path};

use serde_json::json;

use crate::{
    handler,
    testee::{Answer, Output, Request},
};

fn ask(root: Option<&Path>, operations: &str) -> Answer {
    handler::answer(&Request {
        op: "kernel.scenario".to_owned(),
        args: serde_json::Map::new(),
        docs: BTreeMap::from([("operations".to_owned(), operations.as_bytes().to_vec())]),
        root: root.map(Path::to_path_buf),
    })
}

#[test]
fn a_scenario_answers_with_its_steps_and_the_view() {
    let folder = tempfile::tempdir().unwrap();
    let operations = json!([
        {"op": "stage_triplet", "run_id": "r", "turn_id": "turn-0001", "stem": "a", "body": {}, "links": {}, "manifest": {}},
        {"op": "promote", "run_id": "r", "turn_id": "turn-0001"}
    ]);
    let empty = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
    let digests = json!({"body_digest": empty, "links_digest": empty, "manifest_digest": empty});
    let pass = json!({
        "level": "INFO", "stage": "promotion", "code": "I_PROMOTION_PASS", "location": "/index/committed",
        "details": {"run_id": "r", "turn_id": "turn-0001", "stems": ["a"]}
    });
    let steps = json!([
        {"outcome": "PASS", "issues": [], "digests": digests},
        {"outcome": "PASS", "issues": [pass], "promoted_stems": ["a"]}
    ]);
    let view = json!({
        "triplets": {"a": ["a", empty, empty, empty, "turn-0001", "lsi/v1"]},
        "refs": {}, "objects": [empty], "staged_triplets": {}, "ledger": {"r": "turn-0001"}
    });
    let expected = Answer::accept([("steps", Output::Value(steps)), ("view", Output::Value(view))]);
    assert_eq!(ask(Some(folder.path()), &operations.to_string()), expected);
}

#[test]
fn what_is_no_scenario_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let staging = r#"{"op": "stage_deletions", "run_id": "r", "turn_id": "turn-0001", "stems": ["a"]}"#;
    for (last, code) in [
        (r#"{"op": "unheard"}"#, "A_INPUT"),
        (r#"{"op": "promote", "run_id": "r"}"#, "A_INPUT"),
        (r#"{"op": "promote", "run_id": "r", "turn_id": 1}"#, "A_INPUT"),
        (r#"{"op": "promote", "run_id": "r", "run_id": "r", "turn_id": "turn-0001"}"#, "A_JSON"),
        (r#"{"op": "write_file", "path": "../x", "text": ""}"#, "A_INPUT"),
        (r#"{"op": "crash", "run_id": "r", "turn_id": "turn-0001", "at": "lunch"}"#, "A_INPUT"),
        (r#"{"op": "promote", "run_id": "r", "turn_id": NaN}"#, "A_JSON"),
        ("1", "A_INPUT"),
    ] {
        assert_eq!(ask(Some(folder.path()), &format!("[{staging}, {last}]")), Answer::reject(code), "{last}");
    }
    assert_eq!(ask(None, "[]"), Answer::reject("A_INPUT"));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_home_that_fails_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index"), "a file").unwrap();
    let staging = r#"[{"op": "stage_deletions", "run_id": "r", "turn_id": "turn-0001", "stems": ["a"]}]"#;
    assert!(matches!(ask(Some(folder.path()), staging), Answer::Fault { kind, .. } if kind == "io"));
}
