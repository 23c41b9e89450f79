//! A contract, in the order in which it is judged: text, shape, graph, fingerprint. This is phase 1.

use super::laws::{contract_shape, environment_fingerprint, identity_view, script_graph};
use super::model::canonical::Canon;
use super::model::contract::{Contract, ContractHashes, Identity, Operation, Step};
use super::model::inquiry::{Failed, Inquiry};
use super::model::options::Numbers;
use super::model::proof::Script;
use super::model::verdict::StepState;
use crate::json::{Dialect, Document};
use crate::rejection::Rejection;

/// Judges a contract by itself, as phase 1 does.
///
/// # Errors
/// The first of: not JSON, no canonical form, wrong shape, broken laws.
pub fn contract(contract: &[u8]) -> Result<(), Rejection> {
    script(contract).map(drop)
}

/// Derives the hashes of a contract. Graph and declared fingerprint are not judged.
///
/// # Errors
/// The first of: not JSON, no canonical form, wrong shape.
pub fn hashes(contract: &[u8], numbers: Numbers) -> Result<ContractHashes, Rejection> {
    Parsed::read(contract, numbers)?.contract().map(|contract| contract.hashes)
}

/// The script of a contract that phase 1 would pass.
pub(super) fn script(contract: &[u8]) -> Result<Script, Rejection> {
    Parsed::read(contract, Numbers::Rfc8785)?.script()
}

/// Phase 1: the contract of a pack.
pub(super) fn validate(inquiry: &mut Inquiry<'_>) -> Result<Script, Failed> {
    let text = contract_shape::text(inquiry)?;
    let parsed = Parsed::read(&text, inquiry.options.numbers);
    inquiry.identity = parsed.as_ref().ok().and_then(|parsed| parsed.identity.clone());
    let script = parsed.and_then(|parsed| parsed.script()).map_err(|why| contract_shape::refused(inquiry, &why))?;
    inquiry.steps = states(&script);
    Ok(script)
}

/// A contract that is JSON with a canonical form; its shape is not known yet.
struct Parsed<'t> {
    document: Document<'t>,
    /// Its own id and hashes, if it has the parts that they derive from.
    identity: Option<Identity>,
}

impl<'t> Parsed<'t> {
    fn read(text: &'t [u8], numbers: Numbers) -> Result<Self, Rejection> {
        // Canonical bytes and document are each as large as the text: the first go before the second comes, whose error goes first.
        let identity = Canon::new(numbers).object(text).map(|object| identity_view::identity(object, numbers));
        Ok(Self { document: Document::parse(text, &Dialect::EPISODE)?, identity: identity? })
    }

    /// The contract, if it has the shape of its schema.
    fn contract(&self) -> Result<Contract, Rejection> {
        contract_shape::contract(self.document.root(), self.identity.as_ref())
    }

    /// The contract's script, if phase 1 finds nothing wrong.
    fn script(&self) -> Result<Script, Rejection> {
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

/// The steps as a script alone gives them, in the order of the replay.
fn states(script: &Script) -> Vec<StepState> {
    let step = |&index: &usize| script.contract.steps.get(index);
    let state = |step: &Step| StepState {
        step_id: step.step_id.clone(),
        opcode: step.opcode.name(),
        loads: match &step.operation {
            Operation::LoadInput { reference } => Some(reference.clone()),
            _ => None,
        },
        depends_on: step.depends_on.clone(),
        status: None,
        matched: None,
    };
    script.order.iter().filter_map(step).map(state).collect()
}
