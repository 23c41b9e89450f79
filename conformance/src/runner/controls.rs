//! The controls of one run: which answers are altered, and what came of it.

use std::collections::BTreeMap;

use assize_corpus::{agreement::Outcome, vector::Case};
use fastrand::Rng;

use super::Plan;
use crate::{
    catalogue::law_of,
    control::{
        Tally,
        alter::{Alteration, Kind},
        null,
    },
    report::{Missed, TransportKind},
    suite::{Suite, Tried},
    testee::{Bench, Item},
};

/// Alterations of each content kind for each law.
const CONTENT: usize = 2;
/// Alterations of each kind of conduct: each costs its time, so there are few.
const CONDUCT: [(Kind, usize); 3] = [(Kind::Dropped, 1), (Kind::Repeated, 2), (Kind::Late, 1)];
/// The time that an answer has while conduct is altered: whoever waits for an answer that never comes waits for this.
const CONDUCT_MS: u64 = 200;

/// What the controls came to, and whether all that were planned were made.
pub(super) struct Made {
    pub(super) tally: Tally,
    pub(super) complete: bool,
}

/// Makes the controls on cases that passed.
pub(super) fn make(suite: &Suite, bench: &dyn Bench, plan: Plan, tried: &[Tried]) -> Made {
    let mut tally = Tally::default();
    null::weigh(&suite.corpus, tried, &mut tally);
    let mut rng = Rng::with_seed(u64::from(plan.seed) ^ 0x636f_6e74);
    let mut laws: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for passed in tried.iter().filter(|tried| tried.judgement.outcome == Outcome::Pass) {
        if let Some(case) = suite.corpus.cases.get(&passed.id) {
            laws.entry(law_of(&passed.id)).or_default().push(case);
        }
    }
    let mut content = Vec::new();
    for cases in laws.values() {
        for kind in Kind::CONTENT {
            content.extend(pick(cases, kind, CONTENT, &mut rng));
        }
    }
    let mut complete = put(bench, None, &content, &mut tally);
    if bench.kind() == TransportKind::Process {
        let all: Vec<&Case> = laws.into_values().flatten().collect();
        for (kind, count) in CONDUCT {
            // One at a time: when the process is ended for it, no other answer is in flight.
            for planted in pick(&all, kind, count, &mut rng) {
                complete &= put(bench, Some(CONDUCT_MS), &[planted], &mut tally);
            }
        }
    }
    Made { tally, complete }
}

fn pick<'c>(cases: &[&'c Case], kind: Kind, count: usize, rng: &mut Rng) -> Vec<(&'c Case, Alteration)> {
    let mut fit: Vec<&Case> = cases.iter().copied().filter(|case| kind.fits(case)).collect();
    rng.shuffle(&mut fit);
    fit.into_iter().take(count).map(|case| (case, Alteration { kind, choice: rng.usize(..) })).collect()
}

/// Plants alterations and counts what was caught; says whether each was heard.
fn put(bench: &dyn Bench, case_ms: Option<u64>, planted: &[(&Case, Alteration)], tally: &mut Tally) -> bool {
    let Ok(bench) = bench.tapped(case_ms) else {
        return false;
    };
    let docket: Vec<Item<'_>> =
        planted.iter().map(|(case, alteration)| Item { case, alteration: Some(alteration) }).collect();
    let mut outcomes = vec![None; docket.len()];
    bench.put(&docket, "controls", &mut |place, heard| {
        if let (Some(slot), Some(item)) = (outcomes.get_mut(place), docket.get(place)) {
            *slot = Some(heard.judged(item.case).outcome);
        }
    });
    let mut complete = true;
    for ((case, alteration), outcome) in planted.iter().zip(outcomes) {
        let kind = alteration.kind.name();
        let caught = match outcome {
            None | Some(Outcome::NotRun | Outcome::NotApplicable) => {
                complete = false;
                continue;
            }
            Some(Outcome::Pass) => false,
            Some(outcome) if outcome == alteration.kind.outcome() => true,
            // The testee did something else meanwhile: nothing is shown by that.
            Some(_) => {
                complete = false;
                continue;
            }
        };
        tally.controls.count(kind, caught);
        let altered = &mut tally.laws.entry(law_of(&case.id).to_owned()).or_default().altered;
        altered.planted += 1;
        altered.caught += usize::from(caught);
        if !caught {
            tally.controls.missed.push(Missed { id: case.id.clone(), kind });
        }
    }
    complete
}
