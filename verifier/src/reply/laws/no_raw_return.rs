//! A tool returns a reply, and nothing raw.
//!
//! Spec: Canonical Reply System Architecture (Final), 12; rulings RE-20, RE-37.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::source::Site;
use crate::reply::model::trace::Event;

pub(crate) const LAW: Law = Law::named("reply/no-raw-return");

const RAW: &str = "no reply is returned: build one";

/// Objects to a step of a trace that returns no reply.
pub(crate) fn judge(events: &[Event<'_>], step: usize, at: &JsonPointer, found: &mut Judgement) {
    if matches!(events.get(step), Some(Event::ReturnRaw)) {
        found.meaning(LAW, at.clone(), RAW);
    }
}

/// Objects to a call site that returns without a receiver, and so without a builder; true if it is one.
pub(crate) fn judge_site(site: &Site<'_>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) -> bool {
    let is_raw = site.receiver.is_none();
    if is_raw {
        found.meaning(LAW, at(), RAW);
    }
    is_raw
}
