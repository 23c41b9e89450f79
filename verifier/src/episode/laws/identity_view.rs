//! Identity view: which parts of a contract make it the episode that it is.
//!
//! Spec: RCE Profile v0.1, Replay-normative view, 2.4 Derived hash inventory; ruling EP-35.

use super::environment_fingerprint;
use crate::digest::Digest;
use crate::episode::model::canonical::{Canon, CanonicalObject, prefixed};
use crate::episode::model::contract::{ContractHashes, Identity};
use crate::episode::model::options::Numbers;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("episode/identity-view");

/// Stands in for a contract that cannot be read (ruling EP-23). Its fingerprint is not part of any result.
const STAND_IN: &[u8] = br#"{"environment":{"container_digest":null,"model_id":"unknown","provider":"unknown","tool_versions":{}},"episode_id":"ep_000000000000000000000000","inputs":[],"replay_policy":{"comparator_tier":"A","replay_basis":"recorded_trace"},"replay_script":{"schema_version":"replay_script/0.1","steps":[]},"schema_version":"rce/0.1"}"#;

/// The identity of a contract that may still have the wrong shape; none without the parts that it derives from.
pub(crate) fn identity(contract: CanonicalObject<'_>, numbers: Numbers) -> Option<Identity> {
    let episode_id = contract.text("episode_id")?;
    contract.member("schema_version")?;
    let mut canon = Canon::new(numbers);
    let environment = canon.object(contract.member("environment")?).ok()?;
    let (four, env_fingerprint_hash) = environment_fingerprint::derive(environment)?;
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
        env_fingerprint_hash,
        inputs_hash: prefixed(Digest::of(inputs)),
        script_hash: prefixed(Digest::of(script)),
    };
    Some(Identity { episode_id, hashes })
}

/// The identity that a replay result names when there is none to name.
pub(crate) fn stand_in() -> Identity {
    let mut canon = Canon::new(Numbers::Rfc8785);
    let identity = canon.object(STAND_IN).ok().and_then(|object| identity(object, Numbers::Rfc8785));
    // The constant is readable: a test holds its hashes against those computed apart.
    identity.unwrap_or_else(|| Identity { episode_id: String::new(), hashes: ContractHashes::none() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stand_in_has_the_sheets_hashes() {
        let identity = stand_in();
        assert_eq!(identity.episode_id, format!("ep_{}", "0".repeat(24)));
        assert!(identity.hashes.episode_spec_hash.starts_with("sha256:38a3fe64"));
        assert!(identity.hashes.script_hash.starts_with("sha256:7976a472"));
    }
}
