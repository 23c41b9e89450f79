//! Verdict precedence: four phases in a fixed order, and INTEGRITY_FAIL before everything.
//!
//! Spec: RCE Profile v0.1, Verification, order of the phases, Verdicts; rulings EP-12, EP-13, EP-17, EP-23, EP-40,
//! EP-41.
//!
//! A phase takes the proof of the one before by value, so that none can be skipped: [`Script`] of phase 1, [`Sealed`] of
//! phase 2, [`Complete`] of phase 3.

use crate::episode::model::inquiry::{Failed, Inquiry};
use crate::episode::model::manifest::Manifest;
use crate::episode::model::proof::{Complete, Replayed, Script, Sealed};
use crate::episode::model::verdict::{Phase, Verdict};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("episode/verdict-precedence");

/// Runs the four phases; the one that failed. Phase 2 begins with the manifest, without which the container says nothing.
pub(crate) fn run(
    inquiry: &mut Inquiry<'_>,
    validate: impl FnOnce(&mut Inquiry<'_>) -> Result<Script, Failed>,
    read_manifest: impl FnOnce(&mut Inquiry<'_>) -> Result<Manifest, Failed>,
    seal: impl FnOnce(&mut Inquiry<'_>, Script, Manifest) -> Result<Sealed, Failed>,
    complete: impl FnOnce(&mut Inquiry<'_>, Sealed) -> Result<Complete, Failed>,
    replay: impl FnOnce(&mut Inquiry<'_>, Complete) -> Replayed,
) -> Result<Replayed, Phase> {
    let script = validate(inquiry).map_err(|Failed| Phase::Script)?;
    let manifest = read_manifest(inquiry).map_err(|Failed| Phase::Pack)?;
    let sealed = seal(inquiry, script, manifest).map_err(|Failed| Phase::Pack)?;
    let complete = complete(inquiry, sealed).map_err(|Failed| Phase::Completeness)?;
    Ok(replay(inquiry, complete))
}

/// The verdict on what the phases gave.
pub(crate) fn verdict(run: &Result<Replayed, Phase>) -> Verdict {
    match run {
        Err(_) => Verdict::IntegrityFail,
        Ok(replayed) if replayed.divergences.is_empty() => Verdict::Match,
        Ok(_) => Verdict::Diverge,
    }
}

impl Verdict {
    /// The axis of the receipts: PASS or FAIL.
    #[must_use]
    pub fn receipt_integrity(self) -> &'static str {
        self.axes().0
    }

    /// The axis of the claim: PASS or FAIL; none where nothing was compared.
    #[must_use]
    pub fn claim_check(self) -> Option<&'static str> {
        self.axes().1
    }
}

/// A claim that failed is worth a word, and decides nothing (ruling EP-17).
pub(crate) fn note_claim(manifest: &Manifest) -> Option<Finding> {
    if manifest.claim_check != "FAIL" {
        return None;
    }
    let pointer = JsonPointer::root().member("attestation").member("claim_check");
    let message = "the pack attests that a claim failed; the verdict of a replay does not depend on it";
    Some(Finding::error(LAW, pointer, message).as_warning())
}

/// Says how many findings there was no room for. The verdict does not depend on them: errors that are kept decide it.
pub(crate) fn left_out(count: usize) -> Finding {
    let message = format!("{count} more findings are left out: mend these first");
    Finding::error(LAW, JsonPointer::root(), message).as_warning()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::model::findings::Findings;
    use crate::episode::model::limits;
    use crate::finding::Severity;

    #[test]
    fn warnings_never_push_errors_out() {
        let error = |pointer, message: &str| Finding::error(LAW, pointer, message);
        let mut findings = Findings::default();
        for index in 0..limits::FINDINGS + 5 {
            findings.add("w", error(JsonPointer::root().index(index), "a doubt").as_warning());
        }
        findings.add("a", error(JsonPointer::root(), "one"));
        findings.add("z", error(JsonPointer::root(), "another"));
        let list = findings.finish(left_out);
        assert_eq!(list.len(), limits::FINDINGS + 3);
        assert_eq!(list.iter().filter(|found| found.finding.severity == Severity::Error).count(), 2);
        let first = list.first().map(|found| (found.file.as_str(), found.finding.message.as_str()));
        assert_eq!(first, Some(("", "5 more findings are left out: mend these first")));
        assert!(list.is_sorted_by_key(|found| (found.file.clone(), found.finding.pointer.clone())));
    }
}
