//! `info`, `warn` and `fail` do not exist and are not called.
//!
//! Spec: Canonical Reply System Architecture (Final), 9, Explicitly Forbidden.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::forbidden;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/no-forbidden-methods");

pub(crate) fn judge(method: &[u8], at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if is_forbidden(method) {
        let message = format!("{} is forbidden: say it in the data of a success", quoted(method));
        found.meaning(LAW, at(), message);
    }
}

pub(crate) fn is_forbidden(method: &[u8]) -> bool {
    forbidden::is("method", method)
}
