//! Asks Python for the canonical bytes of a JSON text, and for digests.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, section C, `canonical_serialize`; the authority kernel's canonical form.
//!
//! Agreement with it says nothing of what Python's reader throws away: `-0` arrives as 0, of duplicate names the last is left.
//! Integers beyond 4,300 digits: the interpreter's limit is one for the whole process, so it stays in force, and such a text is
//! unreadable to [`canonical`]. [`canonical_of_any_size`] lets shorter integers stand in for them while Python is at work.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::comparator::AbortClass;
use crate::interpreter::{OracleError, with_oracle};

/// A canonical form that Python code defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PythonProfile {
    /// The sealed module's `canonical_serialize`: no floats.
    Sovereign,
    /// `json.dumps` with sorted names, no spaces, no escapes beyond need and no NaN: floats in Python's own spelling.
    Authority,
}

/// What Python made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Canonical {
    /// The canonical bytes.
    Bytes(Vec<u8>),
    /// The text is not UTF-8, or `json.loads` did not take it.
    Unreadable(AbortClass),
    /// The value has no form in this profile.
    Refused(AbortClass),
}

/// Reads a text with `json.loads` and writes it in a profile. May be called from any thread.
///
/// # Errors
/// When the oracle itself fails. A text that Python refuses is a [`Canonical`].
pub fn canonical(profile: PythonProfile, text: &[u8]) -> Result<Canonical, OracleError> {
    ask(profile, text, false)
}

/// The same for integers of any size, which the laws accept (rulings NUM-07 and AU-43).
///
/// # Errors
/// As [`canonical`].
pub fn canonical_of_any_size(profile: PythonProfile, text: &[u8]) -> Result<Canonical, OracleError> {
    ask(profile, text, true)
}

fn ask(profile: PythonProfile, text: &[u8], any_size: bool) -> Result<Canonical, OracleError> {
    let method = match profile {
        PythonProfile::Sovereign => "canonical_sovereign",
        PythonProfile::Authority => "canonical_authority",
    };
    with_oracle(|oracle| {
        let answer = oracle.call_method1(method, (PyBytes::new(oracle.py(), text), any_size))?;
        let (abort, readable, octets): (Option<String>, bool, Option<Vec<u8>>) = answer.extract()?;
        match (abort, octets) {
            (None, Some(octets)) => Ok(Canonical::Bytes(octets)),
            (Some(class), _) if readable => Ok(Canonical::Refused(class.parse()?)),
            (Some(class), _) => Ok(Canonical::Unreadable(class.parse()?)),
            (None, None) => Err(OracleError::Interpreter("the glue gave no answer".into())),
        }
    })
}

/// The SHA-256 of some bytes in lower-case hex, through `hashlib`.
///
/// # Errors
/// When the oracle itself fails.
pub fn sha256_hex(octets: &[u8]) -> Result<String, OracleError> {
    with_oracle(|oracle| {
        let digest = oracle.call_method1("sha256_hex", (PyBytes::new(oracle.py(), octets),))?;
        Ok(digest.extract()?)
    })
}
