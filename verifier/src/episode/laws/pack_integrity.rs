//! Pack integrity: files, receipts, attestation and signature of the container belong together.
//!
//! Spec: RCE Profile v0.1, Verification, phase 2 pack integrity; rulings EP-4, EP-11, EP-14, EP-18, EP-19, EP-43 to EP-45,
//! EP-47.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use jiff::SignedDuration;

use super::path_safety;
use crate::contracts;
use crate::digest::Digest;
use crate::episode::model::canonical::Canon;
use crate::episode::model::inquiry::{CONTRACT, Failed, INPUTS, Inquiry, MANIFEST, RECEIPTS, SIGNATURE, TRACES};
use crate::episode::model::manifest::{ListedFile, Manifest};
use crate::episode::model::member::text;
use crate::episode::model::options::Numbers;
use crate::episode::model::receipt::{Receipt, Spelling, UNHASHED_BY_TOOL, lines};
use crate::episode::model::{limits, signature, time};
use crate::files::PackFileError;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::schema::Schema;

pub(crate) const LAW: Law = Law::named("episode/pack-integrity");

/// Bytes of an Ed25519 signature.
const SIGNATURE_BYTES: u64 = 64;
/// Members that the signature does not cover.
const UNSIGNED: [&str; 2] = ["signature", "pack_root_sha256"];

/// An attestation may lie this far in the caller's future, for clocks that are not set well.
const TOLERANCE: SignedDuration = SignedDuration::from_hours(24);

/// Entries that a pack of the public tool has at its root.
const KNOWN: [&str; 9] = [
    MANIFEST,
    SIGNATURE,
    RECEIPTS,
    "verify_report.json",
    "verify_transcript.md",
    "_unsigned",
    CONTRACT,
    INPUTS,
    TRACES,
];

fn error(pointer: JsonPointer, message: impl Into<String>) -> Finding {
    Finding::error(LAW, pointer, message)
}

/// Reads the manifest. Nothing else of the container means anything without it.
pub(crate) fn manifest(inquiry: &mut Inquiry<'_>) -> Result<Manifest, Failed> {
    let mut text = Vec::new();
    if let Err(why) = inquiry.pack.read(MANIFEST, limits::MANIFEST_BYTES, &mut text) {
        inquiry.findings.add(MANIFEST, path_safety::unread(LAW, &why));
        return Err(Failed);
    }
    parse(&text, inquiry).map_err(|(place, why)| {
        inquiry.findings.rejected(MANIFEST, &place, &why, error);
        Failed
    })
}

fn parse(bytes: &[u8], inquiry: &mut Inquiry<'_>) -> Result<Manifest, (JsonPointer, Rejection)> {
    let whole = |why: Rejection| (JsonPointer::root(), why);
    let document = Document::parse(bytes, &Dialect::EPISODE).map_err(|why| whole(why.into()))?;
    let mut canon = Canon::new(Numbers::Rfc8785);
    let object = canon.object(bytes).map_err(|why| whole(why.into()))?;
    let root = document.root();
    inquiry.pack_root = text(root, "pack_root_sha256").filter(|root| Digest::is_spelled(root.as_bytes()));
    let breaches = MANIFEST_SCHEMA.breaches(root);
    if !breaches.is_empty() {
        return Err(whole(Rejection::Schema(breaches)));
    }
    let attestation = root.get("attestation");
    let place = JsonPointer::root().member("attestation");
    if let Some(attestation) = attestation {
        let breaches = ATTESTATION_SCHEMA.breaches(attestation);
        if !breaches.is_empty() {
            return Err((place, Rejection::Schema(breaches)));
        }
        let wrong = wrong_times(attestation);
        if !wrong.is_empty() {
            return Err((place, Rejection::Laws(wrong)));
        }
    }
    let signed = object.without(&UNSIGNED);
    let digest = object.member("attestation").map(Digest::of);
    // The schemas demand every member that is taken; without one of them nothing may pass.
    let taken =
        attestation.zip(digest).and_then(|(attestation, digest)| Manifest::take(root, attestation, signed, digest));
    taken.ok_or_else(|| whole(Rejection::Schema(Vec::new())))
}

/// Times whose shape is right and that no calendar has.
fn wrong_times(attestation: NodeRef<'_>) -> Vec<Finding> {
    let wrong = |name: &&str| {
        let value = text(attestation, name)?;
        let message = format!("{value:?} is not a time of RFC 3339");
        let found = error(JsonPointer::root().member(name), message);
        if time::rfc_3339(&value).is_some() { None } else { Some(found.with_code("E_TIMESTAMP_INVALID")) }
    };
    ["timestamp_start", "timestamp_end", "valid_until"].iter().filter_map(wrong).collect()
}

/// The files that a manifest lists are there, inside the pack, and what they were.
pub(crate) fn check_files(inquiry: &mut Inquiry<'_>, manifest: &Manifest) {
    let pack = inquiry.pack;
    let place = |index: usize| JsonPointer::root().member("files").index(index);
    let path = |(index, file): (usize, &ListedFile)| path_safety::named(place(index).member("path"), &file.path);
    let paths: Vec<_> = manifest.files.iter().enumerate().map(path).collect();
    // However often a file is listed, it is read once.
    let read: BTreeSet<&str> = paths.iter().flatten().map(String::as_str).collect();
    let read: Vec<&str> = read.into_iter().collect();
    let digest = |buffer: &mut Vec<u8>, path: &&str| {
        pack.read(path, limits::FILE_BYTES, buffer).map(|()| (Digest::of(buffer).to_hex(), buffer.len()))
    };
    let digests = inquiry.options.threads.map(&read, 1, Vec::new, digest);
    let digests: BTreeMap<&str, _> = read.into_iter().zip(digests).collect();
    for (index, (file, path)) in manifest.files.iter().zip(&paths).enumerate() {
        let found = match path {
            Ok(path) => digests.get(path.as_str()).and_then(|read| check_file(place(index), file, path, read)),
            Err(unsafe_path) => Some((MANIFEST, unsafe_path.clone())),
        };
        if let Some((file, finding)) = found {
            inquiry.findings.add(file, finding);
        }
    }
    for (index, name) in manifest.expected_files.iter().enumerate() {
        let pointer = JsonPointer::root().member("expected_files").index(index);
        match path_safety::named(pointer.clone(), name) {
            Err(unsafe_path) => inquiry.findings.add(MANIFEST, unsafe_path),
            Ok(path) if !pack.exists(&path) => {
                let finding = error(pointer, format!("{name:?} is expected, and not there"));
                inquiry.findings.add(MANIFEST, finding.with_code("E_MANIFEST_TAMPER"));
            }
            Ok(_) => {}
        }
    }
}

/// Judges one entry by what was read; what is wrong goes with the file that it is wrong about.
fn check_file<'p>(
    place: JsonPointer,
    file: &ListedFile,
    path: &'p str,
    read: &Result<(String, usize), PackFileError>,
) -> Option<(&'p str, Finding)> {
    let (digest, length) = match read {
        Ok(read) => read,
        Err(why) => {
            let finding = path_safety::unread(LAW, why);
            return Some((path, if finding.code.is_some() { finding } else { finding.with_code("E_MANIFEST_TAMPER") }));
        }
    };
    if *digest != file.sha256 {
        let message = format!("the manifest lists SHA-256 {}, and the file has {digest}", file.sha256);
        let finding = error(JsonPointer::root(), message);
        return Some((path, finding.with_code("E_MANIFEST_TAMPER")));
    }
    if file.bytes != u64::try_from(*length).ok() {
        let message = format!("{:?} has {length} bytes", file.path);
        return Some((MANIFEST, error(place.member("bytes"), message).as_warning()));
    }
    None
}

/// What lies at the root and nobody names is worth a word, and no more.
pub(crate) fn note_unlisted(inquiry: &mut Inquiry<'_>, manifest: &Manifest) {
    let listed = manifest.files.iter().map(|file| &file.path).chain(&manifest.expected_files);
    let listed = listed.filter_map(|path| path_safety::listed(path).ok());
    let roots: BTreeSet<String> =
        listed.filter_map(|path| path.split('/').next().map(str::to_owned)).chain(KNOWN.map(str::to_owned)).collect();
    match inquiry.pack.entries() {
        Ok(entries) => {
            for entry in entries.iter().filter(|entry| !roots.contains(*entry)) {
                let message = "nothing in the manifest names this entry";
                inquiry.findings.add(entry, error(JsonPointer::root(), message).as_warning());
            }
        }
        Err(why) => {
            let message = format!("the pack's folder cannot be listed: {why}");
            inquiry.findings.add("", error(JsonPointer::root(), message).as_warning());
        }
    }
}

/// The text of all receipts, and the lines of it that hold one each.
pub(crate) fn receipts(inquiry: &mut Inquiry<'_>) -> Option<(Vec<u8>, Vec<Range<usize>>)> {
    let mut text = Vec::new();
    if let Err(why) = inquiry.pack.read(RECEIPTS, limits::RECEIPTS_BYTES, &mut text) {
        inquiry.findings.add(RECEIPTS, path_safety::unread(LAW, &why));
        return None;
    }
    let lines = lines(&text);
    if lines.len() > limits::RECEIPTS {
        let message = format!("the pack has more than the limit of {} receipts", limits::RECEIPTS);
        inquiry.findings.add(RECEIPTS, error(JsonPointer::root(), message).with_code("A_LIMIT"));
        return None;
    }
    Some((text, lines))
}

/// Flat names that a pack may use for its receipts.
const FLAT_TYPES: [&str; 14] = [
    "ai_workflow",
    "capability_use",
    "challenge",
    "decision_v1",
    "governance_posture_snapshot",
    "grace_check",
    "guardian_check",
    "guardian_verdict",
    "mcp_tool_call",
    "model_call",
    "refusal",
    "revocation",
    "session_metadata",
    "supersession",
];

/// The type of a receipt is one that a pack may hold. That it has none is said elsewhere.
pub(crate) fn check_type(spelling: Spelling, type_name: &str) -> Option<Finding> {
    if type_name.is_empty() || is_known_type(type_name) {
        return None;
    }
    let message = format!("{type_name:?} is neither a registered name nor a dotted one");
    let pointer = JsonPointer::root().member(spelling.type_name);
    Some(error(pointer, message).with_code("E_SCHEMA_UNKNOWN"))
}

/// The receipt type policy: a registered flat name, or `a.b` with an optional `/version`, not under `loom.`.
fn is_known_type(name: &str) -> bool {
    if FLAT_TYPES.contains(&name) {
        return true;
    }
    let word = |part: &str| !part.is_empty() && part.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    let (dotted, version) = name.split_once('/').map_or((name, None), |(dotted, version)| (dotted, Some(version)));
    !name.starts_with("loom.") && dotted.contains('.') && dotted.split('.').all(word) && version.is_none_or(word)
}

/// No two receipts of a pack have one id.
pub(crate) fn check_ids(inquiry: &mut Inquiry<'_>, receipts: &[Option<Receipt>]) {
    let mut seen = HashSet::with_capacity(receipts.len());
    for (index, receipt) in receipts.iter().enumerate() {
        let Some(receipt) = receipt else { continue };
        if !receipt.receipt_id.is_empty() && !seen.insert(&receipt.receipt_id) {
            let pointer = JsonPointer::root().index(index).member("receipt_id");
            let message = format!("the receipt id {:?} comes twice", receipt.receipt_id);
            inquiry.findings.add(RECEIPTS, error(pointer, message).with_code("E_DUPLICATE_ID"));
        }
    }
}

/// What the builder attests agrees with what the pack holds.
pub(crate) fn check_attestation(
    inquiry: &mut Inquiry<'_>,
    manifest: &Manifest,
    text: &[u8],
    receipts: &[Option<Receipt>],
) {
    let place = |name: &str| JsonPointer::root().member("attestation").member(name);
    let findings = &mut inquiry.findings;
    let mut tampered = |pointer: JsonPointer, message: String| {
        findings.add(MANIFEST, error(pointer, message).with_code("E_MANIFEST_TAMPER"));
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
        findings.add(MANIFEST, error(pointer, message).with_code("E_PACK_OMISSION_DETECTED"));
    }
    if manifest.attested_receipts != there {
        let message = format!("{} receipts are there", receipts.len());
        findings.add(MANIFEST, error(place("n_receipts"), message).as_warning());
    }
    let now = inquiry.options.now.and_then(time::rfc_3339);
    if let (Some(now), Some(attested)) = (now, time::rfc_3339(&manifest.timestamp_end))
        && attested.since(&now) > TOLERANCE
    {
        let message = format!("{} lies more than 24 hours in the future", manifest.timestamp_end);
        findings.add(MANIFEST, error(place("timestamp_end"), message).with_code("E_TIMESTAMP_INVALID"));
    }
}

/// The digest of the last receipt; none if that one could not be read, which is a finding already.
fn head_hash(numbers: Numbers, text: &[u8], receipts: &[Option<Receipt>]) -> Option<String> {
    let Some(last) = receipts.last() else { return Some(Digest::of(b"empty").to_hex()) };
    let line = text.get(last.as_ref()?.line.clone())?;
    let mut canon = Canon::new(numbers);
    canon.object(line).ok().map(|receipt| Digest::of(&receipt.without(&UNHASHED_BY_TOOL)).to_hex())
}

/// The signature over the manifest, by the key that the manifest embeds.
///
/// The set of members that the signature leaves out is fixed: nothing in the manifest steers it (ruling EP-14).
pub(crate) fn check_seal(inquiry: &mut Inquiry<'_>, manifest: &Manifest) {
    let mut detached = Vec::new();
    let read = inquiry.pack.read(SIGNATURE, SIGNATURE_BYTES, &mut detached);
    let key = signature::key(&manifest.public_key);
    let signature = signature::signature(&manifest.signature);
    let findings = &mut inquiry.findings;
    let mut invalid = |file: &str, name: &str, message: String| {
        let pointer = if name.is_empty() { JsonPointer::root() } else { JsonPointer::root().member(name) };
        findings.add(file, error(pointer, message).with_code("E_PACK_SIG_INVALID"));
    };
    match (read, &signature) {
        (Err(why), _) => invalid(SIGNATURE, "", why.to_string()),
        (Ok(()), Some(signature)) if signature.to_bytes() != *detached => {
            invalid(SIGNATURE, "", "it is not the signature of the manifest".to_owned());
        }
        _ => {}
    }
    if signature.is_none() {
        invalid(MANIFEST, "signature", "not the base64 of 64 bytes".to_owned());
    }
    let Some(key) = key else {
        invalid(MANIFEST, "signer_pubkey", "not the base64 of 32 bytes of an Ed25519 key".to_owned());
        return;
    };
    let fingerprint = Digest::of(key.as_bytes()).to_hex();
    if manifest.signer != fingerprint {
        invalid(MANIFEST, "signer_pubkey_sha256", format!("the key has the fingerprint {fingerprint}"));
    }
    if signature.is_some_and(|signature| key.verify_strict(&manifest.signed, &signature).is_err()) {
        invalid(MANIFEST, "signature", "it does not verify under the embedded key".to_owned());
    }
    if inquiry.options.signer.is_some_and(|expected| expected != fingerprint) {
        let message = format!("the pack is signed by {fingerprint}, which is not the expected signer");
        invalid(MANIFEST, "signer_pubkey", message);
    }
}

static MANIFEST_SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::compile(contracts::PACK_MANIFEST_SCHEMA, &[]));
static ATTESTATION_SCHEMA: LazyLock<Schema> =
    LazyLock::new(|| Schema::compile(contracts::PACK_ATTESTATION_SCHEMA, &[]));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_compile() {
        assert!(MANIFEST_SCHEMA.is_usable() && ATTESTATION_SCHEMA.is_usable());
    }

    #[test]
    fn the_type_policy() {
        for name in ["rce.episode_open/v0", "model_call", "a.b", "a.b.c_1/x"] {
            assert!(is_known_type(name), "{name}");
        }
        for name in ["", "rce", "loom.x", "a.B", "a..b", "a.b/", "a.b/v/w", "a.b/v0\n", "modelcall", ".a"] {
            assert!(!is_known_type(name), "{name}");
        }
    }
}
