//! Derived hashes: what receipts declare is recomputed from the contract and from the step receipts.
//!
//! Spec: RCE Profile v0.1, 2.4 Derived hash inventory; rulings EP-12, EP-28.

use crate::episode::model::canonical::hash;
use crate::episode::model::contract::{ContractHashes, Operation, Step};
use crate::episode::model::findings::Findings;
use crate::episode::model::inquiry::RECEIPTS;
use crate::episode::model::payload::{Close, Common, Open, StepReceipt, StepStatus};
use crate::episode::model::proof::Script;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("episode/derived-hashes");

/// Holds a declared hash against the derived one.
fn expect(findings: &mut Findings, pointer: JsonPointer, declared: &str, derived: &str) {
    if declared != derived {
        findings.add(RECEIPTS, Finding::error(LAW, pointer, format!("derived anew, it is {derived}")));
    }
}

/// The hash that the receipts at both ends declare.
pub(crate) fn check_common(common: &Common, hashes: &ContractHashes, findings: &mut Findings) {
    expect(findings, common.place.member("episode_spec_hash"), &common.episode_spec_hash, &hashes.episode_spec_hash);
}

/// The hashes that the open receipt alone declares.
pub(crate) fn check_open(open: &Open, hashes: &ContractHashes, findings: &mut Findings) {
    for (name, declared, derived) in [
        ("env_fingerprint_hash", &open.env_fingerprint_hash, &hashes.env_fingerprint_hash),
        ("inputs_hash", &open.inputs_hash, &hashes.inputs_hash),
        ("script_hash", &open.script_hash, &hashes.script_hash),
    ] {
        expect(findings, open.common.place.member(name), declared, derived);
    }
}

/// The hash that the close receipt alone declares.
pub(crate) fn check_close(close: &Close, script: &Script, steps: &[Option<StepReceipt>], findings: &mut Findings) {
    let passed = script.contract.steps.iter().zip(steps);
    let passed = passed
        .filter_map(|(step, receipt)| receipt.as_ref().map(|told| (step, told.status, told.output_hash.as_deref())));
    expect(findings, close.common.place.member("outputs_hash"), &close.outputs_hash, &outputs_hash(passed));
}

/// `outputs_hash`: over the outputs that passed, by step id, from each step's status and hash alone.
pub(crate) fn outputs_hash<'s>(steps: impl Iterator<Item = (&'s Step, StepStatus, Option<&'s str>)>) -> String {
    let mut outputs: Vec<(&str, &str)> = Vec::new();
    for (step, status, hash) in steps {
        if let (Operation::EmitOutput { .. }, StepStatus::Pass, Some(hash)) = (&step.operation, status, hash) {
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

/// `input_hashes` are the output hashes of the dependencies, in their order (ruling EP-12).
pub(crate) fn check_inputs(script: &Script, steps: &[Option<StepReceipt>], findings: &mut Findings) {
    for (step, dependencies) in steps.iter().zip(&script.dependencies) {
        let Some(step) = step.as_ref().filter(|step| step.status != StepStatus::Skipped) else { continue };
        let output = |&index: &usize| steps.get(index).and_then(Option::as_ref)?.output_hash.as_deref();
        // A dependency without an output is an error of its own.
        let Some(outputs) = dependencies.iter().map(output).collect::<Option<Vec<_>>>() else { continue };
        if step.input_hashes != outputs {
            let message = "not the output hashes of the step's dependencies, in the order of `depends_on`";
            findings.add(RECEIPTS, Finding::error(LAW, step.place.member("input_hashes"), message));
        }
    }
}
