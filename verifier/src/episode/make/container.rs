//! The container: the receipts as a file, two reports, the manifest with its attestation, and the signature.
//!
//! Spec: ruling EP-14 (the container is that of the public tool), RCE Profile v0.1, Step status (`claim_check`).

use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Map, Value, json};

use super::receipts::Receipts;
use crate::digest::Digest;
use crate::episode::model::canonical::canonical;
use crate::episode::model::inquiry::{MANIFEST, RECEIPTS, SIGNATURE};
use crate::episode::model::made::Files;
use crate::episode::model::signature::spell;

const REPORT: &str = "verify_report.json";
const TRANSCRIPT: &str = "verify_transcript.md";
/// The suite that the pack is of, and the set of its claims, which is empty.
const SUITE: &str = "rce-episode";
const CLAIMS: &str = "none";

/// Adds the container to the files of an episode. All of them are listed, so that the signature binds every byte.
pub(super) fn seal(files: &mut Files, receipts: &Receipts, episode_id: &str, now: &str, key: &SigningKey) {
    let mut text = Vec::new();
    for line in &receipts.lines {
        text.extend_from_slice(line);
        text.push(b'\n');
    }
    let pack_id = format!("pack_{}", digest(&text).get(..16).unwrap_or_default());
    let attestation = attestation(receipts, &pack_id, episode_id, now);
    files.insert(RECEIPTS.to_owned(), text);
    files.insert(REPORT.to_owned(), format!("{:#}\n", report(&attestation)).into_bytes());
    files.insert(TRANSCRIPT.to_owned(), transcript(receipts, episode_id, now).into_bytes());
    let mut manifest = manifest(files, &attestation, &pack_id, key);
    let signature = key.sign(&canonical(&Value::Object(manifest.clone()))).to_bytes();
    // These two come when the rest is signed: the signature covers neither.
    manifest.insert("signature".to_owned(), spell(&signature).into());
    manifest.insert("pack_root_sha256".to_owned(), digest(&canonical(&attestation)).into());
    files.insert(SIGNATURE.to_owned(), signature.to_vec());
    // Without white space there is nothing in it that could be changed without a trace.
    files.insert(MANIFEST.to_owned(), canonical(&Value::Object(manifest)));
}

fn attestation(receipts: &Receipts, pack_id: &str, episode_id: &str, now: &str) -> Value {
    // A pack without claims has nothing to check, but an episode with a failed step is a claim that failed (the profile).
    let claim_check = if receipts.all_passed { "N/A" } else { "FAIL" };
    // The receipts have none of the members that the head's projection leaves out.
    let head_hash = digest(receipts.lines.last().map_or(b"empty", Vec::as_slice));
    json!({
        "pack_format_version": "0.1.0",
        "fingerprint_version": 1,
        "pack_id": pack_id,
        "run_id": episode_id,
        "suite_id": SUITE,
        "suite_hash": digest(SUITE.as_bytes()),
        "verifier_version": env!("CARGO_PKG_VERSION"),
        "canon_version": "jcs-rfc8785",
        "canon_impl": env!("CARGO_PKG_NAME"),
        "canon_impl_version": env!("CARGO_PKG_VERSION"),
        "policy_hash": digest(b"default-policy-v0"),
        "claim_set_id": CLAIMS,
        "claim_set_hash": digest(CLAIMS.as_bytes()),
        "receipt_integrity": "PASS",
        "claim_check": claim_check,
        "assurance_level": "L0",
        "proof_tier": "signed-pack",
        "mode": "shadow",
        "head_hash": head_hash,
        "head_hash_algorithm": "last-receipt-digest-v0",
        "time_authority": "local_clock",
        "n_receipts": receipts.lines.len(),
        "timestamp_start": now,
        "timestamp_end": now,
    })
}

/// The manifest without its signature and root.
fn manifest(files: &Files, attestation: &Value, pack_id: &str, key: &SigningKey) -> Map<String, Value> {
    let listed = files.iter().map(|(path, bytes)| json!({"path": path, "sha256": digest(bytes), "bytes": bytes.len()}));
    let (public, signer) = (key.verifying_key().to_bytes(), signer(key));
    let members = [
        ("pack_id", Value::from(pack_id)),
        ("pack_version", "0.1.0".into()),
        ("manifest_version", "1.0.0".into()),
        ("hash_alg", "sha256".into()),
        ("attestation", attestation.clone()),
        ("attestation_sha256", digest(&canonical(attestation)).into()),
        ("suite_hash", digest(SUITE.as_bytes()).into()),
        ("claim_set_id", CLAIMS.into()),
        ("claim_set_hash", digest(CLAIMS.as_bytes()).into()),
        ("receipt_count_expected", attestation.get("n_receipts").cloned().unwrap_or_default()),
        ("files", listed.collect()),
        ("expected_files", json!([RECEIPTS, REPORT, TRANSCRIPT, MANIFEST, SIGNATURE])),
        ("signer_id", format!("key_{}", signer.get(..16).unwrap_or_default()).into()),
        ("signer_pubkey", spell(&public).into()),
        ("signer_pubkey_sha256", signer.into()),
        ("signature_alg", "ed25519".into()),
        ("signature_scope", "JCS(pack_manifest_excluding_signature_and_pack_root_sha256)".into()),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What a manifest calls the owner of a key.
pub(super) fn signer(key: &SigningKey) -> String {
    digest(&key.verifying_key().to_bytes())
}

/// What the attestation says, for who reads no manifest.
fn report(attestation: &Value) -> Value {
    let told = ["receipt_integrity", "claim_check", "n_receipts", "head_hash", "timestamp_end"];
    let mut report: Map<String, Value> =
        told.iter().filter_map(|name| Some(((*name).to_owned(), attestation.get(*name)?.clone()))).collect();
    report.insert("errors".to_owned(), json!([]));
    Value::Object(report)
}

fn transcript(receipts: &Receipts, episode_id: &str, now: &str) -> String {
    let passed = if receipts.all_passed { "Every step passed." } else { "Not every step passed." };
    format!("# Proof pack of {episode_id}\n\n{} receipts, made {now}. {passed}\n", receipts.lines.len())
}

/// SHA-256, bare, as the container spells it.
fn digest(bytes: &[u8]) -> String {
    Digest::of(bytes).to_hex()
}
