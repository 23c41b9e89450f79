//! The targets `ledger` and `dag` reach every answer that their operations have, and so do
//! changes of a version; the verifier gives the oracle's.
//!
//! `ASSIZE_RUNS` sets the number of inputs of each (default 2,000 ledgers and 5,000 graphs), `ASSIZE_SEED` the stream. With
//! fewer than about 2,000 some answers are too rare for the tests. A ledger is a run, a chain, a replay and layouts, most of
//! it in Python: 5,000 are 20 seconds of a processor.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use assize_corpus::handler;
use assize_corpus::testee::{Answer, Output, Request};
use assize_fuzzing::oracles::authority::{agree, dag, oracle, request, same, words};
use assize_fuzzing::target::Target;
use assize_fuzzing::targets::{Dag, Ledger};
use assize_inputs::authority::version_change;
use assize_inputs::seed::noise;
use serde_json::{Value, json};

use crate::stream::setting;

/// What breaks a chain, and with it a replay.
const CHAIN: [&str; 4] = ["canonical-form", "ledger-integrity", "parent-linkage", "record-shape"];
/// What replay alone finds.
const REPLAY: [&str; 9] = [
    "policy-bounds",
    "proposal-boundary",
    "commit-source",
    "cost-and-collapse",
    "dag-ids",
    "run-records",
    "refusal",
    "artifact-hashes",
    "summary-hash",
];

/// Inputs of a target, from a seeded stream of strings of many lengths.
fn inputs<T: Target>(default: u64) -> impl Iterator<Item = T::Input> {
    let first = setting("ASSIZE_SEED", 1) << 32;
    let strings = (0..setting("ASSIZE_RUNS", default)).map(move |seed| noise(first + seed, (seed % 1_024) as usize));
    strings.filter_map(|octets| T::decode(&octets))
}

/// How often each operation was answered in each way.
#[derive(Default)]
struct Tally(BTreeMap<String, u64>);

impl Tally {
    fn count(&mut self, op: &str, what: &str) {
        *self.0.entry(format!("{op} {what}")).or_default() += 1;
    }

    /// Counts the verifier's answer to a question that the target has just put to both sides.
    fn note(&mut self, request: &Request) -> Answer {
        let answer = handler::answer(request);
        words(&answer).iter().for_each(|word| self.count(&request.op, word));
        answer
    }

    /// Fails unless every one of these answers was given often enough to mean something.
    fn demand<'a>(&self, op: &str, answers: impl IntoIterator<Item = &'a str>) {
        for answer in answers {
            let times = self.0.get(&format!("{op} {answer}")).copied().unwrap_or_default();
            assert!(times >= 5, "{op} was answered {times} times with {answer}: {:#?}", self.0);
        }
    }
}

#[test]
fn ledgers_reach_every_answer_and_are_answered_alike() {
    let mut tally = Tally::default();
    for ledger in inputs::<Ledger>(2_000) {
        Ledger::check(&ledger).unwrap_or_else(|why| panic!("{why}"));
        tally.note(&request("authority.run", "inputs", ledger.inputs.as_slice()));
        tally.note(&request("authority.chain", "records", ledger.records.as_slice()));
        let mut replay = request("authority.replay", "records", ledger.records.as_slice());
        replay.args = ledger.assumed;
        tally.note(&replay);
        if ledger.border.behind.is_some() {
            tally.count("a block's border", "inside");
        }
    }
    tally.demand("authority.run", ["success", "refusal", "A_INPUT", "A_VALUE", "A_JSON"]);
    let laws = |names: &[&str]| names.iter().map(|name| format!("authority/{name}")).collect::<Vec<_>>();
    let (chain, replay) = (laws(&CHAIN), laws(&REPLAY));
    tally.demand("authority.chain", chain.iter().map(String::as_str).chain(["accept", "A_JSON"]));
    let both = chain.iter().chain(&replay).map(String::as_str);
    tally.demand("authority.replay", both.chain(["success", "refusal", "A_JSON"]));
    tally.demand("a block's border", ["inside"]);
}

#[test]
fn graphs_reach_every_answer_and_are_answered_alike() {
    let mut tally = Tally::default();
    for graph in inputs::<Dag>(5_000) {
        Dag::check(&graph).unwrap_or_else(|why| panic!("{why}"));
        if let Answer::Accept { out } = tally.note(&dag(&graph.run_id, graph.operations))
            && let Some(Output::Value(Value::Array(results))) = out.get("results")
        {
            for law in results.iter().filter_map(|result| result["error"].as_str()) {
                tally.count("authority.dag", law);
            }
        }
    }
    tally.demand("authority.dag", ["authority/dag-invariants", "authority/canonical-form", "accept", "A_INPUT"]);
}

#[test]
fn changes_of_a_version_reach_every_answer_and_are_answered_alike() {
    let mut tally = Tally::default();
    let first = setting("ASSIZE_SEED", 1) << 32;
    for seed in 0..setting("ASSIZE_RUNS", 5_000) {
        let octets = noise(first + seed, 64 + (seed % 960) as usize);
        let Ok(change) = version_change(&mut Unstructured::new(&octets)) else { continue };
        let question = request("authority.version", "change", change);
        let python = oracle(&question).unwrap_or_else(|why| panic!("{why}"));
        let answer = tally.note(&question);
        // Half a surrogate pair in a name has no place that both would write alike.
        if !format!("{python:?}").contains('\u{fffd}') {
            same(&question, &python, &answer).unwrap_or_else(|why| panic!("{why}"));
        }
        if let Answer::Accept { out } = answer
            && let Some(Output::Value(Value::Array(findings))) = out.get("findings")
        {
            let laws = findings.iter().filter_map(|finding| finding["law"].as_str());
            laws.chain(findings.is_empty().then_some("lawful")).for_each(|law| tally.count("authority.version", law));
        }
    }
    let found = ["authority/change-control", "authority/goldens", "lawful", "A_INPUT"];
    tally.demand("authority.version", found);
}

/// A verifier that answers wrongly is caught: another hash, another law, an acceptance, a crash.
#[test]
fn a_wrong_answer_is_a_disagreement() {
    let question =
        dag("dag-demo", r#"[{"node":{"kind":"claim","payload":{"n":1}}},{"edge":{"kind":"refines","from":0,"to":0}}]"#);
    let oracle = agree(&question).unwrap();
    assert_eq!(handler::answer(&question), oracle);
    let Answer::Accept { out } = &oracle else { panic!("{oracle:?}") };
    for (name, wrong) in [
        ("dag_root_hash", json!("0".repeat(64))),
        ("edge_count", json!(1)),
        ("results", json!([{"id": "0"}, {"error": "authority/dag-invariants"}])),
    ] {
        let mut out = out.clone();
        out.insert(name.to_owned(), Output::Value(wrong));
        assert!(same(&question, &oracle, &Answer::Accept { out }).is_err(), "{name}");
    }
    let broken = request("authority.chain", "records", "[{}]");
    let oracle = agree(&broken).unwrap();
    let fault = Answer::Fault { kind: "panic".to_owned(), message: String::new() };
    for wrong in
        [Answer::reject("authority/ledger-integrity"), Answer::accept([] as [(&str, Output); 0]), fault.clone()]
    {
        assert!(same(&broken, &oracle, &wrong).is_err(), "{wrong:?}");
    }
    // The interpreter's limit excuses a judgement, and no crash.
    let limit = Answer::reject("A_LIMIT");
    assert!(same(&broken, &limit, &Answer::reject("authority/record-shape")).is_ok());
    assert!(same(&broken, &limit, &fault).is_err());
}
