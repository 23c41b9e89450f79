//! The trace id of an invocation: a text in any form, but not the empty one.
//!
//! Spec: Canonical Reply System Architecture (Final), 8 and 11; ruling RE-29. An unsound one is reported as a
//! member of the envelope.

use crate::json::NodeRef;
use crate::law::Law;

#[expect(dead_code, reason = "a breach of it is a member of an envelope, and found by that law")]
pub(crate) const LAW: Law = Law::ReplyWrapperTraceId;

/// What is due.
pub(crate) const DUE: &str = "a string that is not empty";

pub(crate) fn is_sound(trace_id: NodeRef<'_>) -> bool {
    trace_id.as_string().is_some_and(|text| !text.as_bytes().is_empty())
}
