//! `ledger append`: the record that follows, and ledgers that nothing follows.

use std::fs;

use super::run_in;

const FIRST: &str = r#"{"kind":"note","parent":null,"payload":{"a":null,"b":[1,1.0]},"payload_hash":"096abb37cc9b431c428b2bfa4dd044eda84fc04b022e698b82f3033fa7bb93f8","record_hash":"4abf9d039faf3cfca121216c009c22d75dd9b1e9fa7986d47819a1d89b28af32","ts":"t0","v":1}"#;

#[test]
fn a_ledger_grows_record_by_record_and_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    fs::write(&path, "").unwrap();
    let append = |ts: &str, payload: &str| {
        let args = ["ledger", "append", "run.jsonl", "--ts", ts, "--kind", "note", "-"];
        let line = run_in(folder.path(), &args, payload.as_bytes()).exits(0).text().to_owned();
        fs::write(&path, fs::read_to_string(&path).unwrap() + &line).unwrap();
        line
    };
    let first = append("t0", r#"{"b": [1, 1.0], "a": null}"#);
    assert!(
        first.contains(r#""record_hash":"4abf9d039faf3cfca121216c009c22d75dd9b1e9fa7986d47819a1d89b28af32""#),
        "{first}"
    );
    let second = append("t1", "\"\\u00e9\"");
    assert!(
        second.contains(r#""parent":"4abf9d039faf3cfca121216c009c22d75dd9b1e9fa7986d47819a1d89b28af32""#),
        "{second}"
    );
    assert!(
        second.contains(r#""record_hash":"969676f096c69b14693e9114359585049dd7eefaf6b3e1322eb03ac4c3128874""#),
        "{second}"
    );
    run_in(folder.path(), &["ledger", "verify", "run.jsonl"], b"").exits(0).says(&["2 records"]);
}

#[test]
fn nothing_follows_a_broken_ledger_or_what_is_no_payload() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("broken.jsonl"), FIRST.replace("t0", "t1")).unwrap();
    fs::write(folder.path().join("none.json"), "[]").unwrap();
    let append = |ledger: &str, payload: &str, code: i32, says: &[&str]| {
        let args = ["ledger", "append", ledger, "--ts", "t", "--kind", "note", "-"];
        let ran = run_in(folder.path(), &args, payload.as_bytes()).exits(code);
        assert_eq!(ran.text(), "");
        ran.complains(says);
    };
    append("broken.jsonl", "NaN", 1, &["broken.jsonl", "record 0"]);
    append("none.json", "NaN", 1, &["NaN", "finite"]);
    append("none.json", "[1,]", 3, &["byte 3"]);
    append("none.json", "", 3, &[]);
    let args = ["ledger", "append", "-", "--ts", "t", "--kind", "note", "-"];
    run_in(folder.path(), &args, b"").exits(64).complains(&["both are standard input"]);
}
