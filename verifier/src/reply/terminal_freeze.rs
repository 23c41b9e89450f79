//! A terminal reply freezes its builder for good.
//!
//! Spec: Canonical Reply System Architecture (Final), 10, Rules; ruling RE-35: a call that raised freezes nothing.

use super::type_closed::ReplyType;

/// The builder's state.
#[derive(Default)]
pub(super) struct Freeze(bool);

impl Freeze {
    pub(super) fn constructed(&mut self, kind: ReplyType) {
        self.0 |= kind.is_terminal();
    }

    pub(super) fn is_frozen(&self) -> bool {
        self.0
    }
}
