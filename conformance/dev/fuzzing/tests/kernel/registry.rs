//! Revisions of a registry reach every answer that there is to give, and the verifier gives the oracle's.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use assize_corpus::testee::{Answer, Output};
use assize_fuzzing::oracles::kernel::registries_agree;
use assize_inputs::kernel::code_revisions;
use assize_inputs::seed::noise;
use serde_json::Value;

use crate::stream::setting;

#[test]
fn registries_reach_every_answer_and_are_answered_alike() {
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    let first = setting("ASSIZE_SEED", 1) << 32;
    for seed in 0..setting("ASSIZE_RUNS", 5_000) {
        let octets = noise(first + seed, 32 + (seed % 480) as usize);
        let Ok(revisions) = code_revisions(&mut Unstructured::new(&octets)) else { continue };
        let answer = registries_agree(&revisions).unwrap_or_else(|why| panic!("{}\n{why}", revisions.escape_ascii()));
        for what in told(&answer) {
            *tally.entry(what).or_default() += 1;
        }
    }
    for what in ["lawful", "a version", "a code", "A_INPUT", "A_JSON"] {
        let times = tally.get(what).copied().unwrap_or_default();
        assert!(times >= 3, "{what}: {times} times in {tally:#?}");
    }
}

/// What an answer tells: the codes of a refusal, and what its findings are about.
fn told(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Reject { codes, .. } => codes.iter().cloned().collect(),
        Answer::Accept { out } => {
            let Some(Output::Value(Value::Array(findings))) = out.get("findings") else { panic!("{out:?}") };
            let about = |finding: &Value| if finding["code"].is_null() { "a version" } else { "a code" }.to_owned();
            let told: Vec<_> = findings.iter().map(about).collect();
            if told.is_empty() { vec!["lawful".to_owned()] } else { told }
        }
        other => panic!("{other:?}"),
    }
}

/// Where the two sides part, both answers are told.
#[test]
fn an_oracle_that_is_asked_nothing_breaks() {
    assert!(registries_agree(b"[]").is_ok_and(|answer| answer == Answer::reject("A_INPUT")));
    assert!(registries_agree(b"[").is_ok_and(|answer| answer == Answer::reject("A_JSON")));
}
