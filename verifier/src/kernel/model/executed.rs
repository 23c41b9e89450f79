//! Runs that were started and turns that were executed, which nobody starts or executes again.
//!
//! Spec: Kernel v1 Requirements Pack, Law 2; rulings KE-51, KE-52. The layout of a home has no place for them: they are known
//! as long as the process that did it goes on, and the ledger tells what was promoted.

use std::collections::{BTreeMap, BTreeSet};

use super::token::{RunId, Turn, TurnId};

/// Executed turns by run, and started runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Executed {
    runs: BTreeMap<RunId, BTreeSet<TurnId>>,
    started: BTreeSet<RunId>,
}

impl Executed {
    /// Remembers a turn that passed; one that failed was not a turn.
    pub(crate) fn add(&mut self, turn: &Turn) {
        self.runs.entry(turn.run.clone()).or_default().insert(turn.id);
    }

    /// Whether a turn was executed.
    pub(crate) fn contains(&self, turn: &Turn) -> bool {
        self.runs.get(&turn.run).is_some_and(|turns| turns.contains(&turn.id))
    }

    /// The last turn of a run that was executed.
    pub(crate) fn last(&self, run: &RunId) -> TurnId {
        self.runs.get(run).and_then(BTreeSet::last).copied().unwrap_or(TurnId::NONE)
    }

    /// Whether a turn of a run was executed.
    pub(crate) fn has_turns(&self, run: &RunId) -> bool {
        self.runs.contains_key(run)
    }

    /// Forgets which turns were executed, as whoever is stopped does; a scenario goes on with the runs that it has started.
    pub(crate) fn forget_turns(&mut self) {
        self.runs.clear();
    }

    /// Remembers a run that was started.
    pub(crate) fn start(&mut self, run: RunId) {
        self.started.insert(run);
    }

    /// Whether a run was started.
    pub(crate) fn is_started(&self, run: &RunId) -> bool {
        self.started.contains(run)
    }
}
