//! Two replay bundles in memory, compared by the law.
//!
//! The bundles name no turn, so no files are asked for. Whoever has turn files implements `files::Files`.

use assize_verifier::contracts;
use assize_verifier::digest::Digest;
use assize_verifier::operation::NoFiles;
use assize_verifier::sovereign::{Inputs, compare, registry_digest};
use assize_verifier::threads::Threads;

fn main() {
    let (expected, actual) = (bundle("policy of May"), bundle("policy of June"));
    print!("{}", outcome(&expected, &expected));
    print!("{}", outcome(&expected, &actual));
}

/// The status, and a line for each row of the report.
pub(crate) fn outcome(expected: &str, actual: &str) -> String {
    let inputs = Inputs::of(expected.as_bytes(), actual.as_bytes());
    let report = compare(&inputs, &NoFiles, &NoFiles, Threads::Caller);
    let rows = report.rows.iter().map(|row| format!("  {}: {}\n", row.surface.name(), row.reason.unwrap_or("no code")));
    format!("{}\n{}", report.status.name(), rows.collect::<String>())
}

/// A bundle of a run without turns, recorded under the sealed registry of error codes.
pub(crate) fn bundle(policy: &str) -> String {
    let registry = registry_digest(contracts::ERROR_CODES.as_bytes()).map(Digest::to_hex).unwrap_or_default();
    let [policy, profile, snapshot] = [policy, "profile", "snapshot"].map(|text| Digest::of(text.as_bytes()));
    format!(
        r#"{{"contract_version": "replay_bundle/v1", "run_envelope": {{"run_id": "r", "workflow_id": "w"}},
        "registry_digest": "{registry}", "digests": {{"policy_digest": "{policy}",
        "runtime_profile_digest": "{profile}", "contract_registry_snapshot_digest": "{snapshot}"}}, "turn_results": []}}"#
    )
}
