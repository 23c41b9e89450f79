//! The receipts of an episode.
//!
//! Spec: Constitutional Receipt Standard v0.1; RCE Profile v0.1; rulings EP-1 to EP-11.

use serde_json::{Map, Value, json};

use crate::{
    canon::{hash, jcs},
    episode::{Episode, Shape, Status, dependencies, text},
};

/// Open, the steps in the order of the replay, close; without parents.
pub(crate) fn all(episode: &Episode) -> Vec<Map<String, Value>> {
    let mut payloads = vec![("rce.episode_open/v0", open(episode))];
    for index in episode.order() {
        payloads.push(("rce.episode_step/v0", step(episode, &episode.steps()[index])));
    }
    payloads.push(("rce.episode_close/v0", close(episode)));
    payloads.into_iter().enumerate().map(|(seq, (kind, payload))| envelope(episode, seq, kind, payload)).collect()
}

/// A receipt around a payload.
pub(crate) fn envelope(episode: &Episode, seq: usize, kind: &str, payload: Value) -> Map<String, Value> {
    // A millisecond apart, so that even 100,000 receipts stay within a minute or two.
    let (minute, second, milli) = (seq / 60_000 % 60, seq / 1000 % 60, seq % 1000);
    let time = format!("{}T09:{minute:02}:{second:02}.{milli:03}+00:00", episode.day);
    let mut receipt = json!({
        "receipt_id": format!("r_ep_{seq:04}"), "schema_version": "3.0", "seq": seq, "proof_tier": "core",
        "parent_hashes": [],
    });
    if episode.shape != Shape::Crs {
        receipt["type"] = json!(kind);
        receipt["timestamp"] = json!(time);
        for (name, value) in payload.as_object().expect("a payload is an object") {
            receipt[name] = value.clone();
        }
    }
    if episode.shape != Shape::Flat {
        receipt["receipt_type"] = json!(kind);
        receipt["ts"] = json!(time);
        receipt["payload"] = payload;
    }
    if episode.shape == Shape::Crs {
        receipt["schema_version"] = json!("crs/0.1");
        // Filled in when the chain is linked.
        receipt["receipt_hash"] = Value::Null;
    }
    let Value::Object(receipt) = receipt else { panic!("a receipt is an object") };
    receipt
}

fn open(episode: &Episode) -> Value {
    let contract = &episode.contract;
    json!({
        "episode_id": contract["episode_id"],
        "episode_spec_hash": episode.spec_hash(),
        "objective": contract["objective"],
        "inputs_hash": hash(&contract["inputs"]),
        "script_hash": hash(&contract["replay_script"]),
        "env_fingerprint_hash": contract["environment"]["env_fingerprint_hash"],
        "replay_basis": "recorded_trace",
        "comparator_tier": "A",
        "n_steps": episode.steps().len(),
    })
}

fn step(episode: &Episode, step: &Value) -> Value {
    let (id, opcode) = (text(step, "step_id"), text(step, "opcode"));
    let outcome = episode.outcome(id);
    let ran = outcome.status != Status::Skipped;
    let inputs: Vec<_> = dependencies(step).into_iter().map(|id| episode.outcome(id).output_hash()).collect();
    let mut payload = json!({
        "episode_id": episode.contract["episode_id"],
        "step_id": id,
        "opcode": opcode,
        "step_status": outcome.status.name(),
        "input_hashes": if ran { inputs } else { Vec::new() },
        "output_hash": outcome.output_hash(),
        "output_size_bytes": outcome.trace.as_ref().map_or(0, |trace| jcs(trace).len()),
        "duration_ms": u8::from(ran),
        "comparator_tier": "A",
    });
    if ran && opcode == "ASSERT_HASH" {
        payload["assertion_passed"] = json!(outcome.status == Status::Pass);
    }
    if outcome.status == Status::Fail && opcode == "EMIT_OUTPUT" {
        payload["schema_validation_error"] = json!("the output does not follow its schema");
    }
    payload
}

fn close(episode: &Episode) -> Value {
    let passed = episode.outcomes.values().filter(|outcome| outcome.status == Status::Pass).count();
    json!({
        "episode_id": episode.contract["episode_id"],
        "episode_spec_hash": episode.spec_hash(),
        "outputs_hash": hash(&outputs(episode)),
        "n_steps_executed": episode.executed(),
        "n_steps_passed": passed,
        "all_steps_passed": episode.all_passed(),
        "replay_basis": "recorded_trace",
        "comparator_tier": "A",
    })
}

/// What `outputs_hash` is of: the emitted outputs that passed, by `step_id`.
fn outputs(episode: &Episode) -> Value {
    let mut emitted: Vec<_> = episode
        .steps()
        .iter()
        .filter(|step| step["opcode"] == "EMIT_OUTPUT")
        .map(|step| text(step, "step_id"))
        .filter(|id| episode.outcome(id).status == Status::Pass)
        .collect();
    emitted.sort_unstable();
    emitted.into_iter().map(|id| json!({"step_id": id, "output_hash": episode.outcome(id).output_hash()})).collect()
}
