//! authority/parent-linkage: each record names the hash of the one before it, and the first names none.
//!
//! Spec: Kernel Contract 0.1.0, 2.2 and 4.2; ruling AU-10.

use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

use super::record_shape::Member;

/// What the first record's `parent` is, in canonical form: null, neither empty nor absent.
const NO_PARENT: &[u8] = b"null";

/// The chain up to some record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// Canonical bytes of the last record's `record_hash` as it is stored.
    last: Vec<u8>,
}

impl Link {
    /// The chain before its first record.
    pub(super) fn start() -> Self {
        Self { last: NO_PARENT.to_vec() }
    }

    /// Whether a record with this `parent` may follow.
    pub(super) fn admits(&self, parent: &[u8]) -> bool {
        self.last == parent
    }

    /// Moves on to a record.
    pub(super) fn follow(&mut self, record_hash: &[u8]) {
        self.last.clear();
        self.last.extend_from_slice(record_hash);
    }

    /// What the next record's `parent` has to be, in canonical form.
    pub(super) fn due(&self) -> &[u8] {
        &self.last
    }
}

/// A parent that does not continue the chain.
pub(super) fn finding(record: &JsonPointer, stored: &[u8], link: &Link) -> Finding {
    let message = if link.due() == NO_PARENT {
        "the first record has no parent, which is written as null: records before it may be missing"
    } else if stored == NO_PARENT {
        "only the first record has no parent: another ledger may begin here"
    } else {
        "not the record_hash of the record before: records were removed, added or put in another order"
    };
    Finding::error(Law::ParentLinkage, record.member(Member::Parent.name()), message)
}
