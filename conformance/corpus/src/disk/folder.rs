//! The folder of one case, made for it alone and removed with it.
//!
//! Design: section 2 (`files`); protocol: `root`. Paths that leave the folder are refused before anything is written.
//! Links may point anywhere: whether a reader follows them is what such a case asks.

use std::{collections::BTreeMap, io, path::Path};

use cap_std::{ambient_authority, fs::Dir};
use tempfile::TempDir;
use thiserror::Error;

use crate::vector::Entry;

/// A folder on disk with the files of a case; removed when dropped.
#[derive(Debug)]
pub struct Folder {
    place: TempDir,
}

/// Why a case's files cannot be laid out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The path is none that a case may use.
    #[error("files: {path:?} {reason}; use a relative path of plain names")]
    Path {
        /// The path at fault.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// This machine or user cannot hold such a file.
    #[error("files: {path:?}: {reason}")]
    Unavailable {
        /// The path.
        path: String,
        /// Why not.
        reason: String,
    },
    /// The system would not write it.
    #[error("files: {path:?} cannot be written: {source}; check the temporary folder")]
    Write {
        /// The path.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

impl Folder {
    /// Lays the files out below a fresh temporary folder.
    ///
    /// # Errors
    /// A path leads out of the folder, or the system refuses.
    pub fn create(files: &BTreeMap<String, Entry>) -> Result<Self, FolderError> {
        for (path, entry) in files {
            inside(path)?;
            let below = format!("{path}/");
            if !matches!(entry, Entry::Directory) && files.keys().any(|other| other.starts_with(&below)) {
                return Err(FolderError::Path { path: path.clone(), reason: "has entries below it and is no folder" });
            }
        }
        let broken = |path: &str| {
            let path = path.to_owned();
            move |source| FolderError::Write { path, source }
        };
        let place = TempDir::with_prefix("assize-").map_err(broken(""))?;
        // Through a capability: even a fault above could not write outside.
        let root = Dir::open_ambient_dir(place.path(), ambient_authority()).map_err(broken(""))?;
        for (path, entry) in files {
            put(&root, path, entry).map_err(broken(path))?;
            if matches!(entry, Entry::Unreadable { .. }) {
                forbid(&root, path)?;
            }
        }
        Ok(Self { place })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// Removes the folder, and says if that fails; dropping it does not.
    ///
    /// # Errors
    /// The system would not remove it.
    pub fn remove(self) -> io::Result<()> {
        self.place.close()
    }
}

/// A relative path of plain names, so that it means the same everywhere and stays inside.
fn inside(path: &str) -> Result<(), FolderError> {
    let reason = if path.is_empty() {
        "is empty"
    } else if path.contains('\0') {
        "holds a NUL"
    } else if path.starts_with('/') || Path::new(path).is_absolute() {
        "is absolute"
    } else if path.split('/').any(|name| name == "..") {
        "leads upwards"
    } else if path.split('/').any(|name| name.is_empty() || name == ".") {
        "holds an empty name or a dot"
    } else if Path::new(path).components().any(|part| !matches!(part, std::path::Component::Normal(_))) {
        "is no path of plain names on this system"
    } else {
        return Ok(());
    };
    Err(FolderError::Path { path: path.to_owned(), reason })
}

fn put(root: &Dir, path: &str, entry: &Entry) -> io::Result<()> {
    if let Some((parent, _)) = path.rsplit_once('/') {
        root.create_dir_all(parent)?;
    }
    match entry {
        Entry::File(document) => root.write(path, document.bytes()),
        Entry::Unreadable { text } => root.write(path, text),
        Entry::Directory => root.create_dir_all(path),
        Entry::Symlink { to } => link(root, to, path),
    }
}

#[cfg(unix)]
fn link(root: &Dir, to: &str, path: &str) -> io::Result<()> {
    root.symlink_contents(to, path)
}

#[cfg(not(unix))]
fn link(_: &Dir, _: &str, _: &str) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "symbolic links are laid out on Unix alone"))
}

/// Takes the read permission away, and makes sure that this user feels it.
#[cfg(unix)]
fn forbid(root: &Dir, path: &str) -> Result<(), FolderError> {
    use cap_std::fs::{Permissions, PermissionsExt as _};
    root.set_permissions(path, Permissions::from_mode(0))
        .map_err(|source| FolderError::Write { path: path.to_owned(), source })?;
    if root.open(path).is_ok() {
        let reason = "this user reads files without permission: run as another one than root".to_owned();
        return Err(FolderError::Unavailable { path: path.to_owned(), reason });
    }
    Ok(())
}

#[cfg(not(unix))]
fn forbid(_: &Dir, path: &str) -> Result<(), FolderError> {
    let reason = "permissions are taken away on Unix alone".to_owned();
    Err(FolderError::Unavailable { path: path.to_owned(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::Document;

    fn create(files: &[(&str, Entry)]) -> Result<Folder, FolderError> {
        Folder::create(&files.iter().map(|(path, entry)| ((*path).to_owned(), entry.clone())).collect())
    }

    fn text(text: &str) -> Entry {
        Entry::File(Document::Text(text.to_owned()))
    }

    #[test]
    fn lays_out_and_removes() {
        let files = [
            ("a/turn.json", text("{\"a\":-0}")),
            ("dir", Entry::Directory),
            ("raw", Entry::File(Document::Bytes(vec![0xff]))),
        ];
        let folder = create(&files).unwrap();
        let path = folder.path().to_path_buf();
        assert_eq!(std::fs::read(path.join("a/turn.json")).unwrap(), b"{\"a\":-0}");
        assert_eq!(std::fs::read(path.join("raw")).unwrap(), [0xff]);
        assert!(path.join("dir").is_dir());
        drop(folder);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_written_as_they_stand() {
        let to = |to: &str| Entry::Symlink { to: to.to_owned() };
        let folder = create(&[("out", to("/etc")), ("sub/up", to("../../x")), ("loop", to("loop"))]).unwrap();
        let read = |name: &str| std::fs::read_link(folder.path().join(name)).unwrap();
        assert_eq!((read("out"), read("sub/up")), ("/etc".into(), "../../x".into()));
    }

    #[test]
    fn refuses_paths_that_leave() {
        for path in ["", "/etc/x", "../x", "a/../../x", "a/..", "./x", "a//b", "a/", "a\0b"] {
            assert!(matches!(create(&[(path, text("x"))]), Err(FolderError::Path { .. })), "{path:?}");
        }
        let through = [("link", Entry::Symlink { to: "/tmp".to_owned() }), ("link/x", text("x"))];
        assert!(matches!(create(&through), Err(FolderError::Path { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn an_unreadable_file_is_unreadable_or_unavailable() {
        match create(&[("x", Entry::Unreadable { text: "x".to_owned() })]) {
            Ok(folder) => assert!(std::fs::read(folder.path().join("x")).is_err()),
            Err(error) => assert!(matches!(error, FolderError::Unavailable { .. }), "{error}"),
        }
    }
}
