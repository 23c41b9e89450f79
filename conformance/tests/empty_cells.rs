//! A cell of the census that no case reaches says why. Apart from the tests of the census itself, since a law or a system that is
//! laid over a copy of the repository brings cells along for which nobody argues there.

use crate::census::CENSUS;

#[test]
fn a_cell_that_no_case_reaches_has_a_reason() {
    let unargued = CENSUS.rows.iter().filter(|row| row.is_empty() && row.why.is_none());
    let unargued: Vec<String> = unargued.map(|row| row.cell.to_string()).collect();
    let unargued = unargued.join("\n  ");
    assert!(unargued.is_empty(), "write a case that reaches it, or a reason in conformance/census.json:\n  {unargued}");
}

#[test]
fn every_reason_is_a_sentence_and_stands_once() {
    let reasons: serde_json::Value = serde_json::from_str(include_str!("../census.json")).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for reason in reasons.as_array().unwrap() {
        let why = reason["why"].as_str().unwrap();
        assert!(why.ends_with('.') && seen.insert(why), "{why}");
        assert!(!reason["cells"].as_array().unwrap().is_empty(), "{why}");
    }
}
