//! Deterministic path selection: which of a turn's files is read.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deterministic Path Selection Law; rulings FILE-01 to FILE-24,
//! LAW-08.
//!
//! Paths are tried in code point order and the first readable one wins. Readable means that the file can be opened and
//! read; its content is final, whatever it holds.

use std::borrow::Cow;

use super::{InputError, Rejection};
use crate::files::Files;
use crate::json::{Dialect, Document, JsonStr, NodeRef};

/// Selects the path of a turn entry and returns it as the entry spells it.
///
/// # Errors
/// If the entry is not JSON or has no array of strings as `paths`, or nothing is readable.
pub fn select_path(entry: &[u8], files: &dyn Files) -> Result<String, Rejection> {
    let document = Document::parse(entry, &Dialect::STRICT)?;
    let paths = document.root().get("paths");
    let Some(paths) = paths.filter(|paths| paths.is_array()) else {
        return Err(InputError::new("/paths", "a turn entry has an array `paths`").into());
    };
    if let Some(index) = paths.elements().position(|path| path.as_string().is_none()) {
        return Err(InputError::new(format!("/paths/{index}"), "a path is a string").into());
    }
    match first_readable(paths, files, &mut Vec::new()) {
        Some(path) => Ok(String::from_utf8_lossy(&path).into_owned()),
        None => Err(Rejection::InputMissing),
    }
}

/// Reads the first readable of an array's strings and returns its path.
pub(super) fn first_readable<'d>(paths: NodeRef<'d>, files: &dyn Files, into: &mut Vec<u8>) -> Option<Cow<'d, [u8]>> {
    let mut sorted: Vec<_> = paths.elements().filter_map(NodeRef::as_string).map(JsonStr::into_bytes).collect();
    sorted.sort();
    sorted.into_iter().find(|path| is_usable(path) && files.read(path, into).is_ok())
}

/// A path that no file system can be asked for is passed over like an absent one (FILE-10 to FILE-12).
fn is_usable(path: &[u8]) -> bool {
    !path.is_empty() && !path.contains(&0) && std::str::from_utf8(path).is_ok()
}

/// True if an array of strings is in code point order, repeats allowed.
pub(super) fn is_sorted(paths: NodeRef<'_>) -> bool {
    let paths: Vec<_> = paths.elements().filter_map(NodeRef::as_string).collect();
    paths.is_sorted()
}
