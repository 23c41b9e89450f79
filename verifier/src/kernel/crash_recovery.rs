//! After a stop at any point of a promotion, the next operation finds committed exactly old or exactly new.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 7; rulings KE-10, KE-39, KE-42. Three names tell what happened:
//!
//! | committed | new tree | old tree | what happened, and what is done |
//! |---|---|---|---|
//! | there | perhaps | absent | stopped while building, if at all: the new tree is dropped |
//! | there | perhaps | there | stopped behind the switch: cleaned up |
//! | absent | there | there | stopped between the renames: the new tree is put in place, and cleaned up |
//! | absent | absent | there | not by this kernel: the old tree is put back |
//! | absent | there | absent | stopped while building the first tree: it is dropped |

use crate::files::{HomeFiles, HomeReader};

use super::home::{HomeTrouble, Stop, at, list};
use super::layout::{COMMITTED, INDEX, NEW, OLD, Tree, WRITING};
use super::ledger::Ledger;
use super::path_safety::Turn;
use super::promotion::promote_until;

/// A named point of promotion at which a scenario may stop it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashPoint {
    /// While the new tree is built.
    Build,
    /// Behind the last file of the new tree.
    BeforeSwitch,
    /// With committed moved away.
    BetweenRenames,
    /// With the new tree in place.
    AfterSwitch,
    /// Before anything is removed.
    BeforeCleanup,
}

impl CrashPoint {
    /// Every point, in order.
    pub const ALL: [Self; 5] =
        [Self::Build, Self::BeforeSwitch, Self::BetweenRenames, Self::AfterSwitch, Self::BeforeCleanup];

    /// The name in scenarios.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::BeforeSwitch => "before-switch",
            Self::BetweenRenames => "between-renames",
            Self::AfterSwitch => "after-switch",
            Self::BeforeCleanup => "before-cleanup",
        }
    }

    /// The point of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|point| point.name() == name)
    }
}

/// Promotes a turn and stops on the way. A promotion that is refused earlier ends there.
///
/// # Errors
/// If the home does not do what it is asked.
pub(super) fn crash(home: &mut dyn HomeFiles, turn: &Turn, point: CrashPoint) -> Result<(), HomeTrouble> {
    match promote_until(home, turn, Some(point)) {
        Ok(_) | Err(Stop::Refused(_)) => Ok(()),
        Err(Stop::Home(trouble)) => Err(trouble),
    }
}

/// Ends what an earlier stop has left undone. Every operation begins with this.
///
/// # Errors
/// If the home does not do what it is asked; trying again is safe.
pub(super) fn recover(home: &mut dyn HomeFiles) -> Result<(), HomeTrouble> {
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

/// Cleans up behind the switch.
fn finish(home: &mut dyn HomeFiles) -> Result<(), HomeTrouble> {
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
fn promoted(home: &dyn HomeReader) -> Result<Vec<Turn>, HomeTrouble> {
    let ledger = |tree: &Tree| match Ledger::load(home, tree) {
        Ok(ledger) => Ok(Some(ledger)),
        Err(Stop::Refused(_)) => Ok(None),
        Err(Stop::Home(trouble)) => Err(trouble),
    };
    let (Some(new), Some(old)) = (ledger(&Tree::committed())?, ledger(&Tree::at(OLD))?) else {
        return Ok(Vec::new());
    };
    Ok(new.beyond(&old).map(|(run, id)| Turn { run: run.clone(), id }).collect())
}
