//! What a recorder writes: the verifier gives the Python oracle's answer on a stream of generated inputs and in every vector.
//!
//! `ASSIZE_RUNS` sets the number of inputs (default 5,000), `ASSIZE_SEED` the stream.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1; ruling SV-25.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use assize_corpus::agreement::{self, Outcome};
use assize_corpus::store::Store;
use assize_corpus::testee::{Answer, Output};
use assize_corpus::vector::Corpus;
use assize_fuzzing::oracles::sovereign::{agree, oracle, record};
use assize_inputs::seed::noise;
use assize_inputs::sovereign::attempts;
use serde_json::Value;

use crate::stream::setting;

/// How often each answer was given.
#[derive(Default)]
struct Tally(BTreeMap<String, u64>);

impl Tally {
    fn note(&mut self, answer: &Answer) {
        match answer {
            Answer::Reject { codes, .. } => codes.iter().for_each(|code| self.count(code)),
            _ => self.count("accept"),
        }
    }

    fn count(&mut self, what: &str) {
        *self.0.entry(what.to_owned()).or_default() += 1;
    }

    /// Fails unless every one of these was seen often enough to mean something.
    fn demand<'a>(&self, answers: impl IntoIterator<Item = &'a str>) {
        for answer in answers {
            let times = self.0.get(answer).copied().unwrap_or_default();
            assert!(times >= 5, "{times} times {answer}: {:#?}", self.0);
        }
    }
}

#[test]
fn attempts_reach_every_outcome_and_are_recorded_alike() {
    let mut tally = Tally::default();
    let first = setting("ASSIZE_SEED", 1) << 32;
    for seed in 0..setting("ASSIZE_RUNS", 5_000) {
        let octets = noise(first + seed, 64 + (seed % 960) as usize);
        let Ok(given) = attempts(&mut Unstructured::new(&octets)) else { continue };
        let run = ["run-1", "", "\u{e9}\"\\\n"][seed as usize % 3];
        let answer = agree(&record(run, "turn-0001", given)).unwrap_or_else(|why| panic!("{why}"));
        tally.note(&answer);
        let Answer::Accept { out } = answer else { continue };
        let Output::Doc(turn) = &out["turn"] else { panic!("{out:?}") };
        let turn: Value = serde_json::from_str(turn).unwrap();
        for made in turn["capabilities"]["decisions"].as_array().unwrap() {
            tally.count(made["outcome"].as_str().unwrap());
        }
    }
    tally.demand(["accept", "A_JSON", "A_INPUT", "E_CANONICALIZATION_ERROR"]);
    tally.demand(["allowed", "denied", "skipped", "unresolved"]);
}

#[test]
fn every_vector_of_the_recorder_expects_what_the_oracle_says() {
    let corpus = Corpus::load(&Store::embedded());
    assert!(corpus.errors.is_empty(), "{:?}", corpus.errors);
    let (mut asked, mut wrong) = (0, Vec::new());
    for case in corpus.cases.into_values().filter(|case| case.op == "sovereign.record") {
        let said = oracle(&case.request(None)).unwrap_or_else(|why| panic!("{why}"));
        let judged = agreement::judge(&case, &said, &agreement::Terms::default());
        if judged.outcome != Outcome::Pass {
            let places: Vec<_> = judged.mismatches.iter().map(ToString::to_string).collect();
            wrong.push(format!("{}: {}\n  {}", case.id, judged.outcome, places.join("\n  ")));
        }
        asked += 1;
    }
    assert!(asked >= 100, "only {asked} vectors");
    assert!(wrong.is_empty(), "{} of {asked} differ:\n{}", wrong.len(), wrong.join("\n"));
}
