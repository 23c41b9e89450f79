//! kernel/crash-recovery: after a stop at any point of a promotion, the next operation finds committed exactly old or
//! exactly new.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 7; rulings KE-10, KE-39, KE-42. Three names tell what happened:
//!
//! | committed | new tree | old tree | what happened, and what is done |
//! |---|---|---|---|
//! | there | perhaps | absent | stopped while building, if at all: the new tree is dropped |
//! | there | perhaps | there | stopped after the switch: cleaned up |
//! | absent | there | there | stopped between the renames: the new tree is put in place, and cleaned up |
//! | absent | absent | there | not by this kernel: the old tree is put back |
//! | absent | there | absent | stopped while building the first tree: it is dropped |

use crate::files::{HomeFiles, HomeReader};
use crate::kernel::model::home::{HomeFailure, Stop, at, list};
use crate::kernel::model::layout::{COMMITTED, INDEX, NEW, OLD, Tree, WRITING};
use crate::kernel::model::ledger::Ledger;
use crate::kernel::model::token::Turn;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/crash-recovery");

/// Ends what an earlier stop has left undone. Every operation begins with this.
///
/// # Errors
/// If the home does not do what it is asked; trying again is safe.
pub(crate) fn recover(home: &mut dyn HomeFiles) -> Result<(), HomeFailure> {
    let entries = list(home, INDEX)?;
    let there = |path: &str| {
        let name = path.strip_prefix(INDEX).and_then(|name| name.strip_prefix('/'));
        entries.iter().any(|entry| Some(entry.name.as_str()) == name)
    };
    if there(WRITING) {
        home.remove(WRITING).map_err(at(WRITING))?;
    }
    match (there(COMMITTED), there(NEW), there(OLD)) {
        (true, _, true) => finish(home),
        (false, true, true) => {
            home.rename(NEW, COMMITTED).map_err(at(COMMITTED))?;
            finish(home)
        }
        (false, false, true) => home.rename(OLD, COMMITTED).map_err(at(COMMITTED)),
        (_, true, false) => home.remove(NEW).map_err(at(NEW)),
        (_, false, false) => Ok(()),
    }
}

/// Cleans up after the switch.
fn finish(home: &mut dyn HomeFiles) -> Result<(), HomeFailure> {
    home.settle().map_err(at(COMMITTED))?;
    for turn in promoted(home)? {
        let staging = Tree::staged(&turn);
        home.remove(staging.folder()).map_err(at(staging.folder()))?;
    }
    for leftover in [NEW, OLD] {
        home.remove(leftover).map_err(at(leftover))?;
    }
    Ok(())
}

/// The turn by which committed is ahead of the old tree. A ledger that cannot be read tells nothing.
fn promoted(home: &dyn HomeReader) -> Result<Vec<Turn>, HomeFailure> {
    let ledger = |tree: &Tree| match Ledger::load(home, tree) {
        Ok(ledger) => Ok(Some(ledger)),
        Err(Stop::Refused(_)) => Ok(None),
        Err(Stop::Home(failure)) => Err(failure),
    };
    let (Some(new), Some(old)) = (ledger(&Tree::committed())?, ledger(&Tree::at(OLD))?) else {
        return Ok(Vec::new());
    };
    Ok(new.beyond(&old).map(|(run, id)| Turn { run: run.clone(), id }).collect())
}
