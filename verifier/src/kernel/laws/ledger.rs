//! kernel/ledger: the last promoted turn of each run stands inside of the tree that is switched.
//!
//! Spec: Kernel v1 Requirements Pack, Law 2; rulings KE-12, KE-13, KE-31. A ledger that is absent says that nothing was
//! promoted; one of another shape says nothing and is corrupt.

use std::collections::BTreeMap;

use super::record_shape::{load, parsed, versioned};
use crate::files::{HomeError, HomeReader};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::kernel::model::home::{Stop, unreadable};
use crate::kernel::model::layout::{Tree, location};
use crate::kernel::model::ledger::Ledger;
use crate::kernel::model::member::{Misfit, Object};
use crate::kernel::model::token::{RunId, TurnId};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/ledger");

impl Ledger {
    /// Reads the ledger of a tree.
    pub(crate) fn load(home: &dyn HomeReader, tree: &Tree) -> Result<Self, Stop> {
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
}

/// What is wrong with a ledger, by what was read of its file.
pub(crate) fn check(path: &str, content: Result<&[u8], HomeError>) -> Option<Finding> {
    let wrong = match content {
        Ok(text) => Ledger::parse(text).err()?.sentence(),
        Err(why) => unreadable(why),
    };
    Some(Finding::error(LAW, location(path), wrong))
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
