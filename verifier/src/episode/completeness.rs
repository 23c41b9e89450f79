//! Completeness: everything that the replay needs is there, once, and fits together.
//!
//! Spec: RCE Profile v0.1, Verification, phase 3 completeness; rulings EP-12, EP-15, EP-20 to EP-22, EP-26, EP-33,
//! EP-37, EP-39 to EP-41.

mod artefacts;
mod payload;

use super::canonical::prefixed;
use super::contract_shape::Operation;
use super::derived_hashes;
use super::inquiry::{CONTRACT, Failed, Findings, Inquiry, RECEIPTS};
use super::pack_integrity::{Sealed, Sound};
use super::receipt_envelope::{Receipt, ReceiptKind};
use super::script_graph::{self, Script};
use super::status_propagation::{self, Counts};
use crate::json::JsonPointer;
use crate::law::Law;

pub(super) use artefacts::Trace;
pub(super) use payload::StepReceipt;
use payload::{Close, Open};

/// The only tier of this version, whatever the policy says by step.
pub(super) const TIER: &str = "A";
/// The only basis of this version.
pub(super) const BASIS: &str = "recorded_trace";

/// The proof that phase 3 was passed.
pub(super) struct Complete {
    pub(super) script: Script,
    /// In the order of the script.
    pub(super) steps: Vec<StepReceipt>,
    /// In the order of the script; none for skipped steps.
    pub(super) traces: Vec<Option<Trace>>,
    pub(super) signer: String,
    pub(super) attested_claim: String,
    /// Whether every step passed.
    pub(super) all_passed: bool,
}

/// Phase 3: takes the proof of phase 2. All errors are collected.
pub(super) fn check(inquiry: &mut Inquiry<'_>, sealed: Sealed) -> Result<Complete, Failed> {
    let Sealed { script, pack } = sealed;
    let episode = Episode::sort(&pack);
    if let [close] = episode.closes.as_slice() {
        inquiry.close = Some((prefixed(close.1.hash), close.1.timestamp.clone()));
    }
    let inputs = artefacts::inputs(inquiry, &script);
    let paths = artefacts::trace_paths(inquiry, &script);
    let steps = episode.steps(inquiry, &script, &pack);
    episode.open(inquiry, &script, &pack);
    status_propagation::check_blocking(&script, &steps, &mut inquiry.findings);
    derived_hashes::check_inputs(&script, &steps, &mut inquiry.findings);
    let counts = Counts::of(&steps);
    episode.close(inquiry, &script, &pack, &steps, counts);
    let traces = artefacts::traces(inquiry, &script, &steps, paths, &inputs);
    for finding in script_graph::doubtful_references(&script) {
        inquiry.findings.add(CONTRACT, finding);
    }
    // A step without a receipt is among the findings.
    let steps = steps.into_iter().flatten().collect();
    let Sound { manifest, .. } = pack;
    inquiry.passed(Complete {
        script,
        steps,
        traces,
        signer: manifest.signer,
        attested_claim: manifest.claim_check,
        all_passed: counts.all_passed,
    })
}

/// The receipts of the episode, with their indices in the pack.
struct Episode<'p> {
    opens: Vec<(usize, &'p Receipt)>,
    steps: Vec<(usize, &'p Receipt)>,
    closes: Vec<(usize, &'p Receipt)>,
}

impl<'p> Episode<'p> {
    fn sort(pack: &'p Sound) -> Self {
        let of = |kind| pack.receipts.iter().enumerate().filter(move |(_, receipt)| receipt.kind == kind).collect();
        Self { opens: of(ReceiptKind::Open), steps: of(ReceiptKind::Step), closes: of(ReceiptKind::Close) }
    }

    /// The receipt that must be there exactly once.
    fn single(inquiry: &mut Inquiry<'_>, found: &[(usize, &'p Receipt)], name: &str) -> Option<(usize, &'p Receipt)> {
        match found {
            [one] => return Some(*one),
            [] => {
                let message = format!("the pack has no {name} receipt");
                inquiry.findings.error(Law::Completeness, RECEIPTS, JsonPointer::root(), message);
            }
            [_, again @ ..] => {
                for (index, _) in again {
                    let message = format!("the pack has another {name} receipt: there is one");
                    inquiry.findings.error(Law::Completeness, RECEIPTS, JsonPointer::root().index(*index), message);
                }
            }
        }
        None
    }

    fn open(&self, inquiry: &mut Inquiry<'_>, script: &Script, pack: &Sound) {
        let Some((index, receipt)) = Self::single(inquiry, &self.opens, "episode_open") else { return };
        let findings = &mut inquiry.findings;
        let Some(open) = Open::read(&pack.text, index, receipt, findings) else { return };
        let contract = &script.contract;
        open.common.check(contract, findings);
        let hashes = &contract.hashes;
        for (name, declared, derived) in [
            ("env_fingerprint_hash", &open.env_fingerprint_hash, &hashes.env_fingerprint_hash),
            ("inputs_hash", &open.inputs_hash, &hashes.inputs_hash),
            ("script_hash", &open.script_hash, &hashes.script_hash),
        ] {
            derived_hashes::expect(findings, open.common.place.member(name), declared, derived);
        }
        if open.n_steps != u64::try_from(contract.steps.len()).ok() {
            let message = format!("the script has {} steps", contract.steps.len());
            findings.error(Law::Completeness, RECEIPTS, open.common.place.member("n_steps"), message);
        }
        let told = open.objective.as_deref().unwrap_or_default();
        if told != contract.objective.as_deref().unwrap_or_default() {
            let pointer = open.common.place.member("objective");
            findings.warn(Law::Completeness, RECEIPTS, pointer, "the contract names another objective");
        }
    }

    /// Step receipts in the order of the script; a gap is a step without a lawful one, which is among the findings.
    fn steps(&self, inquiry: &mut Inquiry<'_>, script: &Script, pack: &Sound) -> Vec<Option<StepReceipt>> {
        let read = payload::read_steps(&pack.text, &self.steps, inquiry);
        // What a misshapen receipt stands for is not known, so that no absence follows from it.
        let all_read = read.len() == self.steps.len();
        let contract = &script.contract;
        let mut steps: Vec<Option<StepReceipt>> = contract.steps.iter().map(|_| None).collect();
        let mut named = vec![false; steps.len()];
        let findings = &mut inquiry.findings;
        let wrong = |findings: &mut Findings, pointer: JsonPointer, message: String| {
            findings.error(Law::Completeness, RECEIPTS, pointer, message);
        };
        for receipt in read {
            let Some(&index) = script.index_of.get(&receipt.step_id) else {
                wrong(findings, receipt.place.member("step_id"), format!("no step is called {:?}", receipt.step_id));
                continue;
            };
            if named.get_mut(index).is_none_or(|named| std::mem::replace(named, true)) {
                let message = format!("the step {:?} has a receipt already", receipt.step_id);
                wrong(findings, receipt.place.member("step_id"), message);
                continue;
            }
            let Some(step) = contract.steps.get(index) else { continue };
            if receipt.episode_id != contract.episode_id {
                let message = format!("the contract's episode is {:?}", contract.episode_id);
                wrong(findings, receipt.place.member("episode_id"), message);
            }
            if receipt.opcode != step.operation.opcode() {
                let message = format!("the script has {} here", step.operation.opcode());
                wrong(findings, receipt.place.member("opcode"), message);
            }
            if receipt.tier != TIER {
                wrong(findings, receipt.place.member("comparator_tier"), format!("the policy says {TIER}"));
            }
            status_propagation::check_receipt(&receipt, findings);
            status_propagation::note_assertion(&step.operation, &receipt, findings);
            if let Some(slot) = steps.get_mut(index) {
                *slot = Some(receipt);
            }
        }
        if self.steps.len() != contract.steps.len() {
            let message = format!("{} step receipts stand for {} steps", self.steps.len(), contract.steps.len());
            wrong(findings, JsonPointer::root(), message);
        }
        for (step, _) in contract.steps.iter().zip(&named).filter(|(_, named)| all_read && !**named) {
            wrong(findings, JsonPointer::root(), format!("the step {:?} has no receipt", step.step_id));
        }
        steps
    }

    fn close(
        &self,
        inquiry: &mut Inquiry<'_>,
        script: &Script,
        pack: &Sound,
        steps: &[Option<StepReceipt>],
        counts: Counts,
    ) {
        let Some((index, receipt)) = Self::single(inquiry, &self.closes, "episode_close") else { return };
        let findings = &mut inquiry.findings;
        let Some(close) = Close::read(&pack.text, index, receipt, findings) else { return };
        let common = &close.common;
        common.check(&script.contract, findings);
        // What the step receipts give is known only if each of them is.
        if steps.iter().any(Option::is_none) {
            return;
        }
        let outputs = derived_hashes::outputs_hash(script, steps);
        derived_hashes::expect(findings, common.place.member("outputs_hash"), &close.outputs_hash, &outputs);
        for (name, told, counted) in [
            ("n_steps_executed", close.n_steps_executed, counts.executed),
            ("n_steps_passed", close.n_steps_passed, counts.passed),
        ] {
            if told != Some(counted) {
                let message = format!("the step receipts give {counted}");
                findings.error(Law::StatusPropagation, RECEIPTS, common.place.member(name), message);
            }
        }
        if close.all_steps_passed != counts.all_passed {
            let message = format!("the step receipts give {}", counts.all_passed);
            findings.error(Law::StatusPropagation, RECEIPTS, common.place.member("all_steps_passed"), message);
        }
    }
}

/// Whether a LOAD_INPUT names an input of the contract (ruling EP-15).
fn check_reference(inquiry: &mut Inquiry<'_>, index: usize, operation: &Operation, known: impl Fn(&str) -> bool) {
    if let Operation::LoadInput { reference } = operation
        && !known(reference)
    {
        let pointer = script_graph::place(index).member("params").member("ref");
        let message = format!("{reference:?} is none of the contract's inputs");
        inquiry.findings.error(Law::Completeness, CONTRACT, pointer, message);
    }
}
