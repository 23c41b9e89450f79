//! Contract shape: an episode contract has the members of its schema, and nothing else.
//!
//! Spec: RCE Profile v0.1, Episode Contract schema; rulings EP-26, EP-27.

use std::sync::LazyLock;

use super::canonical::Canon;
use super::identity_view::{ContractHashes, Identity};
use super::member::{string, text};
use super::{Numbers, Rejection, environment_fingerprint, limits, script_graph};
use crate::contracts;
use crate::json::{Dialect, Document, NodeRef};
use crate::schema::Schema;

/// Judges a contract by itself, as phase 1 does.
///
/// # Errors
/// The first of: not JSON, no canonical form, wrong shape, broken laws.
pub fn contract(contract: &[u8]) -> Result<(), Rejection> {
    let parsed = Parsed::read(contract, Numbers::Rfc8785)?;
    parsed.script().map(|_| ())
}

/// A contract that is JSON with a canonical form; its shape is not known yet.
pub(super) struct Parsed<'t> {
    document: Document<'t>,
    /// Its own id and hashes, if it has the parts that they derive from.
    pub(super) identity: Option<Identity>,
}

impl<'t> Parsed<'t> {
    pub(super) fn read(text: &'t [u8], numbers: Numbers) -> Result<Self, Rejection> {
        let document = Document::parse(text, &Dialect::EPISODE)?;
        let mut canon = Canon::new(numbers);
        let identity = Identity::of(document.root(), canon.object(text)?, numbers);
        Ok(Self { document, identity })
    }

    /// The contract, if it has the shape of its schema.
    pub(super) fn contract(&self) -> Result<Contract, Rejection> {
        let root = self.document.root();
        let steps = root.get("replay_script").and_then(|script| script.get("steps"));
        if steps.is_some_and(|steps| steps.elements().count() > limits::STEPS) {
            return Err(Rejection::Limit(format!("the script has more than the limit of {} steps", limits::STEPS)));
        }
        let breaches = SCHEMA.breaches(root);
        if !breaches.is_empty() {
            return Err(Rejection::Schema(breaches));
        }
        let taken = self.identity.as_ref().and_then(|identity| Contract::take(root, identity));
        // The schema demands every member that is taken; without one of them nothing may pass.
        taken.ok_or_else(|| Rejection::Schema(Vec::new()))
    }

    /// The contract's script, if phase 1 finds nothing wrong.
    pub(super) fn script(&self) -> Result<script_graph::Script, Rejection> {
        let contract = self.contract()?;
        let fingerprint = environment_fingerprint::check(&contract);
        match (script_graph::check(contract), fingerprint) {
            (Ok(script), None) => Ok(script),
            (script, fingerprint) => {
                let mut found = script.err().unwrap_or_default();
                found.extend(fingerprint);
                Err(Rejection::Laws(found))
            }
        }
    }
}

/// A contract of the right shape, as far as a verdict depends on it.
#[derive(Debug)]
pub(super) struct Contract {
    pub(super) episode_id: String,
    pub(super) objective: Option<String>,
    pub(super) inputs: Vec<Input>,
    pub(super) steps: Vec<Step>,
    /// `env_fingerprint_hash` as declared.
    pub(super) declared_fingerprint: String,
    pub(super) hashes: ContractHashes,
}

/// An item of `inputs`.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) reference: String,
    /// Of the raw bytes, prefixed.
    pub(super) hash: String,
}

/// A step of the script.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) step_id: String,
    pub(super) operation: Operation,
    pub(super) depends_on: Vec<String>,
    /// The text of `output_schema`.
    pub(super) output_schema: Option<Vec<u8>>,
}

/// An opcode with the parameters that a verifier looks at.
#[derive(Debug)]
pub(super) enum Operation {
    LoadInput { reference: String },
    AssertHash { target: String, expected_hash: String },
    ApplyTransform,
    EmitOutput { output_ref: String },
}

impl Operation {
    pub(super) fn opcode(&self) -> &'static str {
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
    fn take(root: NodeRef<'_>, identity: &Identity) -> Option<Self> {
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
    pub(super) fn of_steps(steps: Vec<Step>) -> Self {
        let Identity { episode_id, hashes } = Identity::stand_in();
        Self { episode_id, objective: None, inputs: Vec::new(), steps, declared_fingerprint: String::new(), hashes }
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

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::compile(contracts::EPISODE_CONTRACT_SCHEMA, &[]));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_compiles() {
        assert!(SCHEMA.is_usable());
    }
}
