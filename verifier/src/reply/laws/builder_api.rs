//! The methods of the builder: `success`, `invalid`, `denied`, `error`; the last three take a code.
//!
//! Spec: Canonical Reply System Architecture (Final), 9, Canonical API; rulings RE-2, RE-35, RE-37.

use super::no_forbidden_methods;
use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::reply_type::ReplyType;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/builder-api");

/// Objects to a call of what is not a method or lacks its code, and gives the type of the reply that the method makes.
pub(crate) fn judge(
    method: &[u8],
    has_code: bool,
    at: impl FnOnce() -> JsonPointer,
    found: &mut Judgement,
) -> Option<ReplyType> {
    let kind = ReplyType::from_name(method);
    match kind {
        Some(kind) if kind.is_terminal() && !has_code => {
            found.meaning(LAW, at(), format!("{} takes a code: give one", kind.name()));
        }
        Some(_) => {}
        // Another law objects to it.
        None if no_forbidden_methods::is_forbidden(method) => {}
        None => {
            let message =
                format!("{} is not a method of the builder: success, invalid, denied and error are", quoted(method));
            found.meaning(LAW, at(), message);
        }
    }
    kind
}
