//! A reply carries no message, no time and no trace: what belongs to transport stands in the envelope, which the wrapper makes.
//!
//! Spec: Canonical Reply System Architecture (Final), 7, Non-Goals of Reply, and 8; ruling RE-43.

use serde_json::{Value, json};

use crate::law::Law;

pub(crate) const LAW: Law = Law::named("reply/reply-transport-free");

/// The one place for what belongs to transport.
pub(crate) fn meta(trace_id: &str, duration_ms: u64) -> Value {
    json!({"trace_id": trace_id, "duration_ms": duration_ms})
}
