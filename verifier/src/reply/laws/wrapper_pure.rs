//! The wrapper adds metadata and leaves the reply alone.
//!
//! Spec: Canonical Reply System Architecture (Final), 11; ruling RE-35.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::reply_type::ReplyType;

pub(crate) const LAW: Law = Law::named("reply/wrapper-pure");

/// Type and code of a reply, as far as they are known.
type TypeAndCode<'c> = (Option<ReplyType>, Option<&'c [u8]>);

/// Objects to an envelope that tells of another reply than the returned one; true if it tells of that one.
pub(crate) fn judge(
    returned: TypeAndCode<'_>,
    emitted: TypeAndCode<'_>,
    at: &JsonPointer,
    found: &mut Judgement,
) -> bool {
    let unchanged = is_unchanged(returned, emitted);
    if !unchanged {
        let message = "the wrapper changed type or code of the returned reply: it adds metadata alone";
        found.meaning(LAW, at.clone(), message);
    }
    unchanged
}

/// Whether an emitted type and code are those of the returned reply. A success may leave its code out on either side: the
/// builder has one of its own, and the envelope does not show it.
fn is_unchanged(returned: TypeAndCode<'_>, emitted: TypeAndCode<'_>) -> bool {
    let silent = returned.0 == Some(ReplyType::S) && (returned.1.is_none() || emitted.1.is_none());
    returned.0 == emitted.0 && (silent || returned.1 == emitted.1)
}
