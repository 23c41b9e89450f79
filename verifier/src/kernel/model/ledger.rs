//! The ledger: the last promoted turn of each run.
//!
//! Spec: Kernel v1 Requirements Pack, Law 2. Which texts are a ledger, and where it stands, is the law kernel/ledger.

use std::collections::BTreeMap;

use crate::canon::compose;

use super::record::VERSION;
use super::token::{RunId, TurnId};

/// Last promoted turns by run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    pub(crate) runs: BTreeMap<RunId, TurnId>,
}

impl Ledger {
    /// The ledger as it is stored.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        compose::object(&[("lsi_version", compose::string(VERSION)), ("runs", self.runs_canonical())])
    }

    /// Its turns by run, as canonical JSON.
    pub(crate) fn runs_canonical(&self) -> Vec<u8> {
        let turn = |(run, turn): (&'_ RunId, &TurnId)| (run.as_str().to_owned(), compose::string(&turn.to_string()));
        let runs: Vec<_> = self.runs.iter().map(turn).collect();
        let members: Vec<_> = runs.iter().map(|(run, turn)| (run.as_str(), turn)).collect();
        compose::object(&members)
    }

    /// The last promoted turn of a run.
    #[must_use]
    pub fn last(&self, run: &RunId) -> TurnId {
        self.runs.get(run).copied().unwrap_or(TurnId::NONE)
    }

    /// The same ledger with a later turn of a run.
    pub(crate) fn with(mut self, run: &RunId, turn: TurnId) -> Self {
        self.runs.insert(run.clone(), turn);
        self
    }

    /// Runs with the turns that this ledger gives them, where `earlier` does not.
    pub(crate) fn beyond<'l>(&'l self, earlier: &'l Self) -> impl Iterator<Item = (&'l RunId, TurnId)> {
        self.runs.iter().filter(|(run, turn)| earlier.last(run) != **turn).map(|(run, turn)| (run, *turn))
    }
}
