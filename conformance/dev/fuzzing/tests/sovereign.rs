//! What a recorder writes, which file is read and what an audit finds: the verifier gives the Python oracle's answer on
//! streams of generated inputs and in every vector; and a bundle of lawful turns is equivalent to itself.
//!
//! `ASSIZE_RUNS` sets the number of inputs (default 5,000), `ASSIZE_SEED` the stream.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deterministic Path Selection Law; rulings SV-25, SV-26.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use assize_corpus::store;
use assize_corpus::testee::{Answer, Output};
use assize_fuzzing::oracles::memory_files::MemoryFiles;
use assize_fuzzing::oracles::sovereign::{agree, audit, bundle, knows, of_case, record, select_path, verifier};
use assize_inputs::seed::noise;
use assize_inputs::sovereign::attempts;
use assize_inputs::{EquivalentPair, Pair};
use assize_verifier::sovereign::{Inputs, compare, report::Status};
use assize_verifier::threads::Threads;
use serde_json::{Value, json};

use crate::{stream::setting, vectors::hold};

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
        let answer = agree(&record(run, "turn-0001", given), &BTreeMap::new()).unwrap_or_else(|why| panic!("{why}"));
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

/// The run that the first bundle of a pair tells of: its id, digests and turns, these as a careless runtime lists them.
fn run_of(pair: &Pair, seed: u64) -> Option<(String, Value, Value)> {
    let told: Value = serde_json::from_slice(&pair.bundle_a).ok()?;
    let mut turns = told.get("turn_results")?.clone();
    for turn in turns.as_array_mut()?.iter_mut().filter_map(Value::as_object_mut) {
        turn.remove("turn_result_digest");
        if let Some(Value::Array(paths)) = turn.get_mut("paths") {
            match seed % 4 {
                0 => paths.reverse(),
                1 => paths.extend(paths.first().cloned()),
                2 => paths.insert(0, json!("b/t0.json")),
                _ => {}
            }
        }
    }
    let run = told.get("run_envelope").and_then(|envelope| envelope.get("run_id")).and_then(Value::as_str);
    Some((run.unwrap_or("run-1").to_owned(), told.get("digests")?.clone(), turns))
}

/// The registries of a run: mostly the sealed one, then some of which few are lawful.
fn registry(seed: u64) -> Option<Vec<u8>> {
    let given = match seed % 16 {
        1 => r#"{"codes":{"E_X":{"stage":"replay"}},"contract_version":"kernel_api/v1"}"#,
        2 => "{ }",
        3 => "[]",
        4 => r#"{"n":1.0}"#,
        5 => r#"{"n":"\ud800"}"#,
        6 => r#"{"n":1,"n":1}"#,
        7 => "{",
        8 => r#"{"n":NaN}"#,
        _ => return None,
    };
    Some(given.as_bytes().to_vec())
}

#[test]
fn turns_reach_every_answer_and_are_bundled_alike() {
    let mut tally = Tally::default();
    let first = setting("ASSIZE_SEED", 1) << 32;
    for seed in 0..setting("ASSIZE_RUNS", 5_000) {
        let both = EquivalentPair::from_bytes(&noise(first + seed, 1_024));
        let Some((run_id, digests, turns)) = run_of(&both.pair, seed) else { continue };
        for turn in turns.as_array().unwrap() {
            let chosen = agree(&select_path(turn.to_string()), &both.pair.files).unwrap_or_else(|why| panic!("{why}"));
            tally.count(if matches!(chosen, Answer::Accept { .. }) { "a path" } else { "no path" });
        }
        let question = bundle(&run_id, digests, turns, registry(seed));
        let answer = agree(&question, &both.pair.files).unwrap_or_else(|why| panic!("{why}"));
        tally.note(&answer);
    }
    tally.demand(["accept", "A_JSON", "A_INPUT", "E_CANONICALIZATION_ERROR", "E_REPLAY_INPUT_MISSING"]);
    tally.demand(["a path", "no path"]);
}

/// The sealed registry with a further code.
fn with_another_code() -> Vec<u8> {
    let sealed = store::embedded("contracts/sovereign/error-codes-v1.json").unwrap();
    let mut registry: Value = serde_json::from_slice(sealed).unwrap();
    registry["codes"]["E_FURTHER"] = json!({"stage": "replay"});
    registry.to_string().into_bytes()
}

#[test]
fn turns_reach_every_law_of_the_audit_and_are_judged_alike() {
    let mut tally = Tally::default();
    let first = setting("ASSIZE_SEED", 1) << 32;
    for seed in 0..setting("ASSIZE_RUNS", 5_000) {
        let octets = noise(first + seed, 1_024);
        let both = EquivalentPair::from_bytes(&octets);
        let told = attempts(&mut Unstructured::new(&octets)).ok().filter(|_| seed % 3 == 0);
        let profiles = [&["decision-id/published"][..], &["turn-digest/published"], &[]][seed as usize % 3];
        let Some(turn) = both.pair.files.values().nth(seed as usize % 2) else { continue };
        let question = audit(turn, told, registry(seed), profiles);
        let answer = agree(&question, &both.pair.files).unwrap_or_else(|why| panic!("{}\n{why}", show(turn)));
        tally.note(&answer);
        let Answer::Accept { out } = answer else { continue };
        let Output::Value(Value::Array(findings)) = &out["findings"] else { panic!("{out:?}") };
        findings.iter().for_each(|finding| tally.count(finding["law"].as_str().unwrap()));
        tally.count(if findings.is_empty() { "lawful" } else { "unlawful" });
    }
    tally.demand(["accept", "A_JSON", "A_INPUT", "E_CANONICALIZATION_ERROR", "lawful"]);
    let laws =
        ["single-emission", "deny-precedence", "correspondence", "contract-decision-record", "contract-turn-result"];
    tally.demand(laws.map(|law| format!("sovereign/{law}")).iter().map(String::as_str));
    tally.demand(["sovereign/float-ban", "sovereign/canonical-parity", "sovereign/surface-list"]);
}

fn show(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

/// SV-26 asks for it: what was recorded so is what a comparison takes.
#[test]
fn a_bundle_of_lawful_turns_is_equivalent_to_itself() {
    let mut compared = 0;
    let first = setting("ASSIZE_SEED", 1) << 32;
    for seed in 0..setting("ASSIZE_RUNS", 5_000) {
        let both = EquivalentPair::from_bytes(&noise(first + seed, 1_024));
        let Some((run_id, digests, turns)) = run_of(&both.pair, seed).filter(|_| both.lawful) else { continue };
        // Under another registry, too, as long as that knows the codes of the turns.
        let given = (seed % 16 == 1).then(with_another_code);
        let answer = verifier(&bundle(&run_id, digests, turns, given.clone()), &both.pair.files);
        let Answer::Accept { out } = answer else { panic!("seed {seed}: {answer:?}") };
        let Output::Doc(made) = &out["bundle"] else { panic!("{out:?}") };
        let inputs = Inputs { registry: given.as_deref(), ..Inputs::of(made.as_bytes(), made.as_bytes()) };
        let files = MemoryFiles(&both.pair.files);
        let report = compare(&inputs, &files, &files, Threads::Caller);
        assert_eq!(report.status, Status::Equivalent, "seed {seed}: {made}\n{}", report.text);
        compared += 1;
    }
    assert!(compared >= 100, "only {compared} lawful runs");
}

#[test]
fn every_vector_of_these_expects_what_the_oracle_says() {
    hold(|case| knows(&case.op), |case| of_case(case), 300);
}
