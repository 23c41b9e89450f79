//! Audit: the laws that can be judged on one turn result.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A; rulings LAW-01 to LAW-04, LAW-11, SCH-04, SCH-06; SV-6 and SV-16
//! (profiles).
//!
//! A turn without findings obeys deny precedence, single emission, correspondence, the float ban and the contracts as far
//! as the turn and the given attempts show. That the attempts are complete is not checked.

use super::Rejection;
use super::laws::{
    contract_decision_record, correspondence, deny_precedence, registry_lock, safe_boundary, single_emission,
    surface_list,
};
use super::model::breach::Side;
use super::model::stage_order::StageOrder;
use super::model::turn::Turn;
use super::model::view::{self, TurnView};
use super::turn::Context;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};

/// Published derivations that the seed leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Profiles {
    /// `decision-id/published`: a decision id that is not the derived one is an error rather than a warning.
    pub decision_id: bool,
    /// `turn-digest/published`: the declared turn digest is recomputed.
    pub turn_digest: bool,
}

impl Profiles {
    /// Adds a profile by its name; `false` if there is no such profile.
    pub fn add(&mut self, name: &str) -> bool {
        match name {
            "decision-id/published" => self.decision_id = true,
            "turn-digest/published" => self.turn_digest = true,
            _ => return false,
        }
        true
    }
}

/// Audits a turn result.
///
/// # Errors
/// If a document is not JSON, or attempts or registry are not of their shape.
pub fn audit(
    turn: &[u8],
    attempts: Option<&[u8]>,
    registry: Option<&[u8]>,
    profiles: Profiles,
) -> Result<Vec<Finding>, Rejection> {
    let registry = registry_lock::local(registry)?;
    let stages = StageOrder::load(None)?;
    let attempts = attempts.map(|text| view::read_attempts(text, &deny_precedence::PRECEDENCE)).transpose()?;
    let document = Document::parse(turn, &Dialect::LAW)?;
    if document.constant_where(|place| !safe_boundary::is_canonical_surface(place)).is_some() {
        // A constant off the surfaces is not JSON: reading strictly names the place.
        Document::parse(turn, &Dialect::STRICT)?;
    }
    let root = document.root();
    let records = contract_decision_record::straight();
    let context = Context { turn_id: "", side: Side::A, stages: &stages, registry: &registry, records };
    let lawful = Turn::take(&document, &context);
    // Repeated ordinals are judged below, together with gaps.
    let found = lawful.breaches.into_iter().map(|breach| breach.finding);
    let mut findings: Vec<Finding> = found.filter(|finding| !single_emission::is_repeat(finding)).collect();
    let view = TurnView::of(root);
    single_emission::check_records(&view.records, &mut findings);
    match &attempts {
        Some(attempts) => {
            let ordered = view::in_order(&view.records);
            single_emission::check_attempts(attempts, &ordered, &mut findings);
            deny_precedence::check_attempts(attempts, &ordered, &mut findings);
        }
        None => deny_precedence::check_issues(&view.issues, &view.records, &mut findings),
    }
    correspondence::check(&view, &mut findings);
    check_profiles(root, profiles, &mut findings);
    findings.sort_by(|a, b| a.order().cmp(&b.order()));
    findings.dedup_by(|a, b| a.order() == b.order());
    Ok(findings)
}

fn check_profiles(turn: NodeRef<'_>, profiles: Profiles, findings: &mut Vec<Finding>) {
    for (index, record) in view::decisions(turn).enumerate() {
        let place = JsonPointer::from_text("/capabilities/decisions").index(index);
        findings.extend(contract_decision_record::unexplained_skip(record, &place));
        findings.extend(contract_decision_record::declared_id(record, &place, profiles.decision_id));
    }
    if profiles.turn_digest {
        findings.extend(surface_list::declared_turn_digest(turn));
    }
}
