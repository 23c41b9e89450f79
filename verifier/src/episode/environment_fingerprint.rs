//! Environment fingerprint: the declared one is the hash of the four environment members.
//!
//! Spec: RCE Profile v0.1, 2.3 Environment fingerprint; ruling EP-13 (phase 1).

use super::contract_shape::Contract;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

pub(super) fn check(contract: &Contract) -> Option<Finding> {
    let derived = &contract.hashes.env_fingerprint_hash;
    if contract.declared_fingerprint == *derived {
        return None;
    }
    let place = JsonPointer::from_text("/environment/env_fingerprint_hash");
    let message = format!("the environment's members give {derived}");
    Some(Finding::error(Law::EnvironmentFingerprint, place, message))
}
