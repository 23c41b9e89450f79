//! A bundle as law mode reads it: what could be used, and every breach.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::breach::Breach;
use super::member::digest_text;
use crate::json::NodeRef;

/// A bundle that has its members.
#[derive(Default)]
pub(crate) struct Bundle<'d> {
    /// Members of `digests` that are digests and can be compared.
    pub(crate) digests: BTreeMap<String, String>,
    /// Whether there is one list of turns that can be compared.
    pub(crate) lists_turns: bool,
    /// Entries by turn id in WTF-8; the last of equal ids.
    pub(crate) entries: BTreeMap<Cow<'d, [u8]>, Entry<'d>>,
    pub(crate) breaches: Vec<Breach>,
}

/// A turn entry.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'d> {
    /// Position in `turn_results`.
    pub(crate) index: usize,
    /// The declared digest, where it is spelled as one.
    pub(crate) digest: Option<String>,
    /// The paths, where the entry has a lawful list of them.
    pub(crate) paths: Option<NodeRef<'d>>,
}

/// The run id, or "" where it is not a string that a report can hold.
pub(crate) fn run_id(root: NodeRef<'_>) -> String {
    let run_id = root.get("run_envelope").and_then(|envelope| envelope.get("run_id")).and_then(NodeRef::as_string);
    run_id.and_then(|run_id| run_id.to_str().map(str::to_owned)).unwrap_or_default()
}

/// The registry digest, where it is spelled as one; the lock looks at it before anything else is judged.
pub(crate) fn declared_registry(root: NodeRef<'_>) -> Option<String> {
    let mut declared = root.members().filter(|(name, _)| name.decode().to_str() == Some("registry_digest"));
    let (_, digest) = declared.next()?;
    // Of two it is for nobody to choose (LAW-12).
    declared.next().is_none().then(|| digest_text(digest)).flatten()
}

/// The paths of an entry, where they are a list of strings that is not empty.
pub(crate) fn listed_paths(entry: NodeRef<'_>) -> Option<NodeRef<'_>> {
    entry.get("paths").filter(|paths| {
        paths.is_array() && paths.elements().next().is_some() && paths.elements().all(|path| path.as_string().is_some())
    })
}
