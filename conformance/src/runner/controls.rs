//! The controls of one run: which answers are altered, and what came of it.

use std::collections::BTreeMap;

use assize_corpus::{agreement::Outcome, vector::Case};
use fastrand::Rng;

use super::{CaseResult, Missed, Plan, Tally, Unstable, UnstableWhere, null};
use crate::{
    catalogue::law_of,
    suite::Suite,
    testee::{
        Driver, Item, Response, TransportKind,
        alter::{Alteration, Kind},
    },
};

/// Alterations of each content kind for each law.
const CONTENT: usize = 2;
/// Alterations of each kind of conduct: each costs its time, so there are few.
const CONDUCT: [(Kind, usize); 3] = [(Kind::Dropped, 1), (Kind::Repeated, 2), (Kind::Late, 1)];
/// The time that an answer has while conduct is altered: an answer that never comes is waited for this long.
const CONDUCT_MS: u64 = 200;

/// What the controls came to, and whether all that were planned were made.
pub(super) struct Made {
    pub(super) tally: Tally,
    pub(super) complete: bool,
    /// Cases that no longer passed when they were asked for a control.
    pub(super) unstable: Vec<Unstable>,
}

/// Makes the controls on cases that passed.
pub(super) fn make(suite: &Suite, driver: &dyn Driver, plan: Plan, results: &[CaseResult]) -> Made {
    let mut made = Made { tally: Tally::default(), complete: true, unstable: Vec::new() };
    null::weigh(&suite.corpus, results, &mut made.tally);
    let mut rng = Rng::with_seed(u64::from(plan.seed) ^ 0x636f_6e74);
    let mut laws: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for passed in results.iter().filter(|result| result.judgement.outcome == Outcome::Pass) {
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
    made.plant(driver, None, &content);
    if driver.kind() == TransportKind::Process {
        let all: Vec<&Case> = laws.into_values().flatten().collect();
        for (kind, count) in CONDUCT {
            // A shorter wait only pays for what never comes in time.
            let case_ms = (kind.outcome() == Outcome::Timeout).then_some(CONDUCT_MS);
            // One at a time: when the process is ended for it, no other answer is in flight.
            for planted in pick(&all, kind, count, &mut rng) {
                made.plant(driver, case_ms, &[planted]);
            }
        }
    }
    made.unstable.sort();
    made.unstable.dedup();
    made
}

fn pick<'c>(cases: &[&'c Case], kind: Kind, count: usize, rng: &mut Rng) -> Vec<(&'c Case, Alteration)> {
    let mut fit: Vec<&Case> = cases.iter().copied().filter(|case| kind.fits(case)).collect();
    rng.shuffle(&mut fit);
    fit.into_iter().take(count).map(|case| (case, Alteration { kind, choice: rng.usize(..) })).collect()
}

impl Made {
    /// Plants alterations and counts what was caught.
    fn plant(&mut self, driver: &dyn Driver, case_ms: Option<u64>, planted: &[(&Case, Alteration)]) {
        let Ok(driver) = driver.tapped(case_ms) else {
            self.complete = false;
            return;
        };
        let batch: Vec<Item<'_>> =
            planted.iter().map(|(case, alteration)| Item { case, alteration: Some(alteration) }).collect();
        let mut responses = vec![None; batch.len()];
        driver.run(&batch, "controls", &mut |place, response| {
            if let (Some(slot), Some(item)) = (responses.get_mut(place), batch.get(place)) {
                *slot = Some((response == Response::Changed, response.judged(item.case).outcome));
            }
        });
        for ((case, alteration), response) in planted.iter().zip(responses) {
            match response {
                Some((true, _)) => {
                    self.unstable.push(Unstable { id: case.id.clone(), place: UnstableWhere::Controls });
                }
                Some((_, Outcome::Pass)) => self.count(case, alteration.kind, false),
                Some((_, outcome)) if outcome == alteration.kind.outcome() => self.count(case, alteration.kind, true),
                // Nothing came, or the testee did something else this time: that shows nothing.
                _ => self.complete = false,
            }
        }
    }

    fn count(&mut self, case: &Case, kind: Kind, caught: bool) {
        self.tally.controls.count(kind.name(), caught);
        let altered = &mut self.tally.laws.entry(law_of(&case.id).to_owned()).or_default().altered;
        altered.planted += 1;
        altered.caught += usize::from(caught);
        if !caught {
            self.tally.controls.missed.push(Missed { id: case.id.clone(), kind: kind.name() });
        }
    }
}
