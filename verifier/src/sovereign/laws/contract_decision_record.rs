//! Contract 3: a decision record has exactly thirteen members, and its outcome fixes which of them are filled.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.3, capability-decision-record.schema.json; rulings DEC-04 to
//! DEC-15, SCH-04, SCH-06, SCH-08, SCH-11, and SV-6 (profile `decision-id/published`): the id is the digest of the
//! canonical record without `decision_id`, nullable members present as null.

use std::collections::HashSet;

use super::canonical_parity;
use crate::canon::{Canonicalizer, Rules};
use crate::contracts;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, Kind, NodeRef};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::rejection::ShapeBreach;
use crate::sovereign::model::member::text;
use crate::sovereign::model::registry::Registry;
use crate::sovereign::model::shape::Shape;

pub(crate) const LAW: Law = Law::named("sovereign/contract-decision-record");

static SCHEMA: Shape = Shape::stated_by(contracts::DECISION_RECORD_SCHEMA);

/// The places at which a record breaks the contract, each named once.
pub(crate) fn breaches(record: NodeRef<'_>) -> Vec<ShapeBreach> {
    // Without an outcome all four conditional blocks hold at once and contradict each other (SCH-08).
    let vacuous = record.get("outcome").is_none();
    SCHEMA.breaches_unless(record, |at| vacuous && at.starts_with("/allOf"))
}

/// The record, in which the float ban wins over the schema's `integer`, which admits `1.0` (SCH-11).
pub(crate) fn records(record: NodeRef<'_>) -> Vec<(JsonPointer, NodeRef<'_>)> {
    vec![(JsonPointer::root(), record)]
}

/// Judges the record at a place. What has no canonical form is not also of the wrong shape.
pub(crate) fn check(
    record: NodeRef<'_>,
    place: &JsonPointer,
    banned: &HashSet<JsonPointer>,
    registry: &Registry,
) -> Vec<Finding> {
    let at_place = |found: ShapeBreach| {
        Finding::error(LAW, JsonPointer::from_text(format!("{place}{}", found.pointer)), found.message)
    };
    let shape = breaches(record).into_iter().map(at_place).filter(|finding| !banned.contains(&finding.pointer));
    shape.chain(unregistered_denial(record, place, registry)).collect()
}

/// The code of a denial has to be registered for stage `capability` (SCH-06).
fn unregistered_denial(record: NodeRef<'_>, place: &JsonPointer, registry: &Registry) -> Option<Finding> {
    if text(record, "outcome")? != "denied" {
        return None;
    }
    let code = text(record, "deny_code").filter(|code| code.starts_with("E_"))?;
    (!registry.has(&code, "capability")).then(|| {
        Finding::error(LAW, place.member("deny_code"), format!("`{code}` is not registered for stage capability"))
    })
}

/// A skip gives its reason (SCH-04).
pub(crate) fn unexplained_skip(record: NodeRef<'_>, place: &JsonPointer) -> Option<Finding> {
    let skipped = text(record, "outcome").as_deref() == Some("skipped");
    (skipped && record.get("reason").is_some_and(|reason| reason.kind() == Kind::Null))
        .then(|| Finding::error(LAW, place.member("reason"), "a skip without a reason tells nobody why").as_warning())
}

/// The id that a record declares is the derived one, which binds under the profile alone.
pub(crate) fn declared_id(record: NodeRef<'_>, place: &JsonPointer, binds: bool) -> Option<Finding> {
    let (declared, derived) = (text(record, "decision_id")?, derive(record).ok()?);
    (declared != derived.to_hex()).then(|| {
        let message = format!("the published derivation gives {derived}");
        let finding = Finding::error(LAW, place.member("decision_id"), message);
        if binds { finding } else { finding.as_warning() }
    })
}

/// The twelve members in canonical order, and whether an absent one counts as null.
const MEMBERS: [(&str, bool); 12] = [
    ("action", false),
    ("contract_version", false),
    ("deny_code", true),
    ("info_code", true),
    ("ordinal", false),
    ("outcome", false),
    ("provenance", true),
    ("reason", true),
    ("run_id", false),
    ("stage", false),
    ("tool_name", false),
    ("turn_id", false),
];

/// Derives the id of a decision record.
///
/// # Errors
/// If the record is not JSON, is not an object, lacks a member that cannot be null, or has no canonical form.
pub fn decision_id(record: &[u8]) -> Result<Digest, Rejection> {
    let document = Document::parse(record, &Dialect::LAW)?;
    derive(document.root())
}

/// [`decision_id`] of a record inside a document.
fn derive(record: NodeRef<'_>) -> Result<Digest, Rejection> {
    if !record.is_object() {
        return Err(Rejection::input_at("", "a decision record is an object"));
    }
    let mut repeated = false;
    canonical_parity::each_repeated_name(record, |_| repeated = true);
    if repeated {
        return Err(canonical_parity::refused());
    }
    let mut canonicalizer = Canonicalizer::new(Rules::LAW);
    let mut out = vec![b'{'];
    for (index, (name, nullable)) in MEMBERS.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(format!("\"{name}\":").as_bytes());
        match record.get(name) {
            Some(value) => match canonicalizer.append_node(value, &mut out)? {
                None => {}
                Some(_) => return Err(canonical_parity::refused()),
            },
            None if nullable => out.extend_from_slice(b"null"),
            None => return Err(Rejection::input_at(format!("/{name}"), "the record lacks this member")),
        }
    }
    out.push(b'}');
    Ok(Digest::of(&out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheets_check_value() {
        let record = br#"{"run_id":"run-1","turn_id":"turn-0001","tool_name":"fs","action":"write","stage":"capability","contract_version":"kernel_api/v1","ordinal":0,"outcome":"denied","deny_code":"E_CAPABILITY_DENIED"}"#;
        let id = decision_id(record).expect("a record");
        assert_eq!(id.to_hex(), "8f2ad8752ea573e559f2f65ba3638cd7a6942da4ff3cfe5e6421bc1ff9bf8b80");
    }
}
