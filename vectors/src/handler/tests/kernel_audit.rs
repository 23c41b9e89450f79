//! `kernel.audit` over folders on disk.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Value, json};

use crate::{
    handler,
    testee::{Answer, Output, Request},
};

fn ask(root: Option<&Path>, args: Value, before: Option<&str>) -> Answer {
    let Value::Object(args) = args else { panic!("{args}") };
    let docs = before.map(|text| ("before".to_owned(), text.as_bytes().to_vec()));
    handler::answer(&Request {
        op: "kernel.audit".to_owned(),
        args,
        docs: BTreeMap::from_iter(docs),
        root: root.map(Path::to_path_buf),
    })
}

#[test]
fn questions_outside_the_domain_are_no_findings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "{}").unwrap();
    let home = Some(folder.path());
    for (root, args, before) in [
        (None, json!({}), None),
        (Some(file.as_path()), json!({}), None),
        (home, json!({"operation": 1}), None),
        (home, json!({"outcome": "pass"}), None),
        (home, json!({}), Some("[]")),
    ] {
        assert_eq!(ask(root, args.clone(), before), Answer::reject("A_INPUT"), "{root:?} {args} {before:?}");
    }
    assert_eq!(ask(home, json!({}), Some("{")), Answer::reject("A_JSON"));
}

#[test]
fn a_change_since_the_snapshot_is_a_finding_unless_a_promotion_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("index/committed/index");
    fs::create_dir_all(&ledger).unwrap();
    fs::write(ledger.join("run_ledger.json"), r#"{"lsi_version":"lsi/v1","runs":{"r":"turn-0001"}}"#).unwrap();
    let before = r#"{"index":"dir","index/committed":"dir","index/committed/index":"dir"}"#;
    let place = "/index/committed/index/run_ledger.json";
    let finding = json!({"law": "kernel/fortress", "code": null, "pointer": place, "severity": "error"});
    for (operation, expected) in [("stage_triplet", json!([finding])), ("promote", json!([]))] {
        let args = json!({"operation": operation, "outcome": "PASS"});
        let answer = ask(Some(folder.path()), args, Some(before));
        assert_eq!(answer, Answer::accept([("findings", Output::Value(expected))]));
    }
}
