//! The contract of an episode: its identity, its inputs, its script.

use super::member::{string, text};
use crate::json::{JsonPointer, NodeRef};

/// The hashes that derive from a contract alone: `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractHashes {
    /// Of the replay-normative view: inputs, script, policy and the four environment members.
    pub episode_spec_hash: String,
    /// Of the four environment members.
    pub env_fingerprint_hash: String,
    /// Of `inputs`.
    pub inputs_hash: String,
    /// Of `replay_script`.
    pub script_hash: String,
}

impl ContractHashes {
    /// Those of no contract.
    pub(crate) fn none() -> Self {
        Self {
            episode_spec_hash: String::new(),
            env_fingerprint_hash: String::new(),
            inputs_hash: String::new(),
            script_hash: String::new(),
        }
    }
}

/// What a replay result says of the contract.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    pub(crate) episode_id: String,
    pub(crate) hashes: ContractHashes,
}

/// Place of a step in the contract.
pub(crate) fn step_place(index: usize) -> JsonPointer {
    JsonPointer::from_text("/replay_script/steps").index(index)
}

/// A contract of the right shape, as far as a verdict depends on it.
#[derive(Debug)]
pub(crate) struct Contract {
    pub(crate) episode_id: String,
    pub(crate) objective: Option<String>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) steps: Vec<Step>,
    /// `env_fingerprint_hash` as declared.
    pub(crate) declared_fingerprint: String,
    pub(crate) hashes: ContractHashes,
}

/// An item of `inputs`.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) reference: String,
    /// Of the raw bytes, prefixed.
    pub(crate) hash: String,
}

/// A step of the script.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) step_id: String,
    pub(crate) operation: Operation,
    pub(crate) depends_on: Vec<String>,
    /// The text of `output_schema`.
    pub(crate) output_schema: Option<Vec<u8>>,
}

/// An opcode with the parameters that a verifier looks at.
#[derive(Debug)]
pub(crate) enum Operation {
    LoadInput { reference: String },
    AssertHash { target: String, expected_hash: String },
    ApplyTransform,
    EmitOutput { output_ref: String },
}

impl Operation {
    pub(crate) fn opcode(&self) -> &'static str {
        match self {
            Self::LoadInput { .. } => "LOAD_INPUT",
            Self::AssertHash { .. } => "ASSERT_HASH",
            Self::ApplyTransform => "APPLY_TRANSFORM",
            Self::EmitOutput { .. } => "EMIT_OUTPUT",
        }
    }

    fn take(step: NodeRef<'_>) -> Option<Self> {
        let params = step.get("params")?;
        Some(match text(step, "opcode")?.as_str() {
            "LOAD_INPUT" => Self::LoadInput { reference: text(params, "ref")? },
            "ASSERT_HASH" => {
                Self::AssertHash { target: text(params, "target")?, expected_hash: text(params, "expected_hash")? }
            }
            "APPLY_TRANSFORM" => Self::ApplyTransform,
            "EMIT_OUTPUT" => Self::EmitOutput { output_ref: text(params, "output_ref")? },
            _ => return None,
        })
    }
}

impl Contract {
    /// None if a member is absent that the schema demands.
    pub(crate) fn take(root: NodeRef<'_>, identity: &Identity) -> Option<Self> {
        let inputs = root
            .get("inputs")?
            .elements()
            .map(|item| Some(Input { reference: text(item, "ref")?, hash: text(item, "hash")? }));
        let steps = root.get("replay_script")?.get("steps")?.elements().map(Step::take);
        Some(Self {
            episode_id: identity.episode_id.clone(),
            objective: text(root, "objective"),
            inputs: inputs.collect::<Option<_>>()?,
            steps: steps.collect::<Option<_>>()?,
            declared_fingerprint: text(root.get("environment")?, "env_fingerprint_hash")?,
            hashes: identity.hashes.clone(),
        })
    }
}

#[cfg(test)]
impl Contract {
    /// A contract of which only the steps matter.
    pub(crate) fn of_steps(steps: Vec<Step>) -> Self {
        Self {
            episode_id: String::new(),
            objective: None,
            inputs: Vec::new(),
            steps,
            declared_fingerprint: String::new(),
            hashes: ContractHashes::none(),
        }
    }
}

impl Step {
    fn take(step: NodeRef<'_>) -> Option<Self> {
        let depends_on = step.get("depends_on")?.elements().map(string);
        Some(Self {
            step_id: text(step, "step_id")?,
            operation: Operation::take(step)?,
            depends_on: depends_on.collect::<Option<_>>()?,
            output_schema: step.get("output_schema").map(|schema| schema.raw().to_vec()),
        })
    }
}
