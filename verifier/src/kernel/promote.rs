//! Promotes a turn: what it staged is judged, what changes is written beside committed, and then put in place.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.1 and Spec-002, 7; rulings KE-15, KE-32, KE-38. Everything that can be
//! refused is judged before anything is written, and everything is written before anything is decided. Links are not validated here.

use std::rc::Rc;

use super::laws::deletion;
use super::laws::promotion::{build, in_place, incoming, information, write_references};
use super::laws::promotion_atomicity::{carry_out, clean_up, decide, undo};
use super::laws::promotion_sequence;
use super::laws::record_shape::intact;
use super::model::crash_point::CrashPoint;
use super::model::home::{HomeFailure, Stop, at};
use super::model::issue::Issues;
use super::model::known::KnownHome;
use super::model::layout::{JOURNAL, Tree};
use super::model::ledger::Ledger;
use super::model::plan::Planned;
use super::model::record::Sources;
use super::model::token::{Stem, Turn};
use super::model::triplets::Triplets;
use crate::files::HomeError;

/// What a promotion did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promoted {
    /// Stems that were staged or deleted, sorted.
    pub stems: Vec<Stem>,
    /// What is worth saying.
    pub issues: Issues,
}

/// Promotes a turn.
///
/// # Errors
/// If the turn is not the next of its run, a record is corrupt, a tombstone is bad, or the journal could not be written:
/// committed is as it was, and so is the staging. If the home fails while the journal is carried out, which recovery ends.
pub(crate) fn promote(home: &mut KnownHome<'_>, turn: &Turn) -> Result<Promoted, Stop> {
    promote_until(home, turn, None)
}

/// [`promote`], which a stop may end before its time.
fn promote_until(home: &mut KnownHome<'_>, turn: &Turn, stop: Option<CrashPoint>) -> Result<Promoted, Stop> {
    let built = plan(home, turn).and_then(|planned| {
        let issues = write_references(home, &planned)?;
        if stop != Some(CrashPoint::Build) {
            build(home, turn, &planned)?;
        }
        Ok((planned, issues))
    });
    let (planned, mut issues) = built.map_err(|why| undo(home, why))?;
    let promoted = planned.stems();
    issues.push(information(turn, &promoted));
    let promoted = Promoted { stems: promoted, issues: Issues::sorted(issues) };
    if matches!(stop, Some(CrashPoint::Build | CrashPoint::BeforeSwitch)) {
        return Ok(promoted);
    }
    decide(home).map_err(|failure| undo(home, failure.into()))?;
    if stop == Some(CrashPoint::BetweenRenames) {
        return Ok(promoted);
    }
    // To clean up what was not carried out would lose the turn.
    carry_out(home)?.ok_or_else(|| at(JOURNAL)(HomeError::Absent))?;
    if stop.is_none() {
        // What cannot be removed now is left to recovery.
        let _ = clean_up(home, turn);
    }
    Ok(promoted)
}

/// Promotes a turn and stops on the way. A promotion that is refused earlier ends there.
///
/// # Errors
/// If the home does not do what it is asked.
pub(crate) fn crash(home: &mut KnownHome<'_>, turn: &Turn, point: CrashPoint) -> Result<(), HomeFailure> {
    match promote_until(home, turn, Some(point)) {
        Ok(_) | Err(Stop::Refused(_)) => Ok(()),
        Err(Stop::Home(failure)) => Err(failure),
    }
}

/// Has everything judged that a promotion will do.
fn plan(home: &mut KnownHome<'_>, turn: &Turn) -> Result<Planned, Stop> {
    let (committed, staging) = (Tree::committed(), Tree::staged(turn));
    in_place(home, &[&committed, &staging])?;
    let ledger = Ledger::load(home, &committed)?;
    promotion_sequence::check(&ledger, turn)?;
    let staged = home.triplets(&staging)?;
    deletion::check(home, turn, &staged.tombstones)?;
    intact(&staged.corrupt)?;
    // What is known of the staging goes with it, and is not held twice until then.
    drop(home.take(&staging));
    let Triplets { records, respelled, tombstones, corrupt: _ } = Rc::unwrap_or_clone(staged);
    let (staged, deleted) = deletion::effective(records, tombstones);
    let mut planned = Planned {
        ledger: ledger.with(&turn.run, turn.id),
        staging,
        respelled,
        deleted,
        sources: Sources::new(),
        staged,
    };
    planned.sources = incoming(home, turn, &planned)?;
    Ok(planned)
}
