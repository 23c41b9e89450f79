//! The trace id of an invocation: a text in any form, but not the empty one.
//!
//! Spec: Canonical Reply System Architecture (Final), 8 and 11; ruling RE-29. An unsound one is reported as a
//! member of the envelope.

use crate::json::NodeRef;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("reply/wrapper-trace-id");

pub(crate) fn is_sound(trace_id: NodeRef<'_>) -> bool {
    trace_id.as_string().is_some_and(|text| !text.as_bytes().is_empty())
}
