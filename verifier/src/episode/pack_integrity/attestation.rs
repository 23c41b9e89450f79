//! What the builder attests agrees with what the pack holds.

use jiff::SignedDuration;

use super::manifest::Manifest;
use crate::digest::Digest;
use crate::episode::inquiry::{Inquiry, MANIFEST};
use crate::episode::receipt_envelope::{self, Receipt};
use crate::episode::{Numbers, time};
use crate::json::JsonPointer;
use crate::law::Law;

/// An attestation may lie this far in the caller's future, for clocks that are not set well.
const TOLERANCE: SignedDuration = SignedDuration::from_hours(24);

pub(super) fn check(inquiry: &mut Inquiry<'_>, manifest: &Manifest, text: &[u8], receipts: &[Option<Receipt>]) {
    let place = |name: &str| JsonPointer::root().member("attestation").member(name);
    let findings = &mut inquiry.findings;
    let mut tampered = |pointer: JsonPointer, message: String| {
        findings.coded("E_MANIFEST_TAMPER", Law::PackIntegrity, MANIFEST, pointer, message);
    };
    // A pack that attests its own fault is honest, and still not sound (ruling EP-19).
    if manifest.receipt_integrity != "PASS" {
        tampered(place("receipt_integrity"), "the pack attests that its receipts are not sound".to_owned());
    }
    if let Some(head) = head_hash(inquiry.options.numbers, text, receipts)
        && manifest.head_hash != head
    {
        tampered(place("head_hash"), format!("the last receipt gives {head}"));
    }
    let digest = manifest.attestation_digest.to_hex();
    if manifest.attestation_sha256 != digest {
        tampered(JsonPointer::root().member("attestation_sha256"), format!("the attestation gives {digest}"));
    }
    if manifest.pack_root != manifest.attestation_sha256 {
        let message = "the root of a pack is the digest of its attestation".to_owned();
        tampered(JsonPointer::root().member("pack_root_sha256"), message);
    }
    let there = u64::try_from(receipts.len()).ok();
    if manifest.receipt_count != there {
        let pointer = JsonPointer::root().member("receipt_count_expected");
        let message = format!("{} receipts are there", receipts.len());
        findings.coded("E_PACK_OMISSION_DETECTED", Law::PackIntegrity, MANIFEST, pointer, message);
    }
    if manifest.attested_receipts != there {
        let message = format!("{} receipts are there", receipts.len());
        findings.warn(Law::PackIntegrity, MANIFEST, place("n_receipts"), message);
    }
    if manifest.claim_check == "FAIL" {
        let message = "the pack attests that a claim failed; the verdict of a replay does not depend on it";
        findings.warn(Law::VerdictPrecedence, MANIFEST, place("claim_check"), message);
    }
    let now = inquiry.options.now.and_then(time::rfc_3339);
    if let (Some(now), Some(attested)) = (now, time::rfc_3339(&manifest.timestamp_end))
        && attested.since(&now) > TOLERANCE
    {
        let message = format!("{} lies more than 24 hours in the future", manifest.timestamp_end);
        findings.coded("E_TIMESTAMP_INVALID", Law::PackIntegrity, MANIFEST, place("timestamp_end"), message);
    }
}

/// The digest of the last receipt; none if that one could not be read, which is a finding already.
fn head_hash(numbers: Numbers, text: &[u8], receipts: &[Option<Receipt>]) -> Option<String> {
    let Some(last) = receipts.last() else { return Some(Digest::of(b"empty").to_hex()) };
    let line = text.get(last.as_ref()?.line.clone())?;
    receipt_envelope::head(line, numbers).map(|digest| digest.to_hex())
}
