//! Controls of time: an answer that the harness holds back shows that lateness is caught, and only where there was an answer. The clock
//! of the limits is one that the testee itself moves when it hangs. Needs Python 3.

use assize::{
    protocol::Limits,
    testee::{
        Child, Driver as _, Item, Response,
        alter::{Alteration, Kind},
    },
};
use assize_corpus::{agreement::Terms, vector::Case};

use crate::support::held_setup;

/// A question about a document, with what the verifier answers.
fn question(document: &str, bytes: &str) -> Case {
    let text = format!(
        r#"{{"id":"canon/sovereign/question","op":"canon.bytes","args":{{"profile":"sovereign"}},
            "spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r","provenance":"hand","agreement":"located",
            "in":{{"doc":{{"text":"{document}"}}}},"expect":{{"is":"accept","out":{{"bytes":{{"text":"{bytes}"}}}}}}}}"#
    );
    Case::parse("question.json", text.as_bytes()).unwrap()
}

/// What comes of a question to the built-in verifier with a fault, whose answer is altered.
fn altered(kind: Kind, fault: &str, document: &str, bytes: &str) -> Response {
    let folder = tempfile::tempdir().unwrap();
    let hand = folder.path().join("clock");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/minimise/wrong.py");
    let argv = ["python3", script, fault, env!("CARGO_BIN_EXE_assize"), hand.to_str().unwrap()].map(Into::into);
    let limits = Limits { case_ms: 60_000, ..Limits::default() };
    let (case, child) = (question(document, bytes), Child::new(held_setup(argv.into(), limits, &hand)).unwrap());
    let alteration = Alteration { kind, choice: 0, terms: Terms::default() };
    let mut last = None;
    let controls = child.for_controls(kind != Kind::Repeated).unwrap();
    controls.run(&[Item { case: &case, alteration: Some(&alteration) }], "controls", &mut |_, response, _| {
        last = Some(response);
    });
    last.unwrap()
}

/// The same where the answer never arrives, and where it comes late.
fn held_back(fault: &str, document: &str, bytes: &str) -> [Response; 2] {
    [Kind::Dropped, Kind::Late].map(|kind| altered(kind, fault, document, bytes))
}

#[test]
fn an_answer_that_is_held_back_is_missed() {
    let responses = held_back("hangs", "[ 1]", "[1]");
    assert!(matches!(responses, [Response::Timeout(_), Response::Timeout(_)]), "{responses:?}");
}

/// It would have been caught for nothing that the harness did.
#[test]
fn an_answer_that_never_was_is_no_control() {
    let responses = held_back("hangs", "[-0]", "[0]");
    assert!(matches!(responses, [Response::NotRun(_), Response::NotRun(_)]), "{responses:?}");
}

/// A control is asked several times: one answer of them is not enough.
#[test]
fn one_that_answers_once_shows_nothing() {
    let responses = held_back("hangs-again", "[ 1]", "[1]");
    assert!(matches!(responses, [Response::NotRun(_), Response::NotRun(_)]), "{responses:?}");
}

/// Otherwise the harness would take a repeated answer for one that it has missed.
#[test]
fn an_answer_that_was_repeated_does_not_stand_where_it_does_not_come_again() {
    let response = altered(Kind::Repeated, "hangs-again", "[ 1]", "[1]");
    assert!(matches!(response, Response::Timeout(_)), "{response:?}");
}
