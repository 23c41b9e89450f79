//! Turns that were executed, which their run does not execute again, and runs that were started.
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
    /// Remembers a turn that passed; one that failed was no turn.
    pub(crate) fn add(&mut self, turn: &Turn) {
        self.runs.entry(turn.run.clone()).or_default().insert(turn.id);
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

    /// Why a turn cannot be executed any more, given the last promoted one of its run.
    pub(crate) fn reason(&self, turn: &Turn, promoted: TurnId) -> Option<&'static str> {
        let executed = self.runs.get(&turn.run);
        if turn.id == TurnId::NONE {
            Some("turn_out_of_order")
        } else if turn.id <= promoted || executed.is_some_and(|executed| executed.contains(&turn.id)) {
            Some("turn_id_not_unique")
        } else {
            executed.and_then(BTreeSet::last).filter(|last| turn.id < **last).map(|_| "turn_out_of_order")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_forward_and_uses_no_id_twice() {
        let turn = |run, id| Turn { run: RunId::parse(run).expect("a run"), id: TurnId::parse(id).expect("a turn") };
        let mut executed = Executed::default();
        executed.add(&turn("r", "turn-0004"));
        executed.add(&turn("r", "turn-0006"));
        let promoted = turn("r", "turn-0002").id;
        for (run, id, promoted, reason) in [
            ("r", "turn-0007", promoted, None),
            ("r", "turn-0009", promoted, None),
            ("r", "turn-0006", promoted, Some("turn_id_not_unique")),
            ("r", "turn-0005", promoted, Some("turn_out_of_order")),
            ("r", "turn-0004", promoted, Some("turn_id_not_unique")),
            ("r", "turn-0003", promoted, Some("turn_out_of_order")),
            ("r", "turn-0002", promoted, Some("turn_id_not_unique")),
            ("r", "turn-0001", promoted, Some("turn_id_not_unique")),
            ("r", "turn-0000", promoted, Some("turn_out_of_order")),
            ("other", "turn-0001", TurnId::NONE, None),
            ("other", "turn-0000", TurnId::NONE, Some("turn_out_of_order")),
        ] {
            assert_eq!(executed.reason(&turn(run, id), promoted), reason, "{run} {id}");
        }
    }
}
