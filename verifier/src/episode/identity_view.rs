//! Identity view: which parts of a contract make it the episode that it is.
//!
//! Spec: RCE Profile v0.1, Replay-normative view, 2.4 Derived hash inventory; ruling EP-35.

use super::canonical::{Canon, CanonicalObject, prefixed};
use super::contract_shape::Parsed;
use super::member::text;
use super::{Numbers, Rejection};
use crate::digest::Digest;
use crate::json::NodeRef;

/// The hashes that derive from a contract alone: `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractHashes {
    /// Of the replay-normative view: inputs, script, policy and the four environment members.
    pub episode_spec_hash: String,
    /// Of the four environment members.
    pub env_fingerprint_hash: String,
    /// Of `inputs`.
    pub inputs_hash: String,
    /// Of `replay_script`.
    pub script_hash: String,
}

/// Derives the hashes of a contract. Graph and declared fingerprint are not judged.
///
/// # Errors
/// The first of: not JSON, no canonical form, wrong shape.
pub fn hashes(contract: &[u8], numbers: Numbers) -> Result<ContractHashes, Rejection> {
    Parsed::read(contract, numbers)?.contract().map(|contract| contract.hashes)
}

/// What a replay result says of the contract.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub(super) episode_id: String,
    pub(super) hashes: ContractHashes,
}

/// The members of `environment` that are part of the identity, in canonical order.
const ENVIRONMENT: [&str; 4] = ["container_digest", "model_id", "provider", "tool_versions"];

/// Stands in for a contract that cannot be read (ruling EP-23). Its fingerprint is no part of any result.
const STAND_IN: &[u8] = br#"{"environment":{"container_digest":null,"model_id":"unknown","provider":"unknown","tool_versions":{}},"episode_id":"ep_000000000000000000000000","inputs":[],"replay_policy":{"comparator_tier":"A","replay_basis":"recorded_trace"},"replay_script":{"schema_version":"replay_script/0.1","steps":[]},"schema_version":"rce/0.1"}"#;

impl Identity {
    /// The identity of a contract that may still have the wrong shape; none without the parts that it derives from.
    pub(super) fn of(root: NodeRef<'_>, contract: CanonicalObject<'_>, numbers: Numbers) -> Option<Self> {
        let episode_id = text(root, "episode_id")?;
        contract.member("schema_version")?;
        let mut canon = Canon::new(numbers);
        let environment = canon.object(contract.member("environment")?).ok()?;
        let mut four = Vec::new();
        for name in ENVIRONMENT {
            four.push(if four.is_empty() { b'{' } else { b',' });
            four.extend_from_slice(format!("\"{name}\":").as_bytes());
            four.extend_from_slice(environment.member(name)?);
        }
        four.push(b'}');
        let (inputs, script) = (contract.member("inputs")?, contract.member("replay_script")?);
        let policy = contract.member("replay_policy")?;
        let view: [&[u8]; 9] = [
            b"{\"environment\":",
            &four,
            b",\"inputs\":",
            inputs,
            b",\"replay_policy\":",
            policy,
            b",\"replay_script\":",
            script,
            b"}",
        ];
        let hashes = ContractHashes {
            episode_spec_hash: prefixed(Digest::of_parts(view)),
            env_fingerprint_hash: prefixed(Digest::of(&four)),
            inputs_hash: prefixed(Digest::of(inputs)),
            script_hash: prefixed(Digest::of(script)),
        };
        Some(Self { episode_id, hashes })
    }

    /// The identity that a replay result names when there is none to name.
    pub(super) fn stand_in() -> Self {
        let parsed = Parsed::read(STAND_IN, Numbers::Rfc8785).ok().and_then(|parsed| parsed.identity);
        let nothing = || ContractHashes {
            episode_spec_hash: String::new(),
            env_fingerprint_hash: String::new(),
            inputs_hash: String::new(),
            script_hash: String::new(),
        };
        // The constant is readable: a test holds its hashes against those computed apart.
        parsed.unwrap_or_else(|| Self { episode_id: String::new(), hashes: nothing() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stand_in_has_the_sheets_hashes() {
        let identity = Identity::stand_in();
        assert_eq!(identity.episode_id, format!("ep_{}", "0".repeat(24)));
        assert!(identity.hashes.episode_spec_hash.starts_with("sha256:38a3fe64"));
        assert!(identity.hashes.script_hash.starts_with("sha256:7976a472"));
    }
}
