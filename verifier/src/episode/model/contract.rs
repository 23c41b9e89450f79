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
    pub(crate) opcode: Opcode,
    pub(crate) operation: Operation,
    pub(crate) depends_on: Vec<String>,
    /// The text of `output_schema`.
    pub(crate) output_schema: Option<Vec<u8>>,
}

episode_opcodes_does! {
    /// What a step is called to do: `contracts/episode/tables/opcodes.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Opcode
}

/// What a step does, with the parameters that a verifier looks at.
#[derive(Debug)]
pub(crate) enum Operation {
    LoadInput { reference: String },
    AssertHash { target: String, expected_hash: String },
    ApplyTransform,
    EmitOutput { output_ref: String },
}

impl Opcode {
    /// The spelling in scripts.
    pub(crate) fn name(self) -> &'static str {
        self.row().opcode
    }

    /// The opcode of this spelling.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|opcode| opcode.name() == name)
    }

    /// The parameter by which a step of this opcode names an input or another step.
    pub(crate) fn names(self) -> Option<&'static str> {
        self.row().names
    }

    /// What a step of this opcode does with these parameters; nothing if one is missing.
    fn with(self, params: NodeRef<'_>) -> Option<Operation> {
        let named = || text(params, self.names()?);
        Some(match self {
            Self::Load => Operation::LoadInput { reference: named()? },
            Self::Assert => Operation::AssertHash { target: named()?, expected_hash: text(params, self.row().hash?)? },
            Self::Transform => Operation::ApplyTransform,
            Self::Emit => Operation::EmitOutput { output_ref: named()? },
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
        let opcode = Opcode::from_name(&text(step, "opcode")?)?;
        Some(Self {
            step_id: text(step, "step_id")?,
            opcode,
            operation: opcode.with(step.get("params")?)?,
            depends_on: depends_on.collect::<Option<_>>()?,
            output_schema: step.get("output_schema").map(|schema| schema.raw().to_vec()),
        })
    }
}
