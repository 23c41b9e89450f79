//! Ed25519 keys and signatures as receipts and manifests spell them.
//!
//! Spec: ruling EP-47 (strict base64).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, SigningKey, VerifyingKey};

/// A public key from strict base64 of exactly 32 bytes.
pub(crate) fn key(base64: &str) -> Option<VerifyingKey> {
    VerifyingKey::from_bytes(&STANDARD.decode(base64).ok()?.try_into().ok()?).ok()
}

/// A signature from strict base64 of exactly 64 bytes.
pub(crate) fn signature(base64: &str) -> Option<Signature> {
    STANDARD.decode(base64).ok()?.try_into().ok().map(|bytes| Signature::from_bytes(&bytes))
}

/// A private key from strict base64 of exactly 32 bytes.
pub(crate) fn private_key(base64: &str) -> Option<SigningKey> {
    let bytes: [u8; 32] = STANDARD.decode(base64).ok()?.try_into().ok()?;
    Some(SigningKey::from_bytes(&bytes))
}

/// Base64 as manifests spell it.
pub(crate) fn spell(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}
