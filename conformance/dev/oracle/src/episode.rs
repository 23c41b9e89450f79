//! Makes packs a second time, and looks at those that others made: `episode.pack` in plain Python (`episode.py`). Hashes a contract and a
//! receipt by themselves, and tells what the layout of a pack leaves alone (`episode_alone.py`).
//!
//! Spec: RCE Profile v0.1; RFC 8032, RFC 8785; rulings EP-1 to EP-49.
//!
//! It was written from the rulings, and shares nothing with the verifier or with the builder of the packs among the vectors: it has a
//! JSON reader, canonical forms, signatures and a draft-07 of its own, the last as far as a schema here asks for it.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::authority::{OracleAnswer, ask};
use crate::interpreter::{OracleError, with_episode};

/// Files of a folder by relative path; nothing for a folder.
pub type Files = BTreeMap<String, Option<Vec<u8>>>;

/// One question.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The contract.
    pub contract: &'a [u8],
    /// What was recorded.
    pub files: &'a Files,
    /// Every time in the pack.
    pub now: &'a str,
    /// Base64 of the private key.
    pub private_key: &'a str,
}

/// What the second source says to a question.
#[derive(Debug, Clone)]
pub struct Made {
    /// The answer, with the texts of its outputs.
    pub answer: OracleAnswer,
    /// Status of each step, and the hash of its output, as JSON texts; nothing where no pack is made.
    pub steps: Option<(String, String)>,
    /// The second source's own pack; empty where none is made.
    pub pack: BTreeMap<String, Vec<u8>>,
    /// What is wrong with the second source's own pack, and then with the other one.
    pub faults: [Vec<String>; 2],
}

/// Answers a question, and looks at a pack that another made of it, if there is one.
///
/// # Errors
/// When the oracle itself fails.
pub fn make(question: &Question<'_>, other: Option<&BTreeMap<String, Vec<u8>>>) -> Result<Made, OracleError> {
    with_episode(|module| {
        let py = module.py();
        let files = PyDict::new(py);
        for (path, octets) in question.files {
            files.set_item(path, octets.as_ref().map(|octets| PyBytes::new(py, octets)))?;
        }
        let contract = PyBytes::new(py, question.contract);
        let (answer, made): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            module.call_method1("make", (contract, files, question.now, question.private_key))?.extract()?;
        if made.is_none() {
            let codes = answer.get_item("codes")?.extract::<Vec<_>>()?.into_iter().collect();
            let faults = [Vec::new(), Vec::new()];
            return Ok(Made { answer: OracleAnswer::Reject(codes), steps: None, pack: BTreeMap::new(), faults });
        }
        let json = py.import("json")?;
        let text = |value: &Bound<'_, PyAny>| -> PyResult<String> { json.call_method1("dumps", (value,))?.extract() };
        let outputs: BTreeMap<String, Bound<'_, PyAny>> = answer.get_item("out")?.extract()?;
        let outputs = outputs.into_iter().map(|(name, value)| Ok((name, text(&value)?))).collect::<PyResult<_>>()?;
        let steps = (text(&made.getattr("status")?)?, text(&made.call_method0("output_hashes")?)?);
        let pack = made.call_method0("pack")?;
        let own: Vec<String> = module.call_method1("faults", (&made, &pack))?.extract()?;
        let others: Vec<String> = match other {
            None => Vec::new(),
            Some(other) => {
                let files = PyDict::new(py);
                for (path, octets) in other {
                    files.set_item(path, PyBytes::new(py, octets))?;
                }
                module.call_method1("faults", (&made, files))?.extract()?
            }
        };
        Ok(Made {
            answer: OracleAnswer::Accept(outputs),
            steps: Some(steps),
            pack: pack.extract()?,
            faults: [own, others],
        })
    })
}

/// `episode.hashes`.
///
/// # Errors
/// When the oracle itself fails.
pub fn hashes(contract: &[u8]) -> Result<OracleAnswer, OracleError> {
    with_episode(|module| ask(module, "hashes", (PyBytes::new(module.py(), contract),)))
}

/// `episode.receipt`, with the base64 of a key or without one.
///
/// # Errors
/// When the oracle itself fails.
pub fn receipt(receipt: &[u8], public_key: Option<&str>) -> Result<OracleAnswer, OracleError> {
    with_episode(|module| ask(module, "receipt", (PyBytes::new(module.py(), receipt), public_key)))
}

/// Whether two packs, as bytes by path, differ in nothing but the layout of contract and traces and in the contract's hint of a model:
/// what the manifest lists is compared by its bytes, contract and traces by a canonical form of their own.
///
/// # Errors
/// When the oracle itself fails, or a file that differs cannot be read.
pub fn same_but_for_layout(
    before: &BTreeMap<String, Vec<u8>>,
    after: &BTreeMap<String, Vec<u8>>,
) -> Result<bool, OracleError> {
    with_episode(|module| {
        let files = |files: &BTreeMap<String, Vec<u8>>| {
            let dictionary = PyDict::new(module.py());
            for (path, octets) in files {
                dictionary.set_item(path, PyBytes::new(module.py(), octets))?;
            }
            Ok::<_, PyErr>(dictionary)
        };
        Ok(module.call_method1("same_but_for_layout", (files(before)?, files(after)?))?.extract()?)
    })
}

/// Signs as RFC 8032 does: the public key of a seed, and the signature of a message.
///
/// # Errors
/// When the oracle itself fails.
pub fn signature(seed: &[u8; 32], message: &[u8]) -> Result<(Vec<u8>, Vec<u8>), OracleError> {
    with_episode(|module| {
        let (seed, message) = (PyBytes::new(module.py(), seed), PyBytes::new(module.py(), message));
        let public = module.call_method1("public_key", (&seed,))?.extract()?;
        Ok((public, module.call_method1("sign", (&seed, message))?.extract()?))
    })
}
