//! What no operation judges: text that is not JSON, other shapes, and what exceeds a limit. Each says why and where.

use assize_verifier::reply::{self, Rejection};

/// What an operation refuses of a text.
type Refusal = fn(&[u8]) -> Option<Rejection>;

const OPERATIONS: [(&str, Refusal); 5] = [
    ("registry", |text| reply::registry(text).err()),
    ("envelope", |text| reply::envelope(text).err()),
    ("trace", |text| reply::trace(text).err()),
    ("tool_result", |text| reply::tool_result(text).err()),
    ("source", |text| reply::source(text).err()),
];

#[test]
fn text_that_is_no_sound_json() {
    let deep = [r#"{"a":"#.repeat(10_000), "1".to_owned(), "}".repeat(10_000)].concat();
    for (text, code, place) in [
        (&b"\xef\xbb\xbf{}"[..], "A_JSON", ""),
        (b"{} {}", "A_JSON", ""),
        (b"{\"a\": \"\xff\"}", "A_JSON", ""),
        (br#"{"data": {"a": 1e400}}"#, "A_JSON", "/data/a"),
        (br#"{"a": 1, "\u0061": 2}"#, "A_JSON", "/a"),
        (br#"{"data": [{"a": 1, "a": 1}]}"#, "A_JSON", "/data/0/a"),
        (br#"{"a": NaN}"#, "A_JSON", "/a"),
        (b"", "A_JSON", ""),
        (deep.as_bytes(), "A_LIMIT", ""),
    ] {
        for (name, operation) in OPERATIONS {
            let why = operation(text).unwrap_or_else(|| panic!("{name} takes {:?}", String::from_utf8_lossy(text)));
            assert_eq!(why.codes(), [code], "{name}: {why}");
            if code == "A_JSON" {
                assert_eq!(why.pointer().as_str(), place, "{name}: {why}");
            }
        }
    }
}

#[test]
fn other_shapes() {
    for (operation, text, says) in [
        ("registry", "{}", "/registries"),
        ("registry", r#"{"registries": []}"#, "/registries"),
        ("registry", r#"{"registries": [{}]}"#, "/registries/0/active"),
        ("registry", r#"{"registries": [{"active": [{"code": 1}]}]}"#, "/registries/0/active/0/code"),
        ("registry", r#"{"registries": [{"active": null}]}"#, "/registries/0/active"),
        ("registry", r#"{"registries": [{"active": []}], "earlier": [{"codes": null}]}"#, "/earlier/0/codes"),
        ("trace", "[]", "the document"),
        ("trace", r#"{"steps": null}"#, "/steps"),
        ("trace", r#"{"steps": [{"op": "new", "b": 1.0}]}"#, "/steps/0/b"),
        ("trace", r#"{"steps": [{"op": "jump"}]}"#, "/steps/0/op"),
        ("trace", r#"{"steps": [{"op": "return", "of": 0}]}"#, "/steps/0/of"),
        ("trace", r#"{"steps": [{"op": "return"}]}"#, "/steps/0"),
        ("trace", r#"{"steps": [{"op": "throw"}, {"op": "throw"}, {"op": "emit"}]}"#, "/steps/2/reply_type"),
        (
            "tool_result",
            r#"{"protocol_version": "2025-01-01", "tool": {"name": "t"}, "response": {}}"#,
            "/protocol_version",
        ),
        ("source", r#"{"call_sites": [{"line": 1, "returned": true}]}"#, "/call_sites/0/file"),
        ("source", r#"{"call_sites": [{"file": "", "line": 1, "returned": true}]}"#, "/call_sites/0/file"),
    ] {
        let (_, judge) = OPERATIONS.iter().find(|(name, _)| *name == operation).unwrap();
        let why = judge(text.as_bytes()).unwrap_or_else(|| panic!("{operation} takes {text}"));
        assert_eq!(why.codes(), ["A_INPUT"], "{text}");
        assert!(why.to_string().starts_with(says), "{text}: {why}");
    }
}

#[test]
fn a_code_of_a_megabyte() {
    let long = "A".repeat(1 << 20);
    let (code, found) = reply::code(long.as_bytes());
    assert!(code.is_none());
    assert!(found.findings[0].finding.message.len() < 300);
}
