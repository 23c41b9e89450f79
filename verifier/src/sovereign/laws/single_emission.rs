//! Single emission: one decision record for each tool attempt.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Single-Emission Decision Record Law; rulings LAW-03, DEC-04, SV-25.
//!
//! Without a list of attempts only repeats and gaps show; a missing last record does not.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::json::{JsonPointer, NumberToken};
use crate::law::Law;
use crate::sovereign::model::outcome::{Outcome, Told};
use crate::sovereign::model::view::{Attempt, Decision};

pub(crate) const LAW: Law = Law::named("sovereign/single-emission");

/// What the one record of an attempt says: the first that applies, `denial` being the code of its deny conditions.
pub(crate) fn outcome(told: Told, denial: Option<&'static str>) -> Outcome {
    match denial {
        _ if told.skipped => Outcome::Skipped(told.reason),
        _ if !told.resolved => Outcome::Unresolved,
        Some(code) => Outcome::Denied(code),
        None => Outcome::Allowed(told.provenance),
    }
}

/// The ordinals of a turn's records that a walk has met.
#[derive(Default)]
pub(crate) struct Ordinals(BTreeSet<String>);

impl Ordinals {
    /// Takes the ordinal of the record at a place.
    pub(crate) fn take(&mut self, ordinal: &str, record: &JsonPointer) -> Option<Finding> {
        let message = "another record of this turn has the same ordinal";
        (!self.0.insert(ordinal.to_owned())).then(|| Finding::error(LAW, record.member("ordinal"), message))
    }
}

/// True for a repeat that a walk has met, which audits judge together with gaps ([`check_records`]).
pub(crate) fn is_repeat(finding: &Finding) -> bool {
    finding.law == LAW
}

/// Checks that ordinals run from 0 without gap or repeat, and that ids are unique.
pub(crate) fn check_records(records: &[Decision], findings: &mut Vec<Finding>) {
    let (mut ordinals, mut ids) = (BTreeSet::new(), BTreeSet::new());
    for record in records {
        if let Some(ordinal) = &record.ordinal
            && !ordinals.insert(ordinal.as_str())
        {
            let message = format!("another record of this turn has ordinal {ordinal}");
            findings.push(Finding::error(LAW, record.pointer.member("ordinal"), message));
        }
        if let Some(id) = &record.decision_id
            && !ids.insert(id.as_str())
        {
            let message = "another record of this turn has the same decision_id";
            findings.push(Finding::error(LAW, record.pointer.member("decision_id"), message));
        }
    }
    let mut distinct: Vec<&str> = ordinals.into_iter().collect();
    distinct.sort_by(|a, b| NumberToken::cmp_integers(a, b));
    if !distinct.iter().enumerate().all(|(expected, found)| *found == expected.to_string()) {
        let message = "the ordinals of a turn run from 0 without a gap";
        findings.push(Finding::error(LAW, JsonPointer::from_text("/capabilities/decisions"), message));
    }
}

/// Checks that the records are those of the attempts; both in order of ordinals.
pub(crate) fn check_attempts(attempts: &[Attempt], records: &[&Decision], findings: &mut Vec<Finding>) {
    if attempts.len() != records.len() {
        let message = format!("{} attempts and {} records", attempts.len(), records.len());
        findings.push(Finding::error(LAW, JsonPointer::from_text("/capabilities/decisions"), message));
    }
    for (attempt, record) in attempts.iter().zip(records) {
        for (member, attempted, recorded) in
            [("tool_name", &attempt.tool_name, &record.tool_name), ("action", &attempt.action, &record.action)]
        {
            if recorded.as_ref().is_some_and(|recorded| recorded != attempted) {
                let message = format!("the attempt's {member} is `{attempted}`");
                findings.push(Finding::error(LAW, record.pointer.member(member), message));
            }
        }
    }
}
