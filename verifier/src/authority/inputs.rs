//! What a run is made from, read by the laws of its parts.
//!
//! Spec: Kernel Contract 0.1.0, 2.6; rulings AU-26 and AU-28.

use crate::canon::{CanonError, Canonicalizer, Profile};
use crate::json::{Dialect, Document, JsonPointer};
use crate::rejection::Rejection;

use super::laws::commit_source::Assumed;
use super::laws::policy_bounds::Policy;
use super::laws::proposal_boundary::{self, Interpretation};
use super::model::{limits, member};

/// What a run is made from.
#[derive(Clone, Debug)]
pub struct Inputs {
    pub(super) run_id: String,
    pub(super) seed_text: String,
    /// Canonical bytes.
    pub(super) pin: Vec<u8>,
    pub(super) policy: Policy,
    pub(super) interpretations: Vec<Interpretation>,
    pub(super) ts_base: String,
    /// What the proposal says of itself.
    pub(super) proposal: Assumed,
}

/// What counts as inputs.
const DIALECT: Dialect = Dialect { depth: limits::INPUT_DEPTH, bytes: limits::INPUT_BYTES, ..Dialect::AUTHORITY };

const REQUIRED: [&str; 6] = ["run_id", "seed_text", "pin", "policy", "interpretations", "ts_base"];
const SOURCE: &str = "proposal_source";
const CONFIDENCE: &str = "proposal_confidence";

impl Inputs {
    /// Reads the inputs of a run: `{run_id, seed_text, pin, policy, interpretations, ts_base, proposal_source?,
    /// proposal_confidence?}`.
    ///
    /// # Errors
    /// If the text is not JSON as Python reads it, has another shape or an illegal policy, or if a value in it has no
    /// canonical form.
    pub fn parse(text: &[u8]) -> Result<Self, Rejection> {
        let document = Document::parse(text, &DIALECT)?;
        let (root, place) = (document.root(), JsonPointer::root());
        member::closed(root, &place, &REQUIRED, &[SOURCE, CONFIDENCE])?;
        let (policy, policy_place) = member::member(root, &place, "policy")?;
        let (list, list_place) = member::member(root, &place, "interpretations")?;
        let mut inputs = Self {
            run_id: member::text(root, &place, "run_id")?,
            seed_text: member::text(root, &place, "seed_text")?,
            pin: Vec::new(),
            policy: Policy::parse(policy, &policy_place)?,
            interpretations: proposal_boundary::interpretations(list, &list_place)?,
            ts_base: member::text(root, &place, "ts_base")?,
            proposal: Assumed::default(),
        };
        if root.get(SOURCE).is_some() {
            inputs.proposal.source = member::text(root, &place, SOURCE)?;
        }
        inputs.take_canonical(text)?;
        Ok(inputs)
    }

    /// Takes the values of any type, once everything has been found to have a canonical form.
    fn take_canonical(&mut self, text: &[u8]) -> Result<(), CanonError> {
        let mut canonicalizer = Canonicalizer::new(Profile::Authority.rules()).tracking();
        let mut bytes = Vec::new();
        canonicalizer.document(text, &mut bytes)?;
        let slice = |(start, end): (u32, u32)| bytes.get(start as usize..end as usize).unwrap_or_default();
        for member in canonicalizer.outermost_members() {
            match slice(member.name) {
                name if name == b"pin" => self.pin = slice(member.value).to_vec(),
                name if name == CONFIDENCE.as_bytes() => self.proposal.confidence = slice(member.value).to_vec(),
                _ => {}
            }
        }
        Ok(())
    }
}
