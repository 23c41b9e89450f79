//! kernel/shadowing: a staged record hides the committed record of its stem, for its turn.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 4, "Staging shadows committed"; rulings KE-25, KE-29, KE-41. What is
//! left to be seen is called surviving: whatever only a hidden or deleted record carried is gone with it.

use std::ops::Bound;
use std::rc::Rc;

use crate::digest::Digest;
use crate::files::{EntryKind, HomeReader};
use crate::kernel::model::home::{Found, HomeFailure, find, kind, walk};
use crate::kernel::model::known::{KnownHome, KnownTriplets};
use crate::kernel::model::layout::{RECORD, TOMBSTONE, Tree, below};
use crate::kernel::model::record::{Records, TripletRecord};
use crate::kernel::model::token::{Stem, Turn};
use crate::kernel::model::triplets::Triplets;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/shadowing");

impl Triplets {
    /// Reads a tree. Files that are named like no record are passed over.
    pub(crate) fn read(home: &dyn HomeReader, tree: &Tree) -> Result<Self, HomeFailure> {
        let folder = tree.triplets();
        let mut found = Self::default();
        walk(home, &folder, &mut |path, kind| match kind {
            EntryKind::Folder => Ok(()),
            EntryKind::File | EntryKind::Other => found.add(home, &folder, path),
        })?;
        Ok(found)
    }

    /// Takes a file of the folder.
    fn add(&mut self, home: &dyn HomeReader, folder: &str, path: &str) -> Result<(), HomeFailure> {
        let name = below(folder, path).unwrap_or_default();
        if let Some(stem) = name.strip_suffix(TOMBSTONE) {
            match Stem::normal(stem) {
                Some(stem) => drop(self.tombstones.insert(stem)),
                None => drop(self.corrupt.insert(path.to_owned())),
            }
        } else if let Some(stem) = name.strip_suffix(RECORD) {
            let record = match find(home, path)? {
                Found::Bytes(bytes) => TripletRecord::parse(&bytes).ok().map(|record| (record, bytes)),
                Found::Absent | Found::Unusable => None,
            };
            match record.filter(|(record, _)| record.stem.as_str() == stem) {
                Some((record, bytes)) => {
                    if record.canonical() != bytes {
                        self.respelled.insert(record.stem.clone());
                    }
                    self.records.insert(record.stem.clone(), record);
                }
                None => drop(self.corrupt.insert(path.to_owned())),
            }
        }
        Ok(())
    }

    /// Reads one file of the folder again; the stem whose record that may have changed.
    fn again(&mut self, home: &dyn HomeReader, folder: &str, path: &str) -> Result<Option<Stem>, HomeFailure> {
        let name = below(folder, path).unwrap_or_default();
        self.corrupt.remove(path);
        let mut changed = None;
        if let Some(stem) = name.strip_suffix(TOMBSTONE) {
            self.tombstones.remove(stem);
        } else if let Some(stem) = name.strip_suffix(RECORD) {
            self.records.remove(stem);
            self.respelled.remove(stem);
            changed = Stem::normal(stem);
        }
        match kind(home, path)? {
            None | Some(EntryKind::Folder) => {}
            Some(EntryKind::File | EntryKind::Other) => self.add(home, folder, path)?,
        }
        Ok(changed)
    }
}

impl KnownHome<'_> {
    /// What a tree's folder of triplets holds; of what is known, files that were written since are read again.
    pub(crate) fn triplets(&mut self, tree: &Tree) -> Result<Rc<Triplets>, HomeFailure> {
        let mut known = self.take(tree);
        let mut triplets = match known.triplets.take() {
            Some(triplets) => triplets,
            None => KnownTriplets::new(Triplets::read(self, tree)?),
        };
        let folder = tree.triplets();
        for path in std::mem::take(&mut triplets.stale) {
            let all = Rc::make_mut(&mut triplets.all);
            if let Some(stem) = all.again(self, &folder, &path)? {
                triplets.bodies.changed(&stem, all.records.contains_key(&stem));
                triplets.marks.changed(&stem);
            }
        }
        let all = Rc::clone(&triplets.all);
        known.triplets = Some(triplets);
        self.put(tree, known);
        Ok(all)
    }
}

/// What a turn sees: its own staging, and committed records that it neither hides nor deletes.
#[derive(Debug)]
pub(crate) struct Surviving {
    committed: Rc<Triplets>,
    tree: Option<Tree>,
    staged: Rc<Triplets>,
    /// A record that it is about to stage.
    added: Option<TripletRecord>,
}

impl Surviving {
    /// Reads what a turn sees; without a turn, committed is all there is.
    pub(crate) fn read(home: &mut KnownHome<'_>, turn: Option<&Turn>) -> Result<Self, HomeFailure> {
        let committed = home.triplets(&Tree::committed())?;
        let tree = turn.map(Tree::staged);
        let staged = tree.as_ref().map(|tree| home.triplets(tree)).transpose()?;
        Ok(Self { committed, tree, staged: staged.unwrap_or_default(), added: None })
    }

    /// Whether a committed record is hidden by a staged one of its stem, or by a deletion. Creation wins over deletion.
    pub(crate) fn hides(&self, stem: &str) -> bool {
        self.staged.records.contains_key(stem) || self.staged.tombstones.contains(stem) || self.hides_staged(stem)
    }

    /// Whether a staged record makes way for the one that is about to be staged.
    pub(crate) fn hides_staged(&self, stem: &str) -> bool {
        self.added.as_ref().is_some_and(|added| added.stem.as_str() == stem)
    }

    /// Sees one more record staged: it takes the place of whatever stood in its file, and hides what is committed.
    pub(crate) fn add(&mut self, record: TripletRecord) {
        self.added = Some(record);
    }

    /// Paths of records that cannot be read. Nobody looks at a record that is hidden, whatever it is like.
    pub(crate) fn corrupt(&self) -> impl Iterator<Item = &String> {
        let named = |folder: &str, path: &String, hidden: &dyn Fn(&str) -> bool| {
            below(folder, path).and_then(|name| name.strip_suffix(RECORD)).is_some_and(hidden)
        };
        let folder = Tree::committed().triplets();
        let committed = self.committed.corrupt.iter();
        let committed = committed.filter(move |path| !named(&folder, path, &|stem| self.hides(stem)));
        let folder = self.tree.as_ref().map(Tree::triplets).unwrap_or_default();
        let staged = self.staged.corrupt.iter();
        committed.chain(staged.filter(move |path| !named(&folder, path, &|stem| self.hides_staged(stem))))
    }

    /// The first stem at which the turn sees something else than committed.
    fn first(&self) -> Option<&Stem> {
        let staged = self.staged.records.keys().next().into_iter().chain(self.staged.tombstones.first());
        staged.chain(self.added.as_ref().map(|added| &added.stem)).min()
    }

    /// The digest of committed, if something is committed.
    pub(crate) fn prior_state(&self, home: &mut KnownHome<'_>) -> Option<Digest> {
        let records = &self.committed.records;
        (!records.is_empty()).then(|| home.marked(&Tree::committed(), |marks| marks.digest(records)))
    }

    /// The digest of everything that the turn sees.
    pub(crate) fn state(&self, home: &mut KnownHome<'_>) -> Digest {
        home.marked(&Tree::committed(), |marks| {
            let all = marks.digest(&self.committed.records);
            self.first().map_or(all, |first| {
                let (from, mut course) = marks.before(first);
                self.records(&from).for_each(|record| course.take(record));
                course.digest()
            })
        })
    }

    /// The records that the turn sees, by stem, from one on.
    fn records<'s>(&'s self, from: &Bound<Stem>) -> impl Iterator<Item = &'s TripletRecord> {
        let above = |records: &'s Records| records.range((from.clone(), Bound::Unbounded)).map(|(_, record)| record);
        let committed = above(&self.committed.records).filter(|record| !self.hides(record.stem.as_str()));
        let staged = above(&self.staged.records).filter(|record| !self.hides_staged(record.stem.as_str()));
        merged(committed, merged(staged, self.added.iter()))
    }
}

/// The records of two orders in one.
fn merged<'r>(
    one: impl Iterator<Item = &'r TripletRecord>,
    other: impl Iterator<Item = &'r TripletRecord>,
) -> impl Iterator<Item = &'r TripletRecord> {
    let (mut one, mut other) = (one.peekable(), other.peekable());
    std::iter::from_fn(move || match (one.peek(), other.peek()) {
        (Some(first), Some(second)) if second.stem < first.stem => other.next(),
        (Some(_), _) => one.next(),
        (None, _) => other.next(),
    })
}
