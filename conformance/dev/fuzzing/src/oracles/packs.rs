//! What holds of the judgement on a proof pack, and between two judgements.
//!
//! Spec: RCE Profile v0.1; rulings EP-10 to EP-22 and EP-39 to EP-45.

use std::collections::BTreeSet;

use assize_inputs::packs::{Facts, Files};
use assize_verifier::episode::{Numbers, Options, Phase, Verdict, Verification, verify};
use assize_verifier::files::{PackFileError, PackFiles};
use assize_verifier::finding::Severity;
use assize_verifier::threads::Threads;
use serde_json::Value;

const CONTRACT: &str = "episode_contract.json";
const MANIFEST: &str = "pack_manifest.json";
const SIGNATURE: &str = "pack_signature.sig";

/// A pack in memory.
struct Memory<'f>(&'f Files);

impl PackFiles for Memory<'_> {
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        into.clear();
        match self.0.get(path) {
            Some(content) if content.len() as u64 > limit => Err(PackFileError::TooLarge { limit }),
            Some(content) => {
                into.extend_from_slice(content);
                Ok(())
            }
            None if self.exists(path) => Err(PackFileError::NotAFile),
            None => Err(PackFileError::Absent),
        }
    }

    fn exists(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.0.contains_key(path) || self.0.range(below.clone()..).next().is_some_and(|(at, _)| at.starts_with(&below))
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        let names: BTreeSet<_> = self.0.keys().filter_map(|path| path.split('/').next()).collect();
        Ok(names.into_iter().map(str::to_owned).collect())
    }
}

/// The judgement on a pack, held against itself.
///
/// # Errors
/// What it says twice, and differently.
pub fn judge(files: &Files) -> Result<Verification, String> {
    let options =
        Options { now: None, numbers: Numbers::Rfc8785, signer: None, platform: "test", threads: Threads::Caller };
    let found = verify(&Memory(files), &options).map_err(|why| format!("options: {why:?}"))?;
    let compared = found.verdict != Verdict::IntegrityFail;
    let errors = found.findings.iter().any(|found| found.finding.severity == Severity::Error);
    let result: Value = serde_json::from_str(&found.replay_result).map_err(|why| format!("replay result: {why}"))?;
    for (what, holds) in [
        ("the phase that decided", compared == (found.phase == Phase::Replay)),
        ("the episode's claim", compared == found.episode_claim.is_some()),
        ("errors decide, warnings do not", errors == (found.verdict != Verdict::Match)),
        ("divergences", found.divergences.is_empty() == (found.verdict != Verdict::Diverge)),
        ("counters", found.steps_replayed == found.steps_matched + found.divergences.len()),
        ("nothing is compared once integrity failed", compared || found.steps_replayed == 0),
        ("the verdict of the replay result", result.get("verdict") == Some(&found.verdict.name().into())),
    ] {
        if !holds {
            return Err(format!("the judgement contradicts itself: {what}\n{}", show(&found)));
        }
    }
    Ok(found)
}

/// Demands what the maker of a pack knows of it.
///
/// # Errors
/// What differs.
pub fn agrees(found: &Verification, facts: &Facts) -> Result<(), String> {
    let verdict = if facts.divergent.is_empty() { Verdict::Match } else { Verdict::Diverge };
    let order: Vec<_> = found.steps.iter().map(|step| &step.step_id).collect();
    let divergent: Vec<_> = found.divergences.iter().map(|step| &step.step_id).collect();
    let executed = facts.order.len().saturating_sub(facts.skipped.len());
    let expected = (verdict, Some(facts.all_passed), executed);
    if (found.verdict, found.episode_claim, found.steps_replayed) != expected {
        return Err(format!("the pack was made to be {expected:?}\n{}", show(found)));
    }
    if !order.into_iter().eq(&facts.order) || !divergent.into_iter().eq(&facts.divergent) {
        return Err(format!("the pack was made with {facts:?}\n{}", show(found)));
    }
    Ok(())
}

/// Demands one judgement on the same values in two spellings: messages may differ, places may not.
///
/// # Errors
/// Both judgements.
pub fn same(one: &Verification, other: &Verification) -> Result<(), String> {
    let found = |found: &Verification| {
        let places = found.findings.iter().map(|found| {
            let (law, code, severity) = (found.finding.law, found.finding.code, found.finding.severity);
            (found.file.clone(), found.finding.pointer.as_str().to_owned(), law, code, severity)
        });
        (found.verdict, found.phase, found.episode_claim, places.collect::<Vec<_>>(), found.replay_result.clone())
    };
    if found(one) == found(other) {
        Ok(())
    } else {
        Err(format!("one spelling: {}\nanother:      {}", show(one), show(other)))
    }
}

/// The files that differ, and whose difference has to show in the verdict of a pack that matched.
///
/// Nothing binds what lies below `_unsigned`, what no list names and no receipt needs, and the traces of skipped steps. Contract,
/// manifest and traces are bound by their values, unless the manifest lists them; of the contract `objective`,
/// `model_version_hint` and `system_fingerprint` stand outside its identity.
#[must_use]
pub fn binding<'f>(before: &'f Files, after: &'f Files, facts: &Facts) -> Vec<&'f str> {
    let unbound = |path: &str| {
        path == "NOTES.txt"
            || path.starts_with("_unsigned/")
            || facts.skipped.iter().any(|id| path == format!("recorded_traces/{id}.json"))
    };
    let listed = listed(before);
    let paths: BTreeSet<_> = before.keys().chain(after.keys()).map(String::as_str).collect();
    let differs = |path: &&str| before.get(*path) != after.get(*path);
    let differing = paths.into_iter().filter(differs).filter(|path| !unbound(path));
    let tells = |path: &&str| {
        let bytes = listed.iter().any(|listed| listed == path) || *path == SIGNATURE || path.starts_with("inputs/");
        let (Some(one), Some(other)) = (before.get(*path), after.get(*path)) else { return true };
        bytes || !same_value(path, one, other)
    };
    differing.filter(tells).collect()
}

/// The paths that the signed manifest binds by digest.
fn listed(files: &Files) -> Vec<String> {
    let manifest: Value = files.get(MANIFEST).and_then(|text| serde_json::from_slice(text).ok()).unwrap_or_default();
    let entries = manifest.get("files").and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(|entry| entry.get("path")?.as_str().map(str::to_owned)).collect()
}

/// Whether two texts have one canonical value, but for what a contract says beside its identity. Judged by another crate's
/// canonical form.
fn same_value(path: &str, one: &[u8], other: &[u8]) -> bool {
    let value = |text: &[u8]| -> Option<Vec<u8>> {
        let mut value: Value = serde_json::from_slice(text).ok()?;
        if path == CONTRACT {
            value.as_object_mut()?.remove("objective");
            let environment = value.get_mut("environment")?.as_object_mut()?;
            environment.remove("model_version_hint");
            environment.remove("system_fingerprint");
        }
        serde_json_canonicalizer::to_vec(&value).ok()
    };
    value(one).is_some_and(|one| value(other) == Some(one))
}

fn show(found: &Verification) -> String {
    let findings = found.findings.iter().map(|found| format!("\n  {}: {:?}", found.file, found.finding));
    let (verdict, phase) = (found.verdict.name(), found.phase.number());
    format!("{verdict} in phase {phase}, {} steps{}", found.steps_replayed, findings.collect::<String>())
}
