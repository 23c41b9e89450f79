//! The wrapper adds metadata and leaves the reply alone.
//!
//! Spec: Canonical Reply System Architecture (Final), 11; ruling RE-35.

use super::type_closed::ReplyType;

/// Whether an emitted type and code are those of the returned reply. A success may leave its code out on either side: the
/// builder has one of its own, and the envelope does not show it.
pub(super) fn is_unchanged(
    returned: (Option<ReplyType>, Option<&[u8]>),
    emitted: (Option<ReplyType>, Option<&[u8]>),
) -> bool {
    let silent = returned.0 == Some(ReplyType::S) && (returned.1.is_none() || emitted.1.is_none());
    returned.0 == emitted.0 && (silent || returned.1 == emitted.1)
}
