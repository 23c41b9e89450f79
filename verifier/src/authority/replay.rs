//! A ledger as the records of a run: the chain comes first, and then the run is derived again.
//!
//! Spec: Kernel Contract 0.1.0, 2.7 and 4.5; rulings AU-8 and AU-13. What the chain cannot see (a cut, an addition, a
//! change after which everything was hashed again) shows when the run is derived.

use std::io::Read;

use super::breach::Breach;
use super::chain::{Chain, Reading, follow};
use super::laws::commit_source::Assumed;
use super::laws::replay::{Derivation, derive};
use super::laws::run_records;
use super::model::ledger::{Extent, LedgerError};
use super::model::outcome::Outcome;

/// What a replay found.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The ledger as a chain.
    pub chain: Chain,
    /// The run that was derived, or the first difference from it.
    pub outcome: Result<Derivation, Breach>,
}

/// Derives a run again from its ledger.
///
/// # Errors
/// If the source breaks, or any of it is not JSON as Python reads it.
pub fn replay(source: impl Read + Send, assumed: &Assumed, reading: &Reading) -> Result<Replay, LedgerError> {
    // One more than a run can have, to point at.
    let (chain, kept) = follow(source, reading, run_records::count(Outcome::Success) + 1)?;
    let extent = Extent { records: chain.records, bytes: chain.bytes };
    let outcome = match &chain.breach {
        Some(breach) => Err(breach.clone()),
        None => derive(extent, &kept, assumed)?.map_err(|difference| *difference),
    };
    Ok(Replay { chain, outcome })
}
