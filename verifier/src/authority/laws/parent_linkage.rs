//! authority/parent-linkage: each record names the hash of the one before it, and the first names none.
//!
//! Spec: Kernel Contract 0.1.0, 2.2 and 4.2; ruling AU-10.

use crate::authority::breach::Flaw;
use crate::authority::model::record::{CanonicalRecord, Member};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("authority/parent-linkage");

/// What the first record's `parent` is, in canonical form: null, neither empty nor absent.
const NO_PARENT: &[u8] = b"null";

/// The chain up to some record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Canonical bytes of the last record's `record_hash` as it is stored.
    last: Vec<u8>,
}

/// The `parent` of a record as it is stored. One without canonical form differs from any that is due.
pub(crate) fn parent(record: CanonicalRecord<'_>) -> &[u8] {
    record.member(Member::Parent).unwrap_or_default()
}

impl Link {
    /// The chain before its first record.
    pub(crate) fn start() -> Self {
        Self { last: NO_PARENT.to_vec() }
    }

    /// Whether a record with this `parent` may follow.
    pub(crate) fn admits(&self, parent: &[u8]) -> Result<(), Box<Flaw>> {
        if self.last == parent { Ok(()) } else { Err(Flaw::differs(self.finding(parent), parent, self.due())) }
    }

    /// Moves on to a record.
    pub(crate) fn follow(&mut self, record: CanonicalRecord<'_>) {
        self.last.clear();
        self.last.extend_from_slice(record.member(Member::RecordHash).unwrap_or_default());
    }

    /// What the next record's `parent` has to be, in canonical form.
    pub(crate) fn due(&self) -> &[u8] {
        &self.last
    }

    /// A parent that does not continue the chain.
    fn finding(&self, stored: &[u8]) -> Finding {
        let message = if self.due() == NO_PARENT {
            "the first record has no parent, which is written as null: records before it may be missing"
        } else if stored == NO_PARENT {
            "only the first record has no parent: another ledger may begin here"
        } else {
            "not the record_hash of the record before: records were removed, added or put in another order"
        };
        Finding::error(LAW, JsonPointer::root().member(Member::Parent.name()), message)
    }
}
