//! Environment fingerprint: the declared one is the hash of the four environment members.
//!
//! Spec: RCE Profile v0.1, 2.3 Environment fingerprint; ruling EP-13 (phase 1).

use crate::digest::Digest;
use crate::episode::model::canonical::{CanonicalObject, prefixed};
use crate::episode::model::contract::Contract;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("episode/environment-fingerprint");

/// The members of `environment` that the fingerprint covers, in canonical order.
const ENVIRONMENT: [&str; 4] = ["container_digest", "model_id", "provider", "tool_versions"];

/// The four members alone, in canonical form, and their hash; none unless all of them are there.
pub(crate) fn derive(environment: CanonicalObject<'_>) -> Option<(Vec<u8>, String)> {
    let mut four = Vec::new();
    for name in ENVIRONMENT {
        four.push(if four.is_empty() { b'{' } else { b',' });
        four.extend_from_slice(format!("\"{name}\":").as_bytes());
        four.extend_from_slice(environment.member(name)?);
    }
    four.push(b'}');
    let hash = prefixed(Digest::of(&four));
    Some((four, hash))
}

pub(crate) fn check(contract: &Contract) -> Option<Finding> {
    let derived = &contract.hashes.env_fingerprint_hash;
    if contract.declared_fingerprint == *derived {
        return None;
    }
    let place = JsonPointer::from_text("/environment/env_fingerprint_hash");
    let message = format!("the environment's members give {derived}");
    Some(Finding::error(LAW, place, message))
}
