//! Rules about what a case asks and expects.

use super::*;

#[test]
fn questions() {
    check(GOOD_LAW, r#""op":"sovereign.compare""#, r#""op":"sovereign.compute""#, "/op", "no operation");
    check(GOOD_LAW, r#""mode":"law""#, r#""mode":"strict""#, "/args/mode", "no such argument");
    check(GOOD_LAW, r#"{"mode":"law"}"#, r#"{"mode":"law","more":1}"#, "/args/more", "no such argument");
    check(GOOD_LAW, r#"{"mode":"law"}"#, "{}", "/args", "mode is missing");
    check(GOOD_LAW, r#""bundle_a":"#, r#""bundle_c":"#, "/in/bundle_c", "no such document");
    check(GOOD_LAW, r#""bundle_a":"#, r#""bundle_c":"#, "/in", "bundle_a is missing");
    check(GOOD_LAW, r#""op":"sovereign.compare""#, r#""op":"sovereign.order""#, "/files", "no folder");
    check(GOOD_LAW, r#"{"report":"#, r#"{"rapport":"#, "/expect/out/rapport", "no such output");
    check(GOOD_REFERENCE, r#","out":{"report":{"status":"EQUIVALENT"}}"#, "", "/expect/out", "exact, but report");
    check(GOOD_LAW, r#"{"status":"EQUIVALENT"}"#, "{}", "/expect", "without an expected status");
    check(BAD_REFERENCE, r#"["ABORT"]"#, r#"["A_JSON"]"#, "/expect/codes", "cannot reject with A_JSON");
    check(BAD_REFERENCE, "ValueError", "ValuesError", "/expect/out/exception", "not of its values");
    let any = r#""any_of":[{"is":"reject","codes":["ABORT"]}],"agreement""#;
    check(GOOD_LAW, r#""agreement""#, any, "/any_of/0/codes", "cannot reject with ABORT");
    let bytes = r#""op":"canon.bytes""#;
    check(GOOD_LAW, r#""op":"sovereign.compare""#, bytes, "/op", "does not test sovereign/float-ban");
}

#[test]
fn bytes_are_spelled_out() {
    let mut files = corpus();
    let path = "vectors/sovereign/float-ban/canon.json";
    let text = r#"{"id":"sovereign/float-ban/canon","op":"canon.bytes","args":{"profile":"episode"},"spec":{"document":"d","section":"s"},"force":"spec","rationale":"r","flags":[],"provenance":"hand","in":{"doc":{"text":"1"}},"expect":{"is":"accept","out":{"bytes":"1"}},"agreement":"located"}"#;
    files.insert(path.to_owned(), text.to_owned());
    expect(&run(files), path, "/expect/out/bytes", "no bytes");
}
