//! authority/commit-source: a commit names the proposal that it was accepted from.
//!
//! Spec: Kernel Contract 0.1.0, 2.4; rulings AU-16 and AU-28. No record holds the source
//! and the confidence of a proposal, so whoever replays a ledger has to assume them.

use crate::authority::breach::Breach;
use crate::authority::model::canonical::{quoted, text};
use crate::authority::model::recorded::Placed;
use crate::canon::{Profile, canonicalize, compose};
use crate::digest::Digest;
use crate::law::Law;
use crate::rejection::Rejection;

pub(crate) const LAW: Law = Law::named("authority/commit-source");

/// What is assumed of the proposal behind a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    pub(crate) source: String,
    /// Canonical bytes; `null` if the proposal has none.
    pub(crate) confidence: Vec<u8>,
}

impl Assumed {
    /// The source that the kernel's bundled proposers give; their confidence is null.
    pub const HEURISTIC: &'static str = "heuristic";

    /// A source, and a confidence as JSON text: its spelling counts, 1 and 1.0 are two values.
    ///
    /// # Errors
    /// If the confidence is not JSON, or has no canonical form.
    pub fn new(source: impl Into<String>, confidence: &[u8]) -> Result<Self, Rejection> {
        let confidence = canonicalize(Profile::Authority, confidence)?.as_slice().to_vec();
        Ok(Self { source: source.into(), confidence })
    }

    /// `proposal_hash` of a value in canonical form.
    pub(crate) fn proposal_hash(&self, value: &[u8]) -> Digest {
        let source = compose::string(&self.source);
        Digest::of(&compose::object(&[
            ("source", source.as_slice()),
            ("confidence", self.confidence.as_slice()),
            ("value", value),
        ]))
    }
}

impl Default for Assumed {
    fn default() -> Self {
        Self { source: Self::HEURISTIC.to_owned(), confidence: b"null".to_vec() }
    }
}

/// `commit_hash` of a value in canonical form; `accepted_from` is the hash of its proposal.
pub(crate) fn commit_hash(value: &[u8], accepted_from: Digest) -> Digest {
    Digest::of(&compose::object(&[("value", value), ("accepted_from", &quoted(accepted_from))]))
}

/// Holds a recorded commit hash against the one of a value, accepted from the assumed proposal.
pub(crate) fn check(stored: &Placed<'_>, value: &[u8], proposed: &[u8], assumed: &Assumed) -> Result<(), Box<Breach>> {
    let due = commit_hash(value, assumed.proposal_hash(proposed));
    let message = format!(
        "not the commit of a proposal of source {:?} and confidence {}: another source or a different second answer, or \
         tampering",
        assumed.source,
        text(&assumed.confidence)
    );
    stored.expect(&quoted(due), message).map_err(Breach::of(LAW))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hashes_of_the_fact_sheet() {
        let assumed = Assumed::new("llm", b"0.5").expect("a number");
        let proposal = assumed.proposal_hash(br#"{"a":1}"#);
        assert_eq!(proposal.to_hex(), "a5c91fa306305e55b954372d58cf882960cf4b765c951ff97c84c3469ee2b71f");
        let commit = commit_hash(br#"{"a":1}"#, proposal);
        assert_eq!(commit.to_hex(), "0bc41cd16c9807baef551f66ca730d03f5c0c03ec2c2b7062e4ef502b4e23f98");
    }
}
