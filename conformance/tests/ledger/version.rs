//! `engine version`: findings, exit codes, and files that are not a change.

use serde_json::{Value, json};

use super::run_in;

fn release(version: &str, goldens: &Value) -> Value {
    json!({"version": version, "goldens": goldens, "artifact_fields": {}})
}

#[test]
fn a_golden_that_is_dropped_needs_a_major_version_and_its_documentation() {
    let folder = tempfile::tempdir().unwrap();
    let golden = json!({
        "summary_hash": null, "ledger_last_hash": "a", "dag_root_hash": null, "artifact_hashes": {}, "chosen": null,
        "node_count": 0, "edge_count": 0, "node_kinds": {},
    });
    let judged = |later: &str, documented: bool, code: i32, says: &[&str]| {
        let (earlier, later) = (release("0.1.0", &json!({"tea": golden})), release(later, &json!({})));
        let change = json!({"earlier": earlier, "later": later, "documented": documented}).to_string();
        run_in(folder.path(), &["engine", "version", "-"], change.as_bytes()).exits(code).says(says);
    };
    judged("0.2.0", true, 1, &["authority/change-control", "/later/goldens/tea", "unlawful: ", "1 error, "]);
    judged("1.0.0", false, 1, &["/documented"]);
    judged("1.0.0", true, 0, &["lawful: "]);
}

#[test]
fn what_is_no_change_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (text, says) in [
        ("", "byte 0"),
        ("[]", "an object is due"),
        (r#"{"earlier":{},"later":{},"documented":true}"#, "/earlier/version: the member is missing"),
    ] {
        run_in(folder.path(), &["engine", "version", "-"], text.as_bytes()).exits(3).complains(&[says]);
    }
    let change =
        json!({"earlier": release("0.1", &json!({})), "later": release("0.1.0", &json!({})), "documented": true});
    let ran = run_in(folder.path(), &["engine", "version", "-"], change.to_string().as_bytes()).exits(3);
    ran.complains(&["/earlier/version", "three decimal numbers"]);
}
