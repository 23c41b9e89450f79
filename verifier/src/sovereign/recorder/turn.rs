//! The decision records and the issues of a turn, from its tool attempts.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Single-Emission Decision Record Law, Deny Precedence Law and
//! Correspondence Law; ruling SV-25.

use crate::canon::{CanonRefusalKind, compose};
use crate::json::{Dialect, Document, JsonPointer, Kind, NodeRef};
use crate::rejection::Rejection;
use crate::sovereign::laws::contract_decision_record::{self, Subject};
use crate::sovereign::laws::{canonical_parity, correspondence, deny_precedence, single_emission};
use crate::sovereign::model::banned::Found;
use crate::sovereign::model::outcome::Told;
use crate::sovereign::model::view;
use crate::sovereign::scan;

/// Writes `{"run_id", "turn_id", "capabilities": {"decisions": [...]}, "issues": [...]}` in canonical text: one record
/// for each attempt, and an issue for each that is denied or not resolved.
///
/// ```
/// use assize_verifier::sovereign::record;
///
/// let attempts = br#"[{"tool_name": "fs", "action": "write", "conditions": ["E_CAPABILITY_DENIED"]}]"#;
/// let turn = String::from_utf8(record("run-1", "turn-0001", attempts)?).unwrap();
/// assert!(turn.contains(r#""decision_id":"8f2ad8752ea573e559f2f65ba3638cd7a6942da4ff3cfe5e6421bc1ff9bf8b80""#));
/// assert!(turn.contains(r#""location":"/capabilities/decisions/0""#));
/// # Ok::<(), assize_verifier::sovereign::Rejection>(())
/// ```
///
/// # Errors
/// If the attempts are not JSON, hold half a surrogate pair, or are not of their shape; if one that is allowed has no
/// provenance.
pub fn record(run_id: &str, turn_id: &str, attempts: &[u8]) -> Result<Vec<u8>, Rejection> {
    let document = Document::parse(attempts, &Dialect::STRICT)?;
    whole_texts(document.root())?;
    let read = view::listed_attempts(document.root(), &deny_precedence::PRECEDENCE)?;
    let (mut records, mut issues) = (Vec::new(), Vec::new());
    for (ordinal, (attempt, node)) in read.iter().zip(document.root().elements()).enumerate() {
        let told = told(node, &JsonPointer::root().index(ordinal))?;
        let outcome = single_emission::outcome(told, deny_precedence::denial(attempt));
        let (tool_name, action) = (attempt.tool_name.as_str(), attempt.action.as_str());
        let subject = Subject { run_id, turn_id, tool_name, action, ordinal };
        records.push(contract_decision_record::written(subject, &outcome)?);
        issues.extend(correspondence::owed(&outcome, ordinal));
    }
    Ok(compose::object(&[
        ("run_id", compose::string(run_id)),
        ("turn_id", compose::string(turn_id)),
        ("capabilities", compose::object(&[("decisions", compose::array(records))])),
        ("issues", compose::array(issues)),
    ]))
}

/// What has no canonical form cannot be recorded, wherever it stands.
pub(super) fn whole_texts(given: NodeRef<'_>) -> Result<(), Rejection> {
    let mut found = Found::where_it(|banned| banned.kind == CanonRefusalKind::LoneSurrogate);
    scan::scan(given, &JsonPointer::root(), &mut found);
    if found.list.is_empty() { Ok(()) } else { Err(canonical_parity::refused()) }
}

/// What an attempt tells beside its conditions.
fn told(attempt: NodeRef<'_>, place: &JsonPointer) -> Result<Told, Rejection> {
    Ok(Told {
        resolved: flag(attempt, "resolved", place)?.unwrap_or(true),
        skipped: flag(attempt, "skipped", place)?.unwrap_or(false),
        reason: contract_decision_record::reason(attempt, place)?,
        provenance: contract_decision_record::provenance(attempt, place)?,
    })
}

fn flag(attempt: NodeRef<'_>, name: &str, place: &JsonPointer) -> Result<Option<bool>, Rejection> {
    match attempt.get(name).map(NodeRef::kind) {
        None => Ok(None),
        Some(Kind::True) => Ok(Some(true)),
        Some(Kind::False) => Ok(Some(false)),
        Some(_) => Err(Rejection::InputAt(place.member(name), format!("`{name}` is true or false"))),
    }
}
