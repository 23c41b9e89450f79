//! What a promotion is going to do.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 7. A plan is made once all of it is judged.

use std::collections::BTreeSet;

use crate::canon::compose;
use crate::digest::Digest;

use super::layout::Tree;
use super::ledger::Ledger;
use super::record::{Records, Sources, TripletRecord, VERSION};
use super::token::{Stem, Turn};

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

/// The page of a promotion's journal: what no other file of it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// The turn, whose staging goes.
    pub(crate) turn: Turn,
    /// Stems whose record goes.
    pub(crate) deleted: BTreeSet<Stem>,
}

impl Page {
    /// The page as it is stored.
    pub(crate) fn canonical(&self) -> Vec<u8> {
        compose::object(&[
            ("lsi_version", compose::string(VERSION)),
            ("run_id", compose::string(self.turn.run.as_str())),
            ("turn_id", compose::string(&self.turn.id.to_string())),
            ("deleted", compose::array(self.deleted.iter().map(|stem| compose::string(stem.as_str())))),
        ])
    }
}
