//! A terminal reply is returned by the very next step.
//!
//! Spec: Canonical Reply System Architecture (Final), 10, Rules; rulings RE-22, RE-35, RE-37.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::reply_type::ReplyType;
use crate::reply::model::source::Site;
use crate::reply::model::trace::Event;

pub(crate) const LAW: Law = Law::named("reply/terminal-return");

const LATE: &str = "a terminal reply is due: return it before anything else";

/// The step whose terminal reply has not been returned yet.
#[derive(Default)]
pub(crate) struct Pending(Option<usize>);

impl Pending {
    pub(crate) fn constructed(&mut self, kind: ReplyType, step: usize) {
        if kind.is_terminal() {
            self.0 = Some(step);
        }
    }

    /// Objects to a step, or the end, that returns nothing where a reply is due.
    pub(crate) fn judge(&self, event: Option<&Event<'_>>, at: &JsonPointer, found: &mut Judgement) {
        if !matches!(event, Some(Event::ReturnOf(_) | Event::ReturnCallee(_) | Event::ReturnRaw)) && self.0.is_some() {
            found.meaning(LAW, at.clone(), LATE);
        }
    }

    /// Hands over the reply of a step, or something else, and objects if another one was due.
    pub(crate) fn hand_over(&mut self, of: Option<usize>, at: &JsonPointer, found: &mut Judgement) {
        let in_turn = self.0.take().is_none_or(|due| of == Some(due));
        if !in_turn {
            found.meaning(LAW, at.clone(), LATE);
        }
    }
}

/// Objects to a call site that keeps a terminal reply.
pub(crate) fn judge_site(kind: ReplyType, site: &Site<'_>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if kind.is_terminal() && !site.returned {
        found.meaning(LAW, at(), "a terminal reply is not returned at once: return it");
    }
}
