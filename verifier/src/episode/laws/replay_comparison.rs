//! Replay comparison: every executed step's trace hashes to what its receipt says.
//!
//! Spec: RCE Profile v0.1, Verification, phase 4 replay; rulings EP-14, EP-16, EP-25, EP-28 to EP-31.

use std::collections::VecDeque;

use crate::digest::Digest;
use crate::episode::model::canonical::{Canon, prefixed};
use crate::episode::model::contract::{Operation, Step};
use crate::episode::model::inquiry::Inquiry;
use crate::episode::model::limits;
use crate::episode::model::output_schema::{OutputSchemas, Unpromised};
use crate::episode::model::payload::{StepReceipt, StepStatus, TIER};
use crate::episode::model::proof::{Complete, Divergence, Replayed};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;
use crate::rejection::Rejection;

pub(crate) const LAW: Law = Law::named("episode/replay-comparison");

/// The digest of `{"assertion_passed":false}`, the output of an assertion that does not hold.
const NOT_PASSED: &str = "8defe4d6a92989da3f0d9908a6761111b4fce4dee3b42a582e3a0b955cbbe5f7";

/// The order of the replay. First in, first out: all roots by id; then each step's children by id, as their last dependency
/// is done (ruling EP-29). Beside it, for how many dependencies each step still waits: none unless there is a circle.
pub(crate) fn order(ids: &[&str], dependencies: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    // Ids compare by code point (ruling EP-28), which is how Rust compares strings.
    let mut by_id: Vec<usize> = (0..ids.len()).collect();
    by_id.sort_by_key(|&index| ids.get(index));
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); ids.len()];
    let mut waiting: Vec<usize> = dependencies.iter().map(Vec::len).collect();
    for &child in &by_id {
        for &dependency in dependencies.get(child).into_iter().flatten() {
            if let Some(of) = children.get_mut(dependency) {
                of.push(child);
            }
        }
    }
    let mut queue: VecDeque<usize> = by_id.into_iter().filter(|&index| waiting.get(index) == Some(&0)).collect();
    let mut order = Vec::with_capacity(ids.len());
    while let Some(step) = queue.pop_front() {
        order.push(step);
        for &child in children.get(step).into_iter().flatten() {
            if let Some(left) = waiting.get_mut(child) {
                *left -= 1;
                if *left == 0 {
                    queue.push_back(child);
                }
            }
        }
    }
    (order, waiting)
}

/// The digest of a trace: of its canonical bytes, whatever the file's are.
pub(crate) fn digest(canon: &mut Canon, trace: &[u8]) -> Result<Digest, Rejection> {
    canon.digest(trace).map_err(Rejection::from)
}

/// Phase 4: takes the proof of phase 3. All steps are replayed, whatever the first ones gave.
pub(crate) fn replay(inquiry: &mut Inquiry<'_>, complete: Complete) -> Replayed {
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
        inquiry.findings.add(&trace.file, Finding::error(LAW, JsonPointer::root(), message));
        if vanishes {
            let other = inquiry.options.numbers.other().name();
            let message = format!("the divergence vanishes when numbers are written in the form `{other}`");
            inquiry.findings.add(&trace.file, doubt(JsonPointer::root(), message));
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
        inquiry.findings.add(file, doubt(JsonPointer::root(), message));
    }
}

fn doubt(pointer: JsonPointer, message: impl Into<String>) -> Finding {
    Finding::error(LAW, pointer, message).as_warning()
}

/// What is worth saying about a trace, whatever the verdict (rulings EP-16 and EP-30). `loaded` is the canonical digest
/// of the step's input, if that is JSON.
pub(crate) fn remarks(step: &Step, receipt: &StepReceipt, digest: Digest, loaded: Option<Digest>) -> Vec<Finding> {
    let warning = |message: &str| doubt(JsonPointer::root(), message);
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

/// A trace without the shape that its step promises: doubtful, but no breach (ruling EP-31).
pub(crate) fn unpromised_shape(schemas: &OutputSchemas<'_>, step: &Step, trace: &[u8]) -> Option<Finding> {
    Some(match schemas.unpromised(step, trace)? {
        Unpromised::NotApplied(why) => {
            doubt(JsonPointer::root(), format!("the step's output schema was not applied: {why}"))
        }
        Unpromised::Broken(breach) => {
            doubt(breach.pointer, format!("the step's output schema is broken: {}", breach.message))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::model::contract::{Contract, Opcode};
    use crate::episode::model::options::Numbers;

    #[test]
    fn the_constant_is_the_output_of_a_failed_assertion() {
        let digest = Canon::new(Numbers::Rfc8785).digest(br#"{"assertion_passed": false}"#);
        assert_eq!(digest.expect("canonical").to_hex(), NOT_PASSED);
    }

    fn remark(schema: &str, trace: &str) -> Option<String> {
        let step = Step {
            step_id: "s".to_owned(),
            opcode: Opcode::Transform,
            operation: Operation::ApplyTransform,
            depends_on: Vec::new(),
            output_schema: Some(schema.as_bytes().to_vec()),
        };
        let contract = Contract::of_steps(vec![step]);
        let step = contract.steps.first().expect("a step");
        unpromised_shape(&OutputSchemas::of(&contract), step, trace.as_bytes())
            .map(|found| format!("{} {}", found.pointer, found.message))
    }

    #[test]
    fn the_first_breach_is_named() {
        assert_eq!(remark(r#"{"type":"array"}"#, "[1]"), None);
        let said = remark(r#"{"items":{"type":"string"}}"#, r#"["a",1,2]"#).expect("a remark");
        assert!(said.starts_with("/1 the step's output schema is broken"), "{said}");
    }

    #[test]
    fn what_could_cost_too_much_is_not_applied() {
        let large = format!(r#"{{"description":"{}"}}"#, "x".repeat(limits::SCHEMA_BYTES));
        let many: Vec<String> =
            (0..20).map(|count| format!(r#"{{"pattern":"\\\\p{{L}}{{{}}}"}}"#, 900 + count)).collect();
        let work = usize::try_from(limits::SCHEMA_WORK).expect("a size") / r#"{"type":"string"}"#.len();
        let long = format!("\"{}\"", "x".repeat(work));
        for (schema, trace) in [
            (large.as_str(), "1"),
            (&format!(r#"{{"allOf":[{}]}}"#, many.join(",")), "1"),
            (r##"{"properties":{"a":{"$ref":"#"}}}"##, "1"),
            (r#"{"type":7}"#, "1"),
            (r#"{"type":"string"}"#, &long),
        ] {
            let said = remark(schema, trace).unwrap_or_default();
            assert!(said.contains("was not applied"), "{said}");
        }
    }
}
