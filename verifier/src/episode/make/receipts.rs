//! The receipts of an episode: one that opens it, one for each step in the order of the replay, and one that closes it.
//!
//! Spec: RCE Profile v0.1, receipt payloads; rulings EP-2, EP-11 and EP-48. The envelope is that of the public tool, unsigned
//! and without a declared hash.

use serde_json::{Map, Value};

use crate::digest::Digest;
use crate::episode::laws::derived_hashes;
use crate::episode::laws::status_propagation::Counts;
use crate::episode::model::canonical::{canonical, prefixed};
use crate::episode::model::contract::{Contract, Operation, Step};
use crate::episode::model::made::Ran;
use crate::episode::model::payload::{BASIS, StepStatus, TIER};
use crate::episode::model::proof::Script;
use crate::episode::model::receipt::ReceiptKind;

/// The receipts of a pack, in canonical form.
pub(super) struct Receipts {
    pub(super) lines: Vec<Vec<u8>>,
    pub(super) all_passed: bool,
}

/// The receipts of what ran; every one is dated `now`.
pub(super) fn of(script: &Script, ran: &[Ran], now: &str) -> Receipts {
    let counts = Counts::count(ran.iter().map(|ran| ran.status));
    let mut chain = Chain { now, lines: Vec::with_capacity(ran.len() + 2), parent: None };
    chain.add(ReceiptKind::Open.type_name(), open(&script.contract));
    for &index in &script.order {
        if let (Some(step), Some(done)) = (script.contract.steps.get(index), ran.get(index)) {
            let inputs = script.dependencies.get(index).into_iter().flatten();
            let inputs: Vec<_> = inputs.filter_map(|&index| output_hash(ran.get(index)?)).collect();
            chain.add(ReceiptKind::Step.type_name(), one(&script.contract, step, done, inputs));
        }
    }
    chain.add(ReceiptKind::Close.type_name(), close(script, ran, counts));
    Receipts { lines: chain.lines, all_passed: counts.all_passed }
}

fn open(contract: &Contract) -> Map<String, Value> {
    let hashes = &contract.hashes;
    let mut members = common(contract, &hashes.episode_spec_hash);
    for (name, value) in [
        ("inputs_hash", Value::from(hashes.inputs_hash.as_str())),
        ("script_hash", hashes.script_hash.as_str().into()),
        ("env_fingerprint_hash", hashes.env_fingerprint_hash.as_str().into()),
        ("n_steps", contract.steps.len().into()),
    ] {
        members.insert(name.to_owned(), value);
    }
    if let Some(objective) = &contract.objective {
        members.insert("objective".to_owned(), objective.as_str().into());
    }
    members
}

fn close(script: &Script, ran: &[Ran], counts: Counts) -> Map<String, Value> {
    let hashes: Vec<_> = ran.iter().map(output_hash).collect();
    let outputs = script.contract.steps.iter().zip(ran).zip(&hashes);
    let outputs = outputs.map(|((step, ran), hash)| (step, ran.status, hash.as_deref()));
    let mut members = common(&script.contract, &script.contract.hashes.episode_spec_hash);
    for (name, value) in [
        ("outputs_hash", Value::from(derived_hashes::outputs_hash(outputs))),
        ("n_steps_executed", counts.executed.into()),
        ("n_steps_passed", counts.passed.into()),
        ("all_steps_passed", counts.all_passed.into()),
    ] {
        members.insert(name.to_owned(), value);
    }
    members
}

/// What the receipts at both ends say alike.
fn common(contract: &Contract, spec_hash: &str) -> Map<String, Value> {
    let members = [
        ("episode_id", contract.episode_id.as_str()),
        ("episode_spec_hash", spec_hash),
        ("replay_basis", BASIS),
        ("comparator_tier", TIER),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

fn one(contract: &Contract, step: &Step, ran: &Ran, input_hashes: Vec<String>) -> Map<String, Value> {
    let inputs = if ran.status == StepStatus::Skipped { Vec::new() } else { input_hashes };
    let mut members: Map<String, Value> = [
        ("episode_id", Value::from(contract.episode_id.as_str())),
        ("step_id", step.step_id.as_str().into()),
        ("opcode", step.opcode.name().into()),
        ("step_status", ran.status.name().into()),
        ("input_hashes", inputs.into()),
        ("output_hash", output_hash(ran).into()),
        ("output_size_bytes", ran.output.as_ref().map_or(0, |output| output.size).into()),
        // Nobody held a watch: what is recorded has no duration.
        ("duration_ms", 0.into()),
        ("comparator_tier", TIER.into()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    if matches!(step.operation, Operation::AssertHash { .. }) && ran.status != StepStatus::Skipped {
        members.insert("assertion_passed".to_owned(), (ran.status == StepStatus::Pass).into());
    }
    if let Some(why) = &ran.broken_schema {
        members.insert("schema_validation_error".to_owned(), why.as_str().into());
    }
    members
}

fn output_hash(ran: &Ran) -> Option<String> {
    ran.output.as_ref().map(|output| prefixed(output.digest))
}

/// Receipts, each of which names the one before.
struct Chain<'n> {
    now: &'n str,
    lines: Vec<Vec<u8>>,
    parent: Option<String>,
}

impl Chain<'_> {
    fn add(&mut self, type_name: &str, mut receipt: Map<String, Value>) {
        let parents: Vec<_> = self.parent.take().into_iter().collect();
        for (name, value) in [
            ("type", Value::from(type_name)),
            ("timestamp", self.now.into()),
            ("schema_version", "3.0".into()),
            ("seq", self.lines.len().into()),
            ("proof_tier", "core".into()),
            ("parent_hashes", parents.into()),
        ] {
            receipt.insert(name.to_owned(), value);
        }
        // No two receipts have one number, so no two have one id.
        let digest = Digest::of(&canonical(&Value::Object(receipt.clone()))).to_hex();
        let id = digest.get(..32).unwrap_or_default();
        receipt.insert("receipt_id".to_owned(), format!("r_rce_{id}").into());
        let line = canonical(&Value::Object(receipt));
        // The receipt has none of the members that its hash leaves out.
        self.parent = Some(prefixed(Digest::of(&line)));
        self.lines.push(line);
    }
}
