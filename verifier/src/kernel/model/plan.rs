//! What a promotion is going to do.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 7. A plan is made once all of it is judged.

use std::collections::BTreeSet;

use crate::digest::Digest;

use super::layout::Tree;
use super::ledger::Ledger;
use super::record::{Records, Sources, TripletRecord};
use super::token::Stem;

/// Everything that a promotion will do, judged.
#[derive(Debug)]
pub(crate) struct Planned {
    /// Where the records and objects are.
    pub(crate) staging: Tree,
    /// The ledger as it will be.
    pub(crate) ledger: Ledger,
    /// Records that come in.
    pub(crate) staged: Records,
    /// Those of them whose file is spelled in another way than the kernel would.
    pub(crate) respelled: BTreeSet<Stem>,
    /// Stems that go and do not come in again.
    pub(crate) deleted: BTreeSet<Stem>,
    /// Sources that come in.
    pub(crate) sources: Sources,
}

impl Planned {
    /// Whether the stem's old record and sources go.
    pub(crate) fn takes(&self, stem: &str) -> bool {
        self.staged.contains_key(stem) || self.deleted.contains(stem)
    }

    /// The objects of the records that come in, in the order of their names.
    pub(crate) fn objects(&self) -> BTreeSet<Digest> {
        self.staged.values().flat_map(TripletRecord::digests).map(|(_, digest)| digest).collect()
    }

    /// Stems that are staged or deleted, sorted.
    pub(crate) fn stems(&self) -> Vec<Stem> {
        let stems: BTreeSet<_> = self.staged.keys().chain(&self.deleted).cloned().collect();
        stems.into_iter().collect()
    }
}
