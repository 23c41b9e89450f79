//! Only a promotion changes committed: everything else writes into one turn's staging.
//!
//! Spec: Law 1, section 2.1; `facts/kernel.md` section 13. [`StagingWriter`] is the one hand that operations other than
//! promotion write with. It takes records and not paths, so that there is no path by which it could reach committed.

use crate::digest::Digest;
use crate::files::HomeFiles;

use super::home::{HomeTrouble, kind, replace};
use super::layout::Tree;
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
    pub(super) fn object(&mut self, digest: Digest, bytes: &[u8]) -> Result<(), HomeTrouble> {
        let path = self.tree.object(digest);
        if kind(self.home, &path)?.is_some() { Ok(()) } else { replace(self.home, &path, bytes) }
    }

    pub(super) fn triplet(&mut self, record: &TripletRecord) -> Result<(), HomeTrouble> {
        replace(self.home, &self.tree.triplet(&record.stem), &record.canonical())
    }

    pub(super) fn reference(&mut self, record: &RefRecord) -> Result<(), HomeTrouble> {
        replace(self.home, &self.tree.reference(&record.kind, &record.id), &record.canonical())
    }

    pub(super) fn tombstone(&mut self, stem: &Stem, tombstone: &[u8]) -> Result<(), HomeTrouble> {
        replace(self.home, &self.tree.tombstone(stem), tombstone)
    }
}
