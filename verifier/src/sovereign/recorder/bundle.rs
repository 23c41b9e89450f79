//! The replay bundle of a run, from its turn files.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deterministic Path Selection Law, Safe Boundary Law and Registry
//! Lock Law, and B.4, replay-bundle.schema.json; ruling SV-26.

use super::turn::whole_texts;
use crate::canon::compose;
use crate::contracts;
use crate::files::Files;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, JsonStr, NodeRef};
use crate::rejection::Rejection;
use crate::sovereign::laws::{canonical_parity, contract_replay_bundle, path_selection, registry_lock, surface_list};
use crate::sovereign::model::bundle::listed_paths;
use crate::sovereign::turn;

/// What a bundle is made of beside its turn files; the documents as exact bytes.
#[derive(Clone, Copy, Debug)]
pub struct Run<'r> {
    /// The run's id.
    pub run_id: &'r str,
    /// The workflow's id.
    pub workflow_id: &'r str,
    /// `{"policy_digest", "runtime_profile_digest", "contract_registry_snapshot_digest"}`.
    pub digests: &'r [u8],
    /// `[{"turn_id", "paths": [...]}]`.
    pub turns: &'r [u8],
    /// The error-codes file of the run; the sealed one if absent.
    pub registry: Option<&'r [u8]>,
}

/// Writes the replay bundle of a run in canonical text: its turns in the order given, each with its paths in code point
/// order and the digest of the first readable one's file. The turns themselves are not judged.
///
/// # Errors
/// If a document is not JSON or not of its shape, a turn has no readable file or one that is not JSON, or something has
/// no canonical form.
pub fn bundle(run: &Run<'_>, files: &dyn Files) -> Result<Vec<u8>, Rejection> {
    let digests = Document::parse(run.digests, &Dialect::STRICT)?;
    let digests = contract_replay_bundle::given_digests(digests.root())?;
    let listed = Document::parse(run.turns, &Dialect::STRICT)?;
    whole_texts(listed.root())?;
    let turns = turns(listed.root())?;
    let registry = registry_lock::registry_digest(run.registry.unwrap_or(contracts::ERROR_CODES.as_bytes()))?;
    let mut text = Vec::new();
    let entries = turns.iter().map(|turn| turn.entry(files, &mut text)).collect::<Result<Vec<_>, _>>()?;
    let envelope = [("run_id", compose::string(run.run_id)), ("workflow_id", compose::string(run.workflow_id))];
    Ok(compose::object(&[
        ("contract_version", compose::string("replay_bundle/v1")),
        ("run_envelope", compose::object(&envelope)),
        ("registry_digest", compose::string(&registry.to_hex())),
        ("digests", digests),
        ("turn_results", compose::array(entries)),
    ]))
}

/// A turn as it is listed.
struct Turn<'d> {
    id: JsonStr<'d>,
    paths: NodeRef<'d>,
}

/// The turns of a list, each named once and with a path.
fn turns(listed: NodeRef<'_>) -> Result<Vec<Turn<'_>>, Rejection> {
    if !listed.is_array() {
        return Err(Rejection::input_at("", "turns are an array"));
    }
    let mut named = contract_replay_bundle::Listed::default();
    let mut turns = Vec::new();
    for (index, turn) in listed.elements().enumerate() {
        let place = JsonPointer::root().index(index);
        let wrong = |member: &str, message: &str| Rejection::InputAt(place.member(member), message.to_owned());
        let id = turn.get("turn_id").and_then(NodeRef::as_string);
        let id = id.ok_or_else(|| wrong("turn_id", "a turn has a string `turn_id`"))?;
        let paths = listed_paths(turn).ok_or_else(|| wrong("paths", "a turn has an array `paths` of strings"))?;
        if named.take(id.clone().into_bytes(), || place.clone()).is_some() {
            return Err(wrong("turn_id", "a turn is listed once"));
        }
        turns.push(Turn { id, paths });
    }
    Ok(turns)
}

impl Turn<'_> {
    /// The bundle's entry of the turn.
    fn entry(&self, files: &dyn Files, text: &mut Vec<u8>) -> Result<Vec<u8>, Rejection> {
        let place = JsonPointer::root().member("paths");
        let path =
            path_selection::read(self.paths, files, text, || place.clone()).map_err(|finding| self.refused(finding))?;
        let document = turn::load_chosen(&path, text, &place).map_err(|finding| self.refused(finding))?;
        let root = document.root();
        if !root.is_object() {
            return Err(Rejection::Input(format!("turn {}: a turn result is an object", self.id.to_text_lossy())));
        }
        let digest = surface_list::published_turn_digest(root).ok_or_else(canonical_parity::refused)?;
        let paths = path_selection::written(self.paths).into_iter().map(|path| compose::string(&path));
        Ok(compose::object(&[
            ("turn_id", compose::string(&self.id.to_text_lossy())),
            ("turn_result_digest", compose::string(&digest.to_hex())),
            ("paths", compose::array(paths)),
        ]))
    }

    /// A finding about the turn's file; what has no registered code is over a limit.
    fn refused(&self, finding: Finding) -> Rejection {
        let message = format!("turn {}: {}", self.id.to_text_lossy(), finding.message);
        match finding.code {
            Some(code) => Rejection::Coded(code, message),
            None => Rejection::Limit(message),
        }
    }
}
