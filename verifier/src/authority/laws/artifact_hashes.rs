//! authority/artifact-hashes: a blueprint follows from the run, and the verification pack holds its hash.
//!
//! Spec: Kernel Contract 0.1.0, 2.6 and 3; ruling AU-4.

use crate::authority::breach::Breach;
use crate::authority::model::canonical::quoted;
use crate::authority::model::recorded::{Members, Placed};
use crate::canon::compose;
use crate::digest::Digest;
use crate::law::Law;
use crate::tables::authority::dag_invariants::INVARIANT as INVARIANTS;

pub(crate) const LAW: Law = Law::named("authority/artifact-hashes");

const INSTRUCTIONS: &str = "Replay by validating ledger chain and rebuilding DAG from records";

/// The name of the blueprint, here and in `artifact_hashes`.
pub(crate) const BLUEPRINT: &str = "blueprint";
/// The name of the verification pack, which has no hash of its own.
pub(crate) const VERIFICATION: &str = "verification";

/// The blueprint; `intent_root` is the id of the interpretation's node, `pin` canonical.
pub(crate) fn blueprint(run_id: &str, seed_hash: Digest, intent_root: Digest, pin: &[u8]) -> Members<6> {
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
pub(crate) fn artifact_hashes(blueprint: Digest) -> Vec<u8> {
    compose::object(&[(BLUEPRINT, quoted(blueprint))])
}

/// The verification pack, with the seals that end it.
pub(crate) fn verification(artifact_hashes: Vec<u8>, [last, root, summary]: Members<3>) -> Members<5> {
    let instructions = compose::string(INSTRUCTIONS);
    [("artifact_hashes", artifact_hashes), ("replay_instructions", instructions), last, root, summary]
}

/// Holds a recorded blueprint against the one of its run.
pub(crate) fn check_blueprint(stored: &Placed<'_>, expected: &Members<6>) -> Result<(), Box<Breach>> {
    stored.members(expected).map_err(Breach::of(LAW))
}

/// Holds a recorded verification pack, but for its seals, against the one of its run.
pub(crate) fn check_verification(stored: &Placed<'_>, expected: &Members<5>) -> Result<(), Box<Breach>> {
    let pack = stored.clone().closed(&expected.each_ref().map(|(name, _)| *name)).map_err(Breach::of(LAW))?;
    let [hashes, instructions, ..] = expected;
    for (name, expected) in [hashes, instructions] {
        let member = pack.member(name).map_err(Breach::of(LAW))?;
        member.expect(expected, "not what this run leaves here").map_err(Breach::of(LAW))?;
    }
    Ok(())
}
