//! kernel/fortress: only a promotion changes committed: everything else writes into one turn's staging.
//!
//! Spec: Kernel v1 Requirements Pack, Law 1; ruling KE-2. [`StagingWriter`] is the one hand that operations other than
//! promotion write with. It takes records and not paths, so that no path leads it to committed.

use crate::digest::Digest;
use crate::files::{HomeError, HomeFiles};
use crate::finding::Finding;
use crate::kernel::laws::promotion_atomicity::promotes;
use crate::kernel::laws::record_shape::corrupt;
use crate::kernel::model::home::{Stop, kind, replace};
use crate::kernel::model::layout::{INDEX, Tree, location};
use crate::kernel::model::record::{RefRecord, TripletRecord};
use crate::kernel::model::snapshot::{Change, Ran};
use crate::kernel::model::token::{Stem, Turn};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/fortress");

/// What an operation has changed of committed that is not a promotion.
pub(crate) fn changed(change: &Change, ran: &Ran<'_>) -> Vec<Finding> {
    if promotes(ran) {
        return Vec::new();
    }
    let message = "only a promotion may change committed: compare with the snapshot";
    change.paths.iter().map(|path| Finding::error(LAW, location(path), message)).collect()
}

/// Writes into the staging of one turn.
pub(crate) struct StagingWriter<'h> {
    home: &'h mut dyn HomeFiles,
    tree: Tree,
}

impl<'h> StagingWriter<'h> {
    pub(crate) fn new(home: &'h mut dyn HomeFiles, turn: &Turn) -> Self {
        Self { home, tree: Tree::staged(turn) }
    }

    /// Stores an object, unless it is there.
    pub(crate) fn object(&mut self, digest: Digest, bytes: &[u8]) -> Result<(), Stop> {
        let path = self.tree.object(digest);
        if kind(self.home, &path)?.is_some() { Ok(()) } else { self.put(&path, bytes) }
    }

    pub(crate) fn triplet(&mut self, record: &TripletRecord) -> Result<(), Stop> {
        self.put(&self.tree.triplet(&record.stem), &record.canonical())
    }

    pub(crate) fn reference(&mut self, record: &RefRecord) -> Result<(), Stop> {
        self.put(&self.tree.reference(&record.kind, &record.id), &record.canonical())
    }

    pub(crate) fn tombstone(&mut self, stem: &Stem, tombstone: &[u8]) -> Result<(), Stop> {
        self.put(&self.tree.tombstone(stem), tombstone)
    }

    /// Writes a file. A folder in its place, or a file in the place of its folder, is damage like a record that is not one.
    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), Stop> {
        replace(self.home, path, bytes).map_err(|failure| match failure.error {
            HomeError::Occupied | HomeError::NotAFile | HomeError::NotAFolder if failure.path != INDEX => {
                corrupt(path).into()
            }
            _ => failure.into(),
        })
    }
}
