//! A second reading of the reply system answers every vector as the vector expects.
//!
//! Spec: rulings RE-1 to RE-37. The oracle shares neither code nor tables with the verifier, and so no slip either.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    agreement::{Outcome, Terms, judge},
    observe::observed,
    store::Store,
    testee::{Answer, Output},
    vector::{Case, Corpus},
};
use assize_oracle::reply;
use serde_json::Value;

fn outputs(answer: &Value) -> BTreeMap<String, Output> {
    let members = answer["out"].as_object().unwrap();
    members.iter().map(|(name, value)| (name.clone(), Output::Value(value.clone()))).collect()
}

fn answer(case: &Case) -> Answer {
    let request = case.request(None);
    let document = request.docs.values().next().unwrap();
    let answer: Value = serde_json::from_str(&reply::answer(&case.op, document).unwrap()).unwrap();
    let out = outputs(&answer);
    match answer["is"].as_str() {
        Some("accept") => Answer::Accept { out },
        Some("reject") => {
            let codes = answer["codes"].as_array().unwrap().iter();
            let codes: BTreeSet<_> = codes.map(|code| code.as_str().unwrap().to_owned()).collect();
            Answer::Reject { codes, out }
        }
        _ => panic!("{answer}"),
    }
}

#[test]
fn the_second_source_passes_every_vector() {
    let corpus = Corpus::load(&Store::embedded());
    // Of wrappers it says what they have to send, and sends no envelopes that could be seen.
    let told = |case: &&Case| case.op.starts_with("reply.") && case.op != "reply.wrap";
    let cases: Vec<_> = corpus.cases.values().filter(told).collect();
    assert!(!cases.is_empty(), "the corpus holds no vector of the reply system");
    for case in cases {
        let judgement = judge(case, &observed(&case.request(None), answer(case)), &Terms::default());
        assert_eq!(judgement.outcome, Outcome::Pass, "{}: {:?}", case.id, judgement.mismatches);
    }
}
