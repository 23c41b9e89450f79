//! `kernel.event`, `kernel.issue_order` and `kernel.registry`.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{
    handler, operation,
    testee::{Answer, Output, Request},
};

fn ask(op: &str, name: &str, text: &[u8]) -> Answer {
    let docs = BTreeMap::from([(name.to_owned(), text.to_vec())]);
    handler::answer(&Request { op: op.to_owned(), args: Default::default(), docs, root: None })
}

#[test]
fn an_event_is_answered_with_every_member_of_the_table() {
    let line = b"[FAIL] [STAGE:lsi] [CODE:E_NOBODY_KNOWS] [LOC:/links/a] missing | id=x";
    let Answer::Accept { out } = ask("kernel.event", "line", line) else { panic!("refused") };
    let operation = operation::table().find("kernel.event").unwrap();
    let names: Vec<_> = out.keys().map(String::as_str).collect();
    let mut stated: Vec<_> = operation.accept.iter().map(|output| output.name.as_str()).collect();
    stated.sort_unstable();
    assert_eq!(names, stated);
    let finding = json!({"law": "kernel/code-registry", "code": null, "pointer": "/code", "severity": "error"});
    assert_eq!(out["findings"], Output::Value(json!([finding])));
}

#[test]
fn what_is_no_event_breaks_the_format() {
    assert_eq!(ask("kernel.event", "line", b"[FAIL]"), Answer::reject("kernel/event-format"));
    assert_eq!(ask("kernel.event", "other", b""), Answer::reject("A_INPUT"));
}

#[test]
fn issues_come_back_sorted_or_not_at_all() {
    let issues = br#"[{"stage":"lsi","location":"/b","code":"E_A"},{"stage":"lsi","location":"/a","code":"E_B"}]"#;
    let sorted = r#"[{"code":"E_B","location":"/a","stage":"lsi"},{"code":"E_A","location":"/b","stage":"lsi"}]"#;
    assert_eq!(
        ask("kernel.issue_order", "issues", issues),
        Answer::accept([("issues", Output::Doc(sorted.to_owned()))])
    );
    assert_eq!(ask("kernel.issue_order", "issues", b"{}"), Answer::reject("A_INPUT"));
    assert_eq!(ask("kernel.issue_order", "issues", b"{"), Answer::reject("A_JSON"));
}

#[test]
fn a_finding_about_a_registry_names_the_code_at_fault() {
    let revisions = br#"[{"version":"1.0.0","codes":{"E_A":"a"}},{"version":"1.0.0","codes":{}}]"#;
    let finding = |code: serde_json::Value, pointer: &str| json!({"law": "kernel/registry-versions", "code": code, "pointer": pointer, "severity": "error"});
    let findings = json!([finding(json!("E_A"), "/1/codes/E_A"), finding(json!(null), "/1/version")]);
    assert_eq!(ask("kernel.registry", "revisions", revisions), Answer::accept([("findings", Output::Value(findings))]));
    assert_eq!(ask("kernel.registry", "revisions", b"[]"), Answer::reject("A_INPUT"));
    assert_eq!(ask("kernel.registry", "other", b"[]"), Answer::reject("A_INPUT"));
    assert_eq!(ask("kernel.registry", "revisions", b"["), Answer::reject("A_JSON"));
}
