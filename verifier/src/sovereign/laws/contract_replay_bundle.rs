//! Contract 4: a replay bundle has exactly five members, and each of its digests is a digest.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.4, replay-bundle.schema.json; rulings OP, TOP-01 to TOP-15,
//! TURN-04, TURN-07 to TURN-09, SCH-16, SV-26.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::canon::{self, compose};
use crate::contracts;
use crate::finding::Finding;
use crate::json::{Dialect, JsonError, JsonPointer, NodeRef, Reader};
use crate::law::Law;
use crate::rejection::{Rejection, ShapeBreach};
use crate::schema::straight::Order;
use crate::sovereign::model::member::digest_text;
use crate::sovereign::model::report::reason;
use crate::sovereign::model::shape::Shape;
use crate::tables::{SOVEREIGN_BUNDLE_DIGESTS as DIGESTS, SOVEREIGN_BUNDLE_MEMBERS as MEMBERS};

pub(crate) const LAW: Law = Law::named("sovereign/contract-replay-bundle");

static SCHEMA: Shape = Shape::stated_by(contracts::REPLAY_BUNDLE_SCHEMA);

/// The places at which a document breaks the contract, each named once.
pub(crate) fn breaches(document: NodeRef<'_>) -> Vec<ShapeBreach> {
    SCHEMA.breaches(document)
}

/// Whether a bundle surely keeps the contract, and every value in it has a canonical form.
pub(crate) fn surely_holds(bundle: &[u8]) -> bool {
    let Some(checks) = SCHEMA.straight() else { return false };
    let Ok(mut reader) = Reader::new(bundle, &Dialect::STRICT) else { return false };
    checks.passes(&mut reader, &mut Order::default()) && reader.finish().is_ok()
}

/// A bundle that cannot be read. A limit has no registered code, and is named at its place.
pub(crate) fn unreadable(error: &JsonError) -> Finding {
    let message = format!("{error}: {}", error.kind.help());
    if error.kind.is_limit() {
        return Finding::error(LAW, error.pointer.clone(), message);
    }
    Finding::error(LAW, JsonPointer::root(), message).with_code(reason::INPUT_MISSING)
}

/// A constant stands where no canonical surface is, so that the bundle is not JSON.
pub(crate) fn constant(at: &JsonPointer) -> Finding {
    let message = format!("not JSON: NaN or an infinity{}", canon::at(at));
    Finding::error(LAW, JsonPointer::root(), message).with_code(reason::INPUT_MISSING)
}

/// What leaves nothing to compare: a bundle that is not an object, or lacks one of the five members.
pub(crate) fn absent_members(root: NodeRef<'_>) -> Vec<Finding> {
    if !root.is_object() {
        return vec![Finding::error(LAW, JsonPointer::root(), "a bundle is an object")];
    }
    let absent = MEMBERS.into_iter().filter(|member| root.get(member).is_none());
    let absent = absent.map(|member| {
        let message = format!("the bundle has no `{member}`");
        Finding::error(LAW, JsonPointer::root().member(member), message).with_code(reason::INPUT_MISSING)
    });
    absent.collect()
}

/// Judges the shape. What has no canonical form is not also of the wrong shape, and another version has its own code.
pub(crate) fn shape(root: NodeRef<'_>, banned: &HashSet<JsonPointer>) -> impl Iterator<Item = Finding> {
    breaches(root).into_iter().filter(|found| !banned.contains(&found.pointer)).map(|found| {
        let version = found.pointer.as_str() == "/contract_version";
        Finding { code: version.then_some(reason::VERSION), ..Finding::error(LAW, found.pointer, &*found.message) }
    })
}

/// The digests that a bundle is given, in canonical text: exactly three, each of them a digest.
pub(crate) fn given_digests(given: NodeRef<'_>) -> Result<Vec<u8>, Rejection> {
    let mut written = Vec::new();
    for name in DIGESTS {
        let digest = given.get(name).and_then(digest_text).ok_or_else(|| {
            Rejection::InputAt(
                JsonPointer::root().member(name),
                "a digest is 64 lower-case hexadecimal digits".to_owned(),
            )
        })?;
        written.push((name, compose::string(&digest)));
    }
    if given.members().count() != DIGESTS.len() {
        return Err(Rejection::input_at("", format!("digests are exactly {}", DIGESTS.join(", "))));
    }
    Ok(compose::object(&written))
}

/// The ids of the turns that a bundle lists.
#[derive(Default)]
pub(crate) struct Listed<'d>(HashSet<Cow<'d, [u8]>>);

impl<'d> Listed<'d> {
    /// Takes the id of the entry at a place.
    pub(crate) fn take(&mut self, id: Cow<'d, [u8]>, entry: impl Fn() -> JsonPointer) -> Option<Finding> {
        let message = "the turn is listed twice; the last entry is used";
        (!self.0.insert(id)).then(|| Finding::error(LAW, entry().member("turn_id"), message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    /// Without this, nobody would notice that lawful bundles are searched for breaches.
    #[test]
    fn a_lawful_bundle_surely_holds() {
        let digest = "0".repeat(64);
        let bundle = format!(
            r#" {{"contract_version":"replay_bundle/v1","run_envelope":{{"run_id":"r","workflow_id":""}},"registry_digest":"{digest}",
            "digests":{{"policy_digest":"{digest}","runtime_profile_digest":"{digest}","contract_registry_snapshot_digest":"{digest}"}},
            "turn_results":[{{"turn_id":"t","turn_result_digest":"{digest}","paths":["a/t.json","ä"]}}]}}
"#
        );
        let document = Document::parse(bundle.as_bytes(), &Dialect::LAW).expect("JSON");
        assert!(breaches(document.root()).is_empty());
        assert!(surely_holds(bundle.as_bytes()));
        for (from, to) in [("\"r\"", "1.0"), ("\"a/t.json\",\"ä\"", ""), ("}\n", "} x"), ("ä", "\\ud800")] {
            assert!(bundle.contains(from) && !surely_holds(bundle.replace(from, to).as_bytes()), "{to}");
        }
    }
}
