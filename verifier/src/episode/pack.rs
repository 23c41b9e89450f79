//! A container, in the order in which it is judged: manifest, files, receipts, attestation, signature. This is phase 2.

use std::ops::Range;

use super::laws::exit_codes::PackLabel;
use super::laws::{pack_integrity, receipt_chain, receipt_envelope, verdict_precedence};
use super::model::canonical::Canon;
use super::model::findings::PackFinding;
use super::model::inquiry::{Failed, Inquiry, MANIFEST, RECEIPTS};
use super::model::manifest::Manifest;
use super::model::options::Options;
use super::model::proof::{Script, Sealed, Sound};
use super::model::receipt::Receipt;
use crate::files::PackFiles;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::rejection::Rejection;

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
    let manifest = pack_integrity::manifest(&mut inquiry);
    let claim_check = manifest.as_ref().ok().map(|manifest| manifest.claim_check.clone());
    let sound = manifest.and_then(|manifest| judge(&mut inquiry, manifest, Chain::Free));
    Ok(PackVerification {
        sound: sound.is_ok(),
        claim_check,
        findings: inquiry.findings.finish(verdict_precedence::left_out),
        signer: sound.as_ref().ok().map(|sound| sound.manifest.signer.clone()),
        receipts: sound.map_or(0, |sound| sound.receipts.len()),
    })
}

/// Phase 2: takes the proof of phase 1, and demands the parent chain too.
pub(super) fn seal(inquiry: &mut Inquiry<'_>, script: Script, manifest: Manifest) -> Result<Sealed, Failed> {
    Ok(Sealed { script, pack: judge(inquiry, manifest, Chain::Demanded)? })
}

/// Whether receipts must name their parents: an episode's must, those of other packs need not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chain {
    Demanded,
    Free,
}

/// Every check after the manifest's shape; all errors are collected.
fn judge(inquiry: &mut Inquiry<'_>, manifest: Manifest, chain: Chain) -> Result<Sound, Failed> {
    pack_integrity::check_files(inquiry, &manifest);
    let read = receipts(inquiry);
    if let Some((text, receipts)) = &read {
        if chain == Chain::Demanded {
            receipt_chain::check(receipts, &mut inquiry.findings);
        }
        pack_integrity::check_attestation(inquiry, &manifest, text, receipts);
        inquiry.findings.extend(MANIFEST, verdict_precedence::note_claim(&manifest));
    }
    pack_integrity::check_seal(inquiry, &manifest);
    pack_integrity::note_unlisted(inquiry, &manifest);
    let (text, receipts) = read.ok_or(Failed)?;
    // Every line was read, or its fault is among the findings.
    let receipts = receipts.into_iter().flatten().collect();
    inquiry.passed(Sound { manifest, text, receipts })
}

/// Lines that are judged before their findings are handed on.
const TURN: usize = 1 << 14;

/// Reads every receipt, if their file can be read; a line that is not a receipt leaves a gap, and its fault among the findings.
fn receipts(inquiry: &mut Inquiry<'_>) -> Option<(Vec<u8>, Vec<Option<Receipt>>)> {
    let (text, lines) = pack_integrity::receipts(inquiry)?;
    let Options { numbers, threads, .. } = *inquiry.options;
    let mut receipts = Vec::with_capacity(lines.len());
    // In turns, so that what is said of many bad lines is never held at once.
    for turn in lines.chunks(TURN) {
        let one = |canon: &mut Canon, line: &Range<usize>| receipt(&text, line.clone(), canon);
        for (receipt, found) in threads.map(turn, 64, || Canon::new(numbers), one) {
            let index = receipts.len();
            let place = |finding: Finding| {
                let pointer = JsonPointer::from_text(format!("/{index}{}", finding.pointer));
                Finding { pointer, ..finding }
            };
            inquiry.findings.extend(RECEIPTS, found.into_iter().map(place));
            receipts.push(receipt);
        }
    }
    pack_integrity::check_ids(inquiry, &receipts);
    Some((text, receipts))
}

/// Judges one line; pointers of what is found begin inside the receipt.
fn receipt(text: &[u8], line: Range<usize>, canon: &mut Canon) -> (Option<Receipt>, Vec<Finding>) {
    let (read, mut found) = receipt_envelope::read(text, line, canon);
    let receipt = read.map(|read| {
        found.extend(pack_integrity::check_type(read.spelling, &read.type_name));
        read.receipt
    });
    (receipt, found)
}
