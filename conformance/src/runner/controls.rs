//! The controls of one run: which answers are altered, and what came of it.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::{Outcome, Terms},
    vector::Case,
};
use fastrand::Rng;

use super::{Bench, CaseResult, Missed, Plan, Tally, Unstable, UnstableWhere};
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
/// Alterations of each kind of conduct: each costs processes of its own, so there are few.
const CONDUCT: [(Kind, usize); 3] = [(Kind::Dropped, 1), (Kind::Repeated, 2), (Kind::Late, 1)];

/// What the controls came to besides what was caught and missed.
pub(super) struct Made {
    /// Controls that showed nothing, each with its kind, its case and what came instead.
    pub(super) silent: Vec<String>,
    /// Cases that no longer passed when they were asked for a control.
    pub(super) unstable: Vec<Unstable>,
}

/// Makes the controls on cases that passed, and counts them.
pub(super) fn make(
    suite: &Suite,
    driver: &dyn Driver,
    plan: &Plan,
    bench: &Bench<'_>,
    results: &[CaseResult],
    tally: &mut Tally,
) -> Made {
    let mut maker = Maker { tally, terms: bench.terms, made: Made { silent: Vec::new(), unstable: Vec::new() } };
    for (untimely, planted) in planned(suite, driver.kind(), plan.seed, bench, results) {
        maker.plant(driver, untimely, &planted);
    }
    let mut made = maker.made;
    made.unstable.sort();
    made.unstable.dedup();
    made
}

/// What is altered together in one process, and whether it is the time of answers.
pub(super) type Batch<'c> = (bool, Vec<(&'c Case, Alteration)>);

/// Every control of a run: it follows from the seed and from the cases that passed.
pub(super) fn planned<'c>(
    suite: &'c Suite,
    transport: TransportKind,
    seed: u32,
    bench: &Bench<'_>,
    results: &[CaseResult],
) -> Vec<Batch<'c>> {
    let mut rng = Rng::with_seed(u64::from(seed) ^ 0x636f_6e74);
    let mut laws: BTreeMap<&str, Vec<&'c Case>> = BTreeMap::new();
    // Beyond a limit a rejection says nothing, so that an altered verdict could not be caught.
    let is_within = |result: &&CaseResult| !bench.beyond.contains_key(result.id.as_str());
    for passed in results.iter().filter(|result| result.judgement.outcome == Outcome::Pass).filter(is_within) {
        if let Some(case) = suite.corpus.cases.get(&passed.id) {
            laws.entry(law_of(&case.id)).or_default().push(case);
        }
    }
    let mut content = Vec::new();
    for cases in laws.values() {
        for kind in Kind::CONTENT {
            content.extend(pick(cases, kind, CONTENT, bench.terms, &mut rng));
        }
    }
    let mut batches = vec![(false, content)];
    if transport == TransportKind::Process {
        let all: Vec<&Case> = laws.into_values().flatten().collect();
        for (kind, count) in CONDUCT {
            let untimely = kind.outcome() == Outcome::Timeout;
            // One at a time: when the process is ended for it, no other answer is in flight.
            let picked = pick(&all, kind, count, bench.terms, &mut rng);
            batches.extend(picked.into_iter().map(|planted| (untimely, vec![planted])));
        }
    }
    batches
}

/// The controls of a run in which everything that was altered was caught.
pub(super) fn all_caught(batches: &[Batch<'_>], tally: &mut Tally) {
    for (case, alteration) in batches.iter().flat_map(|(_, planted)| planted) {
        count(tally, case, alteration.kind, true);
    }
}

fn pick<'c>(cases: &[&'c Case], kind: Kind, count: usize, terms: &Terms, rng: &mut Rng) -> Vec<(&'c Case, Alteration)> {
    let mut fit: Vec<&Case> = cases.iter().copied().filter(|case| kind.fits(case, terms)).collect();
    rng.shuffle(&mut fit);
    fit.into_iter()
        .take(count)
        .map(|case| (case, Alteration { kind, choice: rng.usize(..), terms: terms.clone() }))
        .collect()
}

struct Maker<'t> {
    tally: &'t mut Tally,
    terms: &'t Terms,
    made: Made,
}

impl Maker<'_> {
    /// Plants alterations and counts what was caught.
    fn plant(&mut self, driver: &dyn Driver, untimely: bool, planted: &[(&Case, Alteration)]) {
        let driver = match driver.tapped(untimely) {
            Ok(driver) => driver,
            Err(error) => {
                let told = planted.iter().map(|(case, alteration)| silent(case, alteration.kind, &error.to_string()));
                self.made.silent.extend(told);
                return;
            }
        };
        let batch: Vec<Item<'_>> =
            planted.iter().map(|(case, alteration)| Item { case, alteration: Some(alteration) }).collect();
        let mut responses = vec![None; batch.len()];
        driver.run(&batch, "controls", &mut |place, response, _| {
            if let (Some(slot), Some(item)) = (responses.get_mut(place), batch.get(place)) {
                *slot = Some((response == Response::Changed, response.judged(item.case, self.terms)));
            }
        });
        for ((case, alteration), response) in planted.iter().zip(responses) {
            match response {
                Some((true, _)) => {
                    self.made.unstable.push(Unstable { id: case.id.clone(), place: UnstableWhere::Controls });
                }
                Some((_, judgement)) if judgement.outcome == Outcome::Pass => {
                    count(self.tally, case, alteration.kind, false);
                }
                Some((_, judgement)) if judgement.outcome == alteration.kind.outcome() => {
                    count(self.tally, case, alteration.kind, true);
                }
                // Nothing came, or the testee did something else meanwhile: nothing is shown by that.
                Some((_, judgement)) => {
                    let note = judgement.note.map_or_else(String::new, |note| format!(", {note}"));
                    let came = format!("{}{note}", judgement.outcome);
                    self.made.silent.push(silent(case, alteration.kind, &came));
                }
                None => self.made.silent.push(silent(case, alteration.kind, "nothing came")),
            }
        }
    }
}

fn silent(case: &Case, kind: Kind, came: &str) -> String {
    format!("{} of {}: {came}", kind.name(), case.id)
}

fn count(tally: &mut Tally, case: &Case, kind: Kind, caught: bool) {
    tally.controls.count(kind.name(), caught);
    let altered = &mut tally.laws.entry(law_of(&case.id).to_owned()).or_default().altered;
    altered.planted += 1;
    altered.caught += usize::from(caught);
    if !caught {
        tally.controls.missed.push(Missed { id: case.id.clone(), kind: kind.name() });
    }
}
