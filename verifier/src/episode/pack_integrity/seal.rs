//! The signature over the manifest, by the key that the manifest embeds.
//!
//! The set of members that the signature leaves out is fixed: nothing in the manifest steers it (ruling EP-14).

use super::files::SIGNATURE;
use super::manifest::Manifest;
use crate::digest::Digest;
use crate::episode::inquiry::{Inquiry, MANIFEST};
use crate::episode::receipt_envelope;
use crate::json::JsonPointer;
use crate::law::Law;

/// Bytes of an Ed25519 signature.
const SIGNATURE_BYTES: u64 = 64;

pub(super) fn check(inquiry: &mut Inquiry<'_>, manifest: &Manifest) {
    let mut detached = Vec::new();
    let read = inquiry.pack.read(SIGNATURE, SIGNATURE_BYTES, &mut detached);
    let signature = receipt_envelope::signature(&manifest.signature);
    let key = receipt_envelope::key(&manifest.public_key);
    let findings = &mut inquiry.findings;
    let mut invalid = |file: &str, name: &str, message: String| {
        let pointer = if name.is_empty() { JsonPointer::root() } else { JsonPointer::root().member(name) };
        findings.coded("E_PACK_SIG_INVALID", Law::PackIntegrity, file, pointer, message);
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
