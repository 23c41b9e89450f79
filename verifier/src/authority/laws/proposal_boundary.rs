//! authority/proposal-boundary: what comes from outside is a proposal of interpretations, in one shape.
//!
//! Spec: Kernel Contract 0.1.0, 2.4; rulings AU-26, AU-29 and AU-31 to AU-33.

use std::collections::HashSet;

use crate::authority::breach::Breach;
use crate::authority::model::member::{self, Misfit};
use crate::authority::model::recorded::Placed;
use crate::canon::compose;
use crate::finding::Finding;
use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::tables::authority::proposal_sources::SOURCE as SOURCES;

pub(crate) const LAW: Law = Law::named("authority/proposal-boundary");

/// A reading of the seed that a proposer offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interpretation {
    pub(crate) name: String,
    pub(crate) assumptions: Vec<String>,
    pub(crate) intent_summary: String,
}

impl Interpretation {
    /// One interpretation: three members, no assumption twice.
    pub(crate) fn parse(node: NodeRef<'_>, place: &JsonPointer) -> Result<Self, Misfit> {
        member::closed(node, place, &["name", "assumptions", "intent_summary"], &[])?;
        let name = member::text(node, place, "name")?;
        let (list, list_place) = member::member(node, place, "assumptions")?;
        let mut assumptions = Vec::new();
        let mut seen = HashSet::new();
        for (element, place) in member::elements(list, &list_place)? {
            assumptions.push(member::string(element, &place)?);
            // Surrogates count here as what they are, though they are refused later.
            if let Some(text) = element.as_string()
                && !seen.insert(text.into_bytes())
            {
                return Err(Misfit::new(place, "the assumption stands here for the second time"));
            }
        }
        Ok(Self { name, assumptions, intent_summary: member::text(node, place, "intent_summary")? })
    }

    /// Canonical bytes.
    pub(crate) fn canonical(&self) -> Vec<u8> {
        let assumptions = compose::array(self.assumptions.iter().map(|text| compose::string(text)));
        compose::object(&[
            ("name", compose::string(&self.name)),
            ("assumptions", assumptions),
            ("intent_summary", compose::string(&self.intent_summary)),
        ])
    }
}

/// All interpretations that were proposed, in their order; there may be more than were asked for.
pub(crate) fn interpretations(node: NodeRef<'_>, place: &JsonPointer) -> Result<Vec<Interpretation>, Misfit> {
    member::elements(node, place)?.map(|(element, place)| Interpretation::parse(element, &place)).collect()
}

/// The interpretations that a ledger records.
pub(crate) fn recorded(list: &Placed<'_>) -> Result<Vec<Interpretation>, Box<Breach>> {
    interpretations(list.node, &list.place).map_err(|misfit| Breach::of(LAW)(list.misfit(misfit)))
}

/// Canonical bytes of a list of interpretations.
pub(crate) fn canonical_list(interpretations: &[Interpretation]) -> Vec<u8> {
    compose::array(interpretations.iter().map(Interpretation::canonical))
}

/// A warning about a source that the public kernel does not declare; nothing enforces them (AU-33). `place` is the source's.
pub(crate) fn advisory(source: &str, place: JsonPointer) -> Option<Finding> {
    if SOURCES.contains(&source) {
        return None;
    }
    let message = format!("{source:?} is none of the sources {}", SOURCES.join(", "));
    Some(Finding::error(LAW, place, message).as_warning())
}
