use assize_verifier::{
    episode::{Phase, Verdict},
    finding::Finding,
    json::JsonPointer,
    law::Law,
};
use clap::Parser as _;
use serde_json::{Value, json};

use super::*;

#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

#[track_caller]
fn said(options: &[&str], end: End, worst: Exit) -> Value {
    let args = Line::parse_from(["verify", "p"].iter().chain(options)).args;
    let bytes = document(&args, &[Judged { name: "p".to_owned(), end }], worst).unwrap();
    assert!(bytes.ends_with(b"}\n"));
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn a_divergence_has_all_that_is_known() {
    let divergence = Divergence {
        step_id: "s".to_owned(),
        expected: "sha256:1".to_owned(),
        observed: "sha256:2".to_owned(),
        tier: "A",
        vanishes_under_other_form: true,
    };
    let finding =
        Finding::error(Law::named("episode/replay-comparison"), JsonPointer::root(), "m").with_code("A_VALUE");
    let found = Verification {
        verdict: Verdict::Diverge,
        phase: Phase::Replay,
        episode_claim: Some(false),
        steps_replayed: 3,
        steps_matched: 1,
        divergences: vec![divergence.clone(), divergence],
        findings: vec![PackFinding { file: "recorded_traces/s.json".to_owned(), finding }],
        replay_result: r#"{"n":1e300,"verdict":"DIVERGE"}"#.to_owned(),
        details: "{}".to_owned(),
        steps: Vec::new(),
        signer: Some("ab".to_owned()),
        attested_claim: Some("N/A".to_owned()),
    };
    let signer = "ab".repeat(32);
    let end = End::Episode(Box::new(found), vec![Explained::default()]);
    let explanation = json!({
        "recorded": null, "trace_is": null, "against": null, "differences": null, "trace": null,
    });
    let diverged = |explanation: Value| {
        json!({
            "step_id": "s", "expected_output_hash": "sha256:1", "observed_output_hash": "sha256:2",
            "comparator_tier": "A", "vanishes_under_other_number_form": true, "explanation": explanation,
        })
    };
    let wanted = json!({
        "judged": "episode",
        "numbers": "rfc8785",
        "worst_exit": 1,
        "packs": [{
            "path": "p", "verdict": "DIVERGE", "phase": 4, "exit_code": 1,
            "receipt_integrity": "PASS", "claim_check": "FAIL", "episode_claim": "FAIL", "attested_claim_check": "N/A",
            "signer": "ab", "signer_pinned": true,
            "steps_replayed": 3, "steps_matched": 1, "steps_diverged": 2,
            "divergences": [diverged(explanation), diverged(Value::Null)],
            "findings": [{
                "law": "episode/replay-comparison", "code": "A_VALUE", "file": "recorded_traces/s.json", "pointer": "",
                "severity": "error", "message": "m",
            }],
            "replay_result": {"n": 1e300, "verdict": "DIVERGE"},
        }],
    });
    assert_eq!(said(&["--signer", &signer], end, Exit::Violates), wanted);
}

#[test]
fn other_ends_have_their_own_members() {
    let found = PackVerification {
        sound: true,
        claim_check: Some("N/A".to_owned()),
        findings: Vec::new(),
        signer: Some("ab".to_owned()),
        receipts: 7,
    };
    let wanted = json!({
        "judged": "pack",
        "numbers": "assay",
        "worst_exit": 1,
        "packs": [{
            "path": "p", "verdict": "HONEST_FAIL", "exit_code": 1, "receipt_integrity": "PASS", "claim_check": "N/A",
            "signer": "ab", "signer_pinned": false, "receipts": 7, "findings": [],
        }],
    });
    assert_eq!(
        said(&["--pack-only", "--require-claims", "--numbers", "assay"], End::Pack(found), Exit::Violates),
        wanted
    );
    let wanted = json!({
        "judged": "episode",
        "numbers": "rfc8785",
        "worst_exit": 3,
        "packs": [{"path": "p", "error": "p: cannot be opened", "help": "name a folder", "exit_code": 3}],
    });
    let end = End::Unreadable(CliError::unreadable("p: cannot be opened", "name a folder"));
    assert_eq!(said(&[], end, Exit::NoAnswer), wanted);
}
