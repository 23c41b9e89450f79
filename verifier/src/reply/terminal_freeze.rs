//! A terminal reply freezes its builder for good.
//!
//! Spec: section 10; `facts/reply.md` 7. A call that raised constructed nothing, and freezes nothing.

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
