//! The methods of the builder: `success`, `invalid`, `denied`, `error`; the last three take a code.
//!
//! Spec: Canonical Reply System Architecture (Final), 9, Canonical API; rulings RE-2, RE-35, RE-37.

use super::judgement::Judgement;
use super::no_forbidden_methods;
use super::text::quoted;
use super::type_closed::ReplyType;
use crate::json::JsonPointer;
use crate::law::Law;

/// Objects to a call of what is no method or lacks its code, and gives the type of the reply that the method makes.
pub(super) fn judge(
    method: &[u8],
    has_code: bool,
    at: impl FnOnce() -> JsonPointer,
    found: &mut Judgement,
) -> Option<ReplyType> {
    let kind = ReplyType::from_name(method);
    match kind {
        Some(kind) if kind.is_terminal() && !has_code => {
            found.meaning(Law::ReplyBuilderApi, at(), format!("{} takes a code: give one", kind.name()));
        }
        Some(_) => {}
        None if no_forbidden_methods::is_forbidden(method) => {
            let message = format!("{} is forbidden: say it in the data of a success", quoted(method));
            found.meaning(Law::ReplyNoForbiddenMethods, at(), message);
        }
        None => {
            let message =
                format!("{} is no method of the builder: success, invalid, denied and error are", quoted(method));
            found.meaning(Law::ReplyBuilderApi, at(), message);
        }
    }
    kind
}
