//! Asks Python for the canonical forms of very many short texts, and for the spellings of very many doubles (`texts.py`).
//!
//! Spec: RFC 8785; the operation table `canon.bytes`; Sovereign Capability & Replay Spec v1.2.1, section C, `canonical_serialize`.
//!
//! Made for searches of whole worlds: texts of a few characters, whose nesting and digits meet no limit. What Python's reader refuses
//! is told by its absence, which costs nothing to hand over.
//!
//! ```
//! use assize_oracle::texts::{Form, forms};
//!
//! # fn main() -> Result<(), assize_oracle::OracleError> {
//! let told = forms(&[&b"[1"[..], &b"[1.0]"[..]])?;
//! let [(1, [rfc8785, _, sovereign, authority])] = &told[..] else { panic!("one of the two is JSON") };
//! assert_eq!(*rfc8785, Form::Bytes(b"[1]".to_vec()));
//! assert_eq!(*sovereign, Form::Refused("float".to_owned()));
//! assert_eq!(*authority, Form::Bytes(b"[1.0]".to_vec()));
//! # Ok(())
//! # }
//! ```

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::interpreter::{OracleError, with_texts};

/// What a profile makes of a text that Python's reader takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// The canonical bytes.
    Bytes(Vec<u8>),
    /// No form, for this reason; `unreadable` where the text is not JSON in the profile's dialect.
    Refused(String),
}

type Told = (Option<String>, Option<Vec<u8>>);

/// Of each text that Python's reader takes, its index and its forms in `rfc8785`, `episode`, `sovereign` and `authority`.
///
/// # Errors
/// When the oracle itself fails.
pub fn forms(texts: &[impl AsRef<[u8]>]) -> Result<Vec<(usize, [Form; 4])>, OracleError> {
    with_texts(|module, oracle| {
        let py = module.py();
        let texts = PyList::new(py, texts.iter().map(|text| PyBytes::new(py, text.as_ref())))?;
        let told: Vec<(usize, [Told; 4])> = module.call_method1("forms", (oracle, texts))?.extract()?;
        let form = |(reason, octets): Told| match (reason, octets) {
            (None, Some(octets)) => Ok(Form::Bytes(octets)),
            (Some(reason), _) => Ok(Form::Refused(reason)),
            (None, None) => Err(OracleError::Interpreter("neither bytes nor a reason".to_owned())),
        };
        told.into_iter().map(|(index, [a, b, c, d])| Ok((index, [form(a)?, form(b)?, form(c)?, form(d)?]))).collect()
    })
}

/// Python's `repr` of each double.
///
/// # Errors
/// When the oracle itself fails.
pub fn spellings(doubles: &[f64]) -> Result<Vec<String>, OracleError> {
    with_texts(|module, _| {
        let octets: Vec<u8> = doubles.iter().flat_map(|double| double.to_be_bytes()).collect();
        Ok(module.call_method1("spellings", (PyBytes::new(module.py(), &octets),))?.extract()?)
    })
}
