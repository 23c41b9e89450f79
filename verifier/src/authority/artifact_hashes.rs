//! authority/artifact-hashes: a blueprint follows from the run, and the verification pack holds its hash.
//!
//! Spec: Kernel Contract 0.1.0, 2.6 and 3; ruling AU-4.

use crate::canon::compose;
use crate::digest::Digest;

use super::ledger_integrity::quoted;

/// Names and canonical values of an artefact's members.
pub(super) type Members<const N: usize> = [(&'static str, Vec<u8>); N];

const INVARIANTS: [&str; 3] = ["no_cycles", "all_edges_reference_nodes", "deterministic_ids"];

const INSTRUCTIONS: &str = "Replay by validating ledger chain and rebuilding DAG from records";

/// The name of the blueprint, here and in `artifact_hashes`.
pub(super) const BLUEPRINT: &str = "blueprint";
/// The name of the verification pack, which has no hash of its own.
pub(super) const VERIFICATION: &str = "verification";

/// The blueprint; `intent_root` is the id of the interpretation's node, `pin` canonical.
pub(super) fn blueprint(run_id: &str, seed_hash: Digest, intent_root: Digest, pin: &[u8]) -> Members<6> {
    [
        ("run_id", compose::string(run_id)),
        ("seed_hash", quoted(seed_hash).to_vec()),
        ("intent_root_node_id", quoted(intent_root).to_vec()),
        ("pinned_target", pin.to_vec()),
        ("invariants", compose::array(INVARIANTS.map(compose::string))),
        ("module_contracts", b"[]".to_vec()),
    ]
}

/// Canonical bytes of the table of artefact hashes.
pub(super) fn artifact_hashes(blueprint: Digest) -> Vec<u8> {
    compose::object(&[(BLUEPRINT, quoted(blueprint))])
}

/// The verification pack; `last_hash` is that of the last record before the artefacts' own.
pub(super) fn verification(
    last_hash: Digest,
    root_hash: Digest,
    artifact_hashes: &[u8],
    summary: Digest,
) -> Members<5> {
    [
        ("artifact_hashes", artifact_hashes.to_vec()),
        ("replay_instructions", compose::string(INSTRUCTIONS)),
        ("ledger_last_hash", quoted(last_hash).to_vec()),
        ("dag_root_hash", quoted(root_hash).to_vec()),
        ("expected_summary_hash", quoted(summary).to_vec()),
    ]
}
