//! Opening and closing a contract is `GATE`; `OPEN` and `CLOSE` are not areas.
//!
//! Spec: Canonical Reply System Architecture (Final), 5, Clarification; rulings RE-26, RE-33.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::code::Segments;
use crate::reply::model::forbidden;
use crate::reply::model::registry::Declared;

pub(crate) const LAW: Law = Law::named("reply/contract-area-gate");

/// Objects to the area of a code.
pub(crate) fn judge(segments: &Segments<'_>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if is_forbidden(segments.area) {
        let message = format!("{} is not an area: opening and closing a contract is CT-GATE", segments.area);
        found.meaning(LAW, at(), message);
    }
}

/// Objects to an area that a registry declares.
pub(crate) fn judge_declared(declared: &Declared<'_>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    let name = declared.name();
    if is_forbidden(name) {
        let message = format!("{name} cannot be an area: opening and closing a contract is GATE");
        found.meaning(LAW, at(), message);
    }
}

pub(crate) fn is_forbidden(area: &str) -> bool {
    forbidden::is("area", area.as_bytes())
}
