//! Status propagation: what fails blocks what depends on it, and nothing else.
//!
//! Spec: RCE Profile v0.1, Step status; rulings EP-20, EP-21, EP-33, EP-48.

use crate::canon;
use crate::episode::model::canonical::{is_prefixed, prefixed};
use crate::episode::model::contract::{Operation, Step};
use crate::episode::model::findings::Findings;
use crate::episode::model::inquiry::RECEIPTS;
use crate::episode::model::made::Ran;
use crate::episode::model::output_schema::{OutputSchemas, Unpromised};
use crate::episode::model::payload::{Close, StepReceipt, StepStatus};
use crate::episode::model::proof::Script;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;
use crate::rejection::{Rejection, ShapeBreach};

pub(crate) const LAW: Law = Law::named("episode/status-propagation");

/// What a status demands of the receipt's other members.
pub(crate) fn check_receipt(receipt: &StepReceipt, findings: &mut Findings) {
    let mut wrong = |pointer: JsonPointer, message: &str| {
        findings.add(RECEIPTS, Finding::error(LAW, pointer, message));
    };
    let member = |name: &str| receipt.place.member(name);
    if receipt.status == StepStatus::Skipped {
        if receipt.output_hash.is_some() {
            wrong(member("output_hash"), "a skipped step has no output: the hash is null");
        }
        if !receipt.input_hashes.is_empty() {
            wrong(member("input_hashes"), "a skipped step has no inputs: the array is empty");
        }
        if receipt.output_size_bytes != Some(0) {
            wrong(member("output_size_bytes"), "a skipped step has an output of 0 bytes");
        }
        if receipt.duration_ms != Some(0) {
            wrong(member("duration_ms"), "a skipped step takes 0 milliseconds");
        }
        return;
    }
    if !receipt.output_hash.as_deref().is_some_and(is_prefixed) {
        wrong(member("output_hash"), "an executed step has an output hash: `sha256:` and 64 lower-case digits");
    }
    for (index, hash) in receipt.input_hashes.iter().enumerate() {
        if !is_prefixed(hash) {
            wrong(member("input_hashes").index(index), "a hash is `sha256:` and 64 lower-case digits");
        }
    }
}

/// Whether a step with this status blocks those that depend on it.
pub(crate) fn blocks(status: StepStatus) -> bool {
    status != StepStatus::Pass
}

/// Whether an assertion holds about what its target gave: one that has no output, or none yet, is not the expected one (EP-48).
pub(crate) fn holds(target: Option<&Ran>, expected_hash: &str) -> bool {
    let output = target.and_then(|target| target.output.as_ref());
    output.is_some_and(|output| prefixed(output.digest) == expected_hash)
}

/// What makes a step fail that emits `output`: the first place where that breaks the step's schema (ruling EP-48).
pub(crate) fn broken_schema(
    schemas: &OutputSchemas<'_>,
    step: &Step,
    output: &[u8],
) -> Result<Option<String>, Rejection> {
    match schemas.unpromised(step, output) {
        None => Ok(None),
        Some(Unpromised::Broken(ShapeBreach { pointer, message })) => {
            Ok(Some(format!("{message}{}", canon::at(&pointer))))
        }
        // Whether the step failed is not known then, and a guess would be signed.
        Some(Unpromised::NotApplied(why)) => {
            Err(Rejection::Limit(format!("the output schema of {:?} cannot be applied: {why}", step.step_id)))
        }
    }
}

/// Both directions: a step is skipped exactly if a dependency did not pass.
pub(crate) fn check_blocking(script: &Script, steps: &[Option<StepReceipt>], findings: &mut Findings) {
    for (step, dependencies) in steps.iter().zip(&script.dependencies) {
        let Some(step) = step else { continue };
        let status = |&index: &usize| steps.get(index).and_then(Option::as_ref).map(|receipt| receipt.status);
        // Without a receipt of a dependency nobody can tell; that receipt's absence is an error of its own.
        let Some(statuses) = dependencies.iter().map(status).collect::<Option<Vec<_>>>() else { continue };
        let blocked = statuses.into_iter().any(blocks);
        let message = match (blocked, step.status == StepStatus::Skipped) {
            (true, false) => "a dependency of this step did not pass, so the step is skipped",
            (false, true) => "every dependency of this step passed, so the step is not skipped",
            _ => continue,
        };
        findings.add(RECEIPTS, Finding::error(LAW, step.place.member("step_status"), message));
    }
}

/// An assertion's outcome against its status: doubtful, but no breach (ruling EP-33).
pub(crate) fn note_assertion(operation: &Operation, receipt: &StepReceipt, findings: &mut Findings) {
    let Operation::AssertHash { .. } = operation else { return };
    let told = match receipt.status {
        StepStatus::Pass => true,
        StepStatus::Fail => false,
        StepStatus::Skipped => return,
    };
    if receipt.assertion_passed == Some(!told) {
        let message = format!("the step's status is {}", receipt.status.name());
        let finding = Finding::error(LAW, receipt.place.member("assertion_passed"), message);
        findings.add(RECEIPTS, finding.as_warning());
    }
}

/// What a close receipt counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) executed: u64,
    pub(crate) passed: u64,
    pub(crate) all_passed: bool,
}

impl Counts {
    pub(crate) fn of(steps: &[Option<StepReceipt>]) -> Self {
        Self::count(steps.iter().flatten().map(|receipt| receipt.status))
    }

    pub(crate) fn count(statuses: impl Iterator<Item = StepStatus>) -> Self {
        let mut counts = Self { executed: 0, passed: 0, all_passed: true };
        for status in statuses {
            counts.executed += u64::from(status != StepStatus::Skipped);
            counts.passed += u64::from(status == StepStatus::Pass);
            counts.all_passed &= status == StepStatus::Pass;
        }
        counts
    }
}

/// What a close receipt counts is what the step receipts give.
pub(crate) fn check_counts(close: &Close, counts: Counts, findings: &mut Findings) {
    let mut wrong = |name: &str, message: String| {
        findings.add(RECEIPTS, Finding::error(LAW, close.common.place.member(name), message));
    };
    for (name, told, counted) in [
        ("n_steps_executed", close.n_steps_executed, counts.executed),
        ("n_steps_passed", close.n_steps_passed, counts.passed),
    ] {
        if told != Some(counted) {
            wrong(name, format!("the step receipts give {counted}"));
        }
    }
    if close.all_steps_passed != counts.all_passed {
        wrong("all_steps_passed", format!("the step receipts give {}", counts.all_passed));
    }
}
