//! The walk over a bundle in law mode: what could be used, and every breach.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.4, replay-bundle.schema.json; rulings OP, TOP-01 to TOP-15,
//! TURN-04, TURN-07 to TURN-09, FILE-14, FILE-19, FILE-20, SCH-16.

use std::collections::HashSet;

use super::laws::{canonical_parity, contract_replay_bundle, path_selection, surface_list};
use super::model::banned::{Found, MOST_FINDINGS};
use super::model::breach::{self, Breach, Side};
use super::model::bundle::{Bundle, Entry, listed_paths};
use super::model::member::digest_text;
use super::model::report::Surface;
use super::scan;
use crate::canon::CanonRefusalKind;
use crate::json::{Dialect, Document, JsonPointer, JsonStr, NodeRef};

/// Reads a bundle.
///
/// The error says why nothing in it can be used.
pub(super) fn read(text: &[u8], side: Side) -> Result<Document<'_>, Breach> {
    let breach = |finding| surface_list::breach_in_bundle(String::new(), side, finding);
    let document =
        Document::parse(text, &Dialect::LAW).map_err(|error| breach(contract_replay_bundle::unreadable(&error)))?;
    let off_surface = |place: &JsonPointer| surface_list::in_bundle(place) == Surface::Schema;
    match document.constant_where(off_surface) {
        Some(pointer) => Err(breach(contract_replay_bundle::constant(&pointer))),
        None => Ok(document),
    }
}

/// The breaches that leave nothing to compare.
pub(super) fn absent_members(root: NodeRef<'_>, side: Side) -> impl Iterator<Item = Breach> {
    let breach = move |finding| Breach { turn_id: String::new(), surface: Surface::Schema, side, finding };
    contract_replay_bundle::absent_members(root).into_iter().map(breach)
}

impl<'d> Bundle<'d> {
    /// Takes a bundle that has its five members, collecting every breach. What surely has none is not searched, unless
    /// `exact_alone`.
    pub(super) fn take(root: NodeRef<'d>, side: Side, exact_alone: bool) -> Self {
        let mut bundle = Self::default();
        let entries: Vec<_> = root.get("turn_results").into_iter().flat_map(NodeRef::elements).collect();
        let ids: Vec<_> = entries.iter().map(|entry| entry.get("turn_id").and_then(NodeRef::as_string)).collect();
        let label = |pointer: &JsonPointer| -> String {
            let rest = pointer.as_str().strip_prefix("/turn_results/").unwrap_or_default();
            let index = rest.split('/').next().and_then(|index| index.parse::<usize>().ok());
            let id = index.and_then(|index| ids.get(index)).and_then(Option::as_ref);
            id.and_then(|id| id.to_str()).unwrap_or_default().to_owned()
        };
        let lawful = !exact_alone && contract_replay_bundle::surely_holds(root.document().text());
        if !lawful {
            bundle.collect_banned(root, side, &label);
        }
        let banned: HashSet<JsonPointer> =
            bundle.breaches.iter().map(|breach| breach.finding.pointer.clone()).collect();
        if !lawful {
            bundle.collect_shape(root, side, &label);
        }
        let place = JsonPointer::from_text("/turn_results");
        bundle.lists_turns = root.get("turn_results").is_some_and(NodeRef::is_array) && !banned.contains(&place);
        let place = JsonPointer::from_text("/digests");
        for (name, value) in root.get("digests").into_iter().flat_map(NodeRef::members) {
            let name = name.decode().to_text_lossy().into_owned();
            // A name that is repeated leaves no one value to compare.
            let sole = !banned.contains(&place) && !banned.contains(&place.member(&name));
            if let Some(digest) = digest_text(value).filter(|_| sole) {
                bundle.digests.insert(name, digest);
            }
        }
        bundle.collect_entries(entries, ids, side, &banned);
        breach::cut(&mut bundle.breaches, MOST_FINDINGS);
        bundle
    }

    /// Repeated names anywhere, and what has no canonical form in digests and in the run id.
    fn collect_banned(&mut self, root: NodeRef<'_>, side: Side, label: &impl Fn(&JsonPointer) -> String) {
        let mut found = Found::where_it(|banned| {
            let in_run_id =
                banned.kind == CanonRefusalKind::LoneSurrogate && banned.pointer.is_within("/run_envelope/run_id");
            let on_surface = surface_list::in_bundle(&banned.pointer) == Surface::BundleDigest;
            on_surface || banned.kind == CanonRefusalKind::Duplicate || in_run_id
        });
        scan::scan(root, &JsonPointer::root(), &mut found);
        for banned in found.list {
            let turn_id = label(&banned.pointer);
            let finding = canonical_parity::without_form(banned);
            self.breaches.push(surface_list::breach_in_bundle(turn_id, side, finding));
        }
    }

    /// Contract 4.
    fn collect_shape(&mut self, root: NodeRef<'_>, side: Side, label: &impl Fn(&JsonPointer) -> String) {
        let banned: HashSet<JsonPointer> = self.breaches.iter().map(|breach| breach.finding.pointer.clone()).collect();
        for finding in contract_replay_bundle::shape(root, &banned) {
            self.breaches.push(surface_list::breach_in_bundle(label(&finding.pointer), side, finding));
        }
    }

    fn collect_entries(
        &mut self,
        entries: Vec<NodeRef<'d>>,
        ids: Vec<Option<JsonStr<'d>>>,
        side: Side,
        banned: &HashSet<JsonPointer>,
    ) {
        let mut listed = contract_replay_bundle::Listed::default();
        for ((index, node), id) in entries.into_iter().enumerate().zip(ids) {
            let place = || JsonPointer::from_text("/turn_results").index(index);
            let paths = listed_paths(node);
            let unsorted = paths.and_then(|paths| path_selection::sorted(paths, place));
            let key = id.map(JsonStr::into_bytes);
            let repeated = key.clone().and_then(|key| listed.take(key, place));
            for finding in repeated.into_iter().chain(unsorted) {
                let turn_id = key.as_deref().and_then(|key| std::str::from_utf8(key).ok()).unwrap_or_default();
                self.breaches.push(surface_list::breach_in_bundle(turn_id.to_owned(), side, finding));
            }
            // An entry without an id joins with nothing (TURN-07).
            let Some(key) = key else { continue };
            let sole = banned.is_empty() || !banned.contains(&place().member("turn_result_digest"));
            let digest = node.get("turn_result_digest").and_then(digest_text).filter(|_| sole);
            self.entries.insert(key, Entry { index, digest, paths });
        }
    }
}
