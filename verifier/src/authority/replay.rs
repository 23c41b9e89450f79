//! authority/replay: a run is derived again from its records, and has to leave the same ones.
//!
//! Spec: Kernel Contract 0.1.0, 2.7 and 4.5; rulings AU-1, AU-2, AU-7, AU-8, AU-13 and AU-15. The chain comes first;
//! what it cannot see (a cut, an addition, a change after which everything was hashed again) shows here. The first
//! difference is the verdict, but for `commit_hash`: it rests on an assumption, so it counts only if all else agrees.

use std::io::Read;

use crate::digest::Digest;
use crate::finding::Finding;

use super::chain::{Breach, Chain, Reading, follow};
use super::commit_source::Assumed;
use super::dag_invariants::Dag;
use super::derivation::derive;
use super::engine::Outcome;
use super::goldens::Golden;
use super::ledger::LedgerError;
use super::run_records::SUCCESS;

/// What a replay found.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The ledger as a chain.
    pub chain: Chain,
    /// The run that was derived, or the first difference from it.
    pub outcome: Result<Derivation, Breach>,
}

/// A run, derived again from its ledger.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// How the run ended.
    pub outcome: Outcome,
    /// The run that the final record names.
    pub run_id: String,
    /// The summary hash; none for a refusal.
    pub summary_hash: Option<Digest>,
    /// The hash over all ids of the graph; none for a refusal.
    pub dag_root_hash: Option<Digest>,
    /// Hashes of the artefacts that have one.
    pub artifact_hashes: Vec<(&'static str, Digest)>,
    /// What a golden fixture locks; none for a refusal.
    pub golden: Option<Golden>,
    /// Codes of a refusal, in order.
    pub reason_codes: Vec<String>,
    /// The graph, payloads included; empty for a refusal.
    pub dag: Dag,
    /// Warnings about what the kernel accepts (AU-22, AU-23 and AU-33).
    pub advisories: Vec<Finding>,
}

/// Derives a run again from its ledger.
///
/// # Errors
/// If the source breaks, or any of it is not JSON as Python reads it.
pub fn replay(source: impl Read + Send, assumed: &Assumed, reading: &Reading) -> Result<Replay, LedgerError> {
    // One more than a run can have, to point at.
    let (chain, kept) = follow(source, reading, SUCCESS.len() + 1)?;
    let outcome = match &chain.breach {
        Some(breach) => Err(breach.clone()),
        None => derive(&chain, &kept, assumed)?.map_err(|difference| *difference),
    };
    Ok(Replay { chain, outcome })
}
