//! Every rule fires: a small clean corpus, one fault at a time.

mod cases;
mod corpus;
mod errata;
mod force;
mod questions;

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::*;
use crate::vector::exact::indent;

const GOOD_LAW: &str = "vectors/sovereign/float-ban/good-law.json";
const GOOD_REFERENCE: &str = "vectors/sovereign/float-ban/good-reference.json";
const BAD_LAW: &str = "vectors/sovereign/float-ban/bad-law.json";
const BAD_REFERENCE: &str = "vectors/sovereign/float-ban/bad-reference.json";
const LAW: &str = "contracts/laws/sovereign/float-ban.json";
const SYSTEM: &str = "contracts/sovereign/system.json";
const SPECS: &str = "contracts/specs/sovereign.json";
const RULINGS: &str = "contracts/rulings/sovereign.json";

/// One case; `odd` makes it the faulty input.
fn case(name: &str, mode: &str, odd: bool, expect: &str) -> String {
    let other = if mode == "law" { "reference" } else { "law" };
    let (provenance, agreement) = if mode == "law" { ("ruling NUM-02", "located") } else { ("comparator", "exact") };
    let (twin, value) =
        if odd { (format!(r#""twin":"sovereign/float-ban/good-{mode}","#), "1.0") } else { (String::new(), "1") };
    format!(
        r#"{{"id":"sovereign/float-ban/{name}-{mode}","op":"sovereign.compare","args":{{"mode":"{mode}"}},"spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r","flags":["FloatSpelling"],"provenance":"{provenance}","rows":["NUM-02"],{twin}"pair":"sovereign/float-ban/{name}-{other}","in":{{"bundle_a":{{"text":"{{}}"}},"bundle_b":{{"text":"{{}}"}}}},"files":{{"a.json":{{"text":"{value}"}}}},"expect":{expect},"agreement":"{agreement}"}}"#
    )
}

/// A ruling by mode, with these members at its end.
fn row(id: &str, more: &str) -> String {
    format!(
        r#"{{"id":"{id}","point":"p","places":[{{"document":"d","section":"s"}}],"text":"t","code":"c","ruling":{{"law":"l","reference":"r"}},"stands":"says",{more}}}"#
    )
}

fn corpus() -> BTreeMap<String, String> {
    let embedded = Store::embedded();
    let mut files = BTreeMap::new();
    let taken = |path: &&str| path.starts_with("contracts/interface/") || path.contains("/tables/");
    for path in embedded.below("contracts/").filter(taken) {
        files.insert(path.to_owned(), String::from_utf8(embedded.read(path).unwrap().into_owned()).unwrap());
    }
    let status = |status: &str| format!(r#"{{"is":"accept","out":{{"report":{{"status":"{status}"}}}}}}"#);
    let abort = r#"{"is":"reject","codes":["ABORT"],"out":{"exception":"ValueError"}}"#;
    let place = r#"{"document":"d","section":"s"}"#;
    for (path, text) in [
        (GOOD_LAW, case("good", "law", false, &status("EQUIVALENT"))),
        (GOOD_REFERENCE, case("good", "reference", false, &status("EQUIVALENT"))),
        (BAD_LAW, case("bad", "law", true, &status("ERROR"))),
        (BAD_REFERENCE, case("bad", "reference", true, abort)),
        (
            LAW,
            format!(
                r#"{{"slug":"sovereign/float-ban","title":"t","statement":"s","spec":{place},"origin":"text","position":1,"operations":["sovereign.compare"],"fewer":"small"}}"#
            ),
        ),
        (SYSTEM, r#"{"name":"sovereign","title":"t","documents":[],"rulings":["NUM"],"position":1}"#.to_owned()),
        (SPECS, r#"{"system":"sovereign","documents":[{"title":"d","version":null,"sha256":null,"note":"n","places":[{"section":"s","about":"a"}]}]}"#.to_owned()),
        ("vectors/flags.json", r#"{"FloatSpelling":{"bug":"b","effect":"e"}}"#.to_owned()),
        (RULINGS, format!(r#"{{"system":"sovereign","rulings":[{}]}}"#, row("NUM-02", r#""modes":"differ""#))),
    ] {
        files.insert(path.to_owned(), text);
    }
    files
}

fn run(files: BTreeMap<String, String>) -> Vec<LintFinding> {
    let laid = files.into_iter().map(|(path, text)| match RawValue::from_string(text.clone()) {
        Ok(raw) if path.starts_with("vectors/") && path.ends_with(".json") => (path, indent(&raw) + "\n"),
        _ => (path, text),
    });
    lint(&Store::memory(laid))
}

/// Replaces `from` in one file; some finding then lies in `file` at `pointer` and says `message`.
fn check_in(edited: &str, from: &str, to: &str, file: &str, pointer: &str, message: &str) {
    let mut files = corpus();
    let text = files.get_mut(edited).unwrap();
    assert!(text.contains(from), "{from} does not occur in {edited}");
    *text = text.replacen(from, to, 1);
    expect(&run(files), file, pointer, message);
}

fn expect(found: &[LintFinding], file: &str, pointer: &str, message: &str) {
    let hit = |finding: &&LintFinding| {
        finding.file == file && finding.pointer == pointer && finding.message.contains(message)
    };
    let hit = found.iter().find(hit);
    assert!(hit.is_some_and(|finding| !finding.remedy.is_empty()), "no {file} {pointer} {message} in {found:#?}");
}

fn check(edited: &str, from: &str, to: &str, pointer: &str, message: &str) {
    check_in(edited, from, to, edited, pointer, message);
}

#[test]
fn a_clean_corpus_has_no_findings() {
    assert_eq!(run(corpus()), []);
}
