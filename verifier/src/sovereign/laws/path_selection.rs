//! Deterministic path selection: which of a turn's files is read.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deterministic Path Selection Law; rulings FILE-01 to FILE-24,
//! LAW-08, SV-26.
//!
//! Paths are tried in code point order and the first readable one wins. Readable means that the file can be opened and
//! read; its content is final, whatever it holds.

use std::borrow::Cow;

use crate::canon;
use crate::files::{Files, Unreadable};
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonError, JsonPointer, JsonStr, NodeRef};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::sovereign::model::report::reason;

pub(crate) const LAW: Law = Law::named("sovereign/path-selection");

/// Selects the path of a turn entry and returns it as the entry spells it.
///
/// # Errors
/// If the entry is not JSON or has no array of strings as `paths`, or nothing is readable.
pub fn select_path(entry: &[u8], files: &dyn Files) -> Result<String, Rejection> {
    let document = Document::parse(entry, &Dialect::STRICT)?;
    let paths = document.root().get("paths");
    let Some(paths) = paths.filter(|paths| paths.is_array()) else {
        return Err(Rejection::input_at("/paths", "a turn entry has an array `paths`"));
    };
    if let Some(index) = paths.elements().position(|path| path.as_string().is_none()) {
        return Err(Rejection::input_at(format!("/paths/{index}"), "a path is a string"));
    }
    match first_readable(paths, files, &mut Vec::new()) {
        Ok(path) => Ok(String::from_utf8_lossy(&path).into_owned()),
        Err(tried) => Err(Rejection::Coded(reason::INPUT_MISSING, tried.message())),
    }
}

/// Reads the first readable of an array's strings and returns its path.
fn first_readable<'d>(paths: NodeRef<'d>, files: &dyn Files, into: &mut Vec<u8>) -> Result<Cow<'d, [u8]>, Tried> {
    let mut tried = Tried::default();
    for path in in_order(paths) {
        let read = if is_usable(&path) { files.read(&path, into) } else { Err(NO_NAME) };
        match read {
            Ok(()) => return Ok(path),
            Err(why) => tried.take(&path, why),
        }
    }
    Err(tried)
}

/// What stands for a path that no file system is asked for.
const NO_NAME: Unreadable = Unreadable { reason: "no file can have this name" };

/// Paths that could not be read, each with the reason, for people.
#[derive(Default)]
struct Tried {
    /// The first few.
    named: Vec<String>,
    /// All of them.
    count: usize,
}

impl Tried {
    /// Paths that a message names: a bundle may list thousands.
    const MOST: usize = 5;

    fn take(&mut self, path: &[u8], why: Unreadable) {
        self.count += 1;
        if self.named.len() < Self::MOST {
            self.named.push(format!("{} ({})", shown(path), why.reason));
        }
    }

    fn message(&self) -> String {
        let rest = match self.count.saturating_sub(self.named.len()) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        match self.count {
            0 => "there is no path to read".to_owned(),
            _ => format!("none of the paths can be read: tried {}{rest}", self.named.join(", ")),
        }
    }
}

/// A path for a message, quoted, and cut where it is long.
fn shown(path: &[u8]) -> String {
    const LETTERS: usize = 80;
    let text = String::from_utf8_lossy(path);
    match text.char_indices().nth(LETTERS) {
        Some((cut, _)) => format!("{:?}...", text.get(..cut).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

/// The paths in code point order, which is that of their bytes.
fn in_order(paths: NodeRef<'_>) -> Vec<Cow<'_, [u8]>> {
    let mut sorted: Vec<_> = paths.elements().filter_map(NodeRef::as_string).map(JsonStr::into_bytes).collect();
    sorted.sort();
    sorted
}

/// The paths as a bundle lists them: in code point order, each once.
pub(crate) fn written(paths: NodeRef<'_>) -> Vec<String> {
    let mut sorted = in_order(paths);
    sorted.dedup();
    sorted.into_iter().map(|path| String::from_utf8_lossy(&path).into_owned()).collect()
}

/// A path that no file system can be asked for is passed over like an absent one (FILE-10 to FILE-12).
fn is_usable(path: &[u8]) -> bool {
    !path.is_empty() && !path.contains(&0) && std::str::from_utf8(path).is_ok()
}

/// The content of a turn's file, which is the first readable one of its paths; `place` is that of the paths. Gives the path.
pub(crate) fn read<'d>(
    paths: NodeRef<'d>,
    files: &dyn Files,
    into: &mut Vec<u8>,
    place: impl Fn() -> JsonPointer,
) -> Result<Cow<'d, [u8]>, Finding> {
    first_readable(paths, files, into).map_err(|tried| missing(&place(), tried.message()))
}

/// What is wrong with the file that was chosen, named by its path.
pub(crate) fn in_file(path: &[u8], finding: Finding) -> Finding {
    Finding { message: format!("{}: {}", shown(path), finding.message), ..finding }
}

/// The chosen file is not JSON, and the others are not tried.
pub(crate) fn not_json(place: &JsonPointer, error: &JsonError) -> Finding {
    missing(place, format!("{error}: {}", error.kind.help()))
}

/// A constant stands where no canonical surface is, so that the chosen file is not JSON.
pub(crate) fn constant(place: &JsonPointer, at: &JsonPointer) -> Finding {
    missing(place, format!("not JSON: NaN or an infinity{}", canon::at(at)))
}

fn missing(place: &JsonPointer, message: impl Into<String>) -> Finding {
    Finding::error(LAW, place.clone(), message).with_code(reason::INPUT_MISSING)
}

/// An array of strings has to be in code point order, repeats allowed; `entry` is the place of the turn entry.
pub(crate) fn sorted(paths: NodeRef<'_>, entry: impl Fn() -> JsonPointer) -> Option<Finding> {
    let paths: Vec<_> = paths.elements().filter_map(NodeRef::as_string).collect();
    let message = "paths are not in code point order";
    (!paths.is_sorted()).then(|| Finding::error(LAW, entry().member("paths"), message))
}
