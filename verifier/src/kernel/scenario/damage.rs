//! Damage that a scenario does by hand: no operation of the kernel, and no judgement.
//!
//! Spec: rulings KE-42 and KE-48, `write_file`, `make_dir`, `remove_path`.

use crate::files::parent;
use crate::files::{EntryKind, HomeFiles};
use crate::kernel::model::home::{HomeFailure, at, kind};

/// A path inside of a home, without `.`, `..` and empty names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InsidePath(String);

impl InsidePath {
    /// Resolves a path by its text alone; none if it leads out of the home or names the home itself.
    #[must_use]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.starts_with('/') || text.contains('\0') {
            return None;
        }
        let mut names: Vec<&str> = Vec::new();
        for name in text.split('/') {
            match name {
                "" | "." => {}
                ".." => {
                    names.pop()?;
                }
                name => names.push(name),
            }
        }
        (!names.is_empty()).then(|| Self(names.join("/")))
    }
}

/// Writes a file, whatever file stood there.
pub(crate) fn write_file(home: &mut dyn HomeFiles, path: &InsidePath, text: &str) -> Result<(), HomeFailure> {
    let InsidePath(path) = path;
    home.create_folder(parent(path)).map_err(at(path))?;
    if kind(home, path)? != Some(EntryKind::Folder) {
        home.remove(path).map_err(at(path))?;
    }
    home.create(path, text.as_bytes()).map_err(at(path))
}

/// Makes a folder.
pub(crate) fn make_dir(home: &mut dyn HomeFiles, path: &InsidePath) -> Result<(), HomeFailure> {
    home.create_folder(&path.0).map_err(at(&path.0))
}

/// Removes whatever stands there.
pub(crate) fn remove_path(home: &mut dyn HomeFiles, path: &InsidePath) -> Result<(), HomeFailure> {
    home.remove(&path.0).map_err(at(&path.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        for (text, inside) in [
            ("index/committed", Some("index/committed")),
            ("./a//b/", Some("a/b")),
            ("a/../b", Some("b")),
            ("a\\..\\b", Some("a\\..\\b")),
            ("/etc", None),
            ("..", None),
            ("a/../../b", None),
            ("a/..", None),
            ("", None),
            ("a\0", None),
        ] {
            assert_eq!(InsidePath::parse(text), inside.map(|path| InsidePath(path.to_owned())), "{text:?}");
        }
    }
}
