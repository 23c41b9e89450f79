//! What holds of every judgement, whatever the pack.
//!
//! Spec: RCE Profile v0.1; rulings EP-17, EP-40 to EP-42.

use std::sync::LazyLock;

use assize_corpus::store::Store;
use assize_packs::canon::{hash, jcs, sha256};
use assize_verifier::{
    episode::{self, Numbers, Options, Phase, Verdict, Verification},
    files::PackFiles,
    finding::Severity,
    threads::Threads,
};
use serde_json::{Value, json};

pub(crate) const OPTIONS: Options<'static> =
    Options { now: None, numbers: Numbers::Rfc8785, signer: None, platform: "test", threads: Threads::Caller };

/// Judges a pack, and holds the judgement against itself.
pub(crate) fn judge(pack: &dyn PackFiles) -> Verification {
    let found = episode::verify(pack, &OPTIONS).expect("these options are in their domain");
    agrees(&found);
    found
}

/// Whether a finding made, or would have made, the verdict.
pub(crate) fn errors(found: &Verification) -> usize {
    found.findings.iter().filter(|found| found.finding.severity == Severity::Error).count()
}

fn agrees(found: &Verification) {
    let (integrity, claim, exit) = match found.verdict {
        Verdict::Match => ("PASS", Some("PASS"), 0),
        Verdict::Diverge => ("PASS", Some("FAIL"), 1),
        Verdict::IntegrityFail => ("FAIL", None, 2),
    };
    assert_eq!(
        (found.verdict.receipt_integrity(), found.verdict.claim_check(), found.exit_code()),
        (integrity, claim, exit)
    );
    let compared = found.verdict != Verdict::IntegrityFail;
    assert_eq!(compared, found.phase == Phase::Replay, "the phase that decided");
    assert_eq!(compared, found.episode_claim.is_some());
    assert_eq!(found.verdict == Verdict::Match, errors(found) == 0, "errors decide, warnings do not: {found:?}");
    assert_eq!(found.verdict == Verdict::Diverge, !found.divergences.is_empty());
    assert_eq!(found.steps_replayed, found.steps_matched + found.divergences.len());
    assert!(compared || found.steps_replayed == 0, "nothing is compared once integrity failed");
    let order: Vec<_> = found
        .findings
        .iter()
        .map(|found| (&found.file, found.finding.pointer.as_str(), found.finding.law.slug(), found.finding.code))
        .collect();
    assert!(order.is_sorted(), "by file, pointer, law, code: {order:?}");
    receipt(found);
    details(found);
}

/// The replay result says the same as the judgement, in canonical form and in its contract's shape.
fn receipt(found: &Verification) {
    let mut result = canonical(&found.replay_result);
    lawful(&RESULT, &result);
    let ids: Vec<_> = found.divergences.iter().map(|step| &step.step_id).collect();
    for (name, expected) in [
        ("verdict", json!(found.verdict.name())),
        ("receipt_integrity", json!(found.verdict.receipt_integrity())),
        ("claim_check", json!(found.verdict.claim_check())),
        ("steps_replayed", json!(found.steps_replayed)),
        ("steps_matched", json!(found.steps_matched)),
        ("steps_diverged", json!(ids.len())),
        ("divergent_step_ids", json!(ids)),
    ] {
        assert_eq!(result[name], expected, "{name}");
    }
    assert_eq!(result["dispute"].is_null(), ids.is_empty());
    let mut take = |name: &str| result.as_object_mut().unwrap().remove(name).unwrap();
    let (declared, id) = (take("receipt_hash"), take("receipt_id"));
    assert_eq!(id, json!(format!("r_rce_replay_{}", sha256(&jcs(&result)).chars().take(12).collect::<String>())));
    result["receipt_id"] = id;
    assert_eq!(declared, json!(hash(&result)));
}

fn details(found: &Verification) {
    let details = canonical(&found.details);
    lawful(&DETAILS, &details);
    assert_eq!(details["phase"], json!(found.phase.number()));
    assert_eq!(details["divergent_steps"].as_array().unwrap().len(), found.divergences.len());
    let errors = found.findings.iter().filter(|found| found.finding.severity == Severity::Error).map(|found| {
        let (place, law) = (found.finding.pointer.as_str(), found.finding.law.slug());
        let (code, message) = (found.finding.code, &found.finding.message);
        json!({"file": found.file, "pointer": place, "law": law, "code": code, "message": message})
    });
    assert_eq!(details["errors"], errors.collect::<Value>(), "what decided, and no warning");
}

/// The value of a text that is its canonical form.
fn canonical(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(jcs(&value), text.as_bytes());
    value
}

static RESULT: LazyLock<jsonschema::Validator> = LazyLock::new(|| contract("replay-result"));
static DETAILS: LazyLock<jsonschema::Validator> = LazyLock::new(|| contract("replay-details"));

fn contract(name: &str) -> jsonschema::Validator {
    let text = Store::embedded().read(&format!("contracts/episode/{name}.schema.json")).unwrap().into_owned();
    jsonschema::draft7::new(&serde_json::from_slice(&text).unwrap()).unwrap()
}

fn lawful(contract: &jsonschema::Validator, document: &Value) {
    let breaches: Vec<_> = contract.iter_errors(document).map(|error| error.to_string()).collect();
    assert!(breaches.is_empty(), "{breaches:?} in {document}");
}
