//! The corpus has nothing to be found fault with, and every vector can be passed.
//!
//! That each rule of the lint fires is shown beside the rules.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::{Outcome, Terms, judge},
    lint,
    operation::{self, Kind},
    store::Store,
    testee::{Answer, Output},
    vector::{Case, Corpus, Expect, Verdict},
};

#[test]
fn the_corpus_is_clean() {
    let findings = lint::lint(&Store::embedded());
    let text: Vec<_> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{} findings\n{}", text.len(), text.join("\n"));
}

/// The answer that an expectation spells out, if the operation table knows all of it.
fn spelled_out(case: &Case, expect: &Expect) -> Option<Answer> {
    let operation = operation::table().find(&case.op)?;
    let accepts = expect.is == Verdict::Accept;
    let mut out = BTreeMap::new();
    for (name, expected) in &expect.out {
        let output = match operation.kind(accepts, name)? {
            Kind::Doc => Output::Doc(expected.node.canonical()),
            Kind::Bytes => Output::Bytes(expected.bytes()?),
            Kind::Value => Output::Value(serde_json::from_str(expected.raw.get()).ok()?),
        };
        out.insert(name.clone(), output);
    }
    Some(if accepts { Answer::Accept { out } } else { Answer::Reject { codes: expect.codes.clone(), out } })
}

#[test]
fn every_vector_passes_on_its_own_answers_and_fails_on_the_opposite() {
    for case in Corpus::load(&Store::embedded()).cases.values() {
        for expect in case.answers() {
            let judgement = judge(case, &spelled_out(case, expect).expect(&case.id), &Terms::default());
            assert_eq!(judgement.outcome, Outcome::Pass, "{}: {:?}", case.id, judgement.mismatches);
        }
        if case.any_of.is_empty() {
            let opposite = match case.expect.is {
                Verdict::Accept => Answer::reject("A_NOTHING"),
                Verdict::Reject => Answer::accept::<String>([]),
            };
            assert_eq!(judge(case, &opposite, &Terms::default()).outcome, Outcome::WrongVerdict, "{}", case.id);
        }
    }
}
