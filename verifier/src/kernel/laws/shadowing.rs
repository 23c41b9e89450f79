//! kernel/shadowing: a staged record hides the committed record of its stem, for its turn.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 4, "Staging shadows committed"; rulings KE-25, KE-29, KE-41. What is
//! left to be seen is called surviving: whatever only a hidden or deleted record carried is gone with it.

use std::collections::BTreeSet;

use crate::files::{EntryKind, HomeReader};
use crate::kernel::model::home::{Found, HomeFailure, find, walk};
use crate::kernel::model::layout::{RECORD, TOMBSTONE, Tree};
use crate::kernel::model::record::{Records, TripletRecord};
use crate::kernel::model::token::{Stem, Turn};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/shadowing");

/// What a tree's folder of triplets holds.
#[derive(Debug, Default)]
pub(crate) struct Triplets {
    pub(crate) records: Records,
    /// Stems of records that are not spelled as the kernel spells them.
    pub(crate) respelled: BTreeSet<Stem>,
    /// Stems of tombstones, lawful or not.
    pub(crate) tombstones: BTreeSet<Stem>,
    /// Paths of files that are named like records and are not records.
    pub(crate) corrupt: Vec<String>,
}

impl Triplets {
    /// Reads a tree. Files that are named like no record are passed over.
    pub(crate) fn read(home: &dyn HomeReader, tree: &Tree) -> Result<Self, HomeFailure> {
        let folder = tree.triplets();
        let mut found = Self::default();
        walk::<HomeFailure>(home, &folder, &mut |path, kind| {
            let name = path.strip_prefix(folder.as_str()).and_then(|below| below.strip_prefix('/')).unwrap_or_default();
            if kind == EntryKind::Folder {
                return Ok(());
            }
            if let Some(stem) = name.strip_suffix(TOMBSTONE) {
                match Stem::normal(stem) {
                    Some(stem) => {
                        found.tombstones.insert(stem);
                    }
                    None => found.corrupt.push(path.to_owned()),
                }
            } else if let Some(stem) = name.strip_suffix(RECORD) {
                let Found::Bytes(bytes) = find(home, path)? else {
                    found.corrupt.push(path.to_owned());
                    return Ok(());
                };
                match TripletRecord::parse(&bytes).ok().filter(|record| record.stem.as_str() == stem) {
                    Some(record) => {
                        if record.canonical() != bytes {
                            found.respelled.insert(record.stem.clone());
                        }
                        found.records.insert(record.stem.clone(), record);
                    }
                    None => found.corrupt.push(path.to_owned()),
                }
            }
            Ok(())
        })?;
        Ok(found)
    }
}

/// The stem after which a record's file is named.
fn record_stem<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(RECORD)
}

/// What a turn sees.
#[derive(Debug)]
pub(crate) struct Surviving {
    /// Records of its own staging.
    pub(crate) staged: Records,
    /// Committed records that it neither hides nor deletes.
    pub(crate) committed: Records,
    /// Paths of records that cannot be read.
    pub(crate) corrupt: Vec<String>,
}

impl Surviving {
    /// Reads what a turn sees.
    pub(crate) fn read(home: &dyn HomeReader, turn: &Turn) -> Result<Self, HomeFailure> {
        let committed = Triplets::read(home, &Tree::committed())?;
        Ok(Self::over(committed, Triplets::read(home, &Tree::staged(turn))?))
    }

    /// Lays a turn's staging over committed records. Creation wins over deletion.
    pub(crate) fn over(committed: Triplets, staged: Triplets) -> Self {
        let (mut corrupt, mut committed) = (committed.corrupt, committed.records);
        // Nobody looks at a record that is hidden, whatever it is like.
        let hidden = |stem: &str| staged.records.contains_key(stem) || staged.tombstones.contains(stem);
        let folder = Tree::committed().triplets();
        corrupt.retain(|path| !record_stem(&folder, path).is_some_and(hidden));
        corrupt.extend(staged.corrupt);
        committed.retain(|stem, _| !staged.records.contains_key(stem) && !staged.tombstones.contains(stem));
        Self { staged: staged.records, committed, corrupt }
    }

    /// Sees one more record staged in a tree: it takes the place of whatever stood in its file, and hides what is committed.
    pub(crate) fn add(&mut self, tree: &Tree, record: TripletRecord) {
        let gone = [tree, &Tree::committed()].map(|tree| tree.triplet(&record.stem));
        self.corrupt.retain(|path| !gone.contains(path));
        self.committed.remove(&record.stem);
        self.staged.insert(record.stem.clone(), record);
    }
}
