//! Replay result: the receipt that a verifier writes about a pack.
//!
//! Spec: RCE Profile v0.1, Receipts, rce.replay_result/v0; rulings EP-23, EP-24, EP-40 to EP-42.

use serde_json::{Map, Value, json};

use super::dispute;
use crate::episode::model::canonical::{Canon, hash, prefixed};
use crate::episode::model::contract::Identity;
use crate::episode::model::findings::PackFinding;
use crate::episode::model::inquiry::{CONTRACT, INPUTS, TRACES};
use crate::episode::model::options::{Numbers, Options};
use crate::episode::model::payload::{BASIS, TIER};
use crate::episode::model::receipt::{Receipt, ReceiptKind};
use crate::episode::model::verdict::Outcome;
use crate::finding::Severity;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("episode/replay-result");

/// Who wrote the result.
const VERIFIER: &str = "assize";
/// Date of a result that nothing else dates.
const EPOCH: &str = "1970-01-01T00:00:00Z";

/// Everything that a result depends on.
pub(crate) struct Facts<'a> {
    pub(crate) identity: &'a Identity,
    /// Bare, if the manifest could be read.
    pub(crate) pack_root: Option<&'a str>,
    /// Hash and time of the close receipt, recomputed, if it was reached and is alone.
    pub(crate) close: Option<&'a (String, String)>,
    pub(crate) outcome: &'a Outcome,
}

/// Hash and time of the receipt that a result names as its parent: the close receipt, if there is exactly one.
pub(crate) fn parent(closes: &[(usize, &Receipt)]) -> Option<(String, String)> {
    let [(_, close)] = closes else { return None };
    Some((prefixed(close.hash), close.timestamp.clone()))
}

/// The receipt: JCS text.
pub(crate) fn receipt(facts: &Facts<'_>, options: &Options<'_>) -> String {
    let outcome = facts.outcome;
    let hashes = &facts.identity.hashes;
    let zeros = "0".repeat(64);
    let environment = json!({
        "platform": options.platform,
        "verifier_id": VERIFIER,
        "verifier_version": env!("CARGO_PKG_VERSION"),
    });
    let diverged: Vec<&str> = outcome.divergences.iter().map(|divergence| divergence.step_id.as_str()).collect();
    let timestamp = options.now.or(facts.close.map(|(_, timestamp)| timestamp.as_str())).unwrap_or(EPOCH);
    let parents: Vec<&str> = facts.close.iter().map(|(hash, _)| hash.as_str()).collect();
    let mut receipt = Map::new();
    for (name, value) in [
        ("type", json!(ReceiptKind::Result.type_name())),
        ("timestamp", json!(timestamp)),
        ("schema_version", json!("3.0")),
        ("proof_tier", json!("core")),
        ("parent_hashes", json!(parents)),
        ("episode_id", json!(facts.identity.episode_id)),
        ("episode_spec_hash", json!(hashes.episode_spec_hash)),
        ("original_pack_root_sha256", json!(format!("sha256:{}", facts.pack_root.unwrap_or(&zeros)))),
        ("verdict", json!(outcome.verdict.name())),
        ("receipt_integrity", json!(outcome.verdict.receipt_integrity())),
        ("claim_check", json!(outcome.verdict.claim_check())),
        ("replay_basis", json!(BASIS)),
        ("comparator_tier", json!(TIER)),
        ("script_hash", json!(hashes.script_hash)),
        ("steps_replayed", json!(outcome.replayed)),
        ("steps_matched", json!(outcome.replayed - diverged.len())),
        ("steps_diverged", json!(diverged.len())),
        ("divergent_step_ids", json!(diverged)),
        ("verifier_id", json!(VERIFIER)),
        ("verifier_version", json!(env!("CARGO_PKG_VERSION"))),
        ("verifier_env_hash", json!(hash(&environment))),
        ("dispute", dispute::payload(&outcome.divergences)),
    ] {
        receipt.insert(name.to_owned(), value);
    }
    // The id derives from everything but itself and the hash; the hash covers the id too.
    let derived = hash(&Value::Object(receipt.clone()));
    let digits = derived.strip_prefix("sha256:").and_then(|hex| hex.get(..12)).unwrap_or_default();
    receipt.insert("receipt_id".to_owned(), json!(format!("r_rce_replay_{digits}")));
    let derived = hash(&Value::Object(receipt.clone()));
    receipt.insert("receipt_hash".to_owned(), json!(derived));
    canonical(&Value::Object(receipt))
}

/// What stands beside the receipt: JCS text.
pub(crate) fn details(outcome: &Outcome, findings: &[PackFinding]) -> String {
    let errors = findings.iter().filter(|found| found.finding.severity == Severity::Error).map(|found| {
        json!({
            "file": found.file,
            "pointer": found.finding.pointer.as_str(),
            "law": found.finding.law.slug(),
            "code": found.finding.code,
            "message": found.finding.message,
        })
    });
    canonical(&json!({
        "phase": outcome.phase.number(),
        "errors": errors.collect::<Vec<_>>(),
        "divergent_steps": dispute::entries(&outcome.divergences),
        "artifact_layout": { "contract": CONTRACT, "inputs": INPUTS, "recorded_traces": TRACES },
    }))
}

fn canonical(value: &Value) -> String {
    let mut canon = Canon::new(Numbers::Rfc8785);
    // serde_json writes JSON, and strings of Rust have no lone surrogates.
    let bytes = canon.object(value.to_string().as_bytes()).map(|object| object.without(&[])).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}
