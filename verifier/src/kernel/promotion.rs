//! Promotion carries the staged records of one turn into committed, names the stems that it promoted, and says so once.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.1 and Spec-002, 7; rulings KE-15, KE-32, KE-38, KE-40. Everything
//! that can be refused is judged before anything is built. Links are not validated here. A turn that staged nothing
//! advances the sequence and changes nothing else.

use std::collections::{BTreeMap, BTreeSet};

use crate::canon::compose;
use crate::digest::Digest;
use crate::files::{EntryKind, HomeFiles, HomeReader};
use crate::json::{Dialect, Document};

use super::crash_recovery::CrashPoint;
use super::deletion;
use super::home::{Stop, corrupt, kind};
use super::issue::{Details, Issue, Issues, Stage};
use super::layout::{COMMITTED, Tree, location};
use super::ledger::Ledger;
use super::object_digest::object;
use super::path_safety::{Stem, Turn};
use super::promotion_atomicity::{build, carry_over, clean_up, put_in_place, set_aside, undo};
use super::promotion_sequence;
use super::record_shape::TripletRecord;
use super::reference::{Reference, references};
use super::shadowing::{Records, Triplets, intact};
use super::staging::{Sources, sources};

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
/// If the turn is not the next of its run, a record is corrupt, a tombstone is bad, or the new tree could not be built or
/// put in place: committed is as it was, and so is the staging. If the home fails so that nobody can tell which tree is in
/// place, which recovery will.
pub(super) fn promote(home: &mut dyn HomeFiles, turn: &Turn) -> Result<Promoted, Stop> {
    promote_until(home, turn, None)
}

/// [`promote`], which a stop may end before its time.
pub(super) fn promote_until(home: &mut dyn HomeFiles, turn: &Turn, stop: Option<CrashPoint>) -> Result<Promoted, Stop> {
    let built = Planned::of(home, turn).and_then(|planned| {
        let issues = carry_over(home, &planned)?;
        if stop != Some(CrashPoint::Build) {
            build(home, &planned)?;
        }
        Ok((planned, issues))
    });
    let (planned, mut issues) = built.map_err(|why| undo(home, why))?;
    let promoted = planned.stems();
    let stems = compose::array(promoted.iter().map(|stem| compose::string(stem.as_str())));
    let details = Details::of(&[
        ("run_id", compose::string(turn.run.as_str())),
        ("turn_id", compose::string(&turn.id.to_string())),
        ("stems", stems),
    ]);
    issues.push(Issue::info(Stage::Promotion, "I_PROMOTION_PASS", location(COMMITTED)).with_details(details));
    let promoted = Promoted { stems: promoted, issues: Issues::sorted(issues) };
    if matches!(stop, Some(CrashPoint::Build | CrashPoint::BeforeSwitch)) {
        return Ok(promoted);
    }
    set_aside(home).map_err(|trouble| undo(home, trouble.into()))?;
    if stop == Some(CrashPoint::BetweenRenames) {
        return Ok(promoted);
    }
    put_in_place(home)?;
    if stop.is_none() {
        clean_up(home, turn);
    }
    Ok(promoted)
}

/// Everything that a promotion will do, judged.
#[derive(Debug)]
pub(super) struct Planned {
    /// Where the records and objects are.
    pub(super) staging: Tree,
    /// The ledger as it will be.
    pub(super) ledger: Ledger,
    /// Records that come in.
    pub(super) staged: Records,
    /// Those of them whose file is spelled in another way than the kernel would.
    pub(super) respelled: BTreeSet<Stem>,
    /// Stems that go and do not come in again.
    pub(super) deleted: BTreeSet<Stem>,
    /// Sources that come in.
    pub(super) sources: Sources,
}

impl Planned {
    fn of(home: &dyn HomeReader, turn: &Turn) -> Result<Self, Stop> {
        let (committed, staging) = (Tree::committed(), Tree::staged(turn));
        for folder in [committed.folder(), staging.folder()] {
            if !matches!(kind(home, folder)?, None | Some(EntryKind::Folder)) {
                return Err(corrupt(folder).into());
            }
        }
        let ledger = Ledger::load(home, &committed)?;
        promotion_sequence::check(&ledger, turn)?;
        let found = Triplets::read(home, &staging)?;
        let bad: Result<Vec<_>, _> = found.tombstones.iter().map(|stem| deletion::check(home, turn, stem)).collect();
        let bad: Vec<_> = bad?.into_iter().flatten().collect();
        if !bad.is_empty() {
            return Err(Stop::Refused(Issues::sorted(bad)));
        }
        intact(&found.corrupt)?;
        let Triplets { records: staged, respelled, mut tombstones, .. } = found;
        tombstones.retain(|stem| !staged.contains_key(stem));
        let mut planned = Self {
            ledger: ledger.with(&turn.run, turn.id),
            staging,
            respelled,
            deleted: tombstones,
            sources: Sources::new(),
            staged,
        };
        let objects = Objects::read(home, &planned)?;
        for record in planned.staged.values() {
            let usable = record.updated_at_turn == turn.id && objects.sound(record);
            let held = objects.links.get(&record.links).filter(|_| usable);
            let held = held.ok_or_else(|| corrupt(&planned.staging.triplet(&record.stem)))?;
            for (target, mut added) in sources(record, held) {
                planned.sources.entry(target).or_default().append(&mut added);
            }
        }
        Ok(planned)
    }

    /// Whether the stem's old record and sources go.
    pub(super) fn takes(&self, stem: &str) -> bool {
        self.staged.contains_key(stem) || self.deleted.contains(stem)
    }

    /// The objects of the records that come in, in the order of their names.
    pub(super) fn objects(&self) -> BTreeSet<Digest> {
        self.staged.values().flat_map(TripletRecord::digests).map(|(_, digest)| digest).collect()
    }

    fn stems(&self) -> Vec<Stem> {
        let stems: BTreeSet<_> = self.staged.keys().chain(&self.deleted).cloned().collect();
        stems.into_iter().collect()
    }
}

/// What the objects of staged records are.
#[derive(Debug, Default)]
struct Objects {
    /// What links hold, as far as they are links.
    links: BTreeMap<Digest, Vec<Reference>>,
    /// Objects that are absent, or not what their name says.
    unsound: BTreeSet<Digest>,
}

impl Objects {
    /// Reads each object once, in the order of their names, so that those of one folder come together.
    fn read(home: &dyn HomeReader, planned: &Planned) -> Result<Self, Stop> {
        let links: BTreeSet<_> = planned.staged.values().map(|record| record.links).collect();
        let mut found = Self::default();
        for digest in planned.objects() {
            let Some(bytes) = object(home, &planned.staging, digest)? else {
                found.unsound.insert(digest);
                continue;
            };
            if links.contains(&digest) {
                found.links.extend(held(&bytes).map(|held| (digest, held)));
            }
        }
        Ok(found)
    }

    fn sound(&self, record: &TripletRecord) -> bool {
        record.digests().iter().all(|(_, digest)| !self.unsound.contains(digest))
    }
}

/// The references that links hold; none if these are no links.
fn held(links: &[u8]) -> Option<Vec<Reference>> {
    let links = Document::parse(links, &Dialect::STRICT).ok()?;
    links.root().is_object().then(|| references(links.root()).ok()).flatten()
}
