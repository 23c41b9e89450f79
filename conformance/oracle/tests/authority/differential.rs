//! The oracle and the verifier answer alike: generated runs, the ledgers they make, whole and tampered with, and graphs.
//!
//! `ASSIZE_RUNS` sets the number of generated runs (default 20,000), `ASSIZE_SEED` the stream. There are a quarter as many
//! tampered ledgers and lists of operations; with fewer than about 2,000 of them some answers are too rare for the tests.

use std::cell::RefCell;
use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};
use assize_corpus::handler;
use assize_corpus::node::Node;
use assize_corpus::testee::{Answer, Output, Request};
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::{Value, json};

use crate::spelling::{plain, styled};
use crate::{generate, oracle, request, tamper};

type Checked<T> = std::result::Result<T, TestCaseError>;

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

fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is a number")),
        Err(_) => default,
    }
}

/// How often each operation was answered in each way.
#[derive(Default)]
struct Tally(RefCell<BTreeMap<String, u64>>);

impl Tally {
    fn count(&self, op: &str, what: &str) {
        *self.0.borrow_mut().entry(format!("{op} {what}")).or_default() += 1;
    }

    /// Fails unless every one of these answers was given often enough to mean something.
    fn demand(&self, op: &str, answers: impl IntoIterator<Item = String>) {
        let seen = self.0.borrow();
        for answer in answers {
            let times = seen.get(&format!("{op} {answer}")).copied().unwrap_or_default();
            assert!(times >= 5, "{op} was answered {times} times with {answer}: {seen:#?}");
        }
    }

    /// Asks both sides, and demands one answer.
    fn ask(&self, request: &Request) -> Checked<Answer> {
        let (python, rust) = (oracle(request), handler::answer(request));
        match &python {
            Answer::Accept { out } => match out.get("outcome") {
                Some(Output::Value(Value::String(outcome))) => self.count(&request.op, outcome),
                _ => self.count(&request.op, "accept"),
            },
            Answer::Reject { codes, .. } => codes.iter().for_each(|code| self.count(&request.op, code)),
            other => return Err(TestCaseError::fail(format!("the oracle answers {other:?}"))),
        }
        // The interpreter's limits are not those of the verifier.
        if python == Answer::reject("A_LIMIT") || python == rust {
            return Ok(python);
        }
        let documents: Vec<_> = request.docs.values().map(|octets| String::from_utf8_lossy(octets)).collect();
        let (op, args) = (&request.op, &request.args);
        Err(TestCaseError::fail(format!("{op} {args:?}\n{documents:?}\noracle:   {python:?}\nverifier: {rust:?}")))
    }
}

/// Draws from a seeded stream of byte strings, which proptest shrinks when a case fails.
fn check(cases: u64, length: usize, case: impl Fn(&mut Unstructured<'_>) -> Checked<()>) {
    let cases = u32::try_from(cases).expect("fits");
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&setting("ASSIZE_SEED", 1).to_le_bytes());
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let octets = proptest::collection::vec(any::<u8>(), 0..length);
    if let Err(error) = runner.run(&octets, |octets| case(&mut Unstructured::new(&octets))) {
        panic!("{error}");
    }
}

fn drawn<T>(result: Result<T>) -> Checked<T> {
    result.map_err(|error| TestCaseError::fail(error.to_string()))
}

/// The records of a run, when it was accepted and its pin is not nested beyond what a node holds.
fn ledger(answer: &Answer) -> Option<Vec<Node>> {
    let Answer::Accept { out } = answer else { return None };
    let Some(Output::Doc(text)) = out.get("records") else { panic!("no records: {answer:?}") };
    match Node::parse(text) {
        Ok(Node::Array(records)) => Some(records),
        Ok(other) => panic!("no array: {other}"),
        Err(_) => None,
    }
}

fn inputs_request(u: &mut Unstructured<'_>) -> Result<Request> {
    let inputs = generate::inputs(u)?;
    let text = if generate::odds(u, 1, 4)? { styled(u, &inputs)? } else { plain(&inputs) };
    Ok(request("authority.run", "inputs", text))
}

fn with_provenance(u: &mut Unstructured<'_>, mut request: Request) -> Result<Request> {
    if generate::odds(u, 1, 5)? {
        request.args.insert("source".to_owned(), json!(u.choose(&["heuristic", "llm", ""])?));
    }
    if generate::odds(u, 1, 5)? {
        request
            .args
            .insert("confidence".to_owned(), u.choose(&[json!(null), json!(0.5), json!(1), json!(1.0)])?.clone());
    }
    Ok(request)
}

#[test]
fn generated_runs_and_their_ledgers_are_answered_alike() {
    let tally = Tally::default();
    check(setting("ASSIZE_RUNS", 20_000), 512, |u| {
        let run = tally.ask(&drawn(inputs_request(u))?)?;
        if let Answer::Accept { out } = &run {
            let Some(Output::Doc(records)) = out.get("records") else { panic!("no records: {run:?}") };
            tally.ask(&request("authority.chain", "records", records.as_str()))?;
            let replay = request("authority.replay", "records", records.as_str());
            tally.ask(&drawn(with_provenance(u, replay))?)?;
        }
        Ok(())
    });
    tally.demand("authority.run", ["success", "refusal", "A_INPUT", "A_VALUE", "A_JSON"].map(str::to_owned));
    tally.demand("authority.replay", ["success", "refusal", "authority/commit-source"].map(str::to_owned));
}

#[test]
fn ledgers_that_were_tampered_with_are_answered_alike() {
    let tally = Tally::default();
    check(setting("ASSIZE_RUNS", 20_000) / 4, 1024, |u| {
        let mut ledgers = Vec::new();
        for _ in 0..2 {
            ledgers.extend(ledger(&oracle(&drawn(inputs_request(u))?)));
        }
        let Some(mut records) = ledgers.pop() else { return Ok(()) };
        drawn(tamper::tamper(u, &mut records, ledgers.first().map_or(&[], Vec::as_slice)))?;
        let records = Node::Array(records);
        let text = if drawn(generate::odds(u, 1, 3))? { drawn(styled(u, &records))? } else { plain(&records) };
        tally.ask(&request("authority.chain", "records", text.as_str()))?;
        tally.ask(&drawn(with_provenance(u, request("authority.replay", "records", text)))?)?;
        Ok(())
    });
    let (chain, replay) = (CHAIN.map(|law| format!("authority/{law}")), REPLAY.map(|law| format!("authority/{law}")));
    tally.demand("authority.chain", chain.clone().into_iter().chain(["accept".to_owned()]));
    let outcomes = ["success", "refusal"].map(str::to_owned);
    tally.demand("authority.replay", chain.into_iter().chain(replay).chain(outcomes));
}

#[test]
fn graphs_are_answered_alike() {
    let tally = Tally::default();
    check(setting("ASSIZE_RUNS", 20_000) / 4, 256, |u| {
        let operations = drawn(generate::operations(u))?;
        let run_id = *drawn(u.choose(&["dag-demo", "", "\u{1f600}"]))?;
        let text = if drawn(generate::odds(u, 1, 4))? { drawn(styled(u, &operations))? } else { plain(&operations) };
        let mut request = request("authority.dag", "ops", text);
        request.args.insert("run_id".to_owned(), json!(run_id));
        if let Answer::Accept { out } = tally.ask(&request)?
            && let Some(Output::Value(Value::Array(results))) = out.get("results")
        {
            results
                .iter()
                .filter_map(|result| result["error"].as_str())
                .for_each(|law| tally.count("authority.dag", law));
        }
        Ok(())
    });
    let laws = ["authority/dag-invariants", "authority/canonical-form", "accept", "A_INPUT"];
    tally.demand("authority.dag", laws.map(str::to_owned));
}
