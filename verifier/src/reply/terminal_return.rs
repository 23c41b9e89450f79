//! A terminal reply is returned by the very next step.
//!
//! Spec: Canonical Reply System Architecture (Final), 10, Rules; rulings RE-22, RE-35, RE-37.

use super::type_closed::ReplyType;

/// The step whose terminal reply has not been returned yet.
#[derive(Default)]
pub(super) struct Pending(Option<usize>);

impl Pending {
    pub(super) fn constructed(&mut self, kind: ReplyType, step: usize) {
        if kind.is_terminal() {
            self.0 = Some(step);
        }
    }

    /// Hands over the reply of a step, or something else; false if another one was due.
    pub(super) fn hand_over(&mut self, of: Option<usize>) -> bool {
        self.0.take().is_none_or(|due| of == Some(due))
    }

    pub(super) fn is_due(&self) -> bool {
        self.0.is_some()
    }
}

/// Whether a call site keeps a terminal reply.
pub(super) fn is_kept(kind: ReplyType, returned: bool) -> bool {
    kind.is_terminal() && !returned
}
