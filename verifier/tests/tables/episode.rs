//! `contracts/episode/tables`.

use assize_verifier::{
    contracts,
    digest::Digest,
    episode::{Maker, Options, PackLabel, Phase, Recording, StepStatus, Verdict, contract, verify},
    files::{PackFileError, PackFiles},
};
use serde_json::{Value, json};

use super::{is_laid, rows, text, texts};

/// Files of which each holds `1`, or none at all.
struct Ones(bool);

impl PackFiles for Ones {
    fn read(&self, _: &str, _: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        into.clear();
        into.push(b'1');
        if self.0 { Ok(()) } else { Err(PackFileError::Absent) }
    }

    fn exists(&self, _: &str) -> bool {
        self.0
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        Ok(Vec::new())
    }
}

#[test]
fn words_have_their_codes_and_numbers() {
    assert_eq!(Verdict::ALL.map(Verdict::name).to_vec(), texts("episode", "verdicts", "verdict"));
    for (verdict, row) in Verdict::ALL.into_iter().zip(rows("episode", "verdicts")) {
        assert_eq!(verdict.exit_code(), row["exit_code"], "{row}");
        assert_eq!(verdict.receipt_integrity(), row["receipt_integrity"], "{row}");
        assert_eq!(json!(verdict.claim_check()), row["claim_check"], "{row}");
    }
    assert_eq!(PackLabel::ALL.map(PackLabel::name).to_vec(), texts("episode", "pack-labels", "label"));
    for (label, row) in PackLabel::ALL.into_iter().zip(rows("episode", "pack-labels")) {
        assert_eq!(label.exit_code(), row["exit_code"], "{row}");
    }
    for (phase, row) in Phase::ALL.into_iter().zip(rows("episode", "phases")) {
        assert_eq!((json!(phase.number()), json!(phase.title())), (row["number"].clone(), row["title"].clone()));
    }
    assert_eq!(StepStatus::ALL.map(StepStatus::name).to_vec(), texts("episode", "step-statuses", "status"));
}

fn hash(bytes: &[u8]) -> String {
    format!("sha256:{}", Digest::of(bytes))
}

/// A step of a script with the parameters that its opcode has to have.
fn step(row: &Value) -> Value {
    let mut params = json!({});
    if let Some(name) = row["names"].as_str() {
        params[name] = if row["does"] == "load" { "n" } else { "load" }.into();
    }
    if let Some(name) = row["hash"].as_str() {
        params[name] = hash(b"1").into();
    }
    match row["does"].as_str() {
        Some("emit") => params["claim_type"] = "c".into(),
        Some("transform") => params["transform"] = "t".into(),
        _ => {}
    }
    json!({"step_id": row["does"], "opcode": row["opcode"], "params": params, "depends_on": []})
}

/// A contract whose script has a step of each opcode.
fn script(opcodes: &[Value]) -> Vec<u8> {
    let environment = json!({"container_digest": null, "model_id": "m", "provider": "p", "tool_versions": {}});
    let mut contract = json!({
        "schema_version": "rce/0.1", "episode_id": "ep_0196a3c1b2d4000000000001",
        "inputs": [{"ref": "n", "hash": hash(b"1")}],
        "replay_script": {"schema_version": "replay_script/0.1", "steps": opcodes.iter().map(step).collect::<Vec<_>>()},
        "replay_policy": {"replay_basis": "recorded_trace", "comparator_tier": "A"},
        "environment": environment,
    });
    contract["environment"]["env_fingerprint_hash"] = hash(environment.to_string().as_bytes()).into();
    contract.to_string().into_bytes()
}

#[test]
fn scripts_are_made_of_the_opcodes() {
    let opcodes = rows("episode", "opcodes");
    assert!(contract(&script(&opcodes)).is_ok(), "{:?}", contract(&script(&opcodes)));
    for place in 0..opcodes.len() {
        let mut others = opcodes.clone();
        others[place]["opcode"] = format!("{}_", text(&opcodes[place], "opcode")).into();
        assert!(contract(&script(&others)).is_err(), "{}", opcodes[place]);
    }
}

#[test]
fn receipts_have_their_types() {
    let maker = Maker::new("2026-03-02T09:00:00Z", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").expect("a maker");
    let recording = Recording { inputs: &Ones(true), outputs: &Ones(true) };
    let made = maker.make(&script(&rows("episode", "opcodes")), &recording).expect("a pack");
    let (_, receipts) = made.files().find(|(path, _)| *path == "receipt_pack.jsonl").expect("receipts");
    let kinds = receipts.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let mut kinds: Vec<_> =
        kinds.map(|line| serde_json::from_slice::<Value>(line).expect("JSON")["type"].clone()).collect();
    let found = verify(&Ones(false), &Options::new("any")).expect("options");
    kinds.push(serde_json::from_str::<Value>(&found.replay_result).expect("JSON")["type"].clone());
    kinds.dedup();
    assert_eq!(Value::from(kinds), json!(texts("episode", "receipt-types", "type")));
}

#[test]
fn schemas_repeat_the_rows() {
    for (name, embedded) in [
        ("episode-contract", contracts::EPISODE_CONTRACT_SCHEMA),
        ("receipt-step", contracts::RECEIPT_STEP_SCHEMA),
        ("replay-result", contracts::REPLAY_RESULT_SCHEMA),
        ("replay-details", contracts::REPLAY_DETAILS_SCHEMA),
    ] {
        is_laid(&format!("episode/{name}.schema.json"), embedded);
    }
}
