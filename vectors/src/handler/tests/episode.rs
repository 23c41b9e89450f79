//! `episode.*` over folders on disk.

use std::path::Path;

use serde_json::{Value, json};

use crate::{
    handler,
    operation::{self, Kind},
    testee::{Answer, Output, Request},
};

fn request(op: &str, args: Value, root: Option<&Path>) -> Request {
    let Value::Object(args) = args else { panic!("{args}") };
    Request { op: op.to_owned(), args, docs: Default::default(), root: root.map(Path::to_path_buf) }
}

#[test]
fn questions_outside_the_domain_are_no_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "{}").unwrap();
    for (op, args, root) in [
        ("episode.verify", json!({}), None),
        ("episode.verify", json!({}), Some(file.as_path())),
        ("episode.verify", json!({}), Some(&*folder.path().join("gone"))),
        ("episode.verify", json!({"now": 7}), Some(folder.path())),
        ("episode.verify", json!({"now": null}), Some(folder.path())),
        ("episode.verify", json!({"now": "yesterday"}), Some(folder.path())),
        ("episode.contract", json!({}), None),
        ("episode.hashes", json!({}), None),
        ("episode.receipt", json!({}), None),
        ("episode.receipt", json!({"public_key": 7}), None),
    ] {
        assert_eq!(
            handler::answer(&request(op, args.clone(), root)),
            Answer::reject("A_INPUT"),
            "{op} {args} {root:?}"
        );
    }
}

#[test]
fn an_empty_folder_is_a_pack_without_files() {
    let folder = tempfile::tempdir().unwrap();
    let answer = handler::answer(&request("episode.verify", json!({}), Some(folder.path())));
    let Answer::Accept { out } = answer else { panic!("{answer:?}") };
    let said = |name: &str| out.get(name).cloned().unwrap();
    let said_value = |name: &str| match said(name) {
        Output::Value(value) => value,
        other => panic!("{name}: {other:?}"),
    };
    for (name, expected) in [
        ("verdict", json!("INTEGRITY_FAIL")),
        ("receipt_integrity", json!("FAIL")),
        ("claim_check", json!(null)),
        ("episode_claim", json!(null)),
        ("exit_code", json!(2)),
        ("phase", json!(1)),
        ("steps_replayed", json!(0)),
        ("steps_matched", json!(0)),
        ("steps_diverged", json!(0)),
        ("divergent_step_ids", json!([])),
    ] {
        assert_eq!(said_value(name), expected, "{name}");
    }
    let findings = said_value("findings");
    assert!(
        findings.as_array().unwrap().iter().any(|finding| finding["file"] == "episode_contract.json"),
        "{findings}"
    );
    let operation = operation::table().find("episode.verify").unwrap();
    assert_eq!(out.len(), operation.accept.len());
    for (output, stated) in operation.accept.iter().map(|stated| (said(&stated.name), stated)) {
        assert_eq!(Kind::of(&output), stated.kind, "{}", stated.name);
    }
}
