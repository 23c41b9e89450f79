//! Completeness: everything that the replay needs is there, once, and fits together.
//!
//! Spec: RCE Profile v0.1, Verification, phase 3 completeness; rulings EP-12, EP-15, EP-20 to EP-22, EP-26, EP-33,
//! EP-37, EP-39 to EP-41, EP-48.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use super::path_safety;
use crate::contracts;
use crate::digest::Digest;
use crate::episode::model::canonical::{Canon, prefixed};
use crate::episode::model::contract::{Contract, Input, Operation, Step, step_place};
use crate::episode::model::findings::Findings;
use crate::episode::model::inquiry::{CONTRACT, Inquiry, RECEIPTS};
use crate::episode::model::limits;
use crate::episode::model::made::Output;
use crate::episode::model::payload::{BASIS, Close, Common, Open, StepReceipt, TIER};
use crate::episode::model::proof::Script;
use crate::episode::model::receipt::Receipt;
use crate::files::{PackFileError, PackFiles};
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::schema::Schema;

pub(crate) const LAW: Law = Law::named("episode/completeness");

/// What is known of the inputs: by reference, the canonical digest of those that are JSON.
pub(crate) type Inputs<'s> = HashMap<&'s str, Option<Digest>>;

fn error(pointer: JsonPointer, message: impl Into<String>) -> Finding {
    Finding::error(LAW, pointer, message)
}

/// Reads every input once, however its path is spelled, and holds it against each item that names it (ruling EP-37).
pub(crate) fn inputs<'s>(inquiry: &mut Inquiry<'_>, script: &'s Script) -> Inputs<'s> {
    let mut known = Inputs::new();
    let mut items: BTreeMap<String, Vec<(usize, &Input)>> = BTreeMap::new();
    for (index, input) in script.contract.inputs.iter().enumerate() {
        match path_safety::input(index, &input.reference) {
            Ok(path) => items.entry(path).or_default().push((index, input)),
            Err(unsafe_path) => {
                inquiry.findings.add(CONTRACT, unsafe_path);
                known.insert(&input.reference, None);
            }
        }
    }
    let items: Vec<(String, Vec<(usize, &Input)>)> = items.into_iter().collect();
    let loads = script.contract.steps.iter().filter_map(|step| match &step.operation {
        Operation::LoadInput { reference } => Some(reference.as_str()),
        _ => None,
    });
    let loaded: HashSet<&str> = loads.collect();
    let (pack, numbers) = (inquiry.pack, inquiry.options.numbers);
    let one = |(buffer, canon): &mut (Vec<u8>, Canon), (path, items): &(String, Vec<(usize, &Input)>)| {
        pack.read(path, limits::FILE_BYTES, buffer)?;
        let wanted = items.iter().any(|(_, input)| loaded.contains(input.reference.as_str()));
        Ok((prefixed(Digest::of(buffer)), if wanted { canon.digest(buffer).ok() } else { None }))
    };
    let read = inquiry.options.threads.map(&items, 1, || (Vec::new(), Canon::new(numbers)), one);
    for ((path, items), read) in items.iter().zip(read) {
        let read: Result<(String, Option<Digest>), PackFileError> = read;
        if let Err(why) = &read {
            inquiry.findings.add(path, path_safety::unread(LAW, why));
        }
        for (index, input) in items {
            known.insert(&input.reference, read.as_ref().ok().and_then(|(_, canonical)| *canonical));
            if let Ok((bytes, _)) = &read
                && input.hash != *bytes
            {
                let message = format!("the file's bytes give {bytes}, and inputs[{index}] declares {}", input.hash);
                inquiry.findings.add(path, error(JsonPointer::root(), message));
            }
        }
    }
    for (index, step) in script.contract.steps.iter().enumerate() {
        check_reference(inquiry, index, &step.operation, |reference| known.contains_key(reference));
    }
    known
}

/// Whether a LOAD_INPUT names an input of the contract (ruling EP-15).
fn check_reference(inquiry: &mut Inquiry<'_>, index: usize, operation: &Operation, known: impl Fn(&str) -> bool) {
    if let Operation::LoadInput { reference } = operation
        && !known(reference)
    {
        let pointer = step_place(index).member("params").member("ref");
        let message = format!("{reference:?} is none of the contract's inputs");
        inquiry.findings.add(CONTRACT, error(pointer, message));
    }
}

/// The receipt that must be there exactly once.
pub(crate) fn single<'p>(
    findings: &mut Findings,
    found: &[(usize, &'p Receipt)],
    name: &str,
) -> Option<(usize, &'p Receipt)> {
    match found {
        [one] => return Some(*one),
        [] => {
            let message = format!("the pack has no {name} receipt");
            findings.add(RECEIPTS, error(JsonPointer::root(), message));
        }
        [_, again @ ..] => {
            for (index, _) in again {
                let message = format!("the pack has another {name} receipt: there is one");
                findings.add(RECEIPTS, error(JsonPointer::root().index(*index), message));
            }
        }
    }
    None
}

/// The open receipt, if it has the shape of one.
pub(crate) fn open(all: &[u8], index: usize, receipt: &Receipt, findings: &mut Findings) -> Option<Open> {
    let (open, found) = take(all, index, receipt, &OPEN, &["n_steps"], Open::take);
    findings.extend(RECEIPTS, found);
    open
}

/// The close receipt, if it has the shape of one.
pub(crate) fn close(all: &[u8], index: usize, receipt: &Receipt, findings: &mut Findings) -> Option<Close> {
    let (close, found) = take(all, index, receipt, &CLOSE, &["n_steps_executed", "n_steps_passed"], Close::take);
    findings.extend(RECEIPTS, found);
    close
}

/// Reads the step receipts in their order; those of a wrong shape are findings alone.
pub(crate) fn steps(all: &[u8], receipts: &[(usize, &Receipt)], inquiry: &mut Inquiry<'_>) -> Vec<StepReceipt> {
    let one = |(index, receipt): &(usize, &Receipt)| {
        take(all, *index, receipt, &STEP, &["output_size_bytes", "duration_ms"], StepReceipt::take)
    };
    let read = inquiry.options.threads.map(receipts, 64, || (), |(), receipt| one(receipt));
    let mut steps = Vec::with_capacity(read.len());
    for (step, found) in read {
        inquiry.findings.extend(RECEIPTS, found);
        steps.extend(step);
    }
    steps
}

/// Reads one payload: its value, if it has the shape, and what is wrong with it.
fn take<T>(
    all: &[u8],
    index: usize,
    receipt: &Receipt,
    schema: &Schema,
    integers: &[&str],
    read: impl Fn(NodeRef<'_>, &JsonPointer) -> Option<T>,
) -> (Option<T>, Vec<Finding>) {
    let text = all.get(receipt.line.clone()).unwrap_or_default();
    let place = JsonPointer::root().index(index);
    let wrong = |pointer: JsonPointer, message: String| error(pointer, message).with_code("A_SCHEMA");
    let Ok(document) = Document::parse(text, &Dialect::EPISODE) else {
        // Phase 2 has read the same bytes.
        return (None, vec![wrong(place, "the receipt cannot be read again".to_owned())]);
    };
    let (payload, place) = match document.root().get("payload") {
        Some(payload) if payload.is_object() => (payload, place.member("payload")),
        _ => (document.root(), place),
    };
    let below = |pointer: &JsonPointer| JsonPointer::from_text(format!("{place}{pointer}"));
    let mut found: Vec<Finding> = schema
        .breaches(payload)
        .into_iter()
        .map(|breach| wrong(below(&breach.pointer), breach.message.to_string()))
        .collect();
    // A schema takes 3.0 for an integer; here an integer is a token without fraction and exponent (ruling EP-26).
    for name in integers {
        if payload.get(name).and_then(NodeRef::as_number).is_some_and(|token| token.float) {
            found.push(wrong(place.member(name), "an integer is written without fraction and exponent".to_owned()));
        }
    }
    if !found.is_empty() {
        return (None, found);
    }
    match read(payload, &place) {
        Some(read) => (Some(read), found),
        // The schema demands every member that is read; without one of them nothing may pass.
        None => (None, vec![wrong(place, "the payload lacks a member".to_owned())]),
    }
}

/// What the receipts at both ends of an episode say of it.
pub(crate) fn check_common(common: &Common, contract: &Contract, findings: &mut Findings) {
    for (name, told, expected) in [
        ("episode_id", &common.episode_id, contract.episode_id.as_str()),
        ("replay_basis", &common.replay_basis, BASIS),
        ("comparator_tier", &common.tier, TIER),
    ] {
        if told != expected {
            findings.add(RECEIPTS, error(common.place.member(name), format!("it must be {expected:?}")));
        }
    }
}

/// What the open receipt alone says of the episode.
pub(crate) fn check_open(open: &Open, contract: &Contract, findings: &mut Findings) {
    if open.n_steps != u64::try_from(contract.steps.len()).ok() {
        let message = format!("the script has {} steps", contract.steps.len());
        findings.add(RECEIPTS, error(open.common.place.member("n_steps"), message));
    }
    let told = open.objective.as_deref().unwrap_or_default();
    if told != contract.objective.as_deref().unwrap_or_default() {
        let pointer = open.common.place.member("objective");
        findings.add(RECEIPTS, error(pointer, "the contract names another objective").as_warning());
    }
}

/// The steps of a script, and those that a receipt named.
pub(crate) struct NamedSteps<'s> {
    script: &'s Script,
    named: Vec<bool>,
}

impl<'s> NamedSteps<'s> {
    pub(crate) fn of(script: &'s Script) -> Self {
        Self { script, named: vec![false; script.contract.steps.len()] }
    }

    /// The step that a receipt is for, if it is the first one that names it.
    pub(crate) fn name(&mut self, receipt: &StepReceipt, findings: &mut Findings) -> Option<(usize, &'s Step)> {
        let mut wrong = |message| findings.add(RECEIPTS, error(receipt.place.member("step_id"), message));
        let Some(&index) = self.script.index_of.get(&receipt.step_id) else {
            wrong(format!("no step is called {:?}", receipt.step_id));
            return None;
        };
        if self.named.get_mut(index).is_none_or(|named| std::mem::replace(named, true)) {
            wrong(format!("the step {:?} has a receipt already", receipt.step_id));
            return None;
        }
        self.script.contract.steps.get(index).map(|step| (index, step))
    }

    /// Counts `receipts` against the steps, and names those without one, unless receipts were too misshapen to be read:
    /// what such a one stands for is not known, so that no absence follows from it.
    pub(crate) fn check(self, receipts: usize, all_read: bool, findings: &mut Findings) {
        let mut wrong = |message| findings.add(RECEIPTS, error(JsonPointer::root(), message));
        let steps = &self.script.contract.steps;
        if receipts != steps.len() {
            wrong(format!("{receipts} step receipts stand for {} steps", steps.len()));
        }
        for (step, _) in steps.iter().zip(&self.named).filter(|(_, named)| all_read && !**named) {
            wrong(format!("the step {:?} has no receipt", step.step_id));
        }
    }
}

/// What a step's receipt says of the episode and the step.
pub(crate) fn check_step(receipt: &StepReceipt, contract: &Contract, step: &Step, findings: &mut Findings) {
    let mut wrong = |name: &str, message: String| findings.add(RECEIPTS, error(receipt.place.member(name), message));
    if receipt.episode_id != contract.episode_id {
        wrong("episode_id", format!("the contract's episode is {:?}", contract.episode_id));
    }
    if receipt.opcode != step.opcode.name() {
        wrong("opcode", format!("the script has {} here", step.opcode.name()));
    }
    if receipt.tier != TIER {
        wrong("comparator_tier", format!("the policy says {TIER}"));
    }
}

/// Reads the trace of a step that ran (a trace of a skipped one is ignored, ruling EP-39).
pub(crate) fn trace(pack: &dyn PackFiles, path: &str, buffer: &mut Vec<u8>) -> Result<(), Finding> {
    pack.read(path, limits::TRACE_BYTES, buffer).map_err(|why| path_safety::unread(LAW, &why))
}

/// A trace that is not JSON or has no canonical form, so that nothing can be compared with it.
pub(crate) fn unusable_trace(why: &Rejection) -> Finding {
    error(why.pointer(), why.to_string()).with_code(why.code())
}

/// Names of the script that have to lead somewhere before a pack can be made (rulings EP-15 and EP-48): inputs that are
/// loaded, and steps that are asserted about.
pub(crate) fn check_names(script: &Script) -> Result<(), Vec<Finding>> {
    let inputs: HashSet<&str> = script.contract.inputs.iter().map(|input| input.reference.as_str()).collect();
    let wrong = |(index, step): (usize, &Step)| {
        let (name, told, known, what) = match &step.operation {
            Operation::LoadInput { reference } => ("ref", reference, inputs.contains(reference.as_str()), "input"),
            Operation::AssertHash { target, .. } => ("target", target, script.index_of.contains_key(target), "step"),
            Operation::ApplyTransform | Operation::EmitOutput { .. } => return None,
        };
        let pointer = || step_place(index).member("params").member(name);
        if known { None } else { Some(error(pointer(), format!("{told:?} is the name of no {what}"))) }
    };
    let found: Vec<_> = script.contract.steps.iter().enumerate().filter_map(wrong).collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// An input that is recorded with other bytes than the contract declares.
pub(crate) fn check_recorded(index: usize, input: &Input, bytes: &[u8]) -> Result<(), Finding> {
    let digest = prefixed(Digest::of(bytes));
    if digest == input.hash {
        return Ok(());
    }
    let pointer = JsonPointer::root().member("inputs").index(index).member("hash");
    Err(error(pointer, format!("the bytes of {:?} give {digest}", input.reference)))
}

/// What was not recorded, or cannot be read.
pub(crate) fn unrecorded(path: &str, why: &PackFileError) -> Finding {
    let finding = path_safety::unread(LAW, why);
    Finding { message: format!("{path}: {}", finding.message), ..finding }
}

/// The output of a step that loads an input which is I-JSON: the parsed input.
pub(crate) fn loaded(input: &[u8], canon: &mut Canon) -> Result<Option<Output>, Rejection> {
    match Output::read(input.to_vec(), canon).map_err(Rejection::from) {
        Ok(output) => Ok(Some(output)),
        Err(Rejection::Json(why)) if why.kind.is_limit() => Err(Rejection::Json(why)),
        Err(_) => Ok(None),
    }
}

/// A recorded output, if it can be hashed.
pub(crate) fn recorded_output(path: &str, text: Vec<u8>, canon: &mut Canon) -> Result<Output, Rejection> {
    Output::read(text, canon).map_err(|why| match Rejection::from(why) {
        Rejection::Json(why) if why.kind.is_limit() => Rejection::Json(why),
        why => {
            let finding = unusable_trace(&why);
            Rejection::Laws(vec![Finding { message: format!("{path}: {}", finding.message), ..finding }])
        }
    })
}

static OPEN: LazyLock<Schema> = LazyLock::new(|| Schema::compile(contracts::RECEIPT_OPEN_SCHEMA, &[]));
static STEP: LazyLock<Schema> = LazyLock::new(|| Schema::compile(contracts::RECEIPT_STEP_SCHEMA, &[]));
static CLOSE: LazyLock<Schema> = LazyLock::new(|| Schema::compile(contracts::RECEIPT_CLOSE_SCHEMA, &[]));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_compile() {
        assert!(OPEN.is_usable() && STEP.is_usable() && CLOSE.is_usable());
    }
}
