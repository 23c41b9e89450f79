//! One type everywhere: reply type, code, builder method, registry row.
//!
//! Spec: Canonical Reply System Architecture (Final), 2, 3, 6, 7 and 9; rulings RE-2, RE-29, RE-34.

use super::judgement::Judgement;
use super::type_closed::ReplyType;
use crate::json::JsonPointer;
use crate::law::Law;

/// Compares the type of a code with what it is used as; a code without a known type is another law's business.
pub(super) fn judge(due: ReplyType, code: Option<ReplyType>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if let Some(kind) = code.filter(|kind| *kind != due) {
        let message =
            format!("the code is of type {}, where {} is due: use a code of that type", kind.letter(), due.letter());
        found.meaning(Law::ReplyTypeAgrees, at(), message);
    }
}
