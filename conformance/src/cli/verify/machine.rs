//! Verdicts for machines. Members are stable; a hash is spelled as in the pack it comes from.

use assize::exit::Exit;
use assize_verifier::episode::{Divergence, Numbers, PackFinding, PackVerification, Verification};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Args, CliError, End, Judged, explained::Explained, output};

#[derive(Serialize)]
struct Document<'a> {
    judged: &'static str,
    numbers: &'static str,
    packs: Vec<Pack<'a>>,
    worst_exit: u8,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Pack<'a> {
    Episode(Box<Episode<'a>>),
    Plain(Plain<'a>),
    Unreadable { path: &'a str, error: String, help: &'a str, exit_code: u8 },
}

#[derive(Serialize)]
struct Episode<'a> {
    path: &'a str,
    verdict: &'static str,
    phase: u8,
    exit_code: u8,
    receipt_integrity: &'static str,
    claim_check: Option<&'static str>,
    episode_claim: Option<&'static str>,
    attested_claim_check: Option<&'a str>,
    signer: Option<&'a str>,
    signer_pinned: bool,
    steps_replayed: usize,
    steps_matched: usize,
    steps_diverged: usize,
    divergences: Vec<Diverged<'a>>,
    findings: Vec<serde_json::Value>,
    replay_result: Box<RawValue>,
}

#[derive(Serialize)]
struct Diverged<'a> {
    step_id: &'a str,
    expected_output_hash: &'a str,
    observed_output_hash: &'a str,
    comparator_tier: &'static str,
    vanishes_under_other_number_form: bool,
    explanation: Option<&'a Explained>,
}

#[derive(Serialize)]
struct Plain<'a> {
    path: &'a str,
    verdict: &'static str,
    exit_code: u8,
    receipt_integrity: &'static str,
    claim_check: Option<&'a str>,
    signer: Option<&'a str>,
    signer_pinned: bool,
    /// Counted in a sound pack alone.
    receipts: Option<usize>,
    findings: Vec<serde_json::Value>,
}

/// All packs as one document with a final line feed.
pub(super) fn document(args: &Args, judged: &[Judged], worst: Exit) -> Result<Vec<u8>, CliError> {
    let packs = judged.iter().map(|judged| {
        let path = judged.name.as_str();
        Ok(match &judged.end {
            End::Episode(found, explained) => Pack::Episode(Box::new(episode(args, path, found, explained)?)),
            End::Pack(found) => Pack::Plain(plain(args, path, found)),
            End::Unreadable(error) => Pack::Unreadable {
                path,
                error: error.to_string(),
                help: error.advice(),
                exit_code: Exit::NoAnswer.code(),
            },
        })
    });
    let packs = packs.collect::<Result<_, CliError>>()?;
    let what = if args.pack_only { "pack" } else { "episode" };
    let numbers = Numbers::from(args.numbers).name();
    let document = Document { judged: what, numbers, packs, worst_exit: worst.code() };
    output::pretty(&document)
}

fn episode<'a>(
    args: &Args,
    path: &'a str,
    found: &'a Verification,
    explained: &'a [Explained],
) -> Result<Episode<'a>, CliError> {
    let diverged = |(index, divergence): (usize, &'a Divergence)| Diverged {
        step_id: &divergence.step_id,
        expected_output_hash: &divergence.expected,
        observed_output_hash: &divergence.observed,
        comparator_tier: divergence.tier,
        vanishes_under_other_number_form: divergence.vanishes_under_other_form,
        explanation: explained.get(index),
    };
    Ok(Episode {
        path,
        verdict: found.verdict.name(),
        phase: found.phase.number(),
        exit_code: found.exit_code(),
        receipt_integrity: found.verdict.receipt_integrity(),
        claim_check: found.verdict.claim_check(),
        episode_claim: found.claim_word(),
        attested_claim_check: found.attested_claim.as_deref(),
        signer: found.signer.as_deref(),
        signer_pinned: args.signer.is_some(),
        steps_replayed: found.steps_replayed,
        steps_matched: found.steps_matched,
        steps_diverged: found.divergences.len(),
        divergences: found.divergences.iter().enumerate().map(diverged).collect(),
        findings: findings(&found.findings),
        replay_result: RawValue::from_string(found.replay_result.clone()).map_err(CliError::bug)?,
    })
}

fn plain<'a>(args: &Args, path: &'a str, found: &'a PackVerification) -> Plain<'a> {
    Plain {
        path,
        verdict: found.label(args.require_claims).name(),
        exit_code: found.label(args.require_claims).exit_code(),
        receipt_integrity: found.receipt_integrity(),
        claim_check: found.claim_check.as_deref(),
        signer: found.signer.as_deref(),
        signer_pinned: args.signer.is_some(),
        receipts: found.sound.then_some(found.receipts),
        findings: findings(&found.findings),
    }
}

fn findings(found: &[PackFinding]) -> Vec<serde_json::Value> {
    let shown = |PackFinding { file, finding }: &PackFinding| {
        let mut shown = output::finding(finding);
        if let Some(members) = shown.as_object_mut() {
            members.insert("file".to_owned(), file.as_str().into());
        }
        shown
    };
    found.iter().map(shown).collect()
}

#[cfg(test)]
mod tests;
