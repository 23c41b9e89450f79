//! Why a step diverges, as far as a pack can tell.
//!
//! A receipt holds the hash of the original output, not the output. It comes to light only if something else in the pack has
//! that hash: one of the two outputs that an assertion can have, the input of a step that loads one, the trace of another
//! step. Whatever is named here has been hashed; nothing is guessed.

use std::collections::BTreeMap;

use assize_verifier::{
    canon::Canonicalizer,
    digest::Digest,
    episode::{self, Divergence, Numbers, StepState, UnsafePath, Verification},
    files::PackFiles,
    json::Dialect,
};
use serde::Serialize;

use super::output;
use crate::cli::difference::{self, Differences};

/// Divergences that are explained; of the others a reader learns the hashes.
pub(super) const MOST: usize = 20;
/// The largest file that is read for an explanation.
const READ: u64 = 4 << 20;
/// Dependencies of a step whose traces are tried.
const DEPENDENCIES: usize = 8;

/// Something in the pack that has a hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(super) enum Source {
    /// The output of an assertion.
    Assertion { assertion_passed: bool },
    /// An input, as it stands.
    Input {
        #[serde(rename = "ref")]
        reference: String,
    },
    /// The output of another step.
    Step { step_id: String },
}

/// What can be said about a divergence beyond its two hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(in crate::cli) struct Explained {
    /// What the receipt's hash belongs to, if the pack holds it.
    pub(super) recorded: Option<Source>,
    /// What else in the pack has the hash of the trace.
    pub(super) trace_is: Option<Source>,
    /// What the trace was compared with: what was recorded, or the input of a step that loads one.
    pub(super) against: Option<Source>,
    /// Where the trace differs from that.
    pub(super) differences: Option<Differences>,
    /// The trace in canonical form, cut where it is long.
    pub(super) trace: Option<String>,
}

/// Looks into the first divergences.
pub(super) fn explain(pack: &dyn PackFiles, found: &Verification, numbers: Numbers) -> Vec<Explained> {
    let first = found.divergences.get(..MOST).unwrap_or(&found.divergences);
    if first.is_empty() {
        return Vec::new();
    }
    let wanted = |step: &&StepState| first.iter().any(|divergence| divergence.step_id == step.step_id);
    let steps: BTreeMap<&str, &StepState> =
        found.steps.iter().filter(wanted).map(|step| (step.step_id.as_str(), step)).collect();
    first
        .iter()
        .map(|divergence| {
            let step = steps.get(divergence.step_id.as_str()).copied();
            Case { pack, numbers, divergence, all: &found.divergences, step }.explained()
        })
        .collect()
}

struct Case<'v> {
    pack: &'v dyn PackFiles,
    numbers: Numbers,
    divergence: &'v Divergence,
    all: &'v [Divergence],
    step: Option<&'v StepState>,
}

impl Case<'_> {
    fn explained(&self) -> Explained {
        let trace = self.trace(&self.divergence.step_id);
        let mut explained = Explained { trace: trace.as_deref().map(shown), ..Explained::default() };
        let mut against = None;
        for (source, text) in self.candidates() {
            let hash = format!("sha256:{}", Digest::of(&text));
            if hash == self.divergence.expected && explained.recorded.is_none() {
                explained.recorded = Some(source.clone());
                against = Some((source, text));
            } else if hash == self.divergence.observed {
                explained.trace_is.get_or_insert(source);
            } else if matches!(source, Source::Input { .. }) {
                against = Some((source, text));
            }
        }
        if explained.trace_is.is_none() {
            let other = self.others().find(|other| other.expected == self.divergence.observed);
            explained.trace_is = other.map(|other| Source::Step { step_id: other.step_id.clone() });
        }
        if let (Some((source, original)), Some(trace)) = (against, &trace)
            && let Some(differences) = difference::between(&original, trace, &Dialect::EPISODE)
        {
            (explained.against, explained.differences) = (Some(source), Some(differences));
        }
        explained
    }

    /// Canonical texts whose hash may be that of the receipt, or that of the trace.
    fn candidates(&self) -> Vec<(Source, Vec<u8>)> {
        let mut candidates = Vec::new();
        let step = |id: &str| Source::Step { step_id: id.to_owned() };
        if self.step.is_some_and(|step| step.opcode == "ASSERT_HASH") {
            for assertion_passed in [true, false] {
                let text = format!(r#"{{"assertion_passed":{assertion_passed}}}"#).into_bytes();
                candidates.push((Source::Assertion { assertion_passed }, text));
            }
        }
        if let Some(reference) = self.step.and_then(|step| step.loads.as_ref())
            && let Some(text) = self.canonical(episode::input_file(reference))
        {
            candidates.push((Source::Input { reference: reference.clone() }, text));
        }
        // The trace of a step that diverges itself has been hashed already.
        let exchanged = self.others().find(|other| other.observed == self.divergence.expected);
        let dependencies = self.step.iter().flat_map(|step| &step.depends_on).take(DEPENDENCIES);
        for id in exchanged.map(|other| &other.step_id).into_iter().chain(dependencies) {
            candidates.extend(self.trace(id).map(|text| (step(id), text)));
        }
        candidates
    }

    fn trace(&self, step_id: &str) -> Option<Vec<u8>> {
        self.canonical(episode::trace_file(step_id))
    }

    /// The canonical form of a file of the pack, if it has one and is not too large to look into.
    fn canonical(&self, path: Result<String, UnsafePath>) -> Option<Vec<u8>> {
        let (mut text, mut canonical) = (Vec::new(), Vec::new());
        self.pack.read(&path.ok()?, READ, &mut text).ok()?;
        Canonicalizer::new(self.numbers.rules()).document(&text, &mut canonical).ok()?;
        Some(canonical)
    }

    fn others(&self) -> impl Iterator<Item = &Divergence> {
        self.all.iter().filter(|other| other.step_id != self.divergence.step_id)
    }
}

fn shown(canonical: &[u8]) -> String {
    output::middle(&String::from_utf8_lossy(canonical)).into_owned()
}

#[cfg(test)]
mod tests;
