//! One invocation, one outcome: the tool returns or throws once, and the wrapper emits once after it.
//!
//! Spec: Canonical Reply System Architecture (Final), 2; ruling RE-35.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::reply_type::ReplyType;

pub(crate) const LAW: Law = Law::named("reply/one-outcome");

const TWICE: &str = "the tool has ended already: one invocation has one outcome";

/// How far an invocation has come.
#[derive(Default)]
pub(crate) struct Outcome<'d> {
    ended: Option<Ended<'d>>,
    emitted: bool,
}

/// How the tool ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ended<'d> {
    /// By a reply of this type and code.
    Returned(Option<ReplyType>, Option<&'d [u8]>),
    /// By an exception.
    Thrown,
}

impl<'d> Outcome<'d> {
    /// Ends the tool, and objects if it has ended already.
    pub(crate) fn end(&mut self, how: Ended<'d>, at: &JsonPointer, found: &mut Judgement) {
        let first = self.ended.is_none();
        self.ended.get_or_insert(how);
        if !first {
            found.meaning(LAW, at.clone(), TWICE);
        }
    }

    /// Objects to a call after the end.
    pub(crate) fn judge_call(&self, at: &JsonPointer, found: &mut Judgement) {
        if self.ended.is_some() {
            found.meaning(LAW, at.clone(), TWICE);
        }
    }

    /// Emits; gives the end that the envelope tells of, and objects if there is none yet or it was told before.
    pub(crate) fn emit(&mut self, at: &JsonPointer, found: &mut Judgement) -> Option<Ended<'d>> {
        let again = std::mem::replace(&mut self.emitted, true);
        let told = self.ended.filter(|_| !again);
        if told.is_none() {
            let message = "an envelope without an outcome, or a second one: one invocation has one outcome";
            found.meaning(LAW, at.clone(), message);
        }
        told
    }

    /// Objects to an invocation that is over and has not ended.
    pub(crate) fn finish(&self, at: &JsonPointer, found: &mut Judgement) {
        if self.ended.is_none() {
            found.meaning(LAW, at.clone(), "the invocation ends without an outcome: return a reply");
        }
    }
}
