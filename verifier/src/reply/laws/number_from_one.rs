//! Numbers count from one. `000` has three digits, so that it is accepted, with advice.
//!
//! Spec: Canonical Reply System Architecture (Final), 6; rulings RE-9, RE-26.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::code::Segments;

pub(crate) const LAW: Law = Law::named("reply/number-from-one");

pub(crate) fn judge(segments: &Segments<'_>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if segments.value() == 0 {
        found.advise(LAW, at(), "numbers count from 001");
    }
}
