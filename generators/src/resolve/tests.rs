//! Each agreement turns into its checks.

use assize_corpus::operation;

use super::*;

fn resolved(agreement: &str, op: &str, expect: &str, more: &str) -> Result<Resolved, ResolveError> {
    let text = format!(
        r#"{{"id":"a/b/c","op":"{op}","spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r","provenance":"hand",
            "expect":{expect},"agreement":"{agreement}"{more}}}"#
    );
    Resolved::new(&Case::parse("c.json", text.as_bytes()).unwrap(), operation::table())
}

fn check(agreement: &str, op: &str, expect: &str, checks: &str) {
    let case = resolved(agreement, op, expect, "").unwrap();
    assert_eq!(json(&case.expect).unwrap(), format!("[[{checks}]]"), "{agreement} {op} {expect}");
}

const ACCEPT: &str = r#"{"pointer":"/is","canonical":"\"accept\""}"#;
const REPORT: &str = r#"{"is":"accept","out":{"report":{"b":[1.0,{"a/~":null}],"a":{}}}}"#;

#[test]
fn exact_is_the_whole_answer() {
    let text = r#"{"pointer":"/out/report","text":"{\"a\":{},\"b\":[1.0,{\"a/~\":null}]}"}"#;
    let names = r#"{"pointer":"/out","names":["report"]}"#;
    check("exact", "sovereign.compare", REPORT, &format!("{ACCEPT},{text},{names}"));
    let expect = r#"{"is":"accept","out":{"bytes":{"text":"\u00e9"},"sha256":"ab"}}"#;
    let bytes = r#"{"pointer":"/out/bytes","base64":"w6k="},{"pointer":"/out/sha256","canonical":"\"ab\""}"#;
    let names = r#"{"pointer":"/out","names":["bytes","sha256"]}"#;
    check("exact", "canon.bytes", expect, &format!("{ACCEPT},{bytes},{names}"));
}

#[test]
fn located_is_the_listed_leaves() {
    let leaves = [
        r#"{"pointer":"/out/report/a","object":true}"#,
        r#"{"pointer":"/out/report/b","length":2}"#,
        r#"{"pointer":"/out/report/b/0","canonical":"1.0"}"#,
        r#"{"pointer":"/out/report/b/1/a~1~0","canonical":"null"}"#,
    ];
    check("located", "sovereign.compare", REPORT, &format!("{ACCEPT},{}", leaves.join(",")));
    let digits = r#"{"is":"accept","out":{"results":{"0":1}}}"#;
    let leaves = r#"{"pointer":"/out/results","object":true},{"pointer":"/out/results/0","canonical":"1"}"#;
    check("located", "authority.dag", digits, &format!("{ACCEPT},{leaves}"));
}

#[test]
fn verdict_is_one_check() {
    check("verdict", "sovereign.compare", REPORT, ACCEPT);
    check(
        "verdict",
        "canon.bytes",
        r#"{"is":"reject","codes":["A_JSON"]}"#,
        r#"{"pointer":"/is","canonical":"\"reject\""}"#,
    );
}

#[test]
fn codes_are_a_set_and_alternatives_stand_side_by_side() {
    let reject = r#"{"pointer":"/is","canonical":"\"reject\""},{"pointer":"/codes","codes":["A_INPUT","A_JSON"]}"#;
    check(
        "exact",
        "canon.bytes",
        r#"{"is":"reject","codes":["A_JSON","A_INPUT"]}"#,
        &format!("{reject},{}", r#"{"pointer":"/out","names":[]}"#),
    );
    let either =
        resolved("verdict", "canon.bytes", r#"{"is":"accept"}"#, r#","any_of":[{"is":"reject","codes":["A_JSON"]}]"#);
    assert_eq!(either.unwrap().expect.len(), 2);
}

#[test]
fn documents_and_files_are_exact_bytes() {
    let files = r#","in":{"bundle_a":{"json":{"b": 1.0, "a": null}}},
        "files":{"d":{"kind":"directory"},"\u00e9":{"base64":"/w=="},"l":{"kind":"symlink","to":"x"},"u":{"kind":"unreadable","text":"1"}}"#;
    let case = resolved("verdict", "sovereign.compare", r#"{"is":"accept"}"#, files).unwrap();
    let text = json(&case).unwrap();
    assert!(text.is_ascii() && case.root);
    assert!(text.contains(r#""in":{"bundle_a":"eyJiIjoxLjAsImEiOm51bGx9"}"#), "{text}");
    let listed = r#""files":[{"path":"d","kind":"directory"},{"path":"l","kind":"symlink","to":"x"},{"path":"u","kind":"unreadable","base64":"MQ=="},{"path":"\u00e9","kind":"file","base64":"/w=="}]"#;
    assert!(text.contains(listed), "{text}");
}

#[test]
fn what_the_table_does_not_know_is_an_error() {
    let wrong = [
        ("sovereign.conpare", REPORT, "is not in the table"),
        ("sovereign.compare", r#"{"is":"accept","out":{"repport":1}}"#, "no output \"repport\""),
        ("canon.bytes", r#"{"is":"accept","out":{"bytes":"text"}}"#, "is bytes and is not spelled so"),
    ];
    for (op, expect, said) in wrong {
        let error = resolved("exact", op, expect, "").unwrap_err().to_string();
        assert!(error.contains("a/b/c") && error.contains(said), "{error}");
    }
}
