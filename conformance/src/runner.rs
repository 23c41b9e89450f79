//! A whole run: two orders, a sample in fresh processes, and the controls.
//!
//! Contract: `contracts/interface/protocol.md`, State. What is asked, and of which process, is decided here from the seed alone; which
//! answer is right is for the corpus to say, and how a process is controlled for the testee module.

mod controls;
mod follow;
pub mod null;
mod probe;
mod result;
mod shim;
mod tally;

pub use follow::{Follows, follows};
pub use probe::Probe;
pub use result::{CaseResult, Unstable, UnstableWhere};
pub use tally::{Altered, Controls, LawTally, Missed, NullRow, Tally};

use std::{
    collections::BTreeMap,
    iter,
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

use assize_corpus::{
    agreement::{Judgement, Outcome, Terms},
    testee::{self, Answer},
    vector::Case,
};
use assize_verifier::digest::Digest;
use fastrand::Rng;

use crate::{
    catalogue::law_of,
    laps::Laps,
    protocol::Introduction,
    selection::Selection,
    suite::Suite,
    testee::{Driver, Item, Response, TransportKind},
};

/// How a run is made.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Seed of orders and samples.
    pub seed: u32,
    /// Processes or threads at a time.
    pub jobs: usize,
    /// Whether cases go out twice, with a sample in fresh processes and controls.
    pub certifying: bool,
    /// On what terms answers are judged.
    pub terms: Terms,
}

/// What a run came to.
#[derive(Debug)]
pub struct Ran {
    /// The selected cases, by id.
    pub results: Vec<CaseResult>,
    /// Cases whose answers were not the same each time.
    pub unstable: Vec<Unstable>,
    /// What the passes are worth beside those of testees that look at nothing, and what the controls came to where any were made.
    pub tally: Tally,
    /// Whether everything that was planned was done.
    pub complete: bool,
    /// What became of the declared limits.
    pub probes: Vec<Probe>,
    /// Why the answers say nothing about an implementation, if they do not.
    pub broken: Option<String>,
    /// Controls that showed nothing, so that not everything was done: what kind, of which case, and what came instead.
    pub silent: Vec<String>,
}

/// Cases that are asked again, each in a fresh process.
const FRESH: usize = 8;
/// Cases of each law that come more often than once in the second order, and how many times more. Whoever counts how often a
/// question came would know that a second time is the last.
const RECURRING: usize = 16;
const TIMES: std::ops::RangeInclusive<usize> = 2..=6;

/// Runs the selected cases. `watch` is called for each of them as soon as it has an outcome, in any order, and again if a
/// later answer changes it; `laps` gets what took how long.
pub fn run(
    suite: &Suite,
    selection: &Selection,
    driver: &dyn Driver,
    introduction: &Introduction,
    plan: &Plan,
    watch: &(dyn Fn(&CaseResult) + Sync),
    laps: &Laps,
) -> Ran {
    let mut results = unloaded(suite, selection);
    let terms = follow::terms(&plan.terms, introduction);
    let follow::Divided { asked, lacking, beyond } = follow::divide(suite, selection, introduction);
    let bench = Bench { terms: &terms, beyond };
    results.extend(
        lacking.into_iter().map(|(case, lack)| outcome(&case.id, case, Judgement::noted(Outcome::NotApplicable, lack))),
    );
    results.iter().for_each(watch);
    let orders = if plan.certifying && driver.kind() == TransportKind::Process { 2 } else { 1 };
    let mut seen = ask(driver, &asked, orders, plan, &bench, watch);
    laps.end("cases");
    let mut complete = seen.iter().all(|seen| !seen.cut);
    let mut unstable: Vec<Unstable> =
        seen.iter().filter(|seen| seen.unstable).map(|seen| seen.unstable_in(UnstableWhere::Orders)).collect();
    let broken = shim::broken(&seen);
    let probes = if seen.is_empty() { Vec::new() } else { probe::run(driver, introduction, &bench) };
    if orders == 2 && broken.is_none() {
        complete &= fresh(driver, plan, &bench, &mut seen, &mut unstable);
    }
    laps.end("limits, fresh processes");
    results.extend(
        seen.into_iter()
            .map(|seen| CaseResult { took: seen.took, ..outcome(&seen.case.id, seen.case, seen.judgement) }),
    );
    results.sort_by(|a, b| a.id.cmp(&b.id));
    let mut tally = null::weigh(&suite.corpus, &results, &terms);
    laps.end("null testees");
    let mut silent = Vec::new();
    if plan.certifying && complete && broken.is_none() {
        let made = controls::make(suite, driver, plan, &bench, &results, &mut tally);
        complete = made.silent.is_empty();
        silent = made.silent;
        unstable.extend(made.unstable);
    }
    laps.end("controls");
    unstable.sort();
    Ran { results, unstable, tally, complete, probes, broken, silent }
}

/// Every selected case as one that was not run, for a testee that cannot be used.
#[must_use]
pub fn none(suite: &Suite, selection: &Selection, why: &str) -> Vec<CaseResult> {
    let mut results = unloaded(suite, selection);
    for (id, case) in suite.corpus.cases.iter().filter(|(id, case)| selection.takes(&suite.corpus, id, case)) {
        results.push(outcome(id, case, Judgement::noted(Outcome::NotRun, why)));
    }
    results.sort_by(|a, b| a.id.cmp(&b.id));
    results
}

fn unloaded(suite: &Suite, selection: &Selection) -> Vec<CaseResult> {
    let broken = suite.broken.iter().filter(|(id, _)| selection.takes_id(&suite.corpus, id));
    let results = broken.map(|(id, why)| CaseResult {
        id: id.clone(),
        judgement: Judgement::noted(Outcome::NotRun, why.clone()),
        rationale: String::new(),
        took: None,
    });
    results.collect()
}

fn outcome(id: &str, case: &Case, judgement: Judgement) -> CaseResult {
    CaseResult { id: id.to_owned(), judgement, rationale: case.rationale.clone(), took: None }
}

/// What answers are judged by.
struct Bench<'c> {
    terms: &'c Terms,
    /// The declared limit beyond which a case lies: a rejection of it says nothing.
    beyond: BTreeMap<&'c str, String>,
}

impl Bench<'_> {
    fn judged(&self, case: &Case, response: &Response) -> Judgement {
        match (response, self.beyond.get(case.id.as_str())) {
            (Response::Answer(Answer::Reject { .. }), Some(limit)) => Judgement::noted(Outcome::NotApplicable, limit),
            _ => response.judged(case, self.terms),
        }
    }
}

/// What is kept of one time that a case was put. An answer may be as long as a line, so that it is not among it.
struct Once {
    judgement: Judgement,
    answer: Option<Digest>,
    rejected: bool,
    /// It was planned and did not come.
    cut: bool,
    /// How long it took, if it was asked.
    took: Option<Duration>,
}

impl Once {
    fn of(case: &Case, response: &Response, took: Duration, bench: &Bench<'_>) -> Self {
        let answer = match response {
            // Complete answers are compared, not what a case asserts of them.
            Response::Answer(answer) => Some(testee::digest(answer)),
            _ => None,
        };
        Self {
            judgement: bench.judged(case, response),
            answer,
            rejected: matches!(response, Response::Answer(Answer::Reject { .. })),
            cut: matches!(response, Response::NotRun(_)),
            took: Some(took).filter(|_| !matches!(response, Response::NotRun(_) | Response::Unasked(..))),
        }
    }
}

/// What came of one case.
struct Seen<'c> {
    case: &'c Case,
    /// Digest of the first answer, if an answer is what came first.
    answer: Option<Digest>,
    /// Whether that answer is a rejection.
    rejected: bool,
    /// The worst judgement of all responses.
    judgement: Judgement,
    /// Two answers differ.
    unstable: bool,
    /// A time that was planned did not take place.
    cut: bool,
    /// How long the first time took.
    took: Option<Duration>,
}

impl<'c> Seen<'c> {
    fn new(case: &'c Case, once: Once) -> Self {
        let Once { judgement, answer, rejected, cut, took } = once;
        Self { case, answer, rejected, judgement, unstable: false, cut, took }
    }

    /// The same case again: answers must be identical, and the worse outcome counts.
    fn again(&mut self, once: Once) -> bool {
        if once.cut {
            self.cut = true;
            return true;
        }
        let rank = |judgement: &Judgement| (judgement.force, judgement.outcome);
        if rank(&once.judgement) > rank(&self.judgement) {
            self.judgement = once.judgement;
        }
        match (self.answer, once.answer) {
            (Some(first), Some(second)) => first == second,
            _ => true,
        }
    }

    fn unstable_in(&self, place: UnstableWhere) -> Unstable {
        Unstable { id: self.case.id.clone(), place }
    }
}

/// A case of a share, and how many times more it comes in the last of several orders.
#[derive(Clone, Copy)]
struct Put<'c> {
    case: &'c Case,
    more: usize,
}

/// Asks every case as many times as there are orders: each worker has its share, and asks it of one process in one seeded
/// order after the other. Some cases come again and again among the others of the last.
fn ask<'c>(
    driver: &dyn Driver,
    cases: &[&'c Case],
    orders: usize,
    plan: &Plan,
    bench: &Bench<'_>,
    watch: &(dyn Fn(&CaseResult) + Sync),
) -> Vec<Seen<'c>> {
    let jobs = plan.jobs.max(1);
    let mut shuffled = cases.to_vec();
    let mut rng = Rng::with_seed(u64::from(plan.seed));
    rng.shuffle(&mut shuffled);
    let mut shares: Vec<Vec<Put<'c>>> = vec![Vec::new(); jobs];
    let mut recurring: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, case) in shuffled.into_iter().enumerate() {
        let of_law = recurring.entry(law_of(&case.id)).or_default();
        *of_law += 1;
        let more = if *of_law <= RECURRING { rng.usize(TIMES) } else { 0 };
        if let Some(share) = shares.get_mut(index % jobs) {
            share.push(Put { case, more });
        }
    }
    let shares = shares.iter().filter(|share| !share.is_empty()).map(|share| (share, rng.fork()));
    let left = Mutex::new(shares.collect::<Vec<_>>());
    let seen = Mutex::new(Vec::with_capacity(cases.len()));
    let work = || {
        let next = || left.lock().unwrap_or_else(PoisonError::into_inner).pop();
        while let Some((share, mut rng)) = next() {
            let share = run_share(driver, share, orders, bench, &mut rng, watch);
            seen.lock().unwrap_or_else(PoisonError::into_inner).extend(share);
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs {
            // Where the system gives no more threads, those that there are do the work.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    seen.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn run_share<'c>(
    driver: &dyn Driver,
    share: &[Put<'c>],
    orders: usize,
    bench: &Bench<'_>,
    rng: &mut Rng,
    watch: &(dyn Fn(&CaseResult) + Sync),
) -> Vec<Seen<'c>> {
    let mut places: Vec<usize> = (0..share.len()).collect();
    let mut batch_places = Vec::with_capacity(share.len() * orders);
    for order in 1..=orders {
        if order > 1 {
            if order == orders {
                let again = share.iter().enumerate().flat_map(|(place, put)| iter::repeat_n(place, put.more));
                places.extend(again);
            }
            rng.shuffle(&mut places);
        }
        batch_places.extend_from_slice(&places);
    }
    let items = batch_places.iter().filter_map(|place| share.get(*place));
    let batch: Vec<Item<'_>> = items.map(|put| Item { case: put.case, alteration: None }).collect();
    let mut responses: Vec<Option<Once>> = Vec::new();
    responses.resize_with(batch.len(), || None);
    driver.run(&batch, "orders", &mut |place, response, took| {
        let (Some(item), Some(slot)) = (batch.get(place), responses.get_mut(place)) else { return };
        let once = Once::of(item.case, &response, took, bench);
        if place < share.len() {
            watch(&CaseResult { took: once.took, ..outcome(&item.case.id, item.case, once.judgement.clone()) });
        }
        *slot = Some(once);
    });
    let mut seen: Vec<Option<Seen<'c>>> = Vec::new();
    seen.resize_with(share.len(), || None);
    for (place, once) in batch_places.into_iter().zip(responses) {
        let (Some(slot), Some(Put { case, .. })) = (seen.get_mut(place), share.get(place)) else { continue };
        let never =
            || Once::of(case, &Response::NotRun("the testee was never asked".to_owned()), Duration::ZERO, bench);
        let once = once.unwrap_or_else(never);
        match slot {
            None => *slot = Some(Seen::new(case, once)),
            Some(seen) => {
                let same = seen.again(once);
                seen.unstable |= !same;
            }
        }
    }
    seen.into_iter().flatten().collect()
}

/// A sample in a process of its own for each case; says whether it was completed.
fn fresh(
    driver: &dyn Driver,
    plan: &Plan,
    bench: &Bench<'_>,
    seen: &mut [Seen<'_>],
    unstable: &mut Vec<Unstable>,
) -> bool {
    // Sorted first, since threads end in any order and the sample belongs to the seed.
    seen.sort_by(|a, b| a.case.id.cmp(&b.case.id));
    let mut answered: Vec<&mut Seen<'_>> = seen.iter_mut().filter(|seen| seen.answer.is_some()).collect();
    let mut rng = Rng::with_seed(u64::from(plan.seed) ^ 0x6672_6573);
    rng.shuffle(&mut answered);
    let mut complete = true;
    for seen in answered.into_iter().take(FRESH) {
        let mut once = None;
        let case = seen.case;
        driver.run(&[Item { case, alteration: None }], "fresh", &mut |_, response, took| {
            once = Some(Once::of(case, &response, took, bench))
        });
        match once {
            Some(once) if !once.cut => {
                if !seen.again(once) {
                    unstable.push(seen.unstable_in(UnstableWhere::FreshProcess));
                }
            }
            _ => complete = false,
        }
    }
    complete
}

#[cfg(test)]
mod tests;
