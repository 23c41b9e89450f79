//! The replay bundle of a run, from its turn files.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deterministic Path Selection Law, Safe Boundary Law and Registry
//! Lock Law, and B.4, replay-bundle.schema.json; ruling SV-26.

use super::turn::{in_one_text, whole_texts};
use crate::canon::compose;
use crate::contracts;
use crate::digest::Digest;
use crate::files::Files;
use crate::finding::Finding;
use crate::json::{Dialect, Document, Elements, JsonPointer, JsonStr, NodeRef};
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
    let bundling = Bundling::read(run, files)?;
    Ok(in_one_text(|out| bundling.write(out)))
}

/// A bundle that can be written: its turns were read, and their files digested.
#[derive(Debug)]
pub struct Bundling<'r> {
    run: Run<'r>,
    /// The three digests, canonical.
    digests: Vec<u8>,
    registry: Digest,
    turns: Elements<'r>,
    /// Of each turn the digest of its file.
    files: Vec<Digest>,
}

impl<'r> Bundling<'r> {
    /// Reads what a bundle is made of.
    ///
    /// # Errors
    /// As [`bundle`].
    pub fn read(run: &Run<'r>, files: &dyn Files) -> Result<Self, Rejection> {
        let digests = Document::parse(run.digests, &Dialect::STRICT)?;
        let digests = contract_replay_bundle::given_digests(digests.root())?;
        let turns = turns(run.turns)?;
        let registry = registry_lock::registry_digest(run.registry.unwrap_or(contracts::ERROR_CODES.as_bytes()))?;
        let mut text = Vec::new();
        let digest = |(index, turn): (_, Document<'_>)| Turn::read(turn.root(), index)?.digest(files, &mut text);
        let files = turns.documents().enumerate().map(digest).collect::<Result<_, _>>()?;
        Ok(Self { run: *run, digests, registry, turns, files })
    }

    /// Writes the bundle in canonical text, piece by piece.
    ///
    /// # Errors
    /// The first of `out`'s.
    pub fn write<E>(&self, out: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let envelope =
            [("run_id", compose::string(self.run.run_id)), ("workflow_id", compose::string(self.run.workflow_id))];
        out(b"{\"contract_version\":\"replay_bundle/v1\",\"digests\":")?;
        out(&self.digests)?;
        out(b",\"registry_digest\":")?;
        out(&compose::string(&self.registry.to_hex()))?;
        out(b",\"run_envelope\":")?;
        out(&compose::object(&envelope))?;
        out(b",\"turn_results\":[")?;
        for (index, (turn, digest)) in self.turns.documents().zip(&self.files).enumerate() {
            if index > 0 {
                out(b",")?;
            }
            // It was read before.
            if let Ok(turn) = Turn::read(turn.root(), index) {
                out(&turn.entry(*digest))?;
            }
        }
        out(b"]}")
    }
}

/// A turn as it is listed.
struct Turn<'d> {
    id: JsonStr<'d>,
    paths: NodeRef<'d>,
}

/// The turns of a list, each named once and with a path.
fn turns(listed: &[u8]) -> Result<Elements<'_>, Rejection> {
    let Some(elements) = Elements::read(listed, &Dialect::STRICT)? else {
        whole_texts(Document::parse(listed, &Dialect::STRICT)?.root())?;
        return Err(Rejection::input_at("", "turns are an array"));
    };
    let mut named = contract_replay_bundle::Listed::default();
    let mut misread = None;
    for (index, document) in elements.documents().enumerate() {
        // What comes first for one turn comes first for all.
        whole_texts(document.root())?;
        if misread.is_some() {
            continue;
        }
        misread = match Turn::read(document.root(), index) {
            Ok(turn) => {
                let place = JsonPointer::root().index(index);
                let again = named.take(turn.id.into_bytes().into_owned().into(), || place.clone()).is_some();
                again.then(|| Rejection::InputAt(place.member("turn_id"), "a turn is listed once".to_owned()))
            }
            Err(why) => Some(why),
        };
    }
    misread.map_or(Ok(elements), Err)
}

impl<'d> Turn<'d> {
    /// Reads the turn at an index.
    fn read(turn: NodeRef<'d>, index: usize) -> Result<Self, Rejection> {
        let wrong = |member: &str, message: &str| {
            Rejection::InputAt(JsonPointer::root().index(index).member(member), message.to_owned())
        };
        let id = turn.get("turn_id").and_then(NodeRef::as_string);
        let id = id.ok_or_else(|| wrong("turn_id", "a turn has a string `turn_id`"))?;
        let paths = listed_paths(turn).ok_or_else(|| wrong("paths", "a turn has an array `paths` of strings"))?;
        Ok(Self { id, paths })
    }

    /// The digest of the turn's file.
    fn digest(&self, files: &dyn Files, text: &mut Vec<u8>) -> Result<Digest, Rejection> {
        let place = JsonPointer::root().member("paths");
        let path =
            path_selection::read(self.paths, files, text, || place.clone()).map_err(|finding| self.refused(finding))?;
        let document = turn::load_chosen(&path, text, &place).map_err(|finding| self.refused(finding))?;
        let root = document.root();
        if !root.is_object() {
            return Err(Rejection::Input(format!("turn {}: a turn result is an object", self.id.to_text_lossy())));
        }
        surface_list::published_turn_digest(root).ok_or_else(canonical_parity::refused)
    }

    /// The bundle's entry of the turn.
    fn entry(&self, digest: Digest) -> Vec<u8> {
        let paths = path_selection::written(self.paths).into_iter().map(|path| compose::string(&path));
        compose::object(&[
            ("turn_id", compose::string(&self.id.to_text_lossy())),
            ("turn_result_digest", compose::string(&digest.to_hex())),
            ("paths", compose::array(paths)),
        ])
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
