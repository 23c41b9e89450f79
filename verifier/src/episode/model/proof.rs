//! What each phase proves. The next one takes it by value, so that none can be skipped.

use std::collections::HashMap;

use super::contract::Contract;
use super::manifest::Manifest;
use super::payload::StepReceipt;
use super::receipt::Receipt;
use crate::digest::Digest;

/// A contract whose script can be run: the proof that phase 1 was passed.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) contract: Contract,
    /// Indices by step id.
    pub(crate) index_of: HashMap<String, usize>,
    /// Indices of the steps that each step depends on, as written.
    pub(crate) dependencies: Vec<Vec<usize>>,
    /// The order of the replay.
    pub(crate) order: Vec<usize>,
}

/// A container that holds together.
pub(crate) struct Sound {
    pub(crate) manifest: Manifest,
    /// The text of `receipt_pack.jsonl`.
    pub(crate) text: Vec<u8>,
    pub(crate) receipts: Vec<Receipt>,
}

/// The proof that phase 2 was passed.
pub(crate) struct Sealed {
    pub(crate) script: Script,
    pub(crate) pack: Sound,
}

/// A trace that is JSON with a canonical form.
#[derive(Debug)]
pub(crate) struct Trace {
    /// Its file, relative to the pack.
    pub(crate) file: String,
    /// Of its canonical bytes.
    pub(crate) digest: Digest,
}

/// The proof that phase 3 was passed.
pub(crate) struct Complete {
    pub(crate) script: Script,
    /// In the order of the script.
    pub(crate) steps: Vec<StepReceipt>,
    /// In the order of the script; none for skipped steps.
    pub(crate) traces: Vec<Option<Trace>>,
    pub(crate) signer: String,
    pub(crate) attested_claim: String,
    /// Whether every step passed.
    pub(crate) all_passed: bool,
}

/// A step whose recomputed output hash is not the one of its receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The step.
    pub step_id: String,
    /// The receipt's hash, prefixed.
    pub expected: String,
    /// The hash of the trace, prefixed.
    pub observed: String,
    /// The comparator tier: `A`.
    pub tier: &'static str,
    /// Whether the other number form gives the receipt's hash (ruling EP-25).
    pub vanishes_under_other_form: bool,
}

/// What the replay found.
pub(crate) struct Replayed {
    pub(crate) complete: Complete,
    /// Whether each step's trace matched, in the order of the script; none for skipped steps.
    pub(crate) matched: Vec<Option<bool>>,
    /// In the order of the replay.
    pub(crate) divergences: Vec<Divergence>,
}
