//! The trace id of an invocation: a text in any form, but not the empty one.
//!
//! Spec: Canonical Reply System Architecture (Final), 8 and 11; ruling RE-29. `envelope_members` names an unsound one.

use crate::json::NodeRef;

pub(super) fn is_sound(trace_id: NodeRef<'_>) -> bool {
    trace_id.as_string().is_some_and(|text| !text.as_bytes().is_empty())
}
