//! Inputs and traces: found, read once, and digested.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::canonical::{Canon, prefixed};
use super::super::contract_shape::{Input, Operation, Step};
use super::super::inquiry::{CONTRACT, Inquiry, unread};
use super::super::output_schema::OutputSchemas;
use super::super::replay_comparison;
use super::super::script_graph::{self, Script};
use super::super::status_propagation::StepStatus;
use super::super::{Rejection, limits, path_safety};
use super::StepReceipt;
use crate::digest::Digest;
use crate::files::{PackFileError, PackFiles};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

/// A trace that is JSON with a canonical form.
#[derive(Debug)]
pub(in crate::episode) struct Trace {
    /// Its file, relative to the pack.
    pub(in crate::episode) file: String,
    /// Of its canonical bytes.
    pub(in crate::episode) digest: Digest,
}

/// What is known of the inputs: by reference, the canonical digest of those that are JSON.
pub(super) type Inputs<'s> = HashMap<&'s str, Option<Digest>>;

/// Reads every input once, however its path is spelled, and holds it against each item that names it (ruling EP-37).
pub(super) fn inputs<'s>(inquiry: &mut Inquiry<'_>, script: &'s Script) -> Inputs<'s> {
    let mut known = Inputs::new();
    let mut items: BTreeMap<String, Vec<(usize, &Input)>> = BTreeMap::new();
    for (index, input) in script.contract.inputs.iter().enumerate() {
        match path_safety::input_file(&input.reference) {
            Ok(path) => items.entry(path).or_default().push((index, input)),
            Err(why) => {
                let pointer = JsonPointer::root().member("inputs").index(index).member("ref");
                let message = format!("{:?}: {why}", input.reference);
                inquiry.findings.error(Law::PathSafety, CONTRACT, pointer, message);
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
            inquiry.findings.unread(Law::Completeness, path, why);
        }
        for (index, input) in items {
            known.insert(&input.reference, read.as_ref().ok().and_then(|(_, canonical)| *canonical));
            if let Ok((bytes, _)) = &read
                && input.hash != *bytes
            {
                let message = format!("the file's bytes give {bytes}, and inputs[{index}] declares {}", input.hash);
                inquiry.findings.error(Law::Completeness, path, JsonPointer::root(), message);
            }
        }
    }
    for (index, step) in script.contract.steps.iter().enumerate() {
        super::check_reference(inquiry, index, &step.operation, |reference| known.contains_key(reference));
    }
    known
}

/// Where each step's trace would lie; an id that leads astray is an error, whatever the step's status.
pub(super) fn trace_paths(inquiry: &mut Inquiry<'_>, script: &Script) -> Vec<Option<String>> {
    let one = |(index, step): (usize, &Step)| match path_safety::trace_file(&step.step_id) {
        Ok(path) => Some(path),
        Err(why) => {
            let pointer = script_graph::place(index).member("step_id");
            inquiry.findings.error(Law::PathSafety, CONTRACT, pointer, format!("{:?}: {why}", step.step_id));
            None
        }
    };
    script.contract.steps.iter().enumerate().map(one).collect()
}

/// Reads the trace of every executed step (a trace of a skipped one is ignored, ruling EP-39).
pub(super) fn traces(
    inquiry: &mut Inquiry<'_>,
    script: &Script,
    steps: &[Option<StepReceipt>],
    paths: Vec<Option<String>>,
    inputs: &Inputs<'_>,
) -> Vec<Option<Trace>> {
    let (pack, numbers) = (inquiry.pack, inquiry.options.numbers);
    let schemas = OutputSchemas::of(&script.contract);
    let jobs: Vec<_> = script.contract.steps.iter().zip(steps).zip(paths).collect();
    type Job<'s> = ((&'s Step, &'s Option<StepReceipt>), Option<String>);
    let one = |(buffer, canon): &mut (Vec<u8>, Canon), ((step, receipt), path): &Job<'_>| {
        let receipt = receipt.as_ref().filter(|receipt| receipt.status != StepStatus::Skipped)?;
        let path = path.as_ref()?;
        let digest = match read(pack, path, buffer, canon) {
            Ok(digest) => digest,
            Err(finding) => return Some((path.clone(), None, vec![finding])),
        };
        let loaded = match &step.operation {
            Operation::LoadInput { reference } => inputs.get(reference.as_str()).copied().flatten(),
            _ => None,
        };
        let mut notes = replay_comparison::remarks(step, receipt, digest, loaded);
        notes.extend(schemas.remark(step, buffer));
        Some((path.clone(), Some(digest), notes))
    };
    let read = inquiry.options.threads.map(&jobs, 1, || (Vec::new(), Canon::new(numbers)), one);
    let mut traces = Vec::with_capacity(read.len());
    for read in read {
        let Some((file, digest, findings)) = read else {
            traces.push(None);
            continue;
        };
        findings.into_iter().for_each(|finding| inquiry.findings.add(&file, finding));
        traces.push(digest.map(|digest| Trace { file, digest }));
    }
    traces
}

/// Reads a trace and digests its canonical bytes in one pass.
fn read(pack: &dyn PackFiles, path: &str, buffer: &mut Vec<u8>, canon: &mut Canon) -> Result<Digest, Finding> {
    pack.read(path, limits::TRACE_BYTES, buffer).map_err(|why| unread(Law::Completeness, &why))?;
    canon.digest(buffer).map_err(|why| {
        let why = Rejection::from(why);
        Finding::error(Law::Completeness, why.pointer(), why.to_string()).with_code(why.code())
    })
}
