//! Answers what a recorder writes, which file is read (`sovereign.py`), what an audit finds (`sovereign_audit.py`) and what a
//! comparison reports in law mode (`sovereign_law.py`) a second time, in plain Python.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1; rulings SV-25, SV-26, LAW-12.
//!
//! It was written from contract and rulings, not from the verifier. Where a document has several faults it names the one that
//! the operations page puts first. Issues come without `message` and `contract_version`, which are nobody's business.
//!
//! ```
//! use assize_oracle::authority::OracleAnswer;
//! use assize_oracle::sovereign::record;
//!
//! # fn main() -> Result<(), assize_oracle::OracleError> {
//! let attempts = br#"[{"tool_name": "fs", "action": "write", "conditions": ["E_CAPABILITY_DENIED"]}]"#;
//! let OracleAnswer::Accept(out) = record("run-1", "turn-0001", attempts)? else { panic!("a turn of one attempt") };
//! assert!(out["turn"].contains("8f2ad8752ea573e559f2f65ba3638cd7a6942da4ff3cfe5e6421bc1ff9bf8b80"));
//! # Ok(())
//! # }
//! ```

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::authority::{OracleAnswer, ask};
use crate::interpreter::{OracleError, with_sovereign};

/// `sovereign.record`.
///
/// # Errors
/// When the oracle itself fails.
pub fn record(run_id: &str, turn_id: &str, attempts: &[u8]) -> Result<OracleAnswer, OracleError> {
    with_sovereign(|module| ask(module, "record", (run_id, turn_id, PyBytes::new(module.py(), attempts))))
}

/// What a bundle is made of: the documents as JSON texts.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The run's id.
    pub run_id: &'a str,
    /// The workflow's id.
    pub workflow_id: &'a str,
    /// The three digests.
    pub digests: &'a [u8],
    /// The turns with their paths.
    pub turns: &'a [u8],
    /// The registry.
    pub registry: &'a [u8],
}

/// What lies below a root, by relative path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A file's bytes.
    File(Vec<u8>),
    /// A folder.
    Folder,
    /// Where a link leads.
    Link(String),
}

/// `sovereign.bundle`.
///
/// # Errors
/// When the oracle itself fails.
pub fn bundle(run: &Run<'_>, files: &BTreeMap<String, Entry>) -> Result<OracleAnswer, OracleError> {
    with_sovereign(|module| {
        let py = module.py();
        let [digests, turns, registry] = [run.digests, run.turns, run.registry].map(|text| PyBytes::new(py, text));
        ask(module, "bundle", (run.run_id, run.workflow_id, digests, turns, registry, folder(py, files)?))
    })
}

/// `sovereign.select_path`.
///
/// # Errors
/// When the oracle itself fails.
pub fn select_path(entry: &[u8], files: &BTreeMap<String, Entry>) -> Result<OracleAnswer, OracleError> {
    with_sovereign(|module| {
        let py = module.py();
        ask(module, "select_path", (PyBytes::new(py, entry), folder(py, files)?))
    })
}

/// What an audit is given beside the turn.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The attempts, if they are told.
    pub attempts: Option<&'a [u8]>,
    /// The registry.
    pub registry: &'a [u8],
    /// The profiles that are chosen.
    pub profiles: &'a [String],
}

/// `sovereign.audit`. Beside `findings` there is `open`: places with laws that may be named there or not.
///
/// # Errors
/// When the oracle itself fails.
pub fn audit(turn: &[u8], told: &Told<'_>) -> Result<OracleAnswer, OracleError> {
    with_sovereign(|module| {
        let py = module.py();
        let attempts = told.attempts.map(|attempts| PyBytes::new(py, attempts));
        let (turn, registry) = (PyBytes::new(py, turn), PyBytes::new(py, told.registry));
        ask(module, "audit", (turn, attempts, registry, told.profiles))
    })
}

/// What a comparison in law mode is given beside the turn files.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    /// The bundle that the report is told from.
    pub bundle_a: &'a [u8],
    /// The bundle it is compared with.
    pub bundle_b: &'a [u8],
    /// The registry.
    pub registry: &'a [u8],
    /// The stage order; the sealed one when absent.
    pub stage_order: Option<&'a [u8]>,
}

/// `sovereign.compare` in law mode: the text of the report, in which every diagnostic is null.
///
/// # Errors
/// When the oracle itself fails.
pub fn law_report(compared: &Compared<'_>, files: &BTreeMap<String, Entry>) -> Result<String, OracleError> {
    with_sovereign(|module| {
        let py = module.py();
        let [a, b, registry] =
            [compared.bundle_a, compared.bundle_b, compared.registry].map(|text| PyBytes::new(py, text));
        let stage_order = compared.stage_order.map(|text| PyBytes::new(py, text));
        let report = module.call_method1("law_report", (a, b, registry, stage_order, folder(py, files)?))?;
        Ok(report.extract()?)
    })
}

fn folder<'py>(py: Python<'py>, files: &BTreeMap<String, Entry>) -> Result<Bound<'py, PyDict>, OracleError> {
    let folder = PyDict::new(py);
    for (path, entry) in files {
        match entry {
            Entry::File(octets) => folder.set_item(path, PyBytes::new(py, octets))?,
            Entry::Folder => folder.set_item(path, py.None())?,
            Entry::Link(to) => folder.set_item(path, to)?,
        }
    }
    Ok(folder)
}
