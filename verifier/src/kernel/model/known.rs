//! A home with what is known of it: what was read once stays known, and is read again where something was written since.
//!
//! Only one process writes into a home at a time, and all that it writes goes through here: a file that is written, moved
//! or removed is marked, and its tree is not listed anew. Whoever does damage by hand takes the home [as it
//! is](KnownHome::as_it_is), and nothing stays known. How things are read belongs to the laws.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::digest::Digest;
use crate::files::{EntryKind, HomeEntry, HomeError, HomeFiles, HomeReader};

use super::layout::{COMMITTED, Tree, below, tree_of};
use super::pointing::Pointing;
use super::states::Marks;
use super::triplets::{Bodies, Triplets};

/// See the module.
pub(crate) struct KnownHome<'h> {
    home: &'h mut dyn HomeFiles,
    trees: BTreeMap<String, KnownTree>,
    /// How many trees may be known before small ones are forgotten.
    most: usize,
}

/// How many trees are known in any case: a run has thousands of turns, and goes back to few.
const MOST: usize = 256;
/// So many records are read again in no time.
const SMALL: usize = 16;

/// What is known of one tree.
#[derive(Debug, Default)]
pub(crate) struct KnownTree {
    /// Its triplets, once they were read.
    pub(crate) triplets: Option<KnownTriplets>,
    /// What its reference records point from, once all of them were read and found sound.
    pub(crate) pointing: Option<Pointing>,
}

impl KnownTree {
    /// Whether something at or below a path could change what is known of this tree in a folder.
    fn tells_of(&self, folder: &str, path: &str) -> bool {
        let references = Tree::at(folder).references();
        let near = path == references || below(&references, path).is_some() || below(path, &references).is_some();
        self.triplets.is_some() || near && self.pointing.is_some()
    }

    fn is_small(&self) -> bool {
        let held = self.triplets.as_ref().map_or(0, |known| {
            let Triplets { records, respelled: _, tombstones, corrupt } = &*known.all;
            records.len() + tombstones.len() + corrupt.len()
        });
        held <= SMALL
    }
}

/// What is known of a tree's triplets.
#[derive(Debug)]
pub(crate) struct KnownTriplets {
    pub(crate) all: Rc<Triplets>,
    /// Paths at which something was written since.
    pub(crate) stale: BTreeSet<String>,
    pub(crate) bodies: Bodies,
    pub(crate) marks: Marks,
}

impl KnownTriplets {
    /// Triplets as they were read.
    pub(crate) fn new(all: Triplets) -> Self {
        let bodies = Bodies::of(&all.records);
        Self { all: Rc::new(all), stale: BTreeSet::new(), bodies, marks: Marks::default() }
    }
}

impl<'h> KnownHome<'h> {
    /// A home of which nothing is known.
    pub(crate) fn new(home: &'h mut dyn HomeFiles) -> Self {
        Self { home, trees: BTreeMap::new(), most: MOST }
    }

    /// The home as it is: from now on nothing is known of it.
    pub(crate) fn as_it_is(&mut self) -> &mut dyn HomeFiles {
        self.trees.clear();
        self.home
    }

    /// Takes what is known of a tree, to be [put back](Self::put).
    pub(crate) fn take(&mut self, tree: &Tree) -> KnownTree {
        self.trees.remove(tree.folder()).unwrap_or_default()
    }

    /// Puts back what is known of a tree. Where much is known, small stagings of other turns are forgotten.
    pub(crate) fn put(&mut self, tree: &Tree, known: KnownTree) {
        if self.trees.len() >= self.most {
            self.trees.retain(|folder, known| folder == COMMITTED || !known.is_small());
            self.most = MOST.max(2 * self.trees.len());
        }
        self.trees.insert(tree.folder().to_owned(), known);
    }

    /// Does something with the marks of a tree; where its triplets were not read, there are none yet.
    pub(crate) fn marked<T>(&mut self, tree: &Tree, act: impl FnOnce(&mut Marks) -> T) -> T {
        match self.trees.get_mut(tree.folder()).and_then(|known| known.triplets.as_mut()) {
            Some(triplets) => act(&mut triplets.marks),
            None => act(&mut Marks::default()),
        }
    }

    /// Marks a file.
    fn mark(&mut self, path: &str) {
        let Some(folder) = tree_of(path) else { return };
        let Some(known) = self.trees.get_mut(folder) else { return };
        let tree = Tree::at(folder);
        let lies_in = |folder: &str| below(folder, path).is_some();
        if lies_in(&tree.references()) {
            if let Some(pointing) = &mut known.pointing {
                pointing.stale.insert(path.to_owned());
            }
        } else if let Some(triplets) = &mut known.triplets
            && lies_in(&tree.triplets())
        {
            triplets.stale.insert(path.to_owned());
        } else if let Some(triplets) = &mut known.triplets
            && lies_in(&tree.objects())
        {
            let named = path.rsplit('/').next().and_then(|name| Digest::from_hex(name.as_bytes()));
            if named.is_some_and(|object| triplets.bodies.lacks(object)) {
                triplets.bodies = Bodies::of(&triplets.all.records);
            }
        }
    }

    /// Marks what stands at a path: a file by itself, and with a folder all that is known of trees in it or around it.
    fn mark_all(&mut self, path: &str) {
        match tree_of(path) {
            Some(folder) if !self.trees.contains_key(folder) => {}
            Some(_) if matches!(self.home.kind(path), Ok(Some(EntryKind::File))) => self.mark(path),
            Some(folder) => drop(self.trees.remove(folder)),
            None => {
                let inside = if path.is_empty() { String::new() } else { format!("{path}/") };
                let trees = self.trees.range(inside.clone()..).map(|(folder, _)| folder);
                let gone: Vec<_> = trees.take_while(|folder| folder.starts_with(&inside)).cloned().collect();
                gone.iter().for_each(|folder| drop(self.trees.remove(folder)));
            }
        }
    }

    /// Marks, at the place where a folder goes, all files that it brings.
    fn mark_moved(&mut self, from: &str, to: &str) -> Result<(), HomeError> {
        match tree_of(to) {
            Some(folder) if !self.trees.get(folder).is_some_and(|known| known.tells_of(folder, to)) => return Ok(()),
            Some(folder) if folder != to => {}
            _ => {
                self.mark_all(to);
                return Ok(());
            }
        }
        let mut pending = vec![String::new()];
        while let Some(below) = pending.pop() {
            match self.home.list(&format!("{from}{below}")) {
                Ok(entries) => pending.extend(entries.into_iter().map(|entry| format!("{below}/{}", entry.name))),
                Err(HomeError::NotAFolder) => self.mark(&format!("{to}{below}")),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl HomeReader for KnownHome<'_> {
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, HomeError> {
        self.home.kind(path)
    }

    fn list(&self, path: &str) -> Result<Vec<HomeEntry>, HomeError> {
        self.home.list(path)
    }

    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), HomeError> {
        self.home.read(path, limit, into)
    }
}

impl HomeFiles for KnownHome<'_> {
    fn create(&mut self, path: &str, bytes: &[u8]) -> Result<(), HomeError> {
        self.mark(path);
        self.home.create(path, bytes)
    }

    // The kernel makes folders for the files that it puts there, and those are marked.
    fn create_folder(&mut self, path: &str) -> Result<(), HomeError> {
        self.home.create_folder(path)
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), HomeError> {
        self.mark_all(from);
        self.mark_moved(from, to)?;
        self.home.rename(from, to)
    }

    fn share(&mut self, from: &str, to: &str) -> Result<(), HomeError> {
        self.mark(to);
        self.home.share(from, to)
    }

    fn remove(&mut self, path: &str) -> Result<(), HomeError> {
        self.mark_all(path);
        self.home.remove(path)
    }

    fn settle(&mut self) -> Result<(), HomeError> {
        self.home.settle()
    }
}
