//! Deny precedence: which code a denial carries when several conditions hold.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deny Precedence Law; rulings LAW-01, SV-21, SV-25.
//!
//! Whether a condition really held is not checked: conditions are taken from whoever recorded the attempts or issues.

use crate::finding::Finding;
use crate::json::{Dialect, Document};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::sovereign::model::view::{Attempt, Decision, IssueView};
use crate::tables::sovereign::deny_precedence::CODE;

pub(crate) const LAW: Law = Law::named("sovereign/deny-precedence");

/// The three codes, first the one that wins: `contracts/sovereign/tables/deny-precedence.json`.
pub const PRECEDENCE: [&str; CODE.len()] = CODE;

/// The code of a denial for which all these conditions hold, or `None` if there is none.
///
/// ```
/// use assize_verifier::sovereign::deny_code;
///
/// assert_eq!(deny_code(br#"["E_PERMISSION_DENIED", "E_CAPABILITY_DENIED"]"#)?, Some("E_CAPABILITY_DENIED"));
/// assert_eq!(deny_code(b"[]")?, None);
/// assert!(deny_code(br#"["E_CAPABILITY_NOT_RESOLVED"]"#).is_err());
/// # Ok::<(), assize_verifier::sovereign::Rejection>(())
/// ```
///
/// # Errors
/// If the input is not a JSON array of the three codes.
pub fn deny_code(conditions: &[u8]) -> Result<Option<&'static str>, Rejection> {
    let document = Document::parse(conditions, &Dialect::STRICT)?;
    let root = document.root();
    if !root.is_array() {
        return Err(Rejection::input_at("", "conditions are an array of deny codes"));
    }
    let mut codes = Vec::new();
    for (index, code) in root.elements().enumerate() {
        let known = code.as_string().and_then(|code| PRECEDENCE.into_iter().find(|known| code == *known));
        codes.push(known.ok_or_else(|| {
            Rejection::input_at(format!("/{index}"), format!("a condition is one of {}", PRECEDENCE.join(", ")))
        })?);
    }
    Ok(first_of(&codes))
}

fn first_of(codes: &[&str]) -> Option<&'static str> {
    PRECEDENCE.into_iter().find(|code| codes.contains(code))
}

/// The code that the record of an attempt carries, if any condition denies it (SV-25).
pub(crate) fn denial(attempt: &Attempt) -> Option<&'static str> {
    first_of(&attempt.conditions.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Checks the records against the conditions of their attempts; both in order of ordinals.
pub(crate) fn check_attempts(attempts: &[Attempt], records: &[&Decision], findings: &mut Vec<Finding>) {
    for (attempt, record) in attempts.iter().zip(records) {
        let outcome = record.outcome.as_deref();
        let mut add = |member: &str, message: String| {
            findings.push(Finding::error(LAW, record.pointer.member(member), message));
        };
        match (denial(attempt), outcome) {
            (Some(code), Some("denied")) if record.deny_code.as_deref() != Some(code) => {
                add("deny_code", format!("the conditions of the attempt ask for {code}"));
            }
            (Some(_), Some("denied")) => {}
            (Some(code), _) => add("outcome", format!("the attempt is denied with {code}")),
            (None, Some("denied")) => add("outcome", "no deny condition holds for the attempt".into()),
            (None, _) => {}
        }
    }
}

/// Checks the records against the denial issues that point at them.
pub(crate) fn check_issues(issues: &[IssueView], records: &[Decision], findings: &mut Vec<Finding>) {
    for record in records {
        let Some(location) = &record.location else { continue };
        let codes: Vec<&str> = issues
            .iter()
            .filter(|issue| issue.stage == "capability" && issue.location == *location)
            .map(|issue| issue.code.as_str())
            .filter(|code| PRECEDENCE.contains(code))
            .collect();
        let several = codes.iter().any(|code| Some(code) != codes.first());
        if let Some(first) = first_of(&codes)
            && several
            && record.deny_code.as_deref() != Some(first)
        {
            let message = format!("of the issues at {location:?}, {first} comes first");
            findings.push(Finding::error(LAW, record.pointer.member("deny_code"), message));
        }
    }
}
