//! authority/parent-linkage: each record names the hash of the one before it, and the first names none.
//!
//! Spec: contract sections 2.2 and 4.2; `facts/authority.md` 4.1 and 4.3.

/// What the first record's `parent` is, in canonical form: null, neither empty nor absent.
pub(super) const NO_PARENT: &[u8] = b"null";

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
