//! A toy: no code has the number 777.
//!
//! Spec: Canonical Reply System Architecture (Final), 6.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::code::Segments;

pub(crate) const LAW: Law = Law::named("reply/toy-number");

pub(crate) fn judge(segments: &Segments<'_>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if segments.value() == 777 {
        found.meaning(LAW, at(), "777 is the number that the toy forbids");
    }
}
