//! kernel/promotion-atomicity: a promotion changes committed as a whole, or leaves it byte for byte as it was.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 3 and Spec-002, 7; rulings KE-10, KE-11, KE-40.
//!
//! Once the new tree is built, everything reaches the disk, at once rather than file by file, for nothing in the new tree
//! matters before it is whole. Two renames follow: committed becomes the old tree, the new tree becomes committed. Between
//! them the old tree's name is the mark that the new tree is whole, which [`super::crash_recovery`] reads. Cleaning up
//! begins only when the switch has reached the disk, and ends with the old tree, so that a stop in it is seen too.

use super::record_shape::corrupt;
use crate::files::{HomeFiles, HomeReader};
use crate::finding::Finding;
use crate::kernel::model::home::{Found, HomeFailure, Stop, at, find, kind};
use crate::kernel::model::issue::{Issue, Outcome, Stage};
use crate::kernel::model::layout::{COMMITTED, NEW, OLD, RECORD, Tree, location};
use crate::kernel::model::record::RefRecord;
use crate::kernel::model::snapshot::{Change, Ran};
use crate::kernel::model::token::Turn;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/promotion-atomicity");

/// The committed reference record in a file that a promotion carries over; none in a file of another kind. One that cannot
/// be read, or is not where its type and id belong, stops the promotion.
pub(crate) fn carried(home: &dyn HomeReader, committed: &Tree, path: &str) -> Result<Option<RefRecord>, Stop> {
    let below = path.strip_prefix(&committed.references()).and_then(|name| name.strip_prefix('/'));
    if !below.is_some_and(|name| name.ends_with(RECORD)) {
        return Ok(None);
    }
    let record = match find(home, path)? {
        Found::Bytes(bytes) => RefRecord::parse(&bytes).ok(),
        Found::Absent | Found::Unusable => None,
    };
    let record = record.filter(|record| committed.reference(&record.kind, &record.id) == path);
    record.map(Some).ok_or_else(|| corrupt(path).into())
}

/// Moves committed out of the way. Where there is none yet, an empty tree stands for it.
pub(crate) fn set_aside(home: &mut dyn HomeFiles) -> Result<(), HomeFailure> {
    home.settle().map_err(at(NEW))?;
    match kind(home, COMMITTED)? {
        Some(_) => home.rename(COMMITTED, OLD),
        None => home.create_folder(OLD),
    }
    .map_err(at(OLD))
}

/// Moves the new tree into the place of committed, or committed back.
pub(crate) fn put_in_place(home: &mut dyn HomeFiles) -> Result<(), Stop> {
    let Err(error) = home.rename(NEW, COMMITTED) else { return Ok(()) };
    match home.rename(OLD, COMMITTED) {
        Ok(()) => Err(undo(home, HomeFailure { path: COMMITTED.to_owned(), error }.into())),
        // Neither tree is in place. Recovery will find the new one whole, so it is not said to have failed.
        Err(_) => Err(HomeFailure { path: COMMITTED.to_owned(), error }.into()),
    }
}

/// Removes what a promotion leaves behind: its staging, then the old tree. What cannot be removed is left to recovery.
pub(crate) fn clean_up(home: &mut dyn HomeFiles, turn: &Turn) {
    let _ = home.settle().and_then(|()| home.remove(Tree::staged(turn).folder())).and_then(|()| home.remove(OLD));
}

/// Removes a new tree that will not be put in place, and says why it is not: a home that fails before the switch makes the
/// promotion fail, and nothing else.
pub(crate) fn undo(home: &mut dyn HomeFiles, why: Stop) -> Stop {
    // What is left of it is removed by recovery.
    let _ = home.remove(NEW);
    match why {
        Stop::Home(_) => Issue::fail(Stage::Promotion, "E_LSI_PROMOTION_FAILED", location(COMMITTED)).into(),
        refused => refused,
    }
}

/// A home whose committed tree is gone while another one stands ready in its place.
pub(crate) fn unfinished(home: &dyn HomeReader) -> Option<Finding> {
    let stands = |path| matches!(home.kind(path), Ok(Some(_)));
    let unfinished = !stands(COMMITTED) && (stands(NEW) || stands(OLD));
    unfinished.then(|| {
        let message = "committed is gone and a tree stands ready in its place: let the kernel recover";
        Finding::error(LAW, location(COMMITTED), message)
    })
}

/// Whether an operation may change committed at all.
pub(crate) fn promotes(ran: &Ran<'_>) -> bool {
    matches!(ran.operation, Some("promote" | "finish_run" | "crash"))
}

/// What a promotion has changed that is not a whole one: with it changes the ledger. Whether the change is the right one is
/// not asked.
pub(crate) fn changed(change: &Change, ran: &Ran<'_>) -> Vec<Finding> {
    // A run's end may promote some turns and fail at the next; a promotion that fails is not one.
    let failed = ran.operation == Some("promote") && ran.outcome == Some(Outcome::Fail);
    if !promotes(ran) || (change.ledger && !failed) {
        return Vec::new();
    }
    let message = "committed changed without a whole promotion: compare with the snapshot";
    change.paths.iter().map(|path| Finding::error(LAW, location(path), message)).collect()
}
