//! Correspondence: each denied or unresolved record has its issue.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Correspondence Law; rulings LAW-11, DEC-06, SV-2, SV-25.
//!
//! Issues carry no run or turn id of their own; theirs are the enclosing turn's, so the record's have to equal those. The
//! last part of an issue's location is the record's ordinal, not its position.

use crate::canon::compose;
use crate::finding::Finding;
use crate::law::Law;
use crate::sovereign::model::outcome::Outcome;
use crate::sovereign::model::view::{IssueView, TurnView};

pub(crate) const LAW: Law = Law::named("sovereign/correspondence");

/// Checks every denied or unresolved record.
pub(crate) fn check(turn: &TurnView, findings: &mut Vec<Finding>) {
    for record in &turn.records {
        if !matches!(record.outcome.as_deref(), Some("denied" | "unresolved")) {
            continue;
        }
        let mut add = |pointer, message: String| findings.push(Finding::error(LAW, pointer, message));
        for (member, of_turn, of_record) in
            [("run_id", &turn.run_id, &record.run_id), ("turn_id", &turn.turn_id, &record.turn_id)]
        {
            if of_record.is_some() && of_turn != of_record {
                add(record.pointer.member(member), format!("the record's {member} is not the turn's"));
            }
        }
        let (Some(location), Some(code)) = (&record.location, &record.deny_code) else { continue };
        if !turn.issues.iter().any(|issue| corresponds(issue, location, code)) {
            add(
                record.pointer.clone(),
                format!("no issue of stage capability with code {code} stands at {location:?}"),
            );
        }
    }
}

fn corresponds(issue: &IssueView, location: &str, code: &str) -> bool {
    issue.stage == "capability" && issue.code == code && issue.location == location
}

/// The issue that a record owes, as canonical text: none where the attempt was allowed or skipped.
pub(crate) fn owed(outcome: &Outcome, ordinal: usize) -> Option<Vec<u8>> {
    let (code, message) = match outcome {
        Outcome::Denied(code) => (*code, "The attempt is denied."),
        Outcome::Unresolved => (Outcome::UNRESOLVED, "The capability of the attempt is not resolved."),
        Outcome::Allowed(_) | Outcome::Skipped(_) => return None,
    };
    Some(compose::object(&[
        ("contract_version", compose::string("kernel_api/v1")),
        ("level", compose::string("FAIL")),
        ("stage", compose::string("capability")),
        ("code", compose::string(code)),
        ("location", compose::string(&format!("/capabilities/decisions/{ordinal}"))),
        ("message", compose::string(message)),
        ("details", b"{}".to_vec()),
    ]))
}
