//! What a reply holds: a code that is a string, and data that is an object or null.
//!
//! Spec: Canonical Reply System Architecture (Final), 7; rulings RE-3, RE-35.

use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::trace::{Call, StatedReply};

pub(crate) const LAW: Law = Law::named("reply/reply-shape");

/// Objects to the data of a call.
pub(crate) fn judge_call(call: &Call<'_>, at: &JsonPointer, found: &mut Judgement) {
    if !call.data.is_none_or(NodeRef::is_object) {
        found.meaning(LAW, at.clone(), "data is an object or null");
    }
}

/// Objects to a reply that is handed over without its code.
pub(crate) fn judge_callee(stated: &StatedReply<'_>, at: &JsonPointer, found: &mut Judgement) {
    if stated.code.is_none() {
        found.meaning(LAW, at.clone(), "a reply has a code");
    }
}
