//! The trace id of an invocation: a text in any form, but not the empty one.
//!
//! Spec: section 11; `facts/reply.md` 6, ruling RE-29. An unsound one is named as a member of the envelope.

use crate::json::NodeRef;

pub(super) fn is_sound(trace_id: NodeRef<'_>) -> bool {
    trace_id.as_string().is_some_and(|text| !text.as_bytes().is_empty())
}
