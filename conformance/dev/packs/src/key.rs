//! The key that signs test packs.
//!
//! Spec: RFC 8032; `signature`, `signer_pubkey` and `signer_pubkey_sha256` of
//! `contracts/episode/pack-manifest.schema.json`.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_compact::{KeyPair, Seed};
use sha2::{Digest as _, Sha256};

use crate::canon::sha256;

/// A PUBLIC TEST KEY. Its seed is the digest of a sentence in this file, so anybody can sign with it: a signature by it
/// says nothing about who made a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestKey(KeyPair);

impl TestKey {
    /// The key of every pack that is not about keys.
    #[must_use]
    pub fn usual() -> Self {
        Self::from_sentence("Public test key of Assize's proof packs: it proves nothing.")
    }

    /// Another key, for packs that somebody else signed.
    #[must_use]
    pub fn other() -> Self {
        Self::from_sentence("Second public test key of Assize's proof packs: it proves nothing either.")
    }

    fn from_sentence(sentence: &str) -> Self {
        Self(KeyPair::from_seed(Seed::new(Sha256::digest(sentence).into())))
    }

    /// The 64 signature bytes; the same for the same message, always.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.0.sk.sign(message, None).to_vec()
    }

    /// The public key as base64 of its 32 bytes.
    #[must_use]
    pub fn public(&self) -> String {
        Self::base64(&*self.0.pk)
    }

    /// Bytes in the alphabet of keys and signatures.
    #[must_use]
    pub fn base64(octets: &[u8]) -> String {
        STANDARD.encode(octets)
    }

    /// SHA-256 of the 32 bytes, bare.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        sha256(&*self.0.pk)
    }
}

#[cfg(test)]
mod tests {
    use ed25519_compact::{PublicKey, Signature};

    use super::*;

    #[test]
    fn signs_and_nobody_else_did() {
        let (usual, other) = (TestKey::usual(), TestKey::other());
        let signature = usual.sign(b"message");
        assert_eq!(signature, usual.sign(b"message"));
        let verifies = |key: &TestKey| {
            let bytes = STANDARD.decode(key.public()).unwrap();
            let public = PublicKey::from_slice(&bytes).unwrap();
            public.verify(b"message", &Signature::from_slice(&signature).unwrap()).is_ok()
        };
        assert!(verifies(&usual));
        assert!(!verifies(&other));
        assert_ne!(usual.fingerprint(), other.fingerprint());
    }
}
