//! Controls of time: an answer that the harness holds back shows that lateness is caught, and only where there was an answer. The clock
//! of the limits is one that the testee itself moves when it hangs. Needs Python 3.

use std::{fs, path::Path, sync::atomic::AtomicBool, time::Duration};

use assize::{
    config::ENVIRONMENT,
    protocol::Limits,
    testee::{
        Child, Clock, Driver as _, Item, Launch, Response, Setup, Subject, Timing,
        alter::{Alteration, Kind},
    },
};
use assize_corpus::{agreement::Terms, vector::Case};

/// The built-in verifier with a fault that makes it hang, by the clock of a file.
fn hanging(fault: &str, hand: &Path) -> Child {
    static STOP: AtomicBool = AtomicBool::new(false);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/minimise/wrong.py");
    let hand = hand.to_owned();
    let argv = ["python3", script, fault, env!("CARGO_BIN_EXE_assize"), hand.to_str().unwrap()].map(Into::into);
    let limits = Limits { case_ms: 60_000, ..Limits::default() };
    let clock = Clock::held(move || Duration::from_secs(fs::metadata(&hand).map_or(0, |file| file.len())));
    let launch = Launch {
        argv: argv.into(),
        directory: None,
        environment: ENVIRONMENT.iter().map(|name| (*name).to_owned()).collect(),
        line: limits.line,
        cpu_s: limits.cpu_s,
        memory_mb: limits.memory_mb,
        timing: Timing { clock, ..Timing::default() },
        seal: None,
        subject: Subject::default(),
    };
    Child::new(Setup { launch, limits, run: "r-held".to_owned(), suite_sha256: "0".repeat(64), stop: &STOP }).unwrap()
}

/// A question about a document, with what the verifier answers.
fn question(document: &str, bytes: &str) -> Case {
    let text = format!(
        r#"{{"id":"canon/sovereign/question","op":"canon.bytes","args":{{"profile":"sovereign"}},
            "spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r","provenance":"hand","agreement":"located",
            "in":{{"doc":{{"text":"{document}"}}}},"expect":{{"is":"accept","out":{{"bytes":{{"text":"{bytes}"}}}}}}}}"#
    );
    Case::parse("question.json", text.as_bytes()).unwrap()
}

/// What comes of a question whose answer is altered.
fn altered(kind: Kind, fault: &str, document: &str, bytes: &str) -> Response {
    let folder = tempfile::tempdir().unwrap();
    let hand = folder.path().join("clock");
    fs::write(&hand, "").unwrap();
    let (case, child) = (question(document, bytes), hanging(fault, &hand));
    let alteration = Alteration { kind, choice: 0, terms: Terms::default() };
    let mut last = None;
    let controls = child.for_controls(kind != Kind::Repeated).unwrap();
    controls.run(&[Item { case: &case, alteration: Some(&alteration) }], "controls", &mut |_, response, _| {
        last = Some(response);
    });
    last.unwrap()
}

#[test]
fn an_answer_that_is_held_back_is_missed() {
    for kind in [Kind::Dropped, Kind::Late] {
        let response = altered(kind, "hangs", "[ 1]", "[1]");
        assert!(matches!(response, Response::Timeout(_)), "{kind:?}: {response:?}");
    }
}

/// It would have been caught for nothing that the harness did.
#[test]
fn an_answer_that_never_was_is_no_control() {
    for kind in [Kind::Dropped, Kind::Late] {
        let response = altered(kind, "hangs", "[-0]", "[0]");
        assert!(matches!(response, Response::NotRun(_)), "{kind:?}: {response:?}");
    }
}

/// A control is asked several times: one answer of them is not enough.
#[test]
fn one_that_answers_once_shows_nothing() {
    for kind in [Kind::Dropped, Kind::Late] {
        let response = altered(kind, "hangs-again", "[ 1]", "[1]");
        assert!(matches!(response, Response::NotRun(_)), "{kind:?}: {response:?}");
    }
}

/// Otherwise the harness would take a repeated answer for one that it has missed.
#[test]
fn an_answer_that_was_repeated_does_not_stand_where_it_does_not_come_again() {
    let response = altered(Kind::Repeated, "hangs-again", "[ 1]", "[1]");
    assert!(matches!(response, Response::Timeout(_)), "{response:?}");
}
