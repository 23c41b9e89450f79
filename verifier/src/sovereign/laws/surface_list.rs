//! Surface list: what parity covers, and which surface a place belongs to.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Surface List Law; rulings TRN-01, TRN-03 to TRN-05, TURN-06,
//! TOP-16, LAW-02, LAW-14, SV-16, SV-26.
//!
//! In: `registry_digest`, `digests.*`, `turn_result_digest`, every transition member whose name ends in `_digest`,
//! decision records, issues without their message. Digests are compared as declared; only the audit's profile
//! `turn-digest/published` recomputes one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::canon::{Canonicalizer, Rules};
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::{JsonPointer, JsonStr, Kind, NodeRef, append_json_string};
use crate::law::Law;
use crate::sovereign::model::breach::{Breach, Side};
use crate::sovereign::model::bundle::{Bundle, Entry};
use crate::sovereign::model::member::digest_text;
use crate::sovereign::model::report::{Cell, Row, Surface, reason};
use crate::sovereign::model::turn::{Turn, append};

pub(crate) const LAW: Law = Law::named("sovereign/surface-list");

/// The surface of a place in a bundle.
pub(crate) fn in_bundle(pointer: &JsonPointer) -> Surface {
    let text = pointer.as_str();
    let entry_member =
        text.strip_prefix("/turn_results/").and_then(|rest| rest.split_once('/')).map(|(_, member)| member);
    let digest = pointer.is_within("/registry_digest")
        || text.starts_with("/digests/")
        || entry_member
            .is_some_and(|member| member == "turn_result_digest" || member.starts_with("turn_result_digest/"));
    if digest { Surface::BundleDigest } else { Surface::Schema }
}

/// The surface of a place in a turn file.
pub(crate) fn in_turn(pointer: &JsonPointer) -> Surface {
    if pointer.is_within("/transition") {
        Surface::Transition
    } else if pointer.is_within("/capabilities/decisions") {
        Surface::DecisionRecord
    } else if pointer.is_within("/issues") {
        Surface::Issue
    } else {
        Surface::Schema
    }
}

/// A finding in a bundle, on the surface of its place.
pub(crate) fn breach_in_bundle(turn_id: String, side: Side, finding: Finding) -> Breach {
    Breach { turn_id, surface: in_bundle(&finding.pointer), side, finding }
}

/// A finding in a turn file, on the surface of its place.
pub(crate) fn breach_in_turn(turn_id: &str, side: Side, finding: Finding) -> Breach {
    Breach { turn_id: turn_id.to_owned(), surface: in_turn(&finding.pointer), side, finding }
}

/// Compares the digests of two bundles.
pub(crate) fn compare_digests(a: &Bundle<'_>, b: &Bundle<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, digest_a) in &a.digests {
        if let Some(digest_b) = b.digests.get(name)
            && digest_a != digest_b
        {
            let path = Cell::Text(JsonPointer::from_text("/digests").member(name).as_str().into());
            let (expected, actual) = (Cell::Text(digest_a.as_str().into()), Cell::Text(digest_b.as_str().into()));
            rows.push(Row::replay(Cell::Name(""), Surface::BundleDigest, path, expected, actual, reason::VERSION));
        }
    }
    rows
}

/// A turn that one bundle alone lists (TURN-01).
pub(crate) fn lone_turn(turn_id: Cell) -> Row {
    let path = Cell::Name("/turn_results");
    Row::replay(turn_id, Surface::Schema, path, Cell::Null, Cell::Null, reason::EQUIVALENCE)
}

/// Compares the digests that two entries of a turn declare; `place` is that of the turn.
pub(crate) fn compare_turn_digests(
    turn_id: impl Fn() -> Cell,
    place: impl Fn() -> JsonPointer,
    a: &Entry<'_>,
    b: &Entry<'_>,
) -> Option<Row> {
    let (digest_a, digest_b) = (a.digest.as_deref()?, b.digest.as_deref()?);
    (digest_a != digest_b).then(|| {
        let path = Cell::Text(place().member("turn_result_digest").as_str().into());
        let (expected, actual) = (Cell::Text(digest_a.into()), Cell::Text(digest_b.into()));
        Row::replay(turn_id(), Surface::BundleDigest, path, expected, actual, reason::EQUIVALENCE)
    })
}

/// The digest, or null, that a transition member has to hold.
pub(crate) fn transition_digest(value: NodeRef<'_>, pointer: JsonPointer) -> Result<Option<String>, Finding> {
    if value.kind() == Kind::Null {
        return Ok(None);
    }
    let message = "a transition digest is 64 lower-case hexadecimal digits, or null";
    digest_text(value).map(Some).ok_or_else(|| Finding::error(LAW, pointer, message))
}

/// True for a transition member that is a parity input.
pub(crate) fn is_transition_digest(name: &JsonStr<'_>) -> bool {
    name.as_bytes().ends_with(b"_digest")
}

/// Compares every `_digest` member of the transition; absent on one side counts as null there.
pub(crate) fn compare_transitions(turn_id: &Cell, a: &Turn<'_>, b: &Turn<'_>, rows: &mut Vec<Row>) {
    if !(a.usable.transition && b.usable.transition) {
        return;
    }
    let names: BTreeSet<&str> = a.transition.keys().chain(b.transition.keys()).map(String::as_str).collect();
    for name in names {
        if a.unusable_transition.contains(name) || b.unusable_transition.contains(name) {
            continue;
        }
        let (digest_a, digest_b) =
            (a.transition.get(name).cloned().flatten(), b.transition.get(name).cloned().flatten());
        if digest_a != digest_b {
            let path = JsonPointer::from_text("/transition").member(name);
            let path = Cell::Text(path.as_str().into());
            let cell = |digest: Option<String>| digest.map_or(Cell::Null, |digest| Cell::Text(digest.into()));
            let (expected, actual) = (cell(digest_a), cell(digest_b));
            rows.push(Row::replay(turn_id.clone(), Surface::Transition, path, expected, actual, reason::EQUIVALENCE));
        }
    }
}

/// The digest that a turn declares has to be that of the published projection (profile `turn-digest/published`).
pub(crate) fn declared_turn_digest(turn: NodeRef<'_>) -> Option<Finding> {
    let declared = turn.get("turn_result_digest")?;
    let computed = published_turn_digest(turn).map(|digest| digest.to_hex());
    let declared = declared.as_string().and_then(|text| text.to_str().map(str::to_owned));
    if computed.is_some() && declared == computed {
        return None;
    }
    let message = match computed {
        Some(digest) => format!("the published projection gives {digest}"),
        None => "the turn has no canonical form, so it has no digest".to_owned(),
    };
    Some(Finding::error(LAW, JsonPointer::from_text("/turn_result_digest"), message))
}

/// Computes a turn's digest in the published projection: `events` and `turn_result_digest` removed, every issue's
/// message null. `None` if the turn has no canonical form.
pub(crate) fn published_turn_digest(turn: NodeRef<'_>) -> Option<Digest> {
    let mut out = Vec::new();
    let members = named(turn).filter(|(name, _)| !matches!(&**name, b"events" | b"turn_result_digest"));
    append_object(members.collect(), &mut out, |name, value, out| {
        if name == b"issues" && value.is_array() { append_issues(value, out) } else { append_canonical(value, out) }
    })?;
    Some(Digest::of(&out))
}

fn append_issues(issues: NodeRef<'_>, out: &mut Vec<u8>) -> Option<()> {
    out.push(b'[');
    for (index, issue) in issues.elements().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        if issue.is_object() { append_issue(issue, out)? } else { append_canonical(issue, out)? }
    }
    out.push(b']');
    Some(())
}

/// However often a message is said, it is one null.
fn append_issue(issue: NodeRef<'_>, out: &mut Vec<u8>) -> Option<()> {
    let others = named(issue).filter(|(name, _)| &**name != MESSAGE);
    let message = issue.get("message").map(|message| (Cow::Borrowed(MESSAGE), message));
    append_object(others.chain(message).collect(), out, |name, value, out| {
        if name == MESSAGE {
            out.extend_from_slice(b"null");
            return Some(());
        }
        append_canonical(value, out)
    })
}

const MESSAGE: &[u8] = b"message";

/// The members of an object, their names in WTF-8.
fn named<'d>(object: NodeRef<'d>) -> impl Iterator<Item = (Cow<'d, [u8]>, NodeRef<'d>)> {
    object.members().map(|(name, value)| (name.decode().into_bytes(), value))
}

/// Appends members in canonical order. `None` where a name comes twice or has no UTF-8 form.
fn append_object<'d>(
    mut members: Vec<(Cow<'d, [u8]>, NodeRef<'d>)>,
    out: &mut Vec<u8>,
    append: impl Fn(&[u8], NodeRef<'d>, &mut Vec<u8>) -> Option<()>,
) -> Option<()> {
    members.sort_by(|(a, _), (b, _)| a.cmp(b));
    if members.is_sorted_by(|(a, _), (b, _)| a < b) && members.iter().all(|(name, _)| std::str::from_utf8(name).is_ok())
    {
        out.push(b'{');
        for (index, (name, value)) in members.into_iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            append_json_string(&name, out);
            out.push(b':');
            append(&name, value, out)?;
        }
        out.push(b'}');
        return Some(());
    }
    None
}

fn append_canonical(value: NodeRef<'_>, out: &mut Vec<u8>) -> Option<()> {
    append(value, &mut Canonicalizer::new(Rules::LAW), out).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, Document};

    #[test]
    fn places_belong_to_surfaces() {
        let bundle = |text: &str| in_bundle(&JsonPointer::from_text(text));
        assert_eq!(bundle("/turn_results/3/turn_result_digest"), Surface::BundleDigest);
        assert_eq!(bundle("/turn_results/3/paths/0"), Surface::Schema);
        assert_eq!(bundle("/digests"), Surface::Schema);
        assert_eq!(bundle("/digests/policy_digest"), Surface::BundleDigest);
        let turn = |text: &str| in_turn(&JsonPointer::from_text(text));
        assert_eq!(turn("/transition"), Surface::Transition);
        assert_eq!(turn("/capabilities"), Surface::Schema);
        assert_eq!(turn("/capabilities/decisions"), Surface::DecisionRecord);
        assert_eq!(turn("/issuesx"), Surface::Schema);
    }

    #[test]
    fn the_sheets_sample_digest() {
        let zeros = "0".repeat(64);
        let text = format!(
            r#"{{"contract_version":"kernel_api/v1","run_id":"run-1","turn_id":"turn-0001","outcome":"FAIL","stage":"policy","errors":1,"warnings":0,"issues":[{{"contract_version":"kernel_api/v1","level":"FAIL","stage":"policy","code":"E_POLICY_RAW_ID_FORBIDDEN","location":"/body/skill_id","message":"any","details":{{"token":"skill_id"}}}}],"events":["e"],"transition":{{"prior_state_digest":null,"proposed_state_digest":"{zeros}","inputs_digest":"{zeros}","diff_summary":{{"kind":"none","changed_count":0,"triplet_stems":[],"solo_json_paths":[]}},"artifacts":[]}},"capabilities":{{"mode":"disabled","decisions":[],"denied_count":0,"granted_count":0}},"trace":null,"turn_result_digest":"{zeros}"}}"#
        );
        let document = Document::parse(text.as_bytes(), &Dialect::STRICT).expect("JSON");
        let digest = published_turn_digest(document.root()).expect("canonical");
        assert_eq!(digest.to_hex(), "0f4881137f9e0b4d35f5da4468cb64d719a3dc3e22c87f24263ab3cc2d084f9b");
    }
}
