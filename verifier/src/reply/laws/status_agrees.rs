//! The status against the type: `success` exactly for S.
//!
//! Spec: Canonical Reply System Architecture (Final), 8; rulings RE-4, RE-30. The text has no word for I, D and E,
//! so that only what every reading forbids is a breach.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::reply_type::ReplyType;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/status-agrees");

pub(crate) fn judge(kind: ReplyType, status: &[u8], at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    let said = ReplyType::from_name(status);
    if said == Some(kind) {
        return;
    }
    let due = format!("{} beside type {}: write {:?}", quoted(status), kind.letter(), kind.name());
    if kind == ReplyType::S || said.is_some_and(|said| !is_two_valued(said, kind)) {
        found.meaning(LAW, at(), due);
    } else {
        found.advise(LAW, at(), due);
    }
}

/// Whether a status is `error` for whatever is not a success.
pub(crate) fn is_two_valued(said: ReplyType, kind: ReplyType) -> bool {
    said == ReplyType::E && matches!(kind, ReplyType::I | ReplyType::D)
}
