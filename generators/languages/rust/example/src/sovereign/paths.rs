use std::{
    ffi::OsString,
    fs::{self, File},
    path::{Component, Path},
    str,
};

use crate::{
    error::Error,
    json::{Dialect, Text, Value, parse},
};

/// Chooses the file that is read for a turn entry, and returns its path as the entry spells it: the first in code point
/// order that can be read.
pub(crate) fn select_path(entry: &[u8], root: Option<&Path>) -> Result<String, Error> {
    let document = parse(entry, Dialect::STRICT)?;
    let list = document.get("paths").and_then(Value::items).ok_or(Error::Input)?;
    let mut paths: Vec<&Text> = list.iter().map(|item| item.text().ok_or(Error::Input)).collect::<Result<_, _>>()?;
    paths.sort_unstable();
    // Names are bytes to the system; those of a bundle have to be UTF-8.
    let mut paths = paths.into_iter().filter_map(|path| str::from_utf8(path).ok());
    let found = paths.find(|path| root.is_some_and(|root| is_readable(root, path)));
    found.map(str::to_owned).ok_or(Error::Missing)
}

/// Whether a path leads to a regular file below the root that can be opened, whatever dots and links it holds.
fn is_readable(root: &Path, path: &str) -> bool {
    if path.is_empty() || path.contains('\0') || !stays_below(path) {
        return false;
    }
    // Not `join`, whose components are cleaned of what the system has to judge: a slash after a file.
    let mut full = OsString::from(root);
    full.push("/");
    full.push(path);
    let (Ok(base), Ok(target)) = (fs::canonicalize(root), fs::canonicalize(&full)) else { return false };
    // Opening a pipe would wait for its writer.
    target.starts_with(base) && fs::metadata(&full).is_ok_and(|about| about.is_file()) && File::open(full).is_ok()
}

/// Whether the dots of a path lead out of its root, links left aside.
fn stays_below(path: &str) -> bool {
    let mut depth = 0_usize;
    for component in Path::new(path).components() {
        depth = match component {
            Component::Normal(_) => depth + 1,
            Component::CurDir => depth,
            Component::ParentDir if depth > 0 => depth - 1,
            _ => return false,
        };
    }
    true
}
