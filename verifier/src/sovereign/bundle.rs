//! A bundle as law mode reads it: what could be used, and every breach.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.4, replay-bundle.schema.json; rulings OP, TOP-01 to TOP-15,
//! TURN-04, TURN-07 to TURN-09, FILE-14, FILE-19, FILE-20, SCH-16.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::breach::{self, Breach, Side};
use super::contract::{self, Contract};
use super::float_ban::{self, Found, MOST_FINDINGS};
use super::report::{Surface, reason};
use super::{path_selection, surface_list};
use crate::canon::TroubleKind;
use crate::digest::Digest;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::law::Law;

const MEMBERS: [&str; 5] = ["contract_version", "run_envelope", "registry_digest", "digests", "turn_results"];

/// Reads a bundle.
///
/// The error says why nothing in it can be used.
pub(super) fn read(text: &[u8], side: Side) -> Result<Document<'_>, Breach> {
    let document = Document::parse(text, &Dialect::LAW).map_err(|error| Breach {
        turn_id: String::new(),
        surface: surface_list::in_bundle(&error.pointer),
        path: if error.kind.is_limit() { error.pointer.clone() } else { JsonPointer::root() },
        reason: if error.kind.is_limit() { None } else { Some(reason::INPUT_MISSING) },
        law: Law::ContractReplayBundle,
        side,
        message: format!("{error}: {}", error.kind.help()),
    });
    let document = document.map_err(|mut breach| {
        if breach.reason.is_some() {
            breach.surface = Surface::Schema;
        }
        breach
    })?;
    let off_surface = |place: &JsonPointer| surface_list::in_bundle(place) == Surface::Schema;
    if let Some(pointer) = document.constant_where(off_surface) {
        return Err(Breach {
            turn_id: String::new(),
            surface: Surface::Schema,
            path: JsonPointer::root(),
            reason: Some(reason::INPUT_MISSING),
            law: Law::ContractReplayBundle,
            side,
            message: format!("not JSON: NaN or an infinity at {pointer}"),
        });
    }
    Ok(document)
}

/// The breaches that leave nothing to compare: no object, or an absent member of the five.
pub(super) fn absent_members(root: NodeRef<'_>, side: Side) -> Vec<Breach> {
    let breach = |path: JsonPointer, reason, message: String| Breach {
        turn_id: String::new(),
        surface: Surface::Schema,
        path,
        reason,
        law: Law::ContractReplayBundle,
        side,
        message,
    };
    if !root.is_object() {
        return vec![breach(JsonPointer::root(), None, "a bundle is an object".into())];
    }
    let absent = MEMBERS.into_iter().filter(|member| root.get(member).is_none());
    let absent = absent.map(|member| {
        let message = format!("the bundle has no `{member}`");
        breach(JsonPointer::root().member(member), Some(reason::INPUT_MISSING), message)
    });
    absent.collect()
}

/// The run id, or "" where it is no string that a report can hold.
pub(super) fn run_id(root: NodeRef<'_>) -> String {
    let run_id = root.get("run_envelope").and_then(|envelope| envelope.get("run_id")).and_then(NodeRef::as_string);
    run_id.and_then(|run_id| run_id.to_str().map(str::to_owned)).unwrap_or_default()
}

/// The registry digest, where it is spelled as one; the lock looks at it before anything else is judged.
pub(super) fn declared_registry(root: NodeRef<'_>) -> Option<String> {
    root.get("registry_digest").and_then(digest_text)
}

/// A bundle that has its members.
pub(super) struct Bundle<'d> {
    /// Members of `digests` that are digests.
    pub(super) digests: BTreeMap<String, String>,
    /// Entries by turn id in WTF-8; the last of equal ids.
    pub(super) entries: BTreeMap<Cow<'d, [u8]>, Entry<'d>>,
    pub(super) breaches: Vec<Breach>,
}

/// A turn entry.
#[derive(Clone, Debug)]
pub(super) struct Entry<'d> {
    /// Position in `turn_results`.
    pub(super) index: usize,
    /// The declared digest, where it is spelled as one.
    pub(super) digest: Option<String>,
    /// The paths, where the entry has a lawful list of them.
    pub(super) paths: Option<NodeRef<'d>>,
}

impl<'d> Bundle<'d> {
    /// Takes a bundle that has its five members, collecting every breach.
    pub(super) fn take(root: NodeRef<'d>, side: Side) -> Self {
        let mut bundle = Self { digests: BTreeMap::new(), entries: BTreeMap::new(), breaches: Vec::new() };
        let entries: Vec<_> = root.get("turn_results").into_iter().flat_map(NodeRef::elements).collect();
        let ids: Vec<_> = entries.iter().map(|entry| entry.get("turn_id").and_then(NodeRef::as_string)).collect();
        let label = |pointer: &JsonPointer| -> String {
            let rest = pointer.as_str().strip_prefix("/turn_results/").unwrap_or_default();
            let index = rest.split('/').next().and_then(|index| index.parse::<usize>().ok());
            let id = index.and_then(|index| ids.get(index)).and_then(Option::as_ref);
            id.and_then(|id| id.to_str()).unwrap_or_default().to_owned()
        };
        bundle.collect_banned(root, side, &label);
        bundle.collect_shape(root, side, &label);
        for (name, value) in root.get("digests").into_iter().flat_map(NodeRef::members) {
            if let Some(digest) = digest_text(value) {
                bundle.digests.insert(name.decode().to_text_lossy().into_owned(), digest);
            }
        }
        bundle.collect_entries(entries, ids, side);
        breach::cut(&mut bundle.breaches, MOST_FINDINGS);
        bundle
    }

    /// Repeated names anywhere, and what has no canonical form in digests and in the run id.
    fn collect_banned(&mut self, root: NodeRef<'_>, side: Side, label: &impl Fn(&JsonPointer) -> String) {
        let mut found = Found::where_it(|banned| {
            let in_run_id =
                banned.kind == TroubleKind::LoneSurrogate && banned.pointer.is_within("/run_envelope/run_id");
            let on_surface = surface_list::in_bundle(&banned.pointer) == Surface::BundleDigest;
            on_surface || banned.kind == TroubleKind::Duplicate || in_run_id
        });
        float_ban::scan(root, &JsonPointer::root(), &mut found);
        for banned in found.list {
            let (surface, turn_id) = (surface_list::in_bundle(&banned.pointer), label(&banned.pointer));
            self.breaches.push(Breach::banned(banned, &turn_id, surface, side));
        }
    }

    /// Contract 4. What has no canonical form is not also of the wrong shape.
    fn collect_shape(&mut self, root: NodeRef<'_>, side: Side, label: &impl Fn(&JsonPointer) -> String) {
        let banned: HashSet<JsonPointer> = self.breaches.iter().map(|breach| breach.path.clone()).collect();
        for found in contract::breaches(Contract::ReplayBundle, root) {
            if banned.contains(&found.pointer) {
                continue;
            }
            let version = found.pointer.as_str() == "/contract_version";
            self.breaches.push(Breach {
                turn_id: label(&found.pointer),
                surface: surface_list::in_bundle(&found.pointer),
                reason: version.then_some(reason::VERSION),
                law: Law::ContractReplayBundle,
                side,
                message: found.message,
                path: found.pointer,
            });
        }
    }

    fn collect_entries(&mut self, entries: Vec<NodeRef<'d>>, ids: Vec<Option<crate::json::JsonStr<'d>>>, side: Side) {
        let mut seen: HashMap<Cow<'d, [u8]>, usize> = HashMap::new();
        for ((index, node), id) in entries.into_iter().enumerate().zip(ids) {
            let Some(id) = id else { continue };
            let turn_id = id.to_str().unwrap_or_default().to_owned();
            let place = JsonPointer::from_text("/turn_results").index(index);
            let breach = |member: &str, law: Law, message: &str| Breach {
                turn_id: turn_id.clone(),
                surface: Surface::Schema,
                path: place.member(member),
                reason: None,
                law,
                side,
                message: message.to_owned(),
            };
            let key = id.into_bytes();
            if seen.insert(key.clone(), index).is_some() {
                self.breaches.push(breach(
                    "turn_id",
                    Law::ContractReplayBundle,
                    "the turn is listed twice; the last entry is used",
                ));
            }
            let listed = node.get("paths").filter(|paths| {
                paths.is_array()
                    && paths.elements().next().is_some()
                    && paths.elements().all(|path| path.as_string().is_some())
            });
            if listed.is_some_and(|paths| !path_selection::is_sorted(paths)) {
                self.breaches.push(breach("paths", Law::PathSelection, "paths are not in code point order"));
            }
            let digest = node.get("turn_result_digest").and_then(digest_text);
            self.entries.insert(key, Entry { index, digest, paths: listed });
        }
    }
}

/// A string that is spelled as a digest.
pub(super) fn digest_text(node: NodeRef<'_>) -> Option<String> {
    let text = node.as_string()?;
    if Digest::is_spelled(text.as_bytes()) { text.to_str().map(str::to_owned) } else { None }
}
