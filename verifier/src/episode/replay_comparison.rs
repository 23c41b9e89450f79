//! Replay comparison: every executed step's trace hashes to what its receipt says.
//!
//! Spec: RCE Profile v0.1, Verification, phase 4 replay; rulings EP-14, EP-16, EP-25, EP-29, EP-30.

use super::canonical::{Canon, prefixed};
use super::completeness::{Complete, StepReceipt, TIER};
use super::contract_shape::{Operation, Step};
use super::dispute::Divergence;
use super::inquiry::Inquiry;
use super::limits;
use super::status_propagation::StepStatus;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

/// The digest of `{"assertion_passed":false}`, the output of an assertion that does not hold.
const NOT_PASSED: &str = "8defe4d6a92989da3f0d9908a6761111b4fce4dee3b42a582e3a0b955cbbe5f7";

/// What the replay found.
pub(super) struct Replayed {
    pub(super) complete: Complete,
    /// Whether each step's trace matched, in the order of the script; none for skipped steps.
    pub(super) matched: Vec<Option<bool>>,
    /// In the order of the replay.
    pub(super) divergences: Vec<Divergence>,
}

/// Phase 4: takes the proof of phase 3. All steps are replayed, whatever the first ones gave.
pub(super) fn replay(inquiry: &mut Inquiry<'_>, complete: Complete) -> Replayed {
    let mut matched: Vec<Option<bool>> = vec![None; complete.steps.len()];
    let mut divergences = Vec::new();
    for &index in &complete.script.order {
        let (Some(step), Some(receipt)) = (complete.script.contract.steps.get(index), complete.steps.get(index)) else {
            continue;
        };
        let (Some(Some(trace)), Some(expected)) = (complete.traces.get(index), &receipt.output_hash) else { continue };
        note_assertion(inquiry, &complete, step, receipt, &trace.file);
        let observed = prefixed(trace.digest);
        let same = observed == *expected;
        if let Some(slot) = matched.get_mut(index) {
            *slot = Some(same);
        }
        if same {
            continue;
        }
        let vanishes = under_other_form(inquiry, &trace.file).is_some_and(|other| other == *expected);
        let message = format!("the receipt says {expected}, and the trace gives {observed}");
        inquiry.findings.error(Law::ReplayComparison, &trace.file, JsonPointer::root(), message);
        if vanishes {
            let other = inquiry.options.numbers.other().name();
            let message = format!("the divergence vanishes when numbers are written in the form `{other}`");
            inquiry.findings.warn(Law::ReplayComparison, &trace.file, JsonPointer::root(), message);
        }
        divergences.push(Divergence {
            step_id: step.step_id.clone(),
            expected: expected.clone(),
            observed,
            tier: TIER,
            vanishes_under_other_form: vanishes,
        });
    }
    Replayed { complete, matched, divergences }
}

/// The hash of a trace with numbers written in the other form (ruling EP-25).
fn under_other_form(inquiry: &Inquiry<'_>, file: &str) -> Option<String> {
    let mut text = Vec::new();
    inquiry.pack.read(file, limits::TRACE_BYTES, &mut text).ok()?;
    Canon::new(inquiry.options.numbers.other()).digest(&text).ok().map(prefixed)
}

/// An assertion that is reported to hold, about an output that is not the expected one (ruling EP-30).
fn note_assertion(inquiry: &mut Inquiry<'_>, complete: &Complete, step: &Step, receipt: &StepReceipt, file: &str) {
    let Operation::AssertHash { target, expected_hash } = &step.operation else { return };
    let target = complete.script.index_of.get(target).and_then(|&target| complete.steps.get(target));
    let output = target.and_then(|receipt| receipt.output_hash.as_ref());
    if receipt.status == StepStatus::Pass && output.is_some_and(|output| output != expected_hash) {
        let message = "the assertion is reported to hold, and its target's output is another one";
        inquiry.findings.warn(Law::ReplayComparison, file, JsonPointer::root(), message);
    }
}

/// What is worth saying about a trace, whatever the verdict (rulings EP-16 and EP-30). `loaded` is the canonical digest
/// of the step's input, if that is JSON.
pub(super) fn remarks(step: &Step, receipt: &StepReceipt, digest: Digest, loaded: Option<Digest>) -> Vec<Finding> {
    let warning = |message: &str| Finding::error(Law::ReplayComparison, JsonPointer::root(), message).as_warning();
    let mut found = Vec::new();
    if loaded.is_some_and(|loaded| loaded != digest) {
        found.push(warning("the input is JSON, and another value than this trace"));
    }
    if matches!(step.operation, Operation::AssertHash { .. })
        && receipt.status == StepStatus::Pass
        && digest.to_hex() == NOT_PASSED
    {
        found.push(warning("the assertion did not hold, and is reported as PASS"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constant_is_the_output_of_a_failed_assertion() {
        let digest = Canon::new(super::super::Numbers::Rfc8785).digest(br#"{"assertion_passed": false}"#);
        assert_eq!(digest.expect("canonical").to_hex(), NOT_PASSED);
    }
}
