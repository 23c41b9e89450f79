//! Surface list: what parity covers, and which surface a place belongs to.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Surface List Law; rulings TRN-01, TRN-03 to TRN-05, TURN-06,
//! TOP-16, LAW-02, LAW-14, SV-16.
//!
//! In: `registry_digest`, `digests.*`, `turn_result_digest`, every transition member whose name ends in `_digest`,
//! decision records, issues without their message. Digests are compared as declared; only the audit's profile
//! `turn-digest/published` recomputes one.

use std::collections::BTreeSet;

use super::report::{Cell, Row, Surface, reason};
use super::turn::Turn;
use crate::canon::{Canonicalizer, Rules};
use crate::digest::Digest;
use crate::json::{JsonPointer, JsonStr, NodeRef, append_escaped};

/// The surface of a place in a bundle.
pub(super) fn in_bundle(pointer: &JsonPointer) -> Surface {
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
pub(super) fn in_turn(pointer: &JsonPointer) -> Surface {
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

/// True for a transition member that is a parity input.
pub(super) fn is_transition_digest(name: &JsonStr<'_>) -> bool {
    name.as_bytes().ends_with(b"_digest")
}

/// Compares every `_digest` member of the transition; absent on one side counts as null there.
pub(super) fn compare_transitions(turn_id: &Cell, a: &Turn<'_>, b: &Turn<'_>, rows: &mut Vec<Row>) {
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
            rows.push(Row {
                turn_id: turn_id.clone(),
                stage_name: Cell::Name("replay"),
                ordinal: Cell::Number(0),
                surface: Surface::Transition,
                path: Cell::Text(path.as_str().into()),
                expected: digest_a.map_or(Cell::Null, |digest| Cell::Text(digest.into())),
                actual: digest_b.map_or(Cell::Null, |digest| Cell::Text(digest.into())),
                reason: Some(reason::EQUIVALENCE),
                diagnostic: None,
            });
        }
    }
}

/// Recomputes a turn's digest in the published projection: `events` and `turn_result_digest` removed, every issue's
/// message null. `None` if the turn has no canonical form.
pub(super) fn published_turn_digest(turn: NodeRef<'_>) -> Option<Digest> {
    let mut members: Vec<_> = turn
        .members()
        .map(|(name, value)| (name.decode().into_bytes(), value))
        .filter(|(name, _)| !matches!(&**name, b"events" | b"turn_result_digest"))
        .collect();
    members.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut out = vec![b'{'];
    for (index, (name, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.push(b'"');
        append_escaped(&name, &mut out);
        out.extend_from_slice(b"\":");
        if &*name == b"issues" && value.is_array() {
            append_issues(value, &mut out)?;
        } else {
            append_canonical(value, &mut out)?;
        }
    }
    out.push(b'}');
    Some(Digest::of(&out))
}

fn append_issues(issues: NodeRef<'_>, out: &mut Vec<u8>) -> Option<()> {
    out.push(b'[');
    for (index, issue) in issues.elements().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        let mut names: Vec<_> = issue.members().map(|(name, value)| (name.decode().into_bytes(), value)).collect();
        names.sort_by(|(a, _), (b, _)| a.cmp(b));
        out.push(b'{');
        for (index, (name, value)) in names.into_iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.push(b'"');
            append_escaped(&name, out);
            out.extend_from_slice(b"\":");
            if &*name == b"message" { out.extend_from_slice(b"null") } else { append_canonical(value, out)? }
        }
        out.push(b'}');
    }
    out.push(b']');
    Some(())
}

fn append_canonical(value: NodeRef<'_>, out: &mut Vec<u8>) -> Option<()> {
    let trouble = Canonicalizer::new(Rules::LAW).append_node(value, out).ok()?;
    trouble.is_none().then_some(())
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
