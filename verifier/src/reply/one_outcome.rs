//! One invocation, one outcome: the tool returns or throws once, and the wrapper emits once after it.
//!
//! Spec: Canonical Reply System Architecture (Final), 2; ruling RE-35.

/// How far an invocation has come.
#[derive(Default)]
pub(super) struct Outcome<'d> {
    ended: Option<Ended<'d>>,
    emitted: bool,
}

/// How the tool ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ended<'d> {
    /// By a reply of this type and code.
    Returned(Option<super::type_closed::ReplyType>, Option<&'d [u8]>),
    /// By an exception.
    Thrown,
}

impl<'d> Outcome<'d> {
    /// Ends the tool; false if it has ended already.
    pub(super) fn end(&mut self, how: Ended<'d>) -> bool {
        let first = self.ended.is_none();
        self.ended.get_or_insert(how);
        first
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// Emits; gives the end that the envelope tells of, unless there is none yet or it was told before.
    pub(super) fn emit(&mut self) -> Option<Ended<'d>> {
        let again = std::mem::replace(&mut self.emitted, true);
        self.ended.filter(|_| !again)
    }
}
