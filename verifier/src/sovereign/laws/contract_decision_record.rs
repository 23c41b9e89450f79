//! Contract 3: a decision record has exactly thirteen members, and its outcome fixes which of them are filled.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.3, capability-decision-record.schema.json; rulings DEC-04 to
//! DEC-15, SCH-04, SCH-06, SCH-08, SCH-11, SV-25, and SV-6 (profile `decision-id/published`): the id is the digest of the
//! canonical record without `decision_id`, nullable members present as null.

use std::collections::HashSet;

use super::canonical_parity;
use crate::canon::{Canonicalizer, Rules, compose};
use crate::contracts;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, Kind, NodeRef, Reader, Scalar};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::rejection::ShapeBreach;
use crate::schema::straight::{Order, Passed, Straight};
use crate::sovereign::model::member::{digest_text, text};
use crate::sovereign::model::outcome::Outcome;
use crate::sovereign::model::registry::Registry;
use crate::sovereign::model::shape::Shape;
use crate::tables::SOVEREIGN_REASONS as REASONS;

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
        Finding::error(LAW, JsonPointer::from_text(format!("{place}{}", found.pointer)), &*found.message)
    };
    let shape = breaches(record).into_iter().map(at_place).filter(|finding| !banned.contains(&finding.pointer));
    shape.chain(unregistered_denial(record, place, registry)).collect()
}

/// The code of a denial has to be registered for stage `capability` (SCH-06).
fn unregistered_denial(record: NodeRef<'_>, place: &JsonPointer, registry: &Registry) -> Option<Finding> {
    let (outcome, code) = (text(record, "outcome")?, text(record, "deny_code")?);
    is_unregistered(&outcome, &code, registry).then(|| {
        Finding::error(LAW, place.member("deny_code"), format!("`{code}` is not registered for stage capability"))
    })
}

/// Whether the code of an outcome is an error code that had to be registered for stage `capability` and is not.
pub(crate) fn is_unregistered(outcome: &str, code: &str, registry: &Registry) -> bool {
    outcome == "denied" && code.starts_with("E_") && !registry.has(code, "capability")
}

/// The contract as straight-line checks.
pub(crate) fn straight() -> Option<&'static Straight> {
    SCHEMA.straight()
}

/// Reads a record that surely breaks nothing: not the contract, by its straight-line checks, nor the float ban, and a denial's
/// code is registered. Of another one the reader stands anywhere.
pub(crate) fn surely_holds<'s, 't>(
    checks: &'s Straight,
    reader: &mut Reader<'t>,
    order: &mut Order,
    registry: &Registry,
) -> Option<Passed<'s, 't>> {
    let record = checks.object(reader, order)?;
    let text = |name: &str| match record.scalar(name) {
        Some(Scalar::String(string)) => Some(string.decode()),
        _ => None,
    };
    if let (Some(outcome), Some(code)) = (text("outcome"), text("deny_code"))
        && is_unregistered(outcome.to_str()?, code.to_str()?, registry)
    {
        return None;
    }
    Some(record)
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

/// The reason that an attempt gives, absent like null.
pub(crate) fn reason(attempt: NodeRef<'_>, place: &JsonPointer) -> Result<Option<String>, Rejection> {
    let Some(given) = attempt.get("reason").filter(|given| given.kind() != Kind::Null) else { return Ok(None) };
    let known = given.as_string().and_then(|given| REASONS.into_iter().find(|reason| given == *reason));
    let message = || format!("a reason is null, or one of {}", REASONS.join(", "));
    known.map(|reason| Some(reason.to_owned())).ok_or_else(|| refused_at(place.member("reason"), &message()))
}

/// The provenance that an attempt gives, in canonical text; absent like null.
pub(crate) fn provenance(attempt: NodeRef<'_>, place: &JsonPointer) -> Result<Option<Vec<u8>>, Rejection> {
    let Some(given) = attempt.get("provenance").filter(|given| given.kind() != Kind::Null) else { return Ok(None) };
    let members = (
        text(given, "policy_source"),
        given.get("policy_digest").and_then(digest_text),
        text(given, "rule_id"),
        given.members().count(),
    );
    let (Some(source), Some(digest), Some(rule), 3) = members else {
        let message = "a provenance is null, or exactly policy_source, policy_digest (a digest) and rule_id";
        return Err(refused_at(place.member("provenance"), message));
    };
    Ok(Some(compose::object(&[
        ("policy_source", compose::string(&source)),
        ("policy_digest", compose::string(&digest)),
        ("rule_id", compose::string(&rule)),
    ])))
}

/// Whether the attempt at an ordinal can be recorded: nothing else keeps its record from being written.
pub(crate) fn can_be_written(outcome: &Outcome, ordinal: usize) -> Result<(), Rejection> {
    if matches!(outcome, Outcome::Allowed(None)) { Err(without_provenance(ordinal)) } else { Ok(()) }
}

fn without_provenance(ordinal: usize) -> Rejection {
    let place = JsonPointer::root().index(ordinal).member("provenance");
    refused_at(place, "an attempt that is allowed has its provenance")
}

/// Whose record is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'s> {
    pub(crate) run_id: &'s str,
    pub(crate) turn_id: &'s str,
    pub(crate) tool_name: &'s str,
    pub(crate) action: &'s str,
    pub(crate) ordinal: usize,
}

/// The record of an attempt as canonical text: each member is filled that the outcome fills, and no other.
pub(crate) fn written(of: Subject<'_>, outcome: &Outcome) -> Result<Vec<u8>, Rejection> {
    let text = |value: &str| compose::string(value);
    let null = || b"null".to_vec();
    let (name, deny_code, info_code, reason, provenance) = match outcome {
        Outcome::Allowed(None) => return Err(without_provenance(of.ordinal)),
        Outcome::Allowed(Some(provenance)) => ("allowed", null(), null(), null(), provenance.clone()),
        Outcome::Denied(code) => ("denied", text(code), null(), null(), null()),
        Outcome::Skipped(reason) => {
            ("skipped", null(), text(Outcome::SKIPPED), reason.as_deref().map_or_else(null, text), null())
        }
        Outcome::Unresolved => ("unresolved", text(Outcome::UNRESOLVED), null(), null(), null()),
    };
    let mut members = vec![
        ("contract_version", text("kernel_api/v1")),
        ("run_id", text(of.run_id)),
        ("turn_id", text(of.turn_id)),
        ("tool_name", text(of.tool_name)),
        ("action", text(of.action)),
        ("ordinal", of.ordinal.to_string().into_bytes()),
        ("stage", text("capability")),
        ("outcome", text(name)),
        ("deny_code", deny_code),
        ("info_code", info_code),
        ("reason", reason),
        ("provenance", provenance),
    ];
    let id = decision_id(&compose::object(&members))?;
    members.push(("decision_id", text(&id.to_hex())));
    Ok(compose::object(&members))
}

fn refused_at(place: JsonPointer, message: &str) -> Rejection {
    Rejection::InputAt(place, message.to_owned())
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
