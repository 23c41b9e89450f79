//! Dispute: every step that diverged, with what was expected and what was observed.
//!
//! Spec: RCE Profile v0.1, Receipts, rce.replay_result/v0, dispute; ruling EP-42.

use serde_json::{Value, json};

use crate::episode::model::proof::Divergence;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("episode/dispute");

impl Divergence {
    fn entry(&self) -> Value {
        let detail = if self.vanishes_under_other_form {
            "the canonical forms differ in the spelling of numbers alone"
        } else {
            "the canonical forms differ"
        };
        json!({
            "step_id": self.step_id,
            "expected_output_hash": self.expected,
            "observed_output_hash": self.observed,
            "comparator_tier": self.tier,
            "comparator_detail": detail,
        })
    }
}

/// The entries of a dispute.
pub(crate) fn entries(divergences: &[Divergence]) -> Value {
    divergences.iter().map(Divergence::entry).collect()
}

/// The dispute of a replay result: null unless some step diverged. No pack of the verifier is built, so none is named.
pub(crate) fn payload(divergences: &[Divergence]) -> Value {
    if divergences.is_empty() {
        return Value::Null;
    }
    json!({ "divergent_steps": entries(divergences), "replay_pack_root_sha256": null })
}
