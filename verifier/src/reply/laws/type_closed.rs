//! The types of a reply, which are closed.
//!
//! Spec: Canonical Reply System Architecture (Final), 2, 3 and 7.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::reply_type::ReplyType;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/type-closed");

impl ReplyType {
    /// The type of this letter, in upper case.
    #[must_use]
    pub fn from_letter(text: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter().as_bytes() == text)
    }
}

/// Reads a type and objects to any other text.
pub(crate) fn judge(text: &[u8], at: impl FnOnce() -> JsonPointer, found: &mut Judgement) -> Option<ReplyType> {
    let kind = ReplyType::from_letter(text);
    if kind.is_none() {
        let message =
            format!("{} is not a type: there are {}", quoted(text), ReplyType::ALL.map(ReplyType::letter).join(", "));
        found.meaning(LAW, at(), message);
    }
    kind
}
