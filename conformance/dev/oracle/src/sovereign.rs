//! Answers the recorder's operations of the sovereign system a second time, in plain Python (`sovereign.py`).
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1; ruling SV-25.
//!
//! It was written from contract and rulings, not from the verifier. Where a document has several faults it names the one that
//! the operations page puts first. Issues come without `message` and `contract_version`, which are nobody's business.
//!
//! ```
//! use assize_oracle::authority::Answer;
//! use assize_oracle::sovereign::record;
//!
//! # fn main() -> Result<(), assize_oracle::OracleError> {
//! let attempts = br#"[{"tool_name": "fs", "action": "write", "conditions": ["E_CAPABILITY_DENIED"]}]"#;
//! let Answer::Accept(out) = record("run-1", "turn-0001", attempts)? else { panic!("a turn of one attempt") };
//! assert!(out["turn"].contains("8f2ad8752ea573e559f2f65ba3638cd7a6942da4ff3cfe5e6421bc1ff9bf8b80"));
//! # Ok(())
//! # }
//! ```

use pyo3::types::PyBytes;

use crate::authority::{Answer, ask};
use crate::interpreter::{OracleError, with_sovereign};

/// `sovereign.record`.
///
/// # Errors
/// When the oracle itself fails.
pub fn record(run_id: &str, turn_id: &str, attempts: &[u8]) -> Result<Answer, OracleError> {
    with_sovereign(|module| ask(module, "record", (run_id, turn_id, PyBytes::new(module.py(), attempts))))
}
