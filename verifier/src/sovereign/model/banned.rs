//! Values without canonical form, and how many of one document are kept.

use crate::canon::CanonRefusalKind;
use crate::json::JsonPointer;

/// A value without canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Banned {
    pub(crate) kind: CanonRefusalKind,
    pub(crate) pointer: JsonPointer,
}

/// Most places that one document's findings name; a limit of its own row says that there are more (RES-06).
pub(crate) const MOST_FINDINGS: usize = 1_000;

/// What a walk has found and what matters of it, up to one more than [`MOST_FINDINGS`]: what does not matter takes no room.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) list: Vec<Banned>,
    matters: fn(&Banned) -> bool,
}

impl Found {
    /// Keeps that for which `matters` holds.
    pub(crate) fn where_it(matters: fn(&Banned) -> bool) -> Self {
        Self { list: Vec::new(), matters }
    }

    /// One more than is named is kept, so that the cut sees that there is more.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() > MOST_FINDINGS
    }

    /// Keeps a value, if it matters and there is room.
    pub(crate) fn add(&mut self, kind: CanonRefusalKind, pointer: JsonPointer) {
        let banned = Banned { kind, pointer };
        if !self.is_full() && (self.matters)(&banned) {
            self.list.push(banned);
        }
    }
}
