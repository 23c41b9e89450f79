//! Pack integrity: files, receipts, attestation and signature of the container belong together.
//!
//! Spec: RCE Profile v0.1, Verification, phase 2 pack integrity; rulings EP-11, EP-14, EP-18, EP-19, EP-43 to EP-45,
//! EP-47.

mod attestation;
mod files;
mod manifest;
mod receipts;
mod seal;

use super::exit_codes::PackLabel;
use super::inquiry::{Failed, Inquiry, PackFinding};
use super::receipt_envelope::Receipt;
use super::script_graph::Script;
use super::{Options, Rejection, receipt_chain};
use crate::files::PackFiles;

pub(super) use manifest::Manifest;

/// The judgement on a pack without an episode.
#[derive(Clone, Debug)]
pub struct PackVerification {
    /// Whether the pack holds together.
    pub sound: bool,
    /// The attested claim: PASS, FAIL or N/A; none if the attestation cannot be read.
    pub claim_check: Option<String>,
    /// Errors that decided, and warnings beside them; sorted by file, pointer, law and code.
    pub findings: Vec<PackFinding>,
    /// SHA-256 of the key that signed the pack, if it is sound.
    pub signer: Option<String>,
    /// Receipts in the pack, if it is sound.
    pub receipts: usize,
}

impl PackVerification {
    /// The axis of the receipts: PASS or FAIL.
    #[must_use]
    pub fn receipt_integrity(&self) -> &'static str {
        if self.sound { "PASS" } else { "FAIL" }
    }

    /// The word for the whole; `require_claims` takes nothing but an attested PASS.
    #[must_use]
    pub fn label(&self, require_claims: bool) -> PackLabel {
        PackLabel::of(self.sound, self.claim_check.as_deref(), require_claims)
    }
}

/// Judges a container: phase 2 without an episode around it, as the public tool's pack command does.
///
/// # Errors
/// If an option is outside its domain.
pub fn verify_pack(pack: &dyn PackFiles, options: &Options<'_>) -> Result<PackVerification, Rejection> {
    options.check()?;
    let mut inquiry = Inquiry::new(pack, options);
    let manifest = Manifest::read(&mut inquiry);
    let claim_check = manifest.as_ref().ok().map(|manifest| manifest.claim_check.clone());
    let sound = manifest.and_then(|manifest| judge(&mut inquiry, manifest, Chain::Free));
    Ok(PackVerification {
        sound: sound.is_ok(),
        claim_check,
        findings: inquiry.findings.finish(),
        signer: sound.as_ref().ok().map(|sound| sound.manifest.signer.clone()),
        receipts: sound.map_or(0, |sound| sound.receipts.len()),
    })
}

/// A container that holds together.
pub(super) struct Sound {
    pub(super) manifest: Manifest,
    /// The text of `receipt_pack.jsonl`.
    pub(super) text: Vec<u8>,
    pub(super) receipts: Vec<Receipt>,
}

/// The proof that phase 2 was passed.
pub(super) struct Sealed {
    pub(super) script: Script,
    pub(super) pack: Sound,
}

/// Phase 2: takes the proof of phase 1, and demands the parent chain too.
pub(super) fn check(inquiry: &mut Inquiry<'_>, script: Script, manifest: Manifest) -> Result<Sealed, Failed> {
    Ok(Sealed { script, pack: judge(inquiry, manifest, Chain::Demanded)? })
}

/// Whether receipts must name their parents: an episode's must, those of other packs need not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chain {
    Demanded,
    Free,
}

/// Every check behind the manifest's shape; all errors are collected.
fn judge(inquiry: &mut Inquiry<'_>, manifest: Manifest, chain: Chain) -> Result<Sound, Failed> {
    files::check(inquiry, &manifest);
    let read = receipts::read(inquiry);
    if let Some((text, receipts)) = &read {
        if chain == Chain::Demanded {
            receipt_chain::check(receipts, &mut inquiry.findings);
        }
        attestation::check(inquiry, &manifest, text, receipts);
    }
    seal::check(inquiry, &manifest);
    files::note_unlisted(inquiry, &manifest);
    let (text, receipts) = read.ok_or(Failed)?;
    // Every line was read, or its fault is among the findings.
    let receipts = receipts.into_iter().flatten().collect();
    inquiry.passed(Sound { manifest, text, receipts })
}
