//! One type everywhere: reply type, code, builder method, registry row.
//!
//! Spec: sections 6, 7, 9 and 14; `facts/reply.md` 5, 6, 8 and 10.

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
