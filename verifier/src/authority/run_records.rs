//! authority/run-records: a run leaves five records, a refused one three, and each has its payload.
//!
//! Spec: Kernel Contract 0.1.0, 1 and 2.6; rulings AU-16, AU-17, AU-19 and AU-28.

use crate::canon::{CanonError, Canonicalizer, Profile, compose};
use crate::digest::Digest;
use crate::json::{Dialect, Document, JsonPointer};

use super::Rejection;
use super::commit_source::Assumed;
use super::dag_ids::{Edge, Node};
use super::dag_invariants::Dag;
use super::ledger_integrity::quoted;
use super::limits;
use super::member::{self, Misfit};
use super::policy_bounds::Policy;
use super::proposal_boundary::{self, Interpretation, canonical_list};

pub(super) const SEEDPACK: &str = "seedpack";
pub(super) const PROPOSAL: &str = "proposal";
pub(super) const COMMIT: &str = "commit";
pub(super) const ARTIFACT: &str = "artifact";

/// Kinds of the records of a successful run.
pub(super) const SUCCESS: [&str; 5] = [SEEDPACK, PROPOSAL, COMMIT, COMMIT, ARTIFACT];
/// Kinds of the records of a refused run.
pub(super) const REFUSED: [&str; 3] = [SEEDPACK, PROPOSAL, ARTIFACT];

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

    /// `seed_hash`: that of the JSON string, quotes included.
    pub(super) fn seed_hash(&self) -> Digest {
        Digest::of(&compose::string(&self.seed_text))
    }
}

impl From<Misfit> for Rejection {
    fn from(misfit: Misfit) -> Self {
        Self::Input(if misfit.pointer.is_root() {
            misfit.message
        } else {
            format!("{}: {}", misfit.pointer, misfit.message)
        })
    }
}

/// The ordering token of a step.
pub(super) fn token(base: &str, step: usize) -> String {
    format!("{base}#{step:04}")
}

/// Payload of record 0; the policy without the way it breaks ties (AU-19).
pub(super) fn seedpack(inputs: &Inputs) -> Vec<u8> {
    compose::object(&[
        ("seed_text", compose::string(&inputs.seed_text)),
        ("seed_hash", quoted(inputs.seed_hash()).to_vec()),
        ("pin", inputs.pin.clone()),
        ("policy_summary", inputs.policy.summary()),
    ])
}

/// Payload of record 1: all that was proposed, in its order.
pub(super) fn proposal(interpretations: &[Interpretation]) -> Vec<u8> {
    compose::object(&[("interpretations", canonical_list(interpretations))])
}

/// Payload of record 2 of a success; `winner` canonical.
pub(super) fn commit(winner: &[u8], commit_hash: Digest) -> Vec<u8> {
    compose::object(&[("interpretation", winner), ("commit_hash", &quoted(commit_hash))])
}

/// Payload of record 3: ids and kinds, in order of insertion.
pub(super) fn graph(dag: &Dag) -> Vec<u8> {
    compose::object(&[
        ("nodes", compose::array(dag.nodes().iter().map(Node::entry))),
        ("edges", compose::array(dag.edges().iter().map(Edge::entry))),
    ])
}
