//! Appending a record to a ledger: the kernel's `Ledger.append`.
//!
//! Spec: Kernel Contract 0.1.0, 2.2; rulings AU-10 and AU-47.

use std::io::Read;

use thiserror::Error;

use super::breach::Breach;
use super::chain::{Chain, Reading, chain};
use super::laws::canonical_form;
use super::laws::ledger_integrity::seal;
use super::model::ledger::LedgerError;
use crate::digest::Digest;
use crate::rejection::Rejection;

/// Where a ledger ends whose chain holds: what the next record names as its parent.
///
/// ```
/// use assize_verifier::authority::{Reading, end};
///
/// let empty = end(b"[]".as_slice(), &Reading::default()).unwrap();
/// let first = empty.append("t0", "note", b"{\"a\": 1.0}").unwrap();
/// assert!(first.starts_with(br#"{"kind":"note","parent":null,"payload":{"a":1.0},"#));
///
/// let after = end(first.as_slice(), &Reading::default()).unwrap();
/// assert!(end([first, after.append("t1", "note", b"null").unwrap()].join(&b'\n').as_slice(), &Reading::default()).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerEnd {
    parent: Option<Digest>,
}

/// A ledger that nothing can be appended to.
#[derive(Debug, Error)]
pub enum NoEnd {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(LedgerError),
    /// Its chain does not hold.
    #[error("{}", .0.finding.message)]
    Broken(Box<Breach>),
}

/// Finds the end of a ledger, the empty one included. A chain that only a replay would refuse is taken (AU-47).
///
/// # Errors
/// If the ledger cannot be read, or its chain does not hold.
pub fn end(source: impl Read + Send, reading: &Reading) -> Result<LedgerEnd, NoEnd> {
    let Chain { last_hash, breach, .. } = chain(source, reading).map_err(NoEnd::Unreadable)?;
    match breach {
        Some(breach) => Err(NoEnd::Broken(Box::new(breach))),
        // The last hash of a chain that holds is one: it was compared with that of its record.
        None => Ok(LedgerEnd { parent: last_hash.and_then(|hash| Digest::from_hex(hash.as_bytes())) }),
    }
}

impl LedgerEnd {
    /// Canonical bytes of the record that follows. Any kind is taken, and tokens need not rise.
    ///
    /// # Errors
    /// If the payload is not JSON as Python reads it, or has no canonical form.
    pub fn append(&self, ts: &str, kind: &str, payload: &[u8]) -> Result<Vec<u8>, Rejection> {
        Ok(seal(ts, kind, self.parent, &canonical_form::given(payload)?).bytes)
    }
}
