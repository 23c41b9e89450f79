//! A proof pack, in the order in which it is judged: contract, container, what the replay needs, and the replay.

use super::laws::{
    completeness, derived_hashes, identity_view, pack_integrity, path_safety, replay_comparison, replay_result,
    script_graph, status_propagation, verdict_precedence,
};
use super::model::canonical::Canon;
use super::model::contract::{Operation, Step};
use super::model::inquiry::{CONTRACT, Failed, Inquiry};
use super::model::options::Options;
use super::model::output_schema::OutputSchemas;
use super::model::payload::{StepReceipt, StepStatus};
use super::model::proof::{Complete, Replayed, Script, Sealed, Sound, Trace};
use super::model::receipt::{EpisodeReceipts, Receipt};
use super::model::verdict::{Outcome, Phase, Verification};
use super::{contract, pack};
use crate::digest::Digest;
use crate::files::PackFiles;
use crate::finding::Finding;
use crate::rejection::Rejection;
use status_propagation::Counts;

/// Replays a proof pack.
///
/// # Errors
/// If an option is outside its domain. A pack that cannot be judged is an INTEGRITY_FAIL, not an error.
pub fn verify(pack: &dyn PackFiles, options: &Options<'_>) -> Result<Verification, Rejection> {
    options.check()?;
    let mut inquiry = Inquiry::new(pack, options);
    let run = verdict_precedence::run(
        &mut inquiry,
        contract::validate,
        pack_integrity::manifest,
        pack::seal,
        complete,
        replay_comparison::replay,
    );
    Ok(conclude(inquiry, run))
}

/// Phase 3: takes the proof of phase 2. All errors are collected.
fn complete(inquiry: &mut Inquiry<'_>, sealed: Sealed) -> Result<Complete, Failed> {
    let Sealed { script, pack } = sealed;
    let receipts = EpisodeReceipts::of(&pack.receipts);
    inquiry.close = replay_result::parent(&receipts.closes);
    let inputs = completeness::inputs(inquiry, &script);
    let paths = trace_paths(inquiry, &script);
    let steps = steps(inquiry, &script, &pack, &receipts.steps);
    open(inquiry, &script, &pack, &receipts.opens);
    status_propagation::check_blocking(&script, &steps, &mut inquiry.findings);
    derived_hashes::check_inputs(&script, &steps, &mut inquiry.findings);
    let counts = Counts::of(&steps);
    close(inquiry, &script, &pack, &receipts.closes, &steps, counts);
    let traces = traces(inquiry, &script, &steps, paths, &inputs);
    inquiry.findings.extend(CONTRACT, script_graph::doubtful_references(&script));
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

/// Where each step's trace would lie.
fn trace_paths(inquiry: &mut Inquiry<'_>, script: &Script) -> Vec<Option<String>> {
    let one = |(index, step): (usize, &Step)| {
        let path = path_safety::trace(index, &step.step_id);
        path.map_err(|unsafe_path| inquiry.findings.add(CONTRACT, unsafe_path)).ok()
    };
    script.contract.steps.iter().enumerate().map(one).collect()
}

fn open(inquiry: &mut Inquiry<'_>, script: &Script, pack: &Sound, opens: &[(usize, &Receipt)]) {
    let (contract, findings) = (&script.contract, &mut inquiry.findings);
    let Some((index, receipt)) = completeness::single(findings, opens, "episode_open") else { return };
    let Some(open) = completeness::open(&pack.text, index, receipt, findings) else { return };
    derived_hashes::check_common(&open.common, &contract.hashes, findings);
    completeness::check_common(&open.common, contract, findings);
    derived_hashes::check_open(&open, &contract.hashes, findings);
    completeness::check_open(&open, contract, findings);
}

/// Step receipts in the order of the script; a gap is a step without a lawful one, which is among the findings.
fn steps(
    inquiry: &mut Inquiry<'_>,
    script: &Script,
    pack: &Sound,
    receipts: &[(usize, &Receipt)],
) -> Vec<Option<StepReceipt>> {
    let read = completeness::steps(&pack.text, receipts, inquiry);
    let (all_read, findings) = (read.len() == receipts.len(), &mut inquiry.findings);
    let mut steps: Vec<Option<StepReceipt>> = script.contract.steps.iter().map(|_| None).collect();
    let mut named = completeness::NamedSteps::of(script);
    for receipt in read {
        let Some((index, step)) = named.name(&receipt, findings) else { continue };
        completeness::check_step(&receipt, &script.contract, step, findings);
        status_propagation::check_receipt(&receipt, findings);
        status_propagation::note_assertion(&step.operation, &receipt, findings);
        if let Some(slot) = steps.get_mut(index) {
            *slot = Some(receipt);
        }
    }
    named.check(receipts.len(), all_read, findings);
    steps
}

fn close(
    inquiry: &mut Inquiry<'_>,
    script: &Script,
    pack: &Sound,
    closes: &[(usize, &Receipt)],
    steps: &[Option<StepReceipt>],
    counts: Counts,
) {
    let findings = &mut inquiry.findings;
    let Some((index, receipt)) = completeness::single(findings, closes, "episode_close") else { return };
    let Some(close) = completeness::close(&pack.text, index, receipt, findings) else { return };
    derived_hashes::check_common(&close.common, &script.contract.hashes, findings);
    completeness::check_common(&close.common, &script.contract, findings);
    // What the step receipts give is known only if each of them is.
    if steps.iter().all(Option::is_some) {
        derived_hashes::check_close(&close, script, steps, findings);
        status_propagation::check_counts(&close, counts, findings);
    }
}

/// Reads the trace of every executed step, once, and digests it.
fn traces(
    inquiry: &mut Inquiry<'_>,
    script: &Script,
    steps: &[Option<StepReceipt>],
    paths: Vec<Option<String>>,
    inputs: &completeness::Inputs<'_>,
) -> Vec<Option<Trace>> {
    let (pack, numbers) = (inquiry.pack, inquiry.options.numbers);
    let schemas = OutputSchemas::of(&script.contract);
    let jobs: Vec<_> = script.contract.steps.iter().zip(steps).zip(paths).collect();
    type Job<'s> = ((&'s Step, &'s Option<StepReceipt>), Option<String>);
    let one = |(buffer, canon): &mut (Vec<u8>, Canon), ((step, receipt), path): &Job<'_>| {
        let receipt = receipt.as_ref().filter(|receipt| receipt.status != StepStatus::Skipped)?;
        let path = path.as_ref()?;
        let digest = match trace(pack, path, buffer, canon) {
            Ok(digest) => digest,
            Err(finding) => return Some((path.clone(), None, vec![finding])),
        };
        let loaded = match &step.operation {
            Operation::LoadInput { reference } => inputs.get(reference.as_str()).copied().flatten(),
            _ => None,
        };
        let mut notes = replay_comparison::remarks(step, receipt, digest, loaded);
        notes.extend(replay_comparison::unpromised_shape(&schemas, step, buffer));
        Some((path.clone(), Some(digest), notes))
    };
    let read = inquiry.options.threads.map(&jobs, 1, || (Vec::new(), Canon::new(numbers)), one);
    let mut traces = Vec::with_capacity(read.len());
    for read in read {
        let Some((file, digest, found)) = read else {
            traces.push(None);
            continue;
        };
        inquiry.findings.extend(&file, found);
        traces.push(digest.map(|digest| Trace { file, digest }));
    }
    traces
}

/// Reads a trace and digests its canonical bytes in one pass.
fn trace(pack: &dyn PackFiles, path: &str, buffer: &mut Vec<u8>, canon: &mut Canon) -> Result<Digest, Finding> {
    completeness::trace(pack, path, buffer)?;
    replay_comparison::digest(canon, buffer).map_err(|why| completeness::unusable_trace(&why))
}

/// Writes down what the phases gave.
fn conclude(inquiry: Inquiry<'_>, run: Result<Replayed, Phase>) -> Verification {
    let verdict = verdict_precedence::verdict(&run);
    let phase = run.as_ref().err().copied().unwrap_or(Phase::Replay);
    let mut outcome = Outcome { verdict, phase, replayed: 0, divergences: Vec::new() };
    let mut steps = inquiry.steps;
    let mut complete = None;
    if let Ok(replayed) = run {
        outcome.replayed = replayed.matched.iter().flatten().count();
        outcome.divergences = replayed.divergences;
        for (state, &index) in steps.iter_mut().zip(&replayed.complete.script.order) {
            state.status = replayed.complete.steps.get(index).map(|receipt| receipt.status);
            state.matched = replayed.matched.get(index).copied().flatten();
        }
        complete = Some(replayed.complete);
    }
    let facts = replay_result::Facts {
        identity: &inquiry.identity.unwrap_or_else(identity_view::stand_in),
        pack_root: inquiry.pack_root.as_deref(),
        close: inquiry.close.as_ref(),
        outcome: &outcome,
    };
    let replay_result = replay_result::receipt(&facts, inquiry.options);
    let findings = inquiry.findings.finish(verdict_precedence::left_out);
    Verification {
        verdict,
        phase,
        episode_claim: complete.as_ref().map(|complete| complete.all_passed),
        steps_replayed: outcome.replayed,
        steps_matched: outcome.replayed - outcome.divergences.len(),
        details: replay_result::details(&outcome, &findings),
        divergences: outcome.divergences,
        findings,
        replay_result,
        steps,
        signer: complete.as_ref().map(|complete| complete.signer.clone()),
        attested_claim: complete.map(|complete| complete.attested_claim),
    }
}
