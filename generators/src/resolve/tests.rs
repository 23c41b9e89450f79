//! Each agreement turns into its checks.

use assize_corpus::operation::{Operation, Table};
use serde_json::json as value;

use super::*;

/// Two operations of no system, so that what is said here depends on no table of contracts.
fn table() -> Table {
    let out = |name: &str, kind: &str| value!({"name": name, "kind": kind, "type": "json", "description": "d"});
    let operation = |name: &str, accept: [serde_json::Value; 2], force: serde_json::Value| -> Operation {
        let reject = value!({"common": true, "codes": [], "out": []});
        let text = value!({"name": name, "summary": "s", "args": [], "in": [], "root": false, "accept": accept,
            "reject": reject, "laws": "toy/", "levels": [], "force": force});
        serde_json::from_value(text).unwrap()
    };
    Table {
        operations: vec![
            operation(
                "toy.bytes",
                [out("bytes", "bytes"), out("sha256", "value")],
                value!({"/out/sha256": "interface"}),
            ),
            Operation {
                closed: serde_json::from_str(r#"{"/out/results/all":"all","/out/results/some/*":"filled"}"#).unwrap(),
                ..operation("toy.judge", [out("report", "doc"), out("results", "value")], value!({}))
            },
        ],
        ..Table::default()
    }
}

fn resolved(agreement: &str, op: &str, force: &str, expect: &str, more: &str) -> Result<Resolved, ResolveError> {
    let text = format!(
        r#"{{"id":"a/b/c","op":"{op}","spec":{{"document":"d","section":"s"}},"force":{force},"rationale":"r","provenance":"hand",
            "expect":{expect},"agreement":"{agreement}"{more}}}"#
    );
    Resolved::new(&Case::parse("c.json", text.as_bytes()).unwrap(), &table())
}

/// The checks of a case, a line each: place, demand, force. The first, of an acceptance, is left out.
fn checks(agreement: &str, op: &str, force: &str, expect: &str) -> Vec<String> {
    let case = resolved(agreement, op, force, expect, "").unwrap();
    let line = |check: &Check| {
        let mut text = serde_json::to_value(check).unwrap();
        let members = text.as_object_mut().unwrap();
        let (pointer, force) = (members.remove("pointer").unwrap(), members.remove("force").unwrap());
        let (kind, demand) = members.iter().next().unwrap();
        format!("{} {kind} {demand} {}", pointer.as_str().unwrap(), force.as_str().unwrap())
    };
    let lines: Vec<String> = case.expect[0].iter().map(line).collect();
    let accepts = lines[0].starts_with(r#"/is canonical "\"accept\""#);
    lines.into_iter().skip(usize::from(accepts)).collect()
}

const REPORT: &str = r#"{"is":"accept","out":{"report":{"b":[1.0,{"a/~":null}],"a":{}}}}"#;

#[test]
fn exact_is_the_whole_answer() {
    assert_eq!(
        checks("exact", "toy.judge", r#""spec""#, REPORT),
        [
            "/out/report spelled true interface",
            r#"/out/report canonical "{\"a\":{},\"b\":[1.0,{\"a/~\":null}]}" spec"#,
            r#"/out within ["report"] spec"#,
        ]
    );
    // What binds no more than its spelling does is one check.
    assert_eq!(
        checks("exact", "toy.judge", r#"{"/is":"spec","/out/report":"interface"}"#, REPORT),
        [r#"/out/report text "{\"a\":{},\"b\":[1.0,{\"a/~\":null}]}" interface"#, r#"/out within ["report"] spec"#]
    );
    let expect = r#"{"is":"accept","out":{"bytes":{"text":"\u00e9"},"sha256":"ab"}}"#;
    assert_eq!(
        checks("exact", "toy.bytes", r#""ruling A-1""#, expect),
        [
            r#"/out/bytes base64 "w6k=" ruling A-1"#,
            r#"/out/sha256 canonical "\"ab\"" interface"#,
            r#"/out within ["bytes","sha256"] ruling A-1"#,
        ]
    );
}

#[test]
fn located_is_the_listed_leaves() {
    assert_eq!(
        checks("located", "toy.judge", r#""spec""#, REPORT),
        [
            "/out/report/a object true spec",
            "/out/report/b array true spec",
            "/out/report/b most 2 spec",
            r#"/out/report/b/0 canonical "1.0" spec"#,
            r#"/out/report/b/1/a~1~0 canonical "null" spec"#,
        ]
    );
    let digits = r#"{"is":"accept","out":{"results":{"0":1}}}"#;
    assert_eq!(
        checks("located", "toy.judge", r#""spec""#, digits),
        ["/out/results object true spec", r#"/out/results/0 canonical "1" spec"#]
    );
}

#[test]
fn what_an_operation_closes_has_no_other_names() {
    let expect = r#"{"is":"accept","out":{"results":{"all":{"a":[]},"some":{"x":{"b":1},"y":{}},"open":{"c":2}}}}"#;
    let force = r#"{"/is":"spec","/out/results/all/e":"interface","/out/results/some/x/e":"ruling A-1"}"#;
    assert_eq!(
        checks("located", "toy.judge", force, expect),
        [
            "/out/results/all/a array true spec",
            "/out/results/all/a most 0 spec",
            "/out/results/all/e absent true interface",
            r#"/out/results/all within ["a","e"] spec"#,
            r#"/out/results/open/c canonical "2" spec"#,
            r#"/out/results/some/x/b canonical "1" spec"#,
            "/out/results/some/x/e empty true ruling A-1",
            r#"/out/results/some/x filled ["b","e"] spec"#,
            "/out/results/some/y object true spec",
            r#"/out/results/some/y filled [] spec"#,
        ]
    );
    // What is compared as a whole is closed anyway.
    let whole = checks("exact", "toy.judge", r#""spec""#, expect);
    assert_eq!(whole.len(), 2, "{whole:?}");
    assert_eq!(checks("verdict", "toy.judge", force, expect), [""; 0]);
}

#[test]
fn what_binds_with_several_forces_is_taken_apart() {
    let force = r#"{"/is":"spec","/out/report/b":"interface","/out/report/b/*/c":"ruling A-1","/out/report/b/2":"permitted",
        "/out/report/d":"interface"}"#;
    let expect = r#"{"is":"accept","out":{"report":{"a":[{}],"b":[{"c":[]}]}}}"#;
    assert_eq!(
        checks("exact", "toy.judge", force, expect),
        [
            "/out/report spelled true interface",
            // Its member `a` weighs as much, and is absent where no object stands.
            r#"/out/report/a canonical "[{}]" spec"#,
            "/out/report/b array true interface",
            "/out/report/b/2 absent true spec",
            "/out/report/b most 1 interface",
            r#"/out/report/b/0/c canonical "[]" ruling A-1"#,
            r#"/out/report/b/0 within ["c"] interface"#,
            "/out/report/d absent true interface",
            r#"/out/report within ["a","b","d"] spec"#,
            r#"/out within ["report"] spec"#,
        ]
    );
    // The object itself is ordered, and none of what it has.
    let force = r#"{"/is":"spec","/out/report/*":"interface"}"#;
    let expect = r#"{"is":"accept","out":{"report":{"a":1}}}"#;
    assert_eq!(
        checks("located", "toy.judge", force, expect),
        ["/out/report object true spec", r#"/out/report/a canonical "1" interface"#]
    );
    // One item more is worth nothing, and the next a breach.
    let force = r#"{"/is":"spec","/out/results/1":"interface"}"#;
    let expect = r#"{"is":"accept","out":{"results":[1]}}"#;
    assert_eq!(
        checks("located", "toy.judge", force, expect),
        [
            "/out/results array true spec",
            "/out/results/1 absent true interface",
            "/out/results most 2 spec",
            r#"/out/results/0 canonical "1" spec"#,
        ]
    );
}

#[test]
fn verdict_is_one_check() {
    assert_eq!(checks("verdict", "toy.judge", r#""spec""#, REPORT), [""; 0]);
    let rejection = r#"{"is":"reject","codes":["E_ONE"]}"#;
    assert_eq!(
        checks("verdict", "toy.judge", r#""interface""#, rejection),
        [r#"/is canonical "\"reject\"" interface"#]
    );
}

#[test]
fn codes_are_sets_and_alternatives_stand_side_by_side() {
    assert_eq!(
        checks(
            "exact",
            "toy.judge",
            r#""ruling A-1""#,
            r#"{"is":"reject","codes":["A_JSON","E_TWO","E_ONE","toy/a","ABORT"]}"#
        ),
        [
            r#"/is canonical "\"reject\"" ruling A-1"#,
            r#"/codes registered ["E_ONE","E_TWO"] ruling A-1"#,
            r#"/codes codes ["ABORT","A_JSON","E_ONE","E_TWO","toy/a"] interface"#,
            "/out within [] ruling A-1",
        ]
    );
    assert_eq!(
        checks("located", "toy.judge", r#""spec""#, r#"{"is":"reject","codes":["A_JSON"]}"#),
        [r#"/is canonical "\"reject\"" spec"#, r#"/codes codes ["A_JSON"] interface"#]
    );
    let more = r#","any_of":[{"is":"reject","codes":["A_JSON"]}]"#;
    let either = resolved("verdict", "toy.judge", r#""permitted""#, r#"{"is":"accept"}"#, more).unwrap();
    assert_eq!(
        json(&either.expect).unwrap(),
        r#"[[{"pointer":"/is","canonical":"\"accept\"","force":"spec"}],[{"pointer":"/is","canonical":"\"reject\"","force":"spec"}]]"#
    );
}

#[test]
fn documents_and_files_are_exact_bytes() {
    let files = r#","in":{"bundle_a":{"json":{"b": 1.0, "a": null}}},
        "files":{"d":{"kind":"directory"},"\u00e9":{"base64":"/w=="},"l":{"kind":"symlink","to":"x"},"u":{"kind":"unreadable","text":"1"}}"#;
    let case = resolved("verdict", "toy.judge", r#""spec""#, r#"{"is":"accept"}"#, files).unwrap();
    let text = json(&case).unwrap();
    assert!(text.is_ascii() && case.root);
    assert!(text.contains(r#""in":{"bundle_a":"eyJiIjoxLjAsImEiOm51bGx9"}"#), "{text}");
    let listed = r#""files":[{"path":"d","kind":"directory"},{"path":"l","kind":"symlink","to":"x"},{"path":"u","kind":"unreadable","base64":"MQ=="},{"path":"\u00e9","kind":"file","base64":"/w=="}]"#;
    assert!(text.contains(listed), "{text}");
}

#[test]
fn what_the_table_does_not_know_is_an_error() {
    let wrong = [
        ("toy.jugde", REPORT, "is not in the table"),
        ("toy.judge", r#"{"is":"accept","out":{"repport":1}}"#, "no output \"repport\""),
        ("toy.bytes", r#"{"is":"accept","out":{"bytes":"text"}}"#, "is bytes and is not spelled so"),
    ];
    for (op, expect, said) in wrong {
        let error = resolved("exact", op, r#""spec""#, expect, "").unwrap_err().to_string();
        assert!(error.contains("a/b/c") && error.contains(said), "{error}");
    }
}
