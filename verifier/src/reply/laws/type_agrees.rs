//! One type everywhere: reply type, code, builder method, registry row.
//!
//! Spec: Canonical Reply System Architecture (Final), 2, 3, 6, 7 and 9; rulings RE-2, RE-29, RE-34.

use super::status_agrees;
use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::code::Segments;
use crate::reply::model::member::is_text;
use crate::reply::model::registry::Row;
use crate::reply::model::reply_type::ReplyType;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/type-agrees");

/// Compares the type of a code with what it is used as; a code without a known type is another law's business.
pub(crate) fn judge(due: ReplyType, code: Option<ReplyType>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if let Some(kind) = code.filter(|kind| *kind != due) {
        let message =
            format!("the code is of type {}, where {} is due: use a code of that type", kind.letter(), due.letter());
        found.meaning(LAW, at(), message);
    }
}

/// Compares the type of the code in an error with that of the envelope, or with its status where it has no type.
pub(crate) fn judge_named(
    kind: Option<ReplyType>,
    status: Option<ReplyType>,
    code: Option<ReplyType>,
    at: impl FnOnce() -> JsonPointer,
    found: &mut Judgement,
) {
    let tolerated = kind.is_none() && status.zip(code).is_some_and(|(said, of)| status_agrees::is_two_valued(said, of));
    if let Some(due) = kind.or(status).filter(|_| !tolerated) {
        judge(due, code, at, found);
    }
}

/// Objects to a code beside the error that is not the one inside it.
pub(crate) fn judge_beside(beside: NodeRef<'_>, named: &[u8], at: &JsonPointer, found: &mut Judgement) {
    if beside.as_string().is_none_or(|text| text.as_bytes() != named) {
        found.meaning(LAW, at.clone(), "another code than the one in error: leave one out");
    }
}

/// Objects to a registry row whose type is not that of its code.
pub(crate) fn judge_row(row: &Row<'_>, code: &Segments<'_>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if row.node.get("type").is_some_and(|field| !is_text(field, code.kind)) {
        let message = format!("the field type does not repeat the segment of {}", quoted(&row.code));
        found.meaning(LAW, at(), message);
    }
}

/// Advises on an alias to a code of another type.
pub(crate) fn advise_alias(old: &[u8], new: &[u8], at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    let kind = |code| Segments::parse(code).and_then(|segments| ReplyType::from_letter(segments.kind.as_bytes()));
    if kind(old).zip(kind(new)).is_some_and(|(old, new)| old != new) {
        found.advise(LAW, at(), "the alias changes the type of the outcome");
    }
}
