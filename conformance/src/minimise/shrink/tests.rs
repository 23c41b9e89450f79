use assize_corpus::vector::Case;

use super::*;

fn case(op: &str, inputs: &str, files: &str) -> Case {
    let text = format!(
        r#"{{"id":"a/b/c","op":"{op}","spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r","provenance":"hand",
            "in":{inputs},"files":{files},"expect":{{"is":"accept"}},"agreement":"verdict"}}"#
    );
    Case::parse("c.json", text.as_bytes()).unwrap()
}

fn text(case: &Case, name: &str) -> String {
    String::from_utf8(case.inputs[name].bytes()).unwrap()
}

fn has(bytes: &[u8], part: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(part)
}

/// Shrinks while a predicate holds, and gives the smallest and the number of questions.
fn shrunk(case: &Case, holds: impl Fn(&Case) -> bool) -> (Smallest, usize) {
    let mut questions = 0;
    let smallest = shrink(case, &mut |case, _| {
        questions += 1;
        if holds(case) { Reply::Kept } else { Reply::Lost }
    });
    assert!(holds(&smallest.case));
    (smallest, questions)
}

fn check(doc: &str, part: &str, expected: &str) {
    let case = case("canon.bytes", &serde_json::json!({"doc": {"text": doc}}).to_string(), "{}");
    let (smallest, _) = shrunk(&case, |case| has(&case.inputs["doc"].bytes(), part));
    assert_eq!(text(&smallest.case, "doc"), expected);
    assert!(smallest.complete);
}

#[test]
fn what_matters_stays_and_all_else_goes() {
    check(r#"{"a": [1, 2, {"deep": [[-0]], "x": "long text"}], "b": null}"#, "-0", "-0");
    check(r#"{"a": 1, "bbb": {"key": 17}}"#, "key", r#"{"key":0}"#);
    check(r#"["one two three", "four"]"#, "two", r#""two""#);
    check("12345", "3", "3");
    check(r#"["\u00e9x\ud800y"]"#, "\\ud800", r#""\ud800""#);
}

#[test]
fn white_space_that_matters_stays() {
    check("[1, 2, 3]", ", 2", ", 2");
    check("not json at all", "json", "json");
}

#[test]
fn both_sides_of_a_pair_change_together() {
    let side = r#"{"json": {"turns": [{"id": "t1", "n": 1}, {"id": "t2", "n": 2}], "x": [1, 2, 3]}}"#;
    let case = case("sovereign.compare", &format!(r#"{{"bundle_a": {side}, "bundle_b": {side}}}"#), "{}");
    let (smallest, _) = shrunk(&case, |case| {
        let (a, b) = (text(case, "bundle_a"), text(case, "bundle_b"));
        a == b && a.contains("t2")
    });
    assert_eq!((text(&smallest.case, "bundle_a"), smallest.case.inputs.len()), (r#""t2""#.to_owned(), 2));
}

#[test]
fn files_go_and_documents_that_are_needed_stay() {
    let files = r#"{"a.json": {"json": {"keep": 1, "other": 2}}, "b/c": {"text": "x"}, "d": {"kind": "directory"}}"#;
    let inputs = r#"{"bundle_a": {"json": {}}, "bundle_b": {"json": {}}, "registry": {"json": {}}}"#;
    let (smallest, _) = shrunk(
        &case("sovereign.compare", inputs, files),
        |case| matches!(case.files.get("a.json"), Some(assize_corpus::vector::Entry::File(file)) if has(&file.bytes(), "keep")),
    );
    assert_eq!(smallest.case.files.keys().collect::<Vec<_>>(), ["a.json"]);
    assert_eq!(smallest.case.inputs.keys().collect::<Vec<_>>(), ["bundle_a", "bundle_b"]);
    assert_eq!(smallest.size, super::size(&smallest.case));
}

#[test]
fn the_same_answers_give_the_same_result_and_no_question_comes_twice() {
    let case = case("canon.bytes", r#"{"doc": {"json": {"a": [1, 2, 3, 4], "b": {"c": "text", "d": -0}}}}"#, "{}");
    let run = || {
        let mut asked = Vec::new();
        let smallest = shrink(&case, &mut |case, _| {
            asked.push(case.inputs["doc"].bytes());
            if has(&case.inputs["doc"].bytes(), "-0") { Reply::Kept } else { Reply::Lost }
        });
        (text(&smallest.case, "doc"), asked)
    };
    let (first, second) = (run(), run());
    assert_eq!(first, second);
    assert_eq!(first.1.iter().collect::<BTreeSet<_>>().len(), first.1.len());
}

#[test]
fn what_was_found_before_the_end_is_kept() {
    let case = case("canon.bytes", r#"{"doc": {"json": {"a": [1, 2, 3, 4], "b": {"c": "text", "d": -0}}}}"#, "{}");
    for most in 0..8 {
        let mut questions = 0;
        let smallest = shrink(&case, &mut |case, _| {
            questions += 1;
            match has(&case.inputs["doc"].bytes(), "-0") {
                _ if questions > most => Reply::Stop,
                true => Reply::Kept,
                false => Reply::Lost,
            }
        });
        assert!(!smallest.complete && has(&smallest.case.inputs["doc"].bytes(), "-0"), "{most}");
        assert_eq!(questions, most + 1);
    }
}
