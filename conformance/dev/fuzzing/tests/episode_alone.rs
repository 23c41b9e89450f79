//! What the oracle says of a contract and of a receipt by itself, against the corpus, and against the verifier on generated ones.
//!
//! `ASSIZE_RUNS` sets the number of inputs of each (default 2,000), `ASSIZE_SEED` the stream. With fewer than about 2,000 some
//! answers are too rare for the tests.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use assize_corpus::agreement::{self, Outcome};
use assize_corpus::store::Store;
use assize_corpus::testee::{Answer, Output, Request};
use assize_corpus::vector::Corpus;
use assize_fuzzing::oracles::episode::{agree, hashes, oracle, receipt};
use assize_inputs::packs::{contract, lone_receipt};
use assize_inputs::seed::noise;
use serde_json::Value;

use crate::stream::setting;

#[test]
fn every_vector_expects_what_the_oracle_says() {
    let corpus = Corpus::load(&Store::embedded());
    assert!(corpus.errors.is_empty(), "{:?}", corpus.errors);
    let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
    for case in corpus.cases.values().filter(|case| ["episode.hashes", "episode.receipt"].contains(&case.op.as_str())) {
        let answer = oracle(&case.request(None)).unwrap_or_else(|why| panic!("{}: {why}", case.id));
        let judged = agreement::judge(case, &answer, &agreement::Terms::default());
        assert_eq!(judged.outcome, Outcome::Pass, "{}: {:?}", case.id, judged.mismatches);
        *asked.entry(&case.op).or_default() += 1;
    }
    assert!(asked.len() == 2 && asked.values().all(|count| *count >= 30), "{asked:?}");
}

/// Asks a stream of questions of both sides, and counts the answers by their words.
fn stream(ask: impl Fn(&mut Unstructured<'_>) -> arbitrary::Result<Request>) -> BTreeMap<String, u64> {
    let mut tally = BTreeMap::new();
    let first = setting("ASSIZE_SEED", 1) << 32;
    for seed in 0..setting("ASSIZE_RUNS", 2_000) {
        let octets = noise(first + seed, 64 + (seed % 960) as usize);
        let Ok(request) = ask(&mut Unstructured::new(&octets)) else { continue };
        let answer = agree(&request).unwrap_or_else(|why| {
            let documents: Vec<_> = request.docs.values().map(|text| text.escape_ascii().to_string()).collect();
            panic!("{why}\n{documents:?}")
        });
        for word in words(&answer) {
            *tally.entry(word).or_default() += 1;
        }
    }
    tally
}

/// The codes of a refusal; what an acceptance says of signature and declared hash.
fn words(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Reject { codes, .. } => codes.iter().cloned().collect(),
        Answer::Accept { out } => {
            let said = |name: &str| match out.get(name) {
                Some(Output::Value(Value::String(word))) => Some(word.clone()),
                Some(Output::Value(value)) => Some(format!("{name} {value}")),
                _ => None,
            };
            [Some("accept".to_owned()), said("signature"), said("declared_matches")].into_iter().flatten().collect()
        }
        other => panic!("{other:?}"),
    }
}

fn demand<const N: usize>(tally: &BTreeMap<String, u64>, due: [&str; N]) {
    for what in due {
        let times = tally.get(what).copied().unwrap_or_default();
        assert!(times >= 3, "{what}: {times} times in {tally:#?}");
    }
}

#[test]
fn contracts_reach_every_answer_and_are_answered_alike() {
    let tally = stream(|u| Ok(hashes(&contract(u)?)));
    demand(&tally, ["accept", "A_SCHEMA", "A_VALUE", "A_JSON"]);
}

#[test]
fn receipts_reach_every_answer_and_are_answered_alike() {
    let tally = stream(|u| {
        let drawn = lone_receipt(u)?;
        Ok(receipt(&drawn.receipt, drawn.public_key.as_deref()))
    });
    demand(&tally, ["accept", "A_INPUT", "A_VALUE", "A_JSON", "valid", "invalid", "absent", "no-key"]);
    demand(&tally, ["declared_matches true", "declared_matches false", "declared_matches null"]);
}

/// The oracle tells values apart and not their spellings, and refuses what it does not know.
#[test]
fn answers_differ_where_documents_do() {
    let one = oracle(&receipt(br#"{"a":1}"#, None)).unwrap();
    assert_eq!(
        one,
        oracle(&receipt(br#"{ "a" : 1.0, "signature" : null, "receipt_hash" : 1 }"#, None)).map(unsigned).unwrap()
    );
    assert_ne!(one, oracle(&receipt(br#"{"a":null}"#, None)).unwrap());
    assert!(oracle(&Request { op: "episode.verify".to_owned(), ..receipt(b"{}", None) }).is_err());
}

/// The answer as if the receipt had neither a signature nor a declared hash.
fn unsigned(answer: Answer) -> Answer {
    let Answer::Accept { mut out } = answer else { panic!("{answer:?}") };
    out.insert("signature".to_owned(), Output::Value("absent".into()));
    out.insert("declared_matches".to_owned(), Output::Value(Value::Null));
    Answer::Accept { out }
}
