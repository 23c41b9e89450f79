//! The judge is judged: every demand with an answer that meets it, and with one that does not.

use super::*;
use crate::{
    question::{Output, Outputs},
    suite::{case::Demand::*, force::Weight},
};

fn accepted(name: &str, output: Output) -> Answer {
    Answer { is: "accept", codes: Vec::new(), out: Outputs([(name.to_owned(), output)].into()) }
}

fn doc(text: &str) -> Answer {
    accepted("doc", Output::Doc(text.to_owned()))
}

fn rejected(codes: &[&str]) -> Answer {
    Answer { is: "reject", codes: strings(codes), out: Outputs::default() }
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn check(pointer: &str, demand: Demand) -> Check {
    Check { pointer: pointer.to_owned(), force: Force::Spec, demand }
}

fn equal(pointer: &str, text: &str) -> Check {
    check(pointer, Canonical(text.to_owned()))
}

#[test]
fn checks_hold_for_what_they_demand_alone() {
    let nested = |levels: usize| doc(&("[".repeat(levels) + &"]".repeat(levels)));
    let within = |pointer: &str, names: &[&str]| check(pointer, Within(strings(names)));
    let filled = |names: &[&str]| check("/out/doc", Filled(strings(names)));
    let bytes = |bytes: &[u8]| accepted("b", Output::Bytes(bytes.to_vec()));
    let value = |name: &str, text: &str| accepted(name, Output::Value(text.to_owned()));
    let text = || check("/out/doc", Text("{\"a\":1}".to_owned()));
    let spelled = || check("/out/doc", Spelled);
    let one = |text: &str| (equal("/out/doc/a", "1"), doc(text));
    let pairs =
        |list: Vec<(Check, Answer)>, holds: bool| list.into_iter().map(move |(check, answer)| (check, answer, holds));
    let holding = vec![
        (equal("/out/doc", "{\"a\":1,\"b\":[2]}"), doc("{ \"b\" : [2], \"a\": 1 }")),
        (equal("/out/doc/n", "9007199254740993"), doc("{\"n\":9007199254740993}")),
        (equal("/out/doc", "\"A\\ud83d\\ude00\""), doc("\"\\u0041\u{1f600}\"")),
        (equal("/out/doc/1", "2"), doc("[1,2]")),
        (equal("/out/doc/1", "2"), doc("{\"1\":2}")),
        (equal("/out/doc/a~1b~0c", "true"), doc("{\"a/b~c\":true}")),
        one("{\"a\":1,\"b\":\"\\ud83d\\ude00\"}"),
        (check("/out/doc", Array), nested(128)),
        (equal("/out/path", "null"), value("path", "null")),
        (text(), doc("{\"a\":1}")),
        (check("/out/b", Bytes(vec![0, 255])), bytes(&[0, 255])),
        (check("/out/doc", Object), doc("{}")),
        (within("/out", &["doc", "more"]), doc("1")),
        (within("/out/doc", &[]), doc("[1]")),
        (within("/out/none", &[]), doc("1")),
        (filled(&["a"]), doc("{\"a\":1,\"b\":[],\"c\":{}}")),
        (filled(&[]), doc("[1]")),
        (check("/out/doc", Most(2)), doc("[1,2]")),
        (check("/out/doc", Most(0)), doc("{\"a\":1}")),
        (check("/out/doc/1", Absent), doc("[1]")),
        (check("/out/none", Absent), doc("[1]")),
        (check("/out/doc/b", Empty), doc("{\"a\":1}")),
        (check("/out/doc/a", Empty), doc("{\"a\":[]}")),
        (check("/out/doc/a", Empty), doc("{\"a\":{}}")),
        (spelled(), doc("{\"a\":[1.0,\"\\n\\u001f\u{7f}\u{e9}/\"],\"\u{ff61}\":-0,\"\u{1f600}\":{}}")),
    ];
    let failing = vec![
        (equal("/out/doc", "[1,2]"), doc("[2,1]")),
        (equal("/out/doc/n", "1"), doc("{\"n\":1.0}")),
        (equal("/out/doc/01", "2"), doc("[1,2]")),
        one("{\"a\":1"),
        one("{\"a\":1,\"b\":0,\"b\":0}"),
        one("{\"a\":1,\"b\":0,\"\\u0062\":0}"),
        one("{\"a\":1,\"b\":\"\\ud800\"}"),
        one("{\"a\":1,\"b\":\"\\ude00\\ud83d\"}"),
        one("{\"a\":1,\"\\ud800x\":0}"),
        (check("/out/doc", Array), nested(129)),
        (equal("/out/other", "null"), doc("1")),
        (text(), doc("{\"a\": 1}")),
        (text(), value("doc", "{\"a\":1}")),
        (check("/out/b", Bytes(vec![0])), bytes(&[1])),
        (check("/out/doc", Object), doc("[]")),
        (check("/out/doc", Array), doc("{}")),
        (within("/out", &[]), doc("1")),
        (within("/out/doc/a", &[]), doc("{\"a\":{\"b\":1}}")),
        (filled(&["a"]), doc("{\"a\":1,\"b\":[[]]}")),
        (filled(&[]), doc("{\"a\":null}")),
        (check("/out/doc", Most(1)), doc("[1,2]")),
        (check("/out/doc/0", Absent), doc("[1]")),
        (check("/out/doc/a", Empty), doc("{\"a\":[0]}")),
        (check("/out/doc/a", Empty), doc("{\"a\":null}")),
        (check("/out/doc", Absent), doc("[")),
        (spelled(), doc("{\"a\": 1}")),
        (spelled(), doc("{\"b\":1,\"a\":1}")),
        (spelled(), doc("{\"\u{1f600}\":1,\"\u{ff61}\":1}")),
        (spelled(), doc("[\"\\u0041\"]")),
        (spelled(), doc("[\"\\u000a\"]")),
        (spelled(), doc("[")),
        (check("/out/v", Spelled), value("v", "[]")),
    ];
    for (check, answer, holds) in pairs(holding, true).chain(pairs(failing, false)) {
        let found = examine(&check, &answer);
        assert_eq!(found.is_none(), holds, "{check:?} of {answer:?}: {found:?}");
    }
}

#[test]
fn outcomes_name_the_worst() {
    let is = |word: &str| equal("/is", &format!("\"{word}\""));
    let codes = |list: &[&str]| check("/codes", Codes(strings(list)));
    let registered = || check("/codes", Registered(strings(&["E_ONE"])));
    let out = || check("/out/findings", Array);
    for (alternatives, answer, outcome, mismatches) in [
        (vec![vec![is("reject"), codes(&["A", "B"])]], rejected(&["B", "A", "B"]), Outcome::Pass, 0),
        (vec![vec![registered()]], rejected(&["A_J", "E_ONE", "a/b", "ABORT"]), Outcome::Pass, 0),
        (vec![vec![registered()]], rejected(&["E_ONE", "E_TWO"]), Outcome::WrongCode, 1),
        (vec![vec![registered()]], rejected(&["A_J"]), Outcome::WrongCode, 1),
        (vec![vec![is("reject"), codes(&["A"])]], doc("1"), Outcome::WrongVerdict, 1),
        (vec![vec![is("reject"), codes(&["A"]), out()]], rejected(&["B"]), Outcome::WrongCode, 2),
        (vec![vec![is("reject"), codes(&["A"]), out()]], rejected(&["A"]), Outcome::WrongOutput, 1),
        (vec![vec![is("accept")], vec![is("reject"), codes(&["A"])]], rejected(&["A"]), Outcome::Pass, 0),
        (vec![vec![is("accept")], vec![is("reject"), codes(&["A"])]], rejected(&["B"]), Outcome::WrongCode, 1),
        (vec![vec![out(), out()], vec![out()]], rejected(&[]), Outcome::WrongOutput, 1),
    ] {
        let verdict = judge(&alternatives, &answer);
        assert_eq!((verdict.outcome, verdict.mismatches.len()), (outcome, mismatches), "{alternatives:?}");
    }
}

#[test]
fn an_answer_weighs_as_its_strongest_failing_check() {
    let ruling = |id: &str| Force::Ruling(id.to_owned());
    let wrong = |forces: &[Force]| {
        let check = |force: &Force| Check { force: force.clone(), ..equal("/out/doc", "2") };
        forces.iter().map(check).collect::<Vec<_>>()
    };
    let reject = || Check { force: ruling("B"), ..equal("/is", "\"reject\"") };
    let hiding = [vec![reject()], wrong(&[Force::Spec])].into_iter().flatten().collect();
    let several = [ruling("B"), Force::Interface, ruling("A"), ruling("B")];
    for (alternatives, outcome, weight, rulings) in [
        (vec![wrong(&[Force::Spec]), Vec::new()], Outcome::Pass, None, vec![]),
        (vec![wrong(&[Force::Interface])], Outcome::WrongOutput, Some(Weight::Interface), vec![]),
        (vec![wrong(&several)], Outcome::WrongOutput, Some(Weight::Ruling), vec!["A", "B"]),
        (vec![wrong(&[ruling("A"), Force::Spec])], Outcome::WrongOutput, Some(Weight::Spec), vec!["A"]),
        (vec![hiding], Outcome::WrongVerdict, Some(Weight::Ruling), vec!["B"]),
        (vec![wrong(&[Force::Spec]), vec![reject()]], Outcome::WrongVerdict, Some(Weight::Ruling), vec!["B"]),
    ] {
        let verdict = judge(&alternatives, &doc("1"));
        assert_eq!(
            (verdict.outcome, verdict.weight(), verdict.rulings()),
            (outcome, weight, rulings),
            "{alternatives:?}"
        );
    }
}

#[test]
fn what_counts_is_said_by_the_environment() {
    use crate::suite::force::counted;
    for (said, weight) in [
        (None, Weight::Spec),
        (Some(""), Weight::Spec),
        (Some("spec"), Weight::Spec),
        (Some("ruling"), Weight::Ruling),
        (Some("remark"), Weight::Interface),
    ] {
        assert_eq!(counted(said), Ok(weight));
    }
    let wrong = "ASSIZE_FAIL_ON is \"rulings\": write spec, ruling or remark";
    assert_eq!(counted(Some("rulings")), Err(wrong.to_owned()));
}

#[test]
fn a_message_names_the_case_and_cuts_values() {
    let line = "{\"id\":\"canon/rfc8785/x\",\"law\":\"canon/rfc8785\",\"op\":\"canon.bytes\",\"args\":{},\"in\":{},\"root\":false,\
                \"files\":[],\"rationale\":\"why\",\"spec\":\"RFC 8785\",\"expect\":[[]]}";
    let case = Case::new(line).unwrap();
    let (pointer, force) = ("/out/doc".to_owned(), Force::Ruling("EP-26".to_owned()));
    let mismatch = Mismatch { pointer, force, expected: "1".to_owned(), actual: "\u{e9}".repeat(LONGEST + 1) };
    let message = Verdict { outcome: Outcome::WrongOutput, mismatches: vec![mismatch] }.message(&case);
    for part in [
        "WRONG-OUTPUT: canon/rfc8785/x",
        "why",
        "RFC 8785",
        "at /out/doc (ruling EP-26)",
        "expected 1",
        "\u{e9}... (601 characters)",
        "cargo test --test conformance -- --exact canon/rfc8785/x",
        "assize explain canon/rfc8785/x",
    ] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
}
