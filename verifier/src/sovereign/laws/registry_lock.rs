//! Registry lock: a bundle may only be replayed under the registry that it was recorded under.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Registry Lock Law, and B.2, error-codes-v1.json; rulings
//! LAW-07, TOP-13, SCH-06, SV-7, SV-8.
//!
//! The lock is on the digest of the canonical bytes of the whole local error-codes file. It says nothing about what the
//! codes mean.

use std::sync::LazyLock;

use super::canonical_parity;
use crate::canon::{CanonError, Rules, canonicalize_by};
use crate::contracts;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::{Dialect, Document, NodeRef};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::sovereign::model::breach::code_of_unusable;
use crate::sovereign::model::bundle;
use crate::sovereign::model::registry::Registry;
use crate::sovereign::model::report::{Cell, Row, Surface, reason};

pub(crate) const LAW: Law = Law::named("sovereign/registry-lock");

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
/// If the file is not JSON, is not an object, or has no canonical form.
pub fn registry_digest(registry: &[u8]) -> Result<Digest, Rejection> {
    let document = Document::parse(registry, &Dialect::LAW)?;
    if !document.root().is_object() {
        return Err(Rejection::input_at("", "a registry is an object with `contract_version` and `codes`"));
    }
    match canonicalize_by(&Rules::LAW, registry) {
        Ok(bytes) => Ok(bytes.digest()),
        Err(CanonError::Json(error)) => Err(error.into()),
        Err(CanonError::Value { .. }) => Err(canonical_parity::refused()),
    }
}

/// Takes the local registry, or the sealed one where none is given.
pub(crate) fn local(registry: Option<&[u8]>) -> Result<Registry, Rejection> {
    /// Read once a process: most comparisons are under it.
    static SEALED: LazyLock<Result<Registry, Rejection>> = LazyLock::new(|| read(contracts::ERROR_CODES.as_bytes()));
    registry.map_or_else(|| SEALED.clone(), read)
}

fn read(text: &[u8]) -> Result<Registry, Rejection> {
    let digest = registry_digest(text)?;
    let document = Document::parse(text, &Dialect::LAW)?;
    Ok(Registry::of(digest, document.root()))
}

/// A local registry that cannot be used.
pub(crate) fn unusable(why: &Rejection) -> Finding {
    Finding { code: code_of_unusable(why), ..Finding::error(LAW, why.pointer(), why.to_string()) }
}

/// The row that stops the comparison: a bundle recorded under another registry, A looked at first.
pub(crate) fn refused(bundles: [NodeRef<'_>; 2], registry: &Registry) -> Option<Row> {
    let local = registry.digest.to_hex();
    let other = bundles.into_iter().filter_map(bundle::declared_registry).find(|digest| *digest != local)?;
    let (expected, actual) = (Cell::Text(local.into()), Cell::Text(other.into()));
    let path = Cell::Name("/registry_digest");
    Some(Row::replay(Cell::Name(""), Surface::BundleDigest, path, expected, actual, reason::REGISTRY))
}
