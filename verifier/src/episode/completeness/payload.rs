//! The payloads of an episode's receipts, in either shape of the envelope.
//!
//! Types are as listed (ruling EP-22): a wrong or absent one is an error, and unknown members are nobody's business.

use std::sync::LazyLock;

use super::super::contract_shape::Contract;
use super::super::derived_hashes;
use super::super::inquiry::{Findings, Inquiry, RECEIPTS};
use super::super::member::{boolean, count, string, text};
use super::super::receipt_envelope::Receipt;
use super::super::status_propagation::StepStatus;
use super::{BASIS, TIER};
use crate::contracts;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::law::Law;
use crate::schema::Schema;

/// What the receipts at both ends of an episode say alike.
pub(super) struct Common {
    /// The payload's place among the receipts.
    pub(super) place: JsonPointer,
    episode_id: String,
    episode_spec_hash: String,
    replay_basis: String,
    tier: String,
}

impl Common {
    fn take(payload: NodeRef<'_>, place: &JsonPointer) -> Option<Self> {
        Some(Self {
            place: place.clone(),
            episode_id: text(payload, "episode_id")?,
            episode_spec_hash: text(payload, "episode_spec_hash")?,
            replay_basis: text(payload, "replay_basis")?,
            tier: text(payload, "comparator_tier")?,
        })
    }

    pub(super) fn check(&self, contract: &Contract, findings: &mut Findings) {
        let spec = &contract.hashes.episode_spec_hash;
        derived_hashes::expect(findings, self.place.member("episode_spec_hash"), &self.episode_spec_hash, spec);
        for (name, told, expected) in [
            ("episode_id", &self.episode_id, contract.episode_id.as_str()),
            ("replay_basis", &self.replay_basis, BASIS),
            ("comparator_tier", &self.tier, TIER),
        ] {
            if told != expected {
                let message = format!("it must be {expected:?}");
                findings.error(Law::Completeness, RECEIPTS, self.place.member(name), message);
            }
        }
    }
}

/// `rce.episode_open/v0`.
pub(super) struct Open {
    pub(super) common: Common,
    pub(super) inputs_hash: String,
    pub(super) script_hash: String,
    pub(super) env_fingerprint_hash: String,
    pub(super) n_steps: Option<u64>,
    pub(super) objective: Option<String>,
}

impl Open {
    pub(super) fn read(all: &[u8], index: usize, receipt: &Receipt, findings: &mut Findings) -> Option<Self> {
        let (open, found) = take(all, index, receipt, &OPEN, &["n_steps"], |payload, place| {
            Some(Self {
                common: Common::take(payload, place)?,
                inputs_hash: text(payload, "inputs_hash")?,
                script_hash: text(payload, "script_hash")?,
                env_fingerprint_hash: text(payload, "env_fingerprint_hash")?,
                n_steps: count(payload, "n_steps"),
                objective: text(payload, "objective"),
            })
        });
        found.into_iter().for_each(|finding| findings.add(RECEIPTS, finding));
        open
    }
}

/// `rce.episode_close/v0`.
pub(super) struct Close {
    pub(super) common: Common,
    pub(super) outputs_hash: String,
    pub(super) n_steps_executed: Option<u64>,
    pub(super) n_steps_passed: Option<u64>,
    pub(super) all_steps_passed: bool,
}

impl Close {
    pub(super) fn read(all: &[u8], index: usize, receipt: &Receipt, findings: &mut Findings) -> Option<Self> {
        let integers = ["n_steps_executed", "n_steps_passed"];
        let (close, found) = take(all, index, receipt, &CLOSE, &integers, |payload, place| {
            Some(Self {
                common: Common::take(payload, place)?,
                outputs_hash: text(payload, "outputs_hash")?,
                n_steps_executed: count(payload, "n_steps_executed"),
                n_steps_passed: count(payload, "n_steps_passed"),
                all_steps_passed: boolean(payload, "all_steps_passed")?,
            })
        });
        found.into_iter().for_each(|finding| findings.add(RECEIPTS, finding));
        close
    }
}

/// `rce.episode_step/v0`.
#[derive(Debug)]
pub(in crate::episode) struct StepReceipt {
    /// The payload's place among the receipts.
    pub(in crate::episode) place: JsonPointer,
    pub(super) episode_id: String,
    pub(super) step_id: String,
    pub(super) opcode: String,
    pub(in crate::episode) status: StepStatus,
    pub(in crate::episode) input_hashes: Vec<String>,
    pub(in crate::episode) output_hash: Option<String>,
    pub(in crate::episode) output_size_bytes: Option<u64>,
    pub(in crate::episode) duration_ms: Option<u64>,
    pub(super) tier: String,
    pub(in crate::episode) assertion_passed: Option<bool>,
}

impl StepReceipt {
    fn take(payload: NodeRef<'_>, place: &JsonPointer) -> Option<Self> {
        Some(Self {
            place: place.clone(),
            episode_id: text(payload, "episode_id")?,
            step_id: text(payload, "step_id")?,
            opcode: text(payload, "opcode")?,
            status: StepStatus::from_name(&text(payload, "step_status")?)?,
            input_hashes: payload.get("input_hashes")?.elements().map(string).collect::<Option<_>>()?,
            output_hash: text(payload, "output_hash"),
            output_size_bytes: count(payload, "output_size_bytes"),
            duration_ms: count(payload, "duration_ms"),
            tier: text(payload, "comparator_tier")?,
            assertion_passed: boolean(payload, "assertion_passed"),
        })
    }
}

/// Reads the step receipts in their order; those of a wrong shape are findings alone.
pub(super) fn read_steps(all: &[u8], receipts: &[(usize, &Receipt)], inquiry: &mut Inquiry<'_>) -> Vec<StepReceipt> {
    let one = |(index, receipt): &(usize, &Receipt)| {
        take(all, *index, receipt, &STEP, &["output_size_bytes", "duration_ms"], StepReceipt::take)
    };
    let read = inquiry.options.threads.map(receipts, 64, || (), |(), receipt| one(receipt));
    let mut steps = Vec::with_capacity(read.len());
    for (step, found) in read {
        found.into_iter().for_each(|finding| inquiry.findings.add(RECEIPTS, finding));
        steps.extend(step);
    }
    steps
}

/// Reads one payload: its value, if it has the shape, and what is wrong with it.
fn take<T>(
    all: &[u8],
    index: usize,
    receipt: &Receipt,
    schema: &Schema,
    integers: &[&str],
    read: impl Fn(NodeRef<'_>, &JsonPointer) -> Option<T>,
) -> (Option<T>, Vec<Finding>) {
    let text = all.get(receipt.line.clone()).unwrap_or_default();
    let place = JsonPointer::root().index(index);
    let wrong = |pointer: JsonPointer, message: String| {
        Finding::error(Law::Completeness, pointer, message).with_code("A_SCHEMA")
    };
    let Ok(document) = Document::parse(text, &Dialect::EPISODE) else {
        // Phase 2 has read the same bytes.
        return (None, vec![wrong(place, "the receipt cannot be read again".to_owned())]);
    };
    let (payload, place) = match document.root().get("payload") {
        Some(payload) if payload.is_object() => (payload, place.member("payload")),
        _ => (document.root(), place),
    };
    let below = |pointer: &JsonPointer| JsonPointer::from_text(format!("{place}{pointer}"));
    let mut found: Vec<Finding> =
        schema.breaches(payload).into_iter().map(|breach| wrong(below(&breach.pointer), breach.message)).collect();
    // A schema takes 3.0 for an integer; here an integer is a token without fraction and exponent (ruling EP-26).
    for name in integers {
        if payload.get(name).and_then(NodeRef::as_number).is_some_and(|token| token.float) {
            found.push(wrong(place.member(name), "an integer is written without fraction and exponent".to_owned()));
        }
    }
    if !found.is_empty() {
        return (None, found);
    }
    match read(payload, &place) {
        Some(read) => (Some(read), found),
        // The schema demands every member that is read; without one of them nothing may pass.
        None => (None, vec![wrong(place, "the payload lacks a member".to_owned())]),
    }
}

static OPEN: LazyLock<Schema> = LazyLock::new(|| Schema::compile(contracts::RECEIPT_OPEN_SCHEMA, &[]));
static STEP: LazyLock<Schema> = LazyLock::new(|| Schema::compile(contracts::RECEIPT_STEP_SCHEMA, &[]));
static CLOSE: LazyLock<Schema> = LazyLock::new(|| Schema::compile(contracts::RECEIPT_CLOSE_SCHEMA, &[]));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_compile() {
        assert!(OPEN.is_usable() && STEP.is_usable() && CLOSE.is_usable());
    }
}
