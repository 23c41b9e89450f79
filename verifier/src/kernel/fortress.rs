//! Only a promotion changes committed: everything else writes into one turn's staging.
//!
//! Spec: Kernel v1 Requirements Pack, Law 1; ruling KE-2. [`StagingWriter`] is the one hand that operations other than
//! promotion write with. It takes records and not paths, so that no path leads it to committed.

use crate::digest::Digest;
use crate::files::{HomeError, HomeFiles};

use super::home::{Stop, corrupt, kind, replace};
use super::layout::{INDEX, Tree};
use super::path_safety::{Stem, Turn};
use super::record_shape::{RefRecord, TripletRecord};

/// Writes into the staging of one turn.
pub(super) struct StagingWriter<'h> {
    home: &'h mut dyn HomeFiles,
    tree: Tree,
}

impl<'h> StagingWriter<'h> {
    pub(super) fn new(home: &'h mut dyn HomeFiles, turn: &Turn) -> Self {
        Self { home, tree: Tree::staged(turn) }
    }

    /// Stores an object, unless it is there.
    pub(super) fn object(&mut self, digest: Digest, bytes: &[u8]) -> Result<(), Stop> {
        let path = self.tree.object(digest);
        if kind(self.home, &path)?.is_some() { Ok(()) } else { self.put(&path, bytes) }
    }

    pub(super) fn triplet(&mut self, record: &TripletRecord) -> Result<(), Stop> {
        self.put(&self.tree.triplet(&record.stem), &record.canonical())
    }

    pub(super) fn reference(&mut self, record: &RefRecord) -> Result<(), Stop> {
        self.put(&self.tree.reference(&record.kind, &record.id), &record.canonical())
    }

    pub(super) fn tombstone(&mut self, stem: &Stem, tombstone: &[u8]) -> Result<(), Stop> {
        self.put(&self.tree.tombstone(stem), tombstone)
    }

    /// Writes a file. A folder in its place, or a file in the place of its folder, is damage like a record that is none.
    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), Stop> {
        replace(self.home, path, bytes).map_err(|trouble| match trouble.error {
            HomeError::Occupied | HomeError::NotAFile | HomeError::NotAFolder if trouble.path != INDEX => {
                corrupt(path).into()
            }
            _ => trouble.into(),
        })
    }
}
