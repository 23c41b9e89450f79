//! kernel/replay: a run that is replayed gives the same structural digests and issues, in the same order.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.5, `replay_run`, and Law 3; rulings KE-35, KE-57. Neither an event nor a
//! message of a turn enters its digest.

use crate::canon::{Profile, canonicalize, compose};
use crate::digest::Digest;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::kernel::model::issue::{CONTRACT, Details, Issue, Issues, Outcome, Stage};
use crate::kernel::model::record::hex;
use crate::kernel::model::token::RunId;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/replay");

const PLACE: &str = "/run_descriptor";

/// What is to be replayed, and what was recorded of it.
#[derive(Debug)]
pub(crate) struct Descriptor<'d> {
    pub(crate) run: RunId,
    pub(crate) requests: Vec<NodeRef<'d>>,
    /// Canonical; none for what has no such form, which no replay gives.
    turn_digests: Vec<Option<Vec<u8>>>,
    issues: Vec<Option<Vec<u8>>>,
}

impl<'d> Descriptor<'d> {
    /// Reads a descriptor; the first thing that is wrong with it.
    pub(crate) fn read(descriptor: NodeRef<'d>) -> Result<Self, Issue> {
        let place = JsonPointer::from_text(PLACE);
        let text = |name: &str| descriptor.get(name)?.as_string()?.to_str().map(str::to_owned);
        let version = text("contract_version").ok_or_else(|| missing(place.member("contract_version")))?;
        if version != CONTRACT {
            let place = place.member("contract_version");
            return Err(Issue::fail(Stage::Replay, "E_REPLAY_VERSION_MISMATCH", place));
        }
        let run = text("run_id").as_deref().and_then(RunId::parse).ok_or_else(|| missing(place.member("run_id")))?;
        let requests = list(descriptor, "requests", &place)?;
        for (index, request) in requests.iter().enumerate() {
            let place = place.member("requests").index(index);
            if !request.is_object() {
                return Err(missing(place));
            }
            let named = request.get("run_handle").and_then(|handle| handle.get("run_id")).and_then(NodeRef::as_string);
            if named.is_none_or(|named| named != run.as_str()) {
                return Err(missing(place.member("run_handle").member("run_id")));
            }
        }
        let inside = place.member("recorded");
        let recorded = descriptor.get("recorded").filter(|recorded| recorded.is_object());
        let recorded = recorded.ok_or_else(|| missing(inside.clone()))?;
        let turn_digests = list(recorded, "turn_digests", &inside)?.into_iter().map(canonical).collect();
        let issues = list(recorded, "issues", &inside)?.into_iter().map(structure_of_issue).collect();
        Ok(Self { run, requests, turn_digests, issues })
    }

    /// Compares what a replay gave with what was recorded.
    pub(crate) fn compare(&self, replayed: &Replayed) -> Issues {
        let differs = |recorded: &[Option<Vec<u8>>], given: &[Vec<u8>]| {
            !recorded.iter().map(Option::as_ref).eq(given.iter().map(Some))
        };
        let mut fields = Vec::new();
        for (name, differs) in [
            ("issues", differs(&self.issues, &replayed.issues)),
            ("turn_digests", differs(&self.turn_digests, &replayed.turn_digests)),
        ] {
            fields.extend(differs.then(|| compose::string(name)));
        }
        if fields.is_empty() {
            return Issues::default();
        }
        let place = JsonPointer::from_text(PLACE).member("recorded");
        let details = Details::of(&[("mismatch_fields", compose::array(fields))]);
        Issue::fail(Stage::Replay, "E_REPLAY_EQUIVALENCE_FAILED", place).with_details(details).into()
    }
}

/// The refusal of a run of which a turn was promoted: the state that it began from is not kept.
pub(crate) fn promoted() -> Issue {
    missing(JsonPointer::from_text(PLACE).member("run_id"))
}

fn missing(place: JsonPointer) -> Issue {
    Issue::fail(Stage::Replay, "E_REPLAY_INPUT_MISSING", place)
}

fn list<'d>(object: NodeRef<'d>, name: &str, place: &JsonPointer) -> Result<Vec<NodeRef<'d>>, Issue> {
    let list = object.get(name).filter(|list| list.is_array());
    Ok(list.ok_or_else(|| missing(place.member(name)))?.elements().collect())
}

fn canonical(node: NodeRef<'_>) -> Option<Vec<u8>> {
    Some(canonicalize(Profile::Sovereign, node.raw()).ok()?.as_slice().to_vec())
}

/// The five members that are compared of an issue; absent details count as `{}`, and the stage's other name as its own.
fn structure_of_issue(issue: NodeRef<'_>) -> Option<Vec<u8>> {
    let mut members = Vec::new();
    for name in ["level", "stage", "code", "location", "details"] {
        let value = match issue.get(name) {
            Some(value) => canonical(value)?,
            None if name == "details" => b"{}".to_vec(),
            None => return None,
        };
        let stage = issue.get("stage").filter(|_| name == "stage").and_then(NodeRef::as_string);
        let known = stage.as_ref().and_then(|stage| stage.to_str()).and_then(Stage::from_name);
        members.push((name, known.map_or(value, |stage| compose::string(stage.name()))));
    }
    Some(compose::object(&members))
}

/// What a replay gave, each part canonical.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Replayed {
    turn_digests: Vec<Vec<u8>>,
    issues: Vec<Vec<u8>>,
}

impl Replayed {
    /// Adds a turn.
    pub(crate) fn add(&mut self, turn: &Structure<'_>) {
        self.turn_digests.push(hex(turn.digest()));
        self.issues.extend(turn.issues.as_slice().iter().map(Issue::canonical));
    }

    /// The report, canonical.
    pub(crate) fn report(&self) -> Vec<u8> {
        compose::object(&[
            ("turn_digests", compose::array(&self.turn_digests)),
            ("issues", compose::array(&self.issues)),
        ])
    }
}

/// What a turn is to whoever replays it.
#[derive(Clone, Debug)]
pub(crate) struct Structure<'t> {
    pub(crate) run_id: &'t str,
    pub(crate) turn_id: &'t str,
    pub(crate) outcome: Outcome,
    pub(crate) stage: Stage,
    pub(crate) issues: &'t Issues,
    /// Canonical digests of the state before, of the state proposed, and of what was handed in.
    pub(crate) transition: [Vec<u8>; 3],
    /// The record of its decision.
    pub(crate) decision: Option<&'t [u8]>,
}

impl Structure<'_> {
    fn digest(&self) -> Digest {
        let [prior, proposed, inputs] = &self.transition;
        let transition = compose::object(&[
            ("prior_state_digest", prior),
            ("proposed_state_digest", proposed),
            ("inputs_digest", inputs),
        ]);
        Digest::of(&compose::object(&[
            ("run_id", compose::string(self.run_id)),
            ("turn_id", compose::string(self.turn_id)),
            ("outcome", compose::string(self.outcome.name())),
            ("stage", compose::string(self.stage.name())),
            ("issues", compose::array(self.issues.as_slice().iter().map(Issue::canonical))),
            ("transition", transition),
            ("decisions", compose::array(self.decision.map(decision))),
        ]))
    }
}

/// The six members of a decision record that enter a turn's digest.
fn decision(record: &[u8]) -> Vec<u8> {
    // A record is canonical JSON with all of them.
    let document = Document::parse(record, &Dialect::STRICT).ok();
    let member = |name| document.as_ref().and_then(|document| document.root().get(name)).map(NodeRef::raw);
    let members = ["tool_name", "action", "ordinal", "outcome", "deny_code", "info_code"];
    compose::array(members.map(|name| member(name).unwrap_or(b"null")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_has_its_check_value() {
        let place = JsonPointer::from_text("/links/a/id");
        let issues = Issue::fail(Stage::Lsi, "E_LSI_ORPHAN_REFERENCE", place).into();
        let record =
            br#"{"action":"write","deny_code":null,"info_code":null,"ordinal":0,"outcome":"allowed","tool_name":"fs"}"#;
        let turn = Structure {
            run_id: "r",
            turn_id: "turn-0001",
            outcome: Outcome::Fail,
            stage: Stage::Lsi,
            issues: &issues,
            transition: [b"null".to_vec(), compose::string("p"), compose::string("i")],
            decision: Some(record),
        };
        // Python's json with sorted names, and hashlib.
        assert_eq!(turn.digest().to_hex(), "7c421a452316b28909f53e2db5533ac6208ac3d430acf81dbcdaf474a5979532");
    }

    #[test]
    fn issues_are_compared_by_five_members() {
        let structure = |text: &str| {
            let document = Document::parse(text.as_bytes(), &Dialect::STRICT).expect("JSON");
            structure_of_issue(document.root()).map(|written| String::from_utf8(written).expect("UTF-8"))
        };
        let whole = r#"{"code":"E_A","details":{},"level":"FAIL","location":"/a","stage":"relationship_vocabulary"}"#;
        for text in [
            whole,
            r#"{"stage": "rel_vocab", "code": "E_A", "level": "FAIL", "location": "/a", "message": "m"}"#,
            r#"{"stage": "rel_vocab", "code": "E_A", "level": "FAIL", "location": "/a", "details": { }}"#,
        ] {
            assert_eq!(structure(text).as_deref(), Some(whole), "{text}");
        }
        for text in ["{}", "1", r#"{"code":"E_A","level":"FAIL","location":"/a"}"#, &whole.replace("{}", "1.5")] {
            assert_eq!(structure(text), None, "{text}");
        }
    }
}
