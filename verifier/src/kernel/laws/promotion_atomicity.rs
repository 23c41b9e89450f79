//! kernel/promotion-atomicity: a promotion changes committed as a whole, or leaves it byte for byte as it was.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 3 and Spec-002, 7; rulings KE-10, KE-11, KE-40.
//!
//! A promotion writes a journal of what it changes: files as they will be, each at its path of committed, and a page with
//! the turn and the stems whose record goes. Once all of it has reached the disk, one rename decides: the journal takes the
//! name under which it has to be carried out, and from then on [`super::crash_recovery`] carries out what a stop has left of
//! it. Files are moved out of the journal into their places, so that to carry it out again is to go on. Cleaning up begins
//! only when committed has reached the disk, and ends with the journal.

use std::collections::BTreeSet;

use super::record_shape::{corrupt, load, parsed, versioned};
use crate::files::{EntryKind, HomeError, HomeFiles, HomeReader};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::kernel::model::home::{Found, HomeFailure, Stop, at, find, kind, list, walk};
use crate::kernel::model::issue::{Issue, Outcome, Stage};
use crate::kernel::model::known::KnownHome;
use crate::kernel::model::layout::{COMMITTED, JOURNAL, NEW, OLD, PAGE, RECORD, Tree, below, location};
use crate::kernel::model::member::{Misfit, Object};
use crate::kernel::model::plan::Page;
use crate::kernel::model::pointing::Pointing;
use crate::kernel::model::record::RefRecord;
use crate::kernel::model::snapshot::{Change, Ran};
use crate::kernel::model::token::{RunId, Stem, Turn, TurnId};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/promotion-atomicity");

/// The reference record in a file of committed; none in a file of another kind. One that cannot be read, or is not where its
/// type and id belong, stops the promotion.
pub(crate) fn carried(home: &dyn HomeReader, committed: &Tree, path: &str) -> Result<Option<RefRecord>, Stop> {
    if !below(&committed.references(), path).is_some_and(|name| name.ends_with(RECORD)) {
        return Ok(None);
    }
    let record = match find(home, path)? {
        Found::Bytes(bytes) => RefRecord::parse(&bytes).ok(),
        Found::Absent | Found::Unusable => None,
    };
    let record = record.filter(|record| committed.reference(&record.kind, &record.id) == path);
    record.map(Some).ok_or_else(|| corrupt(path).into())
}

impl KnownHome<'_> {
    /// Paths of the committed reference records that have sources of some stems. What is not sound in committed stops the
    /// promotion, wherever it is: nobody knows which sources a record has that cannot be read.
    pub(crate) fn pointing_from<'s>(
        &mut self,
        stems: impl Iterator<Item = &'s Stem>,
    ) -> Result<BTreeSet<String>, Stop> {
        let committed = Tree::committed();
        let mut known = self.take(&committed);
        let renewed = known.pointing.take().and_then(|pointing| renewed(self, pointing, &committed));
        let pointing = renewed.map_or_else(|| sound(self, &committed), Ok)?;
        let paths = stems.flat_map(|stem| pointing.paths(stem.as_str())).cloned().collect();
        known.pointing = Some(pointing);
        self.put(&committed, known);
        Ok(paths)
    }
}

/// What is known of reference records, with those read again that were written since; none if one is not sound.
fn renewed(home: &dyn HomeReader, mut pointing: Pointing, committed: &Tree) -> Option<Pointing> {
    for path in std::mem::take(&mut pointing.stale) {
        let record = match kind(home, &path).ok()? {
            None => None,
            Some(EntryKind::File) => carried(home, committed, &path).ok()?,
            Some(EntryKind::Folder | EntryKind::Other) => return None,
        };
        let sources = record.iter().flat_map(|record| &record.sources);
        pointing.set(&path, sources.map(|source| source.stem.as_str()));
    }
    Some(pointing)
}

/// Reads every reference record of committed, and looks at everything else.
fn sound(home: &dyn HomeReader, committed: &Tree) -> Result<Pointing, Stop> {
    let references = committed.references();
    let mut pointing = Pointing::default();
    walk::<Stop>(home, committed.folder(), &mut |path, kind| {
        match kind {
            EntryKind::Other => return Err(corrupt(path).into()),
            // Where a reference record is due: in the folder of its type.
            EntryKind::Folder => {
                if below(&references, path).is_some_and(|name| name.contains('/') && name.ends_with(RECORD)) {
                    return Err(corrupt(path).into());
                }
            }
            EntryKind::File => {
                if let Some(record) = carried(home, committed, path)? {
                    pointing.set(path, record.sources.iter().map(|source| source.stem.as_str()));
                }
            }
        }
        Ok(())
    })?;
    Ok(pointing)
}

/// The page of a journal in a folder.
pub(crate) fn page_of(folder: &str) -> String {
    format!("{folder}/{PAGE}")
}

impl Page {
    /// Reads a page.
    fn parse(text: &[u8]) -> Result<Self, Misfit> {
        let document = parsed(text)?;
        let members = ["lsi_version", "run_id", "turn_id", "deleted"];
        let page = Object::closed(document.root(), JsonPointer::root(), &members, &[])?;
        versioned(&page)?;
        let run = RunId::parse(&page.text("run_id")?).ok_or_else(|| page.misfit("run_id", "no run"))?;
        let id = TurnId::parse(&page.text("turn_id")?).ok_or_else(|| page.misfit("turn_id", "no turn id"))?;
        let mut deleted = BTreeSet::new();
        for (node, place) in page.elements("deleted")? {
            let stem = node.as_string().and_then(|stem| stem.to_str().and_then(Stem::normal));
            deleted.insert(stem.ok_or_else(|| Misfit::new(place, "no stem"))?);
        }
        Ok(Self { turn: Turn { run, id }, deleted })
    }
}

/// Decides the promotion: the journal is whole, and has to be carried out.
pub(crate) fn decide(home: &mut dyn HomeFiles) -> Result<(), HomeFailure> {
    home.settle().map_err(at(NEW))?;
    home.rename(NEW, JOURNAL).map_err(at(JOURNAL))
}

/// The page of a journal that was decided. What has none is no journal of this kernel, or the rest of one that was carried
/// out. One that nobody can read fails the operation: perhaps half of what it decides is in place.
fn decided(home: &dyn HomeReader) -> Result<Option<Page>, HomeFailure> {
    let path = page_of(JOURNAL);
    load(home, &path, Page::parse).map_err(|stop| match stop {
        Stop::Home(failure) => failure,
        Stop::Refused(_) => at(&path)(HomeError::Failed("the page of a decided promotion cannot be read")),
    })
}

/// Carries out what is left of a journal; the turn that it promotes.
pub(crate) fn carry_out(home: &mut dyn HomeFiles) -> Result<Option<Turn>, HomeFailure> {
    let Some(page) = decided(home)? else { return Ok(None) };
    // No file leaves the journal before its name tells that it was decided.
    home.settle().map_err(at(JOURNAL))?;
    home.create_folder(COMMITTED).map_err(at(COMMITTED))?;
    for part in ["objects", "refs", "triplets", "index"] {
        put_in_place(home, part)?;
    }
    for stem in &page.deleted {
        let path = Tree::committed().triplet(stem);
        if kind(home, &path)? == Some(EntryKind::File) {
            home.remove(&path).map_err(at(&path))?;
        }
    }
    Ok(Some(page.turn))
}

/// Moves a part of the journal into committed: a folder as a whole where there is none.
fn put_in_place(home: &mut dyn HomeFiles, part: &str) -> Result<(), HomeFailure> {
    let mut pending = vec![part.to_owned()];
    while let Some(below) = pending.pop() {
        let (from, to) = (format!("{JOURNAL}/{below}"), format!("{COMMITTED}/{below}"));
        match (kind(home, &from)?, kind(home, &to)?) {
            (None, _) => {}
            (Some(EntryKind::Folder), Some(EntryKind::Folder)) => {
                pending.extend(list(home, &from)?.into_iter().map(|entry| format!("{below}/{}", entry.name)));
            }
            _ => home.rename(&from, &to).map_err(at(&to))?,
        }
    }
    Ok(())
}

/// Removes what a promotion leaves behind: its staging, then the journal. What cannot be removed is left to recovery.
pub(crate) fn clean_up(home: &mut dyn HomeFiles, turn: &Turn) -> Result<(), HomeFailure> {
    home.settle().map_err(at(COMMITTED))?;
    for leftover in [Tree::staged(turn).folder(), JOURNAL] {
        home.remove(leftover).map_err(at(leftover))?;
    }
    Ok(())
}

/// Removes a journal that will not be carried out, and says why it is not: a home that fails before it is decided makes the
/// promotion fail, and nothing else.
pub(crate) fn undo(home: &mut dyn HomeFiles, why: Stop) -> Stop {
    // What is left of it is removed by recovery.
    let _ = home.remove(NEW);
    match why {
        Stop::Home(_) => Issue::fail(Stage::Promotion, "E_LSI_PROMOTION_FAILED", location(COMMITTED)).into(),
        refused => refused,
    }
}

/// A home whose committed tree is gone while another one stands ready in its place, or in which a promotion was decided and
/// is not carried out to its end.
pub(crate) fn unfinished(home: &dyn HomeReader) -> Option<Finding> {
    let stands = |path: &str| matches!(home.kind(path), Ok(Some(_)));
    let message = if is_pending(home) {
        "a promotion is decided and not carried out to its end: let the kernel recover"
    } else if !stands(COMMITTED) && (stands(NEW) || stands(OLD)) {
        "committed is gone and a tree stands ready in its place: let the kernel recover"
    } else {
        return None;
    };
    Some(Finding::error(LAW, location(COMMITTED), message))
}

/// Whether something of a decided promotion is not in place; what cannot be read may be.
fn is_pending(home: &dyn HomeReader) -> bool {
    let page = match decided(home) {
        Ok(Some(page)) => page,
        Ok(None) => return false,
        Err(_) => return true,
    };
    let mut waits = false;
    let walked = walk::<HomeFailure>(home, JOURNAL, &mut |path, kind| {
        waits |= kind != EntryKind::Folder && path != page_of(JOURNAL);
        Ok(())
    });
    let stands = |stem: &Stem| matches!(home.kind(&Tree::committed().triplet(stem)), Ok(Some(_)));
    waits || walked.is_err() || page.deleted.iter().any(stands)
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
