//! The payloads of an episode's receipts, in either shape of the envelope.

use super::member::{boolean, count, string, text};
use crate::json::{JsonPointer, NodeRef};

/// The only tier of this version, whatever the policy says by step.
pub(crate) const TIER: &str = "A";
/// The only basis of this version.
pub(crate) const BASIS: &str = "recorded_trace";

/// What the receipts at both ends of an episode say alike.
pub(crate) struct Common {
    /// The payload's place among the receipts.
    pub(crate) place: JsonPointer,
    pub(crate) episode_id: String,
    pub(crate) episode_spec_hash: String,
    pub(crate) replay_basis: String,
    pub(crate) tier: String,
}

impl Common {
    fn take(payload: NodeRef<'_>, place: &JsonPointer) -> Option<Self> {
        Some(Self {
            place: place.clone(),
            episode_id: text(payload, "episode_id")?,
            episode_spec_hash: text(payload, "episode_spec_hash")?,
            replay_basis: text(payload, "replay_basis")?,
            tier: text(payload, "comparator_tier")?,
        })
    }
}

/// `rce.episode_open/v0`.
pub(crate) struct Open {
    pub(crate) common: Common,
    pub(crate) inputs_hash: String,
    pub(crate) script_hash: String,
    pub(crate) env_fingerprint_hash: String,
    pub(crate) n_steps: Option<u64>,
    pub(crate) objective: Option<String>,
}

impl Open {
    pub(crate) fn take(payload: NodeRef<'_>, place: &JsonPointer) -> Option<Self> {
        Some(Self {
            common: Common::take(payload, place)?,
            inputs_hash: text(payload, "inputs_hash")?,
            script_hash: text(payload, "script_hash")?,
            env_fingerprint_hash: text(payload, "env_fingerprint_hash")?,
            n_steps: count(payload, "n_steps"),
            objective: text(payload, "objective"),
        })
    }
}

/// `rce.episode_close/v0`.
pub(crate) struct Close {
    pub(crate) common: Common,
    pub(crate) outputs_hash: String,
    pub(crate) n_steps_executed: Option<u64>,
    pub(crate) n_steps_passed: Option<u64>,
    pub(crate) all_steps_passed: bool,
}

impl Close {
    pub(crate) fn take(payload: NodeRef<'_>, place: &JsonPointer) -> Option<Self> {
        Some(Self {
            common: Common::take(payload, place)?,
            outputs_hash: text(payload, "outputs_hash")?,
            n_steps_executed: count(payload, "n_steps_executed"),
            n_steps_passed: count(payload, "n_steps_passed"),
            all_steps_passed: boolean(payload, "all_steps_passed")?,
        })
    }
}

/// `rce.episode_step/v0`.
#[derive(Debug)]
pub(crate) struct StepReceipt {
    /// The payload's place among the receipts.
    pub(crate) place: JsonPointer,
    pub(crate) episode_id: String,
    pub(crate) step_id: String,
    pub(crate) opcode: String,
    pub(crate) status: StepStatus,
    pub(crate) input_hashes: Vec<String>,
    pub(crate) output_hash: Option<String>,
    pub(crate) output_size_bytes: Option<u64>,
    pub(crate) duration_ms: Option<u64>,
    pub(crate) tier: String,
    pub(crate) assertion_passed: Option<bool>,
}

impl StepReceipt {
    pub(crate) fn take(payload: NodeRef<'_>, place: &JsonPointer) -> Option<Self> {
        Some(Self {
            place: place.clone(),
            episode_id: text(payload, "episode_id")?,
            step_id: text(payload, "step_id")?,
            opcode: text(payload, "opcode")?,
            status: StepStatus::from_name(&text(payload, "step_status")?)?,
            input_hashes: payload.get("input_hashes")?.elements().map(string).collect::<Option<_>>()?,
            output_hash: text(payload, "output_hash"),
            output_size_bytes: count(payload, "output_size_bytes"),
            duration_ms: count(payload, "duration_ms"),
            tier: text(payload, "comparator_tier")?,
            assertion_passed: boolean(payload, "assertion_passed"),
        })
    }
}

episode_step_statuses_name! {
    /// Status of a step, as its receipt says: `contracts/episode/tables/step-statuses.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum StepStatus
}

impl StepStatus {
    /// The spelling on receipts.
    #[must_use]
    #[expect(clippy::misnamed_getters, reason = "the column `name` is for programs")]
    pub fn name(self) -> &'static str {
        self.row().status
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}
