//! Answers the kernel operations a second time: index, turns, audit, events and registries in plain Python (`kernel.py`).
//!
//! Spec: Kernel v1 Requirements Pack; rulings KE-1 to KE-58.
//!
//! It was written from the rulings, not from the verifier, and needs no recovery: its home is a dictionary, and a
//! promotion replaces the committed part of it at once. What no ruling settles is left out of its answers, so they agree with a
//! lawful answer in every member that they have.
//!
//! ```
//! use assize_oracle::authority::OracleAnswer;
//! use assize_oracle::kernel::{self, Question};
//!
//! # fn main() -> Result<(), assize_oracle::OracleError> {
//! let promote = br#"[{"op":"promote","run_id":"r","turn_id":"turn-0001"}]"#;
//! let documents = [("operations".to_owned(), promote.to_vec())].into();
//! let question = Question { op: "kernel.scenario", args: "{}", documents: &documents, files: &[].into() };
//! let OracleAnswer::Accept(out) = kernel::ask(&question)? else { panic!("a scenario of one step") };
//! assert!(out["view"].contains(r#""ledger":{"r":"turn-0001"}"#));
//! # Ok(())
//! # }
//! ```

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::authority::OracleAnswer;
use crate::interpreter::{OracleError, with_kernel};

/// One question.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The operation.
    pub op: &'a str,
    /// JSON text of its arguments.
    pub args: &'a str,
    /// Documents by name.
    pub documents: &'a BTreeMap<String, Vec<u8>>,
    /// The home folder: bytes by relative path, nothing for a folder.
    pub files: &'a BTreeMap<String, Option<Vec<u8>>>,
}

/// Any `kernel.*` operation.
///
/// # Errors
/// When the oracle itself fails, or does not know the operation.
pub fn ask(question: &Question<'_>) -> Result<OracleAnswer, OracleError> {
    with_kernel(|module| {
        let py = module.py();
        let arguments = module.call_method1("read", (question.args,))?;
        let (documents, files) = (PyDict::new(py), PyDict::new(py));
        for (name, octets) in question.documents {
            documents.set_item(name, PyBytes::new(py, octets))?;
        }
        for (path, octets) in question.files {
            files.set_item(path, octets.as_ref().map(|octets| PyBytes::new(py, octets)))?;
        }
        let answer = module.call_method1("ask", (question.op, arguments, documents, files))?;
        if answer.get_item("is")?.extract::<String>()? == "reject" {
            return Ok(OracleAnswer::Reject(answer.get_item("codes")?.extract::<Vec<_>>()?.into_iter().collect()));
        }
        let outputs: BTreeMap<String, Bound<'_, PyAny>> = answer.get_item("out")?.extract()?;
        let text = |(name, value)| Ok((name, module.call_method1("canonical", (value,))?.extract()?));
        outputs.into_iter().map(text).collect::<Result<_, OracleError>>().map(OracleAnswer::Accept)
    })
}
