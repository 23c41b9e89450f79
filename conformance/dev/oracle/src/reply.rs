//! Answers the reply operations a second time: codes, envelopes (`reply.py`), registries (`reply_registry.py`), traces, tool
//! results and call sites (`reply_use.py`), and what agents do and builders and wrappers make (`reply_make.py`), in plain Python.
//!
//! Spec: Canonical Reply System Architecture (Final); rulings RE-1 to RE-43.
//!
//! It was written from specification and rulings, not from the verifier. Where a ruling lets a second law be named
//! beside the first, it names the first alone. What no ruling settles is told beside the answer: laws with places where
//! they may be named or not (`open`), and whether `A_INPUT` would be as good an answer (`refusable`).
//!
//! ```
//! use assize_oracle::reply::answer;
//!
//! # fn main() -> Result<(), assize_oracle::OracleError> {
//! assert!(answer("reply.code", b"EN-WRITE-D-002")?.starts_with(r#"{"is": "accept""#));
//! assert!(answer("reply.code", b"WA-WRITE-D-002")?.contains("reply/layer-type-matrix"));
//! # Ok(())
//! # }
//! ```

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::interpreter::{OracleError, with_reply};

/// The answer to an operation's one document, as a JSON text: `is`, `codes` of a rejection, `out`, and what is open.
///
/// # Errors
/// When the oracle itself fails, or knows no such operation.
pub fn answer(operation: &str, document: &[u8]) -> Result<String, OracleError> {
    with_reply(|module| Ok(module.call_method1("ask", (operation, PyBytes::new(module.py(), document)))?.extract()?))
}
