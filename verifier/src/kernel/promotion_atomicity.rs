//! A promotion changes committed as a whole, or leaves it byte for byte as it was.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 3 and Spec-002, 7; rulings KE-10, KE-11, KE-40.
//!
//! The new tree is built beside the old one. A file that stays as it is gets a second name there, since no file is ever
//! changed in place; what changes is written anew. The ledger is the last file of the new tree. Then everything reaches the
//! disk, at once rather than file by file, for nothing in the new tree matters before it is whole. Two renames follow:
//! committed becomes the old tree, the new tree becomes committed. Between them the old tree's name is the mark that the
//! new tree is whole, which [`super::crash_recovery`] reads. Cleaning up begins only when the switch has reached the disk,
//! and ends with the old tree, so that a stop in it is seen too.

use std::collections::BTreeSet;

use crate::digest::Digest;
use crate::files::{EntryKind, HomeError, HomeFiles, HomeReader};

use super::home::Found;
use super::home::{HomeTrouble, Stop, at, corrupt, find, kind, walk};
use super::issue::{Issue, Stage};
use super::layout::{COMMITTED, NEW, OLD, Tree, location, parent};
use super::multisource;
use super::object_digest::object;
use super::path_safety::{RECORD, Turn};
use super::promotion::Planned;
use super::pruning::prune;
use super::record_shape::RefRecord;
use super::sort_order;

/// Starts the new tree with what stays of committed, and writes every reference record. Gives what is worth saying of
/// those.
pub(super) fn carry_over(home: &mut dyn HomeFiles, planned: &Planned) -> Result<Vec<Issue>, Stop> {
    let mut tree = Building { home, folders: BTreeSet::new() };
    tree.folder(NEW)?;
    // Listed before anything is written: what is walked over is not what is built.
    let mut entries = Vec::new();
    walk::<HomeTrouble>(tree.home, COMMITTED, &mut |path, kind| {
        entries.push((path.to_owned(), kind));
        Ok(())
    })?;
    let committed = Tree::committed();
    let (ledger, triplets, references) = (committed.ledger(), committed.triplets(), committed.references());
    let mut incoming: BTreeSet<_> = planned.sources.keys().collect();
    let mut informations = Vec::new();
    for (path, kind) in &entries {
        let below = |folder: &str| path.strip_prefix(folder).and_then(|name| name.strip_prefix('/'));
        match kind {
            EntryKind::Other => return Err(corrupt(path).into()),
            // Where a reference record is due: in the folder of its type.
            EntryKind::Folder
                if below(&references).is_some_and(|name| name.contains('/') && name.ends_with(RECORD)) =>
            {
                return Err(corrupt(path).into());
            }
            EntryKind::Folder => tree.folder(&moved(path))?,
            EntryKind::File if *path == ledger => {}
            EntryKind::File => {
                let stem = below(&triplets).and_then(|name| name.strip_suffix(RECORD));
                let reference = below(&references).filter(|name| name.ends_with(RECORD));
                if stem.is_some_and(|stem| planned.takes(stem)) {
                    continue;
                }
                let Some(mut record) = reference.map(|_| tree.reference(&committed, path)).transpose()? else {
                    tree.share(path, &moved(path))?;
                    continue;
                };
                let key = (std::mem::take(&mut record.kind), std::mem::take(&mut record.id));
                let added = planned.sources.get(&key);
                incoming.remove(&key);
                (record.kind, record.id) = key;
                if prune(&mut record, |stem| planned.takes(stem)) || added.is_some() {
                    record.sources.extend(added.into_iter().flatten().cloned());
                    informations.extend(tree.write_reference(record)?);
                } else {
                    tree.share(path, &moved(path))?;
                }
            }
        }
    }
    for key in incoming {
        let sources = planned.sources.get(key).cloned().unwrap_or_default();
        let (kind, id) = key.clone();
        informations.extend(tree.write_reference(RefRecord { kind, id, sources })?);
    }
    Ok(informations)
}

/// Completes the new tree with records, objects and the ledger.
pub(super) fn build(home: &mut dyn HomeFiles, planned: &Planned) -> Result<(), Stop> {
    let mut tree = Building { home, folders: BTreeSet::new() };
    let new = Tree::at(NEW);
    let mut objects = planned.objects();
    replaced(tree.home, &planned.staging, &mut objects)?;
    // In the order of their names, so that those of one folder come together.
    for digest in objects {
        tree.share_absent(&planned.staging.object(digest), &new.object(digest))?;
    }
    for record in planned.staged.values() {
        let path = new.triplet(&record.stem);
        if planned.respelled.contains(&record.stem) {
            tree.create(&path, &record.canonical())?;
        } else {
            tree.share(&planned.staging.triplet(&record.stem), &path)?;
        }
    }
    tree.create(&new.ledger(), &planned.ledger.canonical())?;
    Ok(())
}

/// Adds the objects that no staged record names any more, since their stem was staged again: a promotion takes whatever
/// object the turn has staged.
fn replaced(home: &dyn HomeReader, staging: &Tree, objects: &mut BTreeSet<Digest>) -> Result<(), HomeTrouble> {
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

/// A path of committed in the new tree.
fn moved(path: &str) -> String {
    format!("{NEW}{}", path.strip_prefix(COMMITTED).unwrap_or_default())
}

/// The new tree while it is built.
struct Building<'h> {
    home: &'h mut dyn HomeFiles,
    /// Folders that are known to be there.
    folders: BTreeSet<String>,
}

impl Building<'_> {
    fn folder(&mut self, path: &str) -> Result<(), HomeTrouble> {
        if !self.folders.contains(path) {
            self.home.create_folder(path).map_err(at(path))?;
            self.folders.insert(path.to_owned());
        }
        Ok(())
    }

    fn create(&mut self, path: &str, bytes: &[u8]) -> Result<(), HomeTrouble> {
        self.folder(parent(path))?;
        self.home.create(path, bytes).map_err(at(path))
    }

    fn share(&mut self, from: &str, to: &str) -> Result<(), HomeTrouble> {
        self.folder(parent(to))?;
        self.home.share(from, to).map_err(at(from))
    }

    /// Shares an object; of two with one name one is enough.
    fn share_absent(&mut self, from: &str, to: &str) -> Result<(), HomeTrouble> {
        self.folder(parent(to))?;
        match self.home.share(from, to) {
            Err(HomeError::Occupied) => Ok(()),
            shared => shared.map_err(at(from)),
        }
    }

    /// Reads the committed reference record at a path, which is where its type and id belong.
    fn reference(&self, committed: &Tree, path: &str) -> Result<RefRecord, Stop> {
        let record = match find(self.home, path)? {
            Found::Bytes(bytes) => RefRecord::parse(&bytes).ok(),
            Found::Absent | Found::Unusable => None,
        };
        let belongs = |record: &RefRecord| committed.reference(&record.kind, &record.id) == path;
        record.filter(belongs).ok_or_else(|| corrupt(path).into())
    }

    fn write_reference(&mut self, mut record: RefRecord) -> Result<Option<Issue>, HomeTrouble> {
        sort_order::sort(&mut record.sources);
        self.create(&Tree::at(NEW).reference(&record.kind, &record.id), &record.canonical())?;
        Ok(multisource::information(&record))
    }
}

/// Moves committed out of the way. Where there is none yet, an empty tree stands for it.
pub(super) fn set_aside(home: &mut dyn HomeFiles) -> Result<(), HomeTrouble> {
    home.settle().map_err(at(NEW))?;
    match kind(home, COMMITTED)? {
        Some(_) => home.rename(COMMITTED, OLD),
        None => home.create_folder(OLD),
    }
    .map_err(at(OLD))
}

/// Moves the new tree into the place of committed, or committed back.
pub(super) fn put_in_place(home: &mut dyn HomeFiles) -> Result<(), Stop> {
    let Err(error) = home.rename(NEW, COMMITTED) else { return Ok(()) };
    match home.rename(OLD, COMMITTED) {
        Ok(()) => Err(undo(home, HomeTrouble { path: COMMITTED.to_owned(), error }.into())),
        // Neither tree is in place. Recovery will find the new one whole, so it is not said to have failed.
        Err(_) => Err(HomeTrouble { path: COMMITTED.to_owned(), error }.into()),
    }
}

/// Removes what a promotion leaves behind: its staging, then the old tree. What cannot be removed is left to recovery.
pub(super) fn clean_up(home: &mut dyn HomeFiles, turn: &Turn) {
    let _ = home.settle().and_then(|()| home.remove(Tree::staged(turn).folder())).and_then(|()| home.remove(OLD));
}

/// Removes a new tree that will not be put in place, and says why it is not: a home that fails before the switch makes the
/// promotion fail, and nothing else.
pub(super) fn undo(home: &mut dyn HomeFiles, why: Stop) -> Stop {
    // What is left of it is removed by recovery.
    let _ = home.remove(NEW);
    match why {
        Stop::Home(_) => Issue::fail(Stage::Promotion, "E_LSI_PROMOTION_FAILED", location(COMMITTED)).into(),
        refused => refused,
    }
}
