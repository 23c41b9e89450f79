//! The transition system: states, what may be done in them, and what has to hold.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    hash::Hash,
    marker::PhantomData,
};

use stateright::{Checker, HasDiscoveries, Model, Path, Property};

use crate::committed::{Committed, Version};

/// A stop before a file operation.
#[derive(Debug)]
pub struct Stopped;

/// A kernel with its disk. What it does may be stopped after so many file operations, or goes on to its end.
pub trait Kernel: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// Stages a triplet in a turn.
    fn stage(&mut self, turn: Version, stem: u8);
    /// Stages a deletion in a turn.
    fn delete(&mut self, turn: Version, stem: u8);
    /// Promotes a turn; whether it was promoted.
    ///
    /// # Errors
    /// If it was stopped.
    fn promote(&mut self, turn: Version, until: Option<usize>) -> Result<bool, Stopped>;
    /// Ends what a stop has left undone.
    ///
    /// # Errors
    /// If it was stopped.
    fn recover(&mut self, until: Option<usize>) -> Result<(), Stopped>;
    /// What is committed, if it can be read.
    fn committed(&self) -> Option<Committed>;
    /// What lies in committed, byte for byte.
    fn bytes(&self) -> Vec<(String, Vec<u8>)>;
}

/// How far the system goes.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Runs.
    pub runs: u8,
    /// Promoted turns, of all runs together.
    pub turns: u8,
    /// Stems.
    pub stems: u8,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A run stages a stem in its next turn.
    Stage(u8, u8),
    /// A run stages the deletion of a stem in its next turn.
    Delete(u8, u8),
    /// A run promotes its next turn.
    Promote(u8),
    /// A run promotes its last turn again.
    Again(u8),
    /// A run promotes the turn after its next one.
    Ahead(u8),
    /// A run promotes its next turn, is stopped after so many file operations, and the kernel recovers.
    Stop(u8, usize),
    /// The same, and the recovery is stopped after so many, and made again.
    StopTwice(u8, usize, usize),
}

/// What has to hold, each in every state.
pub const PROPERTIES: [&str; 6] =
    ["all or nothing", "fortress", "idempotence", "recovery", "sequence by run", "no lost source"];

/// A state: kernel and disk, what should be committed, and which properties did not hold on the way here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<K> {
    /// The kernel.
    pub kernel: K,
    /// What should be committed.
    pub expected: Committed,
    /// What the next turn of each run has staged and deleted.
    pub staged: BTreeMap<u8, [BTreeSet<u8>; 2]>,
    broken: BTreeSet<&'static str>,
}

/// The system around a kernel.
#[derive(Debug)]
pub struct Promotions<K> {
    start: K,
    bounds: Bounds,
}

impl<K: Kernel> State<K> {
    fn demand(&mut self, property: &'static str, holds: bool) {
        if !holds {
            self.broken.insert(property);
        }
    }

    fn turns(&self) -> u8 {
        self.expected.ledger.values().sum()
    }

    fn staged(&self, run: u8) -> [BTreeSet<u8>; 2] {
        self.staged.get(&run).cloned().unwrap_or_default()
    }

    /// What a run's next turn leaves.
    fn after(&self, run: u8) -> Committed {
        let [staged, deleted] = self.staged(run);
        self.expected.promoted(self.expected.next(run), &staged, &deleted)
    }

    /// Staging changes nothing that is committed.
    fn stage(&mut self, run: u8, stem: u8, which: usize) {
        let (turn, before) = (self.expected.next(run), self.kernel.bytes());
        if which == 0 {
            self.kernel.stage(turn, stem);
        } else {
            self.kernel.delete(turn, stem);
        }
        let unchanged = self.kernel.bytes() == before;
        self.demand("fortress", unchanged);
        if let Some(stems) = self.staged.entry(run).or_default().get_mut(which) {
            stems.insert(stem);
        }
    }

    fn promote(&mut self, run: u8) {
        let after = self.after(run);
        let passed = self.kernel.promote(self.expected.next(run), None).unwrap_or(false);
        let found = self.kernel.committed();
        self.demand("sequence by run", passed);
        self.demand("all or nothing", same_but_sources(found.as_ref(), &after));
        self.demand("no lost source", found.is_some_and(|found| found.keeps_sources()));
        self.expected = after;
        self.staged.remove(&run);
    }

    /// A promotion that has to be refused, and to change nothing.
    fn refused(&mut self, turn: Version, property: &'static str) {
        let before = self.kernel.bytes();
        let passed = self.kernel.promote(turn, None).unwrap_or(false);
        let unchanged = self.kernel.bytes() == before;
        self.demand(property, !passed && unchanged);
    }

    /// Whether the promotion was stopped at all.
    fn stop(&mut self, run: u8, until: usize, second: Option<usize>) -> bool {
        let (old, new) = (self.expected.clone(), self.after(run));
        if self.kernel.promote(old.next(run), Some(until)).is_ok() {
            return false;
        }
        let mut once = self.kernel.clone();
        if let Some(second) = second {
            if self.kernel.recover(Some(second)).is_ok() {
                return false;
            }
            let _ = once.recover(None);
        }
        let recovered = self.kernel.recover(None).is_ok();
        let found = self.kernel.committed();
        match second {
            None => {
                let whole = [&old, &new].into_iter().any(|whole| same_but_sources(found.as_ref(), whole));
                self.demand("all or nothing", recovered && whole);
            }
            // However often it is stopped, it ends where it would have ended.
            Some(_) => self.demand("recovery", recovered && found == once.committed()),
        }
        self.demand("no lost source", found.as_ref().is_some_and(Committed::keeps_sources));
        if found.is_some_and(|found| found.ledger == new.ledger) {
            self.expected = new;
            self.staged.remove(&run);
        }
        true
    }
}

/// How many file operations something has: so many that it is stopped after any number that is less.
fn operations(is_stopped_after: impl Fn(usize) -> bool) -> usize {
    let (mut few, mut many) = (0, 1);
    while is_stopped_after(many) {
        (few, many) = (many, many * 2);
    }
    if few == 0 {
        return usize::from(is_stopped_after(0));
    }
    while few + 1 < many {
        let middle = few.midpoint(many);
        if is_stopped_after(middle) {
            few = middle;
        } else {
            many = middle;
        }
    }
    many
}

fn same_but_sources(found: Option<&Committed>, expected: &Committed) -> bool {
    found.is_some_and(|found| (&found.triplets, &found.ledger) == (&expected.triplets, &expected.ledger))
}

impl<K: Kernel> Model for Promotions<K> {
    type State = State<K>;
    type Action = Action;

    fn init_states(&self) -> Vec<State<K>> {
        let (kernel, expected) = (self.start.clone(), Committed::default());
        vec![State { kernel, expected, staged: BTreeMap::new(), broken: BTreeSet::new() }]
    }

    fn actions(&self, state: &State<K>, actions: &mut Vec<Action>) {
        // Behind a broken property nothing is known any more.
        if !state.broken.is_empty() {
            return;
        }
        for run in 0..self.bounds.runs {
            if state.expected.ledger.contains_key(&run) {
                actions.push(Action::Again(run));
            }
            actions.push(Action::Ahead(run));
            if state.turns() >= self.bounds.turns {
                continue;
            }
            let [staged, deleted] = state.staged(run);
            for stem in (0..self.bounds.stems).filter(|stem| !staged.contains(stem) && !deleted.contains(stem)) {
                actions.push(Action::Stage(run, stem));
                // One stem that comes and goes is enough to see what a deletion does.
                if stem == 0 {
                    actions.push(Action::Delete(run, stem));
                }
            }
            if staged.is_empty() && deleted.is_empty() {
                continue;
            }
            actions.push(Action::Promote(run));
            let turn = state.expected.next(run);
            for until in 0..operations(|until| state.kernel.clone().promote(turn, Some(until)).is_err()) {
                actions.push(Action::Stop(run, until));
                let mut stopped = state.kernel.clone();
                let _ = stopped.promote(turn, Some(until));
                let seconds = operations(|second| stopped.clone().recover(Some(second)).is_err());
                actions.extend((0..seconds).map(|second| Action::StopTwice(run, until, second)));
            }
        }
    }

    fn next_state(&self, last: &State<K>, action: Action) -> Option<State<K>> {
        let mut state = last.clone();
        match action {
            Action::Stage(run, stem) => state.stage(run, stem, 0),
            Action::Delete(run, stem) => state.stage(run, stem, 1),
            Action::Promote(run) => state.promote(run),
            Action::Again(run) => {
                let turn = state.expected.ledger.get(&run).copied().unwrap_or_default();
                state.refused(Version { run, turn }, "idempotence");
            }
            Action::Ahead(run) => {
                let next = state.expected.next(run);
                state.refused(Version { turn: next.turn + 1, ..next }, "sequence by run");
            }
            Action::Stop(run, until) => {
                if !state.stop(run, until, None) {
                    return None;
                }
            }
            Action::StopTwice(run, until, second) => {
                if !state.stop(run, until, Some(second)) {
                    return None;
                }
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        // A condition is a plain function, which knows no name: there is one for each.
        let [whole, fortress, again, recovery, sequence, sources] = PROPERTIES;
        vec![
            Property::always(whole, |_, state: &State<K>| !state.broken.contains("all or nothing")),
            Property::always(fortress, |_, state: &State<K>| !state.broken.contains("fortress")),
            Property::always(again, |_, state: &State<K>| !state.broken.contains("idempotence")),
            Property::always(recovery, |_, state: &State<K>| !state.broken.contains("recovery")),
            Property::always(sequence, |_, state: &State<K>| !state.broken.contains("sequence by run")),
            Property::always(sources, |_, state: &State<K>| !state.broken.contains("no lost source")),
        ]
    }
}

/// What a check has found.
#[derive(Debug)]
pub struct Found<K> {
    /// States that differ.
    pub states: usize,
    /// Steps between them.
    pub steps: usize,
    /// Properties that do not hold, each with the actions that lead there.
    pub broken: BTreeMap<&'static str, Vec<Action>>,
    kernel: PhantomData<K>,
}

/// Goes through all states of a kernel below some bounds.
#[must_use]
pub fn check<K: Kernel>(start: K, bounds: Bounds, threads: usize) -> Found<K> {
    run(start, bounds, threads, HasDiscoveries::All)
}

/// The same, until it is seen that a property does not hold.
#[must_use]
pub fn check_until<K: Kernel>(start: K, bounds: Bounds, threads: usize, broken: &'static str) -> Found<K> {
    run(start, bounds, threads, HasDiscoveries::AnyOf([broken].into()))
}

fn run<K: Kernel>(start: K, bounds: Bounds, threads: usize, until: HasDiscoveries) -> Found<K> {
    let checker = Promotions { start, bounds }.checker().threads(threads.max(1)).finish_when(until).spawn_bfs().join();
    let actions = |path: Path<State<K>, Action>| path.into_actions();
    let broken = checker.discoveries().into_iter().map(|(name, path)| (name, actions(path))).collect();
    Found { states: checker.unique_state_count(), steps: checker.state_count(), broken, kernel: PhantomData }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_counted_by_stops() {
        assert!((0..40).all(|count| operations(|until| until < count) == count));
    }
}
