//! Derived hashes: what receipts declare is recomputed from the contract and from the step receipts.
//!
//! Spec: RCE Profile v0.1, 2.4 Derived hash inventory; rulings EP-12, EP-28.

use super::Numbers;
use super::canonical::{Canon, prefixed};
use super::completeness::StepReceipt;
use super::contract_shape::Operation;
use super::inquiry::{Findings, RECEIPTS};
use super::script_graph::Script;
use super::status_propagation::StepStatus;
use crate::json::JsonPointer;
use crate::law::Law;

/// Holds a declared hash against the derived one.
pub(super) fn expect(findings: &mut Findings, pointer: JsonPointer, declared: &str, derived: &str) {
    if declared != derived {
        findings.error(Law::DerivedHashes, RECEIPTS, pointer, format!("derived anew, it is {derived}"));
    }
}

/// `outputs_hash`: over the outputs that passed, by step id, from the receipts alone.
pub(super) fn outputs_hash(script: &Script, steps: &[Option<StepReceipt>]) -> String {
    let mut outputs: Vec<(&str, &str)> = Vec::new();
    for (step, receipt) in script.contract.steps.iter().zip(steps) {
        let Some(receipt) = receipt else { continue };
        if let (Operation::EmitOutput { .. }, StepStatus::Pass, Some(hash)) =
            (&step.operation, receipt.status, &receipt.output_hash)
        {
            outputs.push((&step.step_id, hash));
        }
    }
    // Code points (ruling EP-28), which is how Rust compares strings.
    outputs.sort_unstable();
    let list: Vec<_> = outputs
        .into_iter()
        .map(|(step_id, output_hash)| serde_json::json!({ "step_id": step_id, "output_hash": output_hash }))
        .collect();
    hash(&serde_json::Value::from(list))
}

/// `H(value)` of a value that the verifier has made.
pub(super) fn hash(value: &serde_json::Value) -> String {
    let digest = Canon::new(Numbers::Rfc8785).digest(value.to_string().as_bytes());
    // serde_json writes JSON, and strings of Rust have no lone surrogates.
    digest.map(prefixed).unwrap_or_default()
}

/// `input_hashes` are the output hashes of the dependencies, in their order (ruling EP-12).
pub(super) fn check_inputs(script: &Script, steps: &[Option<StepReceipt>], findings: &mut Findings) {
    for (step, dependencies) in steps.iter().zip(&script.dependencies) {
        let Some(step) = step.as_ref().filter(|step| step.status != StepStatus::Skipped) else { continue };
        let output = |&index: &usize| steps.get(index).and_then(Option::as_ref)?.output_hash.as_deref();
        // A dependency without an output is an error of its own.
        let Some(outputs) = dependencies.iter().map(output).collect::<Option<Vec<_>>>() else { continue };
        if step.input_hashes != outputs {
            let message = "not the output hashes of the step's dependencies, in the order of `depends_on`";
            findings.error(Law::DerivedHashes, RECEIPTS, step.place.member("input_hashes"), message);
        }
    }
}
