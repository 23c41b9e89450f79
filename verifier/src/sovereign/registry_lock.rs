//! Registry lock: a bundle may only be replayed under the registry that it was recorded under.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Registry Lock Law, and B.2, error-codes-v1.json; rulings
//! LAW-07, TOP-13, SCH-06, SV-7, SV-8.
//!
//! The lock is on the digest of the canonical bytes of the whole local error-codes file. It says nothing about what the
//! codes mean.

use super::{InputError, Rejection};
use crate::canon::{CanonError, Rules, canonicalize_by};
use crate::contracts;
use crate::digest::Digest;
use crate::json::{Dialect, Document, NodeRef};

/// Digest of a registry file: SHA-256 of its canonical bytes, wrapper included.
///
/// ```
/// let sealed = assize_verifier::contracts::ERROR_CODES;
/// let digest = assize_verifier::sovereign::registry_digest(sealed.as_bytes())?;
/// assert_eq!(digest.to_hex(), "e972895604cb3d52eba871f38ba6b39aec1215f461b0de8e25d62d8f0d112d09");
/// # Ok::<(), assize_verifier::sovereign::Rejection>(())
/// ```
///
/// # Errors
/// If the file is not JSON, is no object, or has no canonical form.
pub fn registry_digest(registry: &[u8]) -> Result<Digest, Rejection> {
    let document = Document::parse(registry, &Dialect::LAW)?;
    if !document.root().is_object() {
        return Err(InputError::new("", "a registry is an object with `contract_version` and `codes`").into());
    }
    match canonicalize_by(&Rules::LAW, registry) {
        Ok(bytes) => Ok(bytes.digest()),
        Err(CanonError::Json(error)) => Err(error.into()),
        Err(CanonError::Value { .. }) => Err(Rejection::Uncanonical),
    }
}

/// The local registry: its digest, and what it says of each code.
#[derive(Clone, Debug)]
pub(super) struct Registry {
    pub(super) digest: Digest,
    /// Codes with their stage, where the entry gives one.
    codes: Vec<(String, Option<String>)>,
}

impl Registry {
    /// Takes the local registry, or the sealed one where none is given.
    pub(super) fn load(registry: Option<&[u8]>) -> Result<Self, Rejection> {
        let text = registry.unwrap_or(contracts::ERROR_CODES.as_bytes());
        let digest = registry_digest(text)?;
        let document = Document::parse(text, &Dialect::LAW)?;
        Ok(Self { digest, codes: codes(document.root()) })
    }

    /// Whether a decision may be denied with this code: it is registered, and for stage `capability` where the registry
    /// gives stages.
    pub(super) fn admits_denial(&self, code: &str) -> bool {
        self.codes
            .iter()
            .any(|(known, stage)| known == code && stage.as_deref().is_none_or(|stage| stage == "capability"))
    }
}

/// Both published forms: an object of entries, and the older list of bare codes.
fn codes(registry: NodeRef<'_>) -> Vec<(String, Option<String>)> {
    let Some(codes) = registry.get("codes") else { return Vec::new() };
    let text = |node: NodeRef<'_>| node.as_string().map(|text| text.to_text_lossy().into_owned());
    if codes.is_array() {
        return codes.elements().filter_map(text).map(|code| (code, None)).collect();
    }
    let entry = |(name, entry): (crate::json::RawString<'_>, NodeRef<'_>)| {
        (name.decode().to_text_lossy().into_owned(), entry.get("stage").and_then(text))
    };
    codes.members().map(entry).collect()
}
