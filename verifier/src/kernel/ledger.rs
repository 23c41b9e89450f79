//! The ledger: the last promoted turn of each run, inside of the tree that is switched.
//!
//! Spec: Kernel v1 Requirements Pack, Law 2; rulings KE-12, KE-13, KE-31. A ledger that is absent says that nothing was
//! promoted; one of another shape says nothing and is corrupt.

use std::collections::BTreeMap;

use crate::canon::compose;
use crate::files::HomeReader;
use crate::json::JsonPointer;

use super::home::{Stop, load};
use super::layout::Tree;
use super::member::{Misfit, Object};
use super::path_safety::{RunId, TurnId};
use super::record_shape::{VERSION, parsed, versioned};

/// Last promoted turns by run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    runs: BTreeMap<RunId, TurnId>,
}

impl Ledger {
    /// Reads the ledger of a tree.
    pub(super) fn load(home: &dyn HomeReader, tree: &Tree) -> Result<Self, Stop> {
        load(home, &tree.ledger(), Self::parse).map(Option::unwrap_or_default)
    }

    /// Reads a ledger's text.
    ///
    /// # Errors
    /// If it is not JSON, or not of the one shape; the pointer names the member.
    pub fn parse(text: &[u8]) -> Result<Self, Misfit> {
        let document = parsed(text)?;
        let ledger = Object::closed(document.root(), JsonPointer::root(), &["lsi_version", "runs"], &[])?;
        versioned(&ledger)?;
        let mut runs = BTreeMap::new();
        for (name, turn) in ledger.object("runs")?.members() {
            let name = name.decode();
            let misfit = || Misfit::new(ledger.place.member("runs").member(&name.to_text_lossy()), "no turn of a run");
            let run = name.to_str().and_then(RunId::parse).ok_or_else(misfit)?;
            let turn = turn.as_string();
            let turn = turn.as_ref().and_then(|turn| turn.to_str()).and_then(TurnId::parse).ok_or_else(misfit)?;
            if runs.insert(run, turn).is_some() {
                return Err(misfit());
            }
        }
        Ok(Self { runs })
    }

    /// The ledger as it is stored.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        compose::object(&[("lsi_version", compose::string(VERSION)), ("runs", self.runs_canonical())])
    }

    /// Its turns by run, as canonical JSON.
    pub(super) fn runs_canonical(&self) -> Vec<u8> {
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
    pub(super) fn with(mut self, run: &RunId, turn: TurnId) -> Self {
        self.runs.insert(run.clone(), turn);
        self
    }

    /// Runs with the turns that this ledger gives them, where `earlier` does not.
    pub(super) fn beyond<'l>(&'l self, earlier: &'l Self) -> impl Iterator<Item = (&'l RunId, TurnId)> {
        self.runs.iter().filter(|(run, turn)| earlier.last(run) != **turn).map(|(run, turn)| (run, *turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_has_one_shape() {
        let text = r#"{"lsi_version":"lsi/v1","runs":{"r":"turn-0002","s/1":"turn-0001"}}"#;
        let ledger = Ledger::parse(text.as_bytes()).expect("a ledger");
        assert_eq!(String::from_utf8(ledger.canonical()).expect("UTF-8"), text);
        let run = |name| RunId::parse(name).expect("a run");
        assert_eq!([ledger.last(&run("r")).number(), ledger.last(&run("t")).number()], [2, 0]);
        for (from, to) in [
            ("lsi/v1", "v1"),
            ("\"turn-0002\"", "2"),
            ("turn-0002", "turn-2"),
            ("\"r\"", "\"\""),
            ("\"s/1\"", "\"r\""),
            ("\"runs\"", "\"last_promoted_turn_id\""),
            ("\"runs\"", "\"run_id\":\"r\",\"runs\""),
            ("}}", "}"),
        ] {
            assert!(Ledger::parse(text.replacen(from, to, 1).as_bytes()).is_err(), "{from} to {to}");
        }
    }
}
