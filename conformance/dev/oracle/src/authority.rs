//! Answers the authority operations a second time: ledger, graph, engine and replay in plain Python (`authority.py`).
//!
//! Spec: Kernel Contract 0.1.0; rulings AU-1 to AU-48.
//!
//! It was written from the rulings, not from the verifier, and replays a ledger in another way: the engine runs again.
//! Two faults in one record may be named differently by two lawful readers; here the order is the one that the vectors state.
//!
//! Nothing is said of nesting beyond about 990 levels and of integers beyond 4,300 digits, which the interpreter does not read.
//!
//! ```
//! use assize_oracle::authority::{self, OracleAnswer};
//!
//! # fn main() -> Result<(), assize_oracle::OracleError> {
//! let payload_hash = authority::hash("null")?.expect("null has a canonical form");
//! let record = format!(r#"{{"v":1,"ts":"t0","kind":"note","parent":null,"payload_hash":"{payload_hash}"}}"#);
//! let record_hash = authority::hash(&record)?.expect("a record's metadata has one");
//! let ledger = record.replace('}', &format!(r#","payload":null,"record_hash":"{record_hash}"}}"#));
//! assert!(matches!(authority::chain(format!("[{ledger}]").as_bytes())?, OracleAnswer::Accept(_)));
//!
//! let broken = ledger.replace("t0", "t1");
//! let integrity = OracleAnswer::Reject(["authority/ledger-integrity".to_owned()].into());
//! assert_eq!(authority::chain(format!("[{broken}]").as_bytes())?, integrity);
//! # Ok(())
//! # }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::interpreter::{OracleError, with_authority};

/// What the oracle says of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OracleAnswer {
    /// Accepted: the outputs by name, each as its canonical text.
    Accept(BTreeMap<String, String>),
    /// Rejected, with the codes.
    Reject(BTreeSet<String>),
}

/// What a ledger does not record of its proposal, and replay has to assume.
#[derive(Debug, Clone, Copy)]
pub struct Provenance<'a> {
    /// Where the proposal came from.
    pub source: &'a str,
    /// JSON text of the proposer's confidence.
    pub confidence: &'a str,
}

impl Default for Provenance<'_> {
    fn default() -> Self {
        Self { source: "heuristic", confidence: "null" }
    }
}

/// `H`: the digest of a JSON text's canonical form, or nothing when its value has none.
///
/// # Errors
/// When the oracle itself fails, or the text is not JSON.
pub fn hash(text: &str) -> Result<Option<String>, OracleError> {
    with_authority(|module| {
        let value = module.call_method1("read", (text,))?;
        let lawful: bool = module.call_method1("has_canonical_form", (&value,))?.extract()?;
        if lawful { Ok(Some(module.call_method1("H", (value,))?.extract()?)) } else { Ok(None) }
    })
}

/// `authority.chain`.
///
/// # Errors
/// When the oracle itself fails.
pub fn chain(records: &[u8]) -> Result<OracleAnswer, OracleError> {
    with_authority(|module| ask(module, "chain", (PyBytes::new(module.py(), records),)))
}

/// `authority.append`.
///
/// # Errors
/// When the oracle itself fails.
pub fn append(records: &[u8], ts: &str, kind: &str, payload: &[u8]) -> Result<OracleAnswer, OracleError> {
    with_authority(|module| {
        let py = module.py();
        ask(module, "append_record", (PyBytes::new(py, records), ts, kind, PyBytes::new(py, payload)))
    })
}

/// `authority.run`.
///
/// # Errors
/// When the oracle itself fails.
pub fn run(inputs: &[u8]) -> Result<OracleAnswer, OracleError> {
    with_authority(|module| ask(module, "run", (PyBytes::new(module.py(), inputs),)))
}

/// `authority.replay`.
///
/// # Errors
/// When the oracle itself fails, or the confidence is not JSON.
pub fn replay(records: &[u8], assumed: Provenance<'_>) -> Result<OracleAnswer, OracleError> {
    with_authority(|module| {
        let confidence = module.call_method1("read", (assumed.confidence,))?;
        ask(module, "replay", (PyBytes::new(module.py(), records), assumed.source, confidence))
    })
}

/// `authority.version`.
///
/// # Errors
/// When the oracle itself fails.
pub fn version(change: &[u8]) -> Result<OracleAnswer, OracleError> {
    with_authority(|module| ask(module, "version", (PyBytes::new(module.py(), change),)))
}

/// `authority.dag`.
///
/// # Errors
/// When the oracle itself fails.
pub fn dag(run_id: &str, operations: &[u8]) -> Result<OracleAnswer, OracleError> {
    with_authority(|module| ask(module, "dag", (run_id, PyBytes::new(module.py(), operations))))
}

/// Calls a module's operation, and takes its answer; the module's own `canonicalize` writes the outputs.
pub(crate) fn ask<'py>(
    module: &Bound<'py, PyModule>,
    operation: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> Result<OracleAnswer, OracleError> {
    let answer = module.call_method1(operation, arguments.into_pyobject(module.py())?)?;
    if answer.get_item("is")?.extract::<String>()? == "reject" {
        return Ok(OracleAnswer::Reject(answer.get_item("codes")?.extract::<Vec<_>>()?.into_iter().collect()));
    }
    let outputs: BTreeMap<String, Bound<'_, PyAny>> = answer.get_item("out")?.extract()?;
    let canonical = |(name, value)| {
        let octets: Vec<u8> = module.call_method1("canonicalize", (value,))?.extract()?;
        let text = String::from_utf8(octets).map_err(|error| OracleError::Interpreter(error.to_string()))?;
        Ok((name, text))
    };
    outputs.into_iter().map(canonical).collect::<Result<_, OracleError>>().map(OracleAnswer::Accept)
}
