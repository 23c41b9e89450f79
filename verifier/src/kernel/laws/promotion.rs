//! kernel/promotion: the staged records of one turn come into committed, their stems are named, and it is said once.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.1 and Spec-002, 7; rulings KE-15, KE-32, KE-38, KE-40. A turn that staged
//! nothing advances the sequence and changes nothing else.
//!
//! What changes is written beside committed, each file at the path that it will have there, and nothing else is: what stays
//! is not touched. A staged file gets a second name, since no file is ever changed in place. Whatever would stand in the way
//! of one of these files fails the promotion now, so that they can be put in place once it is decided.

use std::collections::{BTreeMap, BTreeSet};

use super::object_digest::object;
use super::path_safety;
use super::promotion_atomicity::{carried, page_of};
use super::pruning::prune;
use super::record_shape::corrupt;
use super::staging::sources;
use super::{multisource, sort_order};
use crate::canon::compose;
use crate::digest::Digest;
use crate::files::parent;
use crate::files::{EntryKind, HomeError, HomeFiles, HomeReader};
use crate::json::{Dialect, Document};
use crate::kernel::model::home::{HomeFailure, Stop, at, kind, walk};
use crate::kernel::model::issue::{Details, Issue, Stage};
use crate::kernel::model::known::KnownHome;
use crate::kernel::model::layout::{COMMITTED, NEW, Tree, location};
use crate::kernel::model::plan::{Page, Planned};
use crate::kernel::model::record::{RefRecord, Sources, TripletRecord};
use crate::kernel::model::reference::Reference;
use crate::kernel::model::token::{Stem, Turn};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/promotion");

/// The information about a turn that is promoted.
pub(crate) fn information(turn: &Turn, promoted: &[Stem]) -> Issue {
    let stems = compose::array(promoted.iter().map(|stem| compose::string(stem.as_str())));
    let details = Details::of(&[
        ("run_id", compose::string(turn.run.as_str())),
        ("turn_id", compose::string(&turn.id.to_string())),
        ("stems", stems),
    ]);
    Issue::info(Stage::Promotion, "I_PROMOTION_PASS", location(COMMITTED)).with_details(details)
}

/// Refuses something else in the place of a tree.
pub(crate) fn in_place(home: &dyn HomeReader, trees: &[&Tree]) -> Result<(), Stop> {
    for tree in trees {
        if !matches!(kind(home, tree.folder())?, None | Some(EntryKind::Folder)) {
            return Err(corrupt(tree.folder()).into());
        }
    }
    Ok(())
}

/// The sources that come in. A staged record is of the promoted turn, and its objects are sound.
pub(crate) fn incoming(home: &dyn HomeReader, turn: &Turn, planned: &Planned) -> Result<Sources, Stop> {
    let objects = Objects::read(home, planned)?;
    let mut coming = Sources::new();
    for record in planned.staged.values() {
        let usable = record.updated_at_turn == turn.id && objects.sound(record);
        let held = objects.links.get(&record.links).filter(|_| usable);
        let held = held.ok_or_else(|| corrupt(&planned.staging.triplet(&record.stem)))?;
        for (target, mut added) in sources(record, held) {
            coming.entry(target).or_default().append(&mut added);
        }
    }
    Ok(coming)
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

/// The references that links hold; none if these are not links.
fn held(links: &[u8]) -> Option<Vec<Reference>> {
    let links = Document::parse(links, &Dialect::STRICT).ok()?;
    links.root().is_object().then(|| path_safety::references(links.root()).ok()).flatten()
}

/// Starts the journal with every reference record that changes. Gives what is worth saying of those.
pub(crate) fn write_references(home: &mut KnownHome<'_>, planned: &Planned) -> Result<Vec<Issue>, Stop> {
    home.create_folder(NEW).map_err(at(NEW))?;
    let committed = Tree::committed();
    let mut changing = home.pointing_from(planned.staged.keys().chain(&planned.deleted))?;
    changing.extend(planned.sources.keys().map(|(kind, id)| committed.reference(kind, id)));
    let mut tree = Journal::new(home);
    let mut incoming: BTreeSet<_> = planned.sources.keys().collect();
    let mut informations = Vec::new();
    for path in changing {
        if kind(tree.home, &path)?.is_none() {
            continue;
        }
        let Some(mut record) = carried(tree.home, &committed, &path)? else { continue };
        let key = (std::mem::take(&mut record.kind), std::mem::take(&mut record.id));
        let added = planned.sources.get(&key);
        incoming.remove(&key);
        (record.kind, record.id) = key;
        if prune(&mut record, |stem| planned.takes(stem)) || added.is_some() {
            record.sources.extend(added.into_iter().flatten().cloned());
            informations.extend(tree.write_reference(record)?);
        }
    }
    for key in incoming {
        let sources = planned.sources.get(key).cloned().unwrap_or_default();
        let (kind, id) = key.clone();
        informations.extend(tree.write_reference(RefRecord { kind, id, sources })?);
    }
    Ok(informations)
}

/// Completes the journal with records, objects, the ledger, and its page.
pub(crate) fn build(home: &mut KnownHome<'_>, turn: &Turn, planned: &Planned) -> Result<(), Stop> {
    let mut tree = Journal::new(home);
    let new = Tree::at(NEW);
    let committed = Tree::committed();
    let mut objects = planned.objects();
    replaced(tree.home, &planned.staging, &mut objects)?;
    // In the order of their names, so that those of one folder come together.
    for digest in objects {
        // Of two objects with one name one is enough.
        if tree.stands(&committed.object(digest))?.is_none() {
            tree.share(&planned.staging.object(digest), &new.object(digest))?;
        }
    }
    for record in planned.staged.values() {
        tree.may_stand(&committed.triplet(&record.stem))?;
        let path = new.triplet(&record.stem);
        if planned.respelled.contains(&record.stem) {
            tree.create(&path, &record.canonical())?;
        } else {
            tree.share(&planned.staging.triplet(&record.stem), &path)?;
        }
    }
    tree.may_stand(&committed.ledger())?;
    tree.create(&new.ledger(), &planned.ledger.canonical())?;
    let page = Page { turn: turn.clone(), deleted: planned.deleted.clone() }.canonical();
    // A journal whose page nobody reads is never carried out.
    let limit = u64::from(Dialect::STRICT.bytes);
    if u64::try_from(page.len()).is_ok_and(|len| len > limit) {
        return Err(at(NEW)(HomeError::TooLarge { limit }).into());
    }
    tree.create(&page_of(NEW), &page)?;
    Ok(())
}

/// Adds the objects that no staged record names any more, since their stem was staged again: a promotion takes whatever
/// object the turn has staged.
fn replaced(home: &dyn HomeReader, staging: &Tree, objects: &mut BTreeSet<Digest>) -> Result<(), HomeFailure> {
    walk(home, &staging.objects(), &mut |path, kind| {
        let name = path.rsplit('/').next().and_then(|name| Digest::from_hex(name.as_bytes()));
        let Some(digest) = name.filter(|digest| kind == EntryKind::File && staging.object(*digest) == path) else {
            return Ok(());
        };
        if !objects.contains(&digest) && object(home, staging, digest)?.is_some() {
            objects.insert(digest);
        }
        Ok(())
    })
}

/// What a promotion changes, while it is written.
struct Journal<'j, 'h> {
    home: &'j mut KnownHome<'h>,
    /// Folders that are known to be there: of the journal, and of committed.
    folders: BTreeSet<String>,
}

impl<'j, 'h> Journal<'j, 'h> {
    fn new(home: &'j mut KnownHome<'h>) -> Self {
        Self { home, folders: BTreeSet::new() }
    }

    fn folder(&mut self, path: &str) -> Result<(), HomeFailure> {
        if !self.folders.contains(path) {
            self.home.create_folder(path).map_err(at(path))?;
            self.folders.insert(path.to_owned());
        }
        Ok(())
    }

    fn create(&mut self, path: &str, bytes: &[u8]) -> Result<(), HomeFailure> {
        self.folder(parent(path))?;
        self.home.create(path, bytes).map_err(at(path))
    }

    fn share(&mut self, from: &str, to: &str) -> Result<(), HomeFailure> {
        self.folder(parent(to))?;
        self.home.share(from, to).map_err(at(from))
    }

    /// What stands at a path of committed. Something that is no folder on the way there fails the promotion.
    fn stands(&mut self, path: &str) -> Result<Option<EntryKind>, HomeFailure> {
        let mut folder = parent(path);
        while folder.len() > COMMITTED.len() && !self.folders.contains(folder) {
            match kind(self.home, folder)? {
                None => folder = parent(folder),
                Some(EntryKind::Folder) => drop(self.folders.insert(folder.to_owned())),
                Some(EntryKind::File | EntryKind::Other) => return Err(at(folder)(HomeError::Occupied)),
            }
        }
        kind(self.home, path)
    }

    /// Fails the promotion if the file of a path of committed can not stand there: no file makes way for it then.
    fn may_stand(&mut self, path: &str) -> Result<(), HomeFailure> {
        match self.stands(path)? {
            None | Some(EntryKind::File) => Ok(()),
            Some(EntryKind::Folder | EntryKind::Other) => Err(at(path)(HomeError::Occupied)),
        }
    }

    fn write_reference(&mut self, mut record: RefRecord) -> Result<Option<Issue>, HomeFailure> {
        sort_order::sort(&mut record.sources);
        self.may_stand(&Tree::committed().reference(&record.kind, &record.id))?;
        self.create(&Tree::at(NEW).reference(&record.kind, &record.id), &record.canonical())?;
        Ok(multisource::information(&record))
    }
}
