//! The table of rewritings as properties: whatever the case, whichever relations and in whichever order, the answer is the one that
//! follows.
//!
//! A challenge set takes one step from a case; here relations are done one after another, so that each is applied to questions that no
//! corpus holds, and its answer to those of others.

use std::sync::{
    LazyLock,
    atomic::{AtomicUsize, Ordering},
};

use assize_corpus::{
    agreement::Outcome,
    challenge::{ALL, Table, rewritten},
    store::Store,
    trial,
    vector::{Case, Corpus},
};
use proptest::{prelude::*, sample::Index, test_runner::TestRunner};

/// The cases that a relation can be applied to, and how.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| Corpus::load(&Store::embedded()).cases.into_values().collect());

/// A way through the relations: which, and which of its draws.
fn way() -> impl Strategy<Value = Vec<(Index, u16)>> {
    prop::collection::vec((any::<Index>(), any::<u16>()), 1..6)
}

/// The first relation that holds for a case, from a drawn one on.
fn step(case: &Case, from: &Index, seed: u16) -> Option<Case> {
    let first = from.index(ALL.len());
    let (before, after) = ALL.split_at(first);
    after.iter().chain(before).find_map(|relation| Some(rewritten(case, relation, &seed.to_string())?.case))
}

/// Runs, and the fewest steps that all of them together take: of most cases several hold, one after another.
const RUNS: u32 = 96;
const STEPS: usize = 150;

#[test]
fn relations_hold_one_after_another() {
    // A table that cannot be read is empty, and no relation is used then.
    assert!(!Table::embedded().relations.is_empty() && !CASES.is_empty());
    let (config, steps) =
        (ProptestConfig { cases: RUNS, failure_persistence: None, ..ProptestConfig::default() }, AtomicUsize::new(0));
    let run = TestRunner::new(config).run(&(any::<Index>(), way()), |(at, way)| {
        let first = at.get(&CASES);
        let (mut case, mut done) = (first.clone(), Vec::new());
        for (from, seed) in &way {
            let Some(next) = step(&case, from, *seed) else { break };
            done.push(next.id.clone());
            case = next;
        }
        steps.fetch_add(done.len(), Ordering::Relaxed);
        let judgement = trial::verify(&case);
        prop_assert!(
            matches!(judgement.outcome, Outcome::Pass | Outcome::NotApplicable),
            "{} by {done:?}: {} {:?}",
            first.id,
            judgement.outcome,
            judgement.mismatches
        );
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    let steps = steps.into_inner();
    println!("{steps} steps");
    assert!(steps >= STEPS, "{steps} steps in {RUNS} runs: relations hold for hardly any case, so this shows nothing");
}
