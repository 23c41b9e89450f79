//! The folder of one case, made for it alone and removed with it.
//!
//! Contract: `vectors/README.md` (`files`); `contracts/interface/protocol.md` (`root`). Paths that leave the folder are
//! refused before anything is written. Links may point anywhere: whether a reader follows them is what such a case
//! asks.

use std::{
    collections::BTreeMap,
    env,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use cap_std::fs::{Dir, OpenOptions};
use tempfile::TempDir;
use thiserror::Error;

use super::{removal, scratch};
use crate::vector::Entry;

/// A folder on disk with the files of a case; removed when dropped.
#[derive(Debug)]
pub struct Folder {
    // Through a capability: even a fault in a check of paths could not write, or remove, outside.
    root: Dir,
    /// What was laid out, folders on the way to it too.
    laid: BTreeMap<String, Laid>,
    place: TempDir,
    /// The same place as the testee sees it.
    seen: PathBuf,
}

/// A folder for folders of cases, by the two names that it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Below {
    /// How this process reaches it.
    pub here: PathBuf,
    /// How the testee does.
    pub there: PathBuf,
}

#[derive(Debug, Clone, Copy)]
enum Laid {
    Folder,
    Other,
}

/// Why a case's files cannot be laid out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The path is not one that a case may use.
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
        check(files)?;
        match Self::empty(&scratch::real(memory()))?.filled(files) {
            // Memory may be small; a disk is larger.
            Err(FolderError::Write { source, .. }) if source.kind() == io::ErrorKind::StorageFull => {
                Self::empty(&scratch::real(&env::temp_dir()))?.filled(files)
            }
            made => made,
        }
    }

    /// The same below a folder that the testee sees at another path than this process.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_below(files: &BTreeMap<String, Entry>, below: &Below) -> Result<Self, FolderError> {
        check(files)?;
        let mut folder = Self::empty(&below.here)?;
        if let Some(name) = folder.place.path().file_name() {
            folder.seen = below.there.join(name);
        }
        folder.filled(files)
    }

    fn empty(below: &Path) -> Result<Self, FolderError> {
        let (place, held) = scratch::make(below).map_err(broken(""))?;
        let root = Dir::from_std_file(held);
        let seen = place.path().to_owned();
        Ok(Self { root, laid: BTreeMap::new(), place, seen })
    }

    fn filled(mut self, files: &BTreeMap<String, Entry>) -> Result<Self, FolderError> {
        for (path, entry) in files {
            self.put(path, entry).map_err(broken(path))?;
            if matches!(entry, Entry::Unreadable { .. }) {
                forbid(&self.root, path)?;
            }
        }
        Ok(self)
    }

    fn put(&mut self, path: &str, entry: &Entry) -> io::Result<()> {
        for (end, _) in path.match_indices('/') {
            self.folder(path.get(..end).unwrap_or_default())?;
        }
        if matches!(entry, Entry::Directory) {
            return self.folder(path);
        }
        // Noted before it is there: removing what was never written does no harm.
        self.laid.insert(path.to_owned(), Laid::Other);
        match entry {
            Entry::File(document) => write(&self.root, path, &document.bytes()),
            Entry::Unreadable { text } => write(&self.root, path, text.as_bytes()),
            Entry::Symlink { to } => link(&self.root, to, path),
            Entry::Directory => Ok(()),
        }
    }

    fn folder(&mut self, path: &str) -> io::Result<()> {
        if self.laid.contains_key(path) {
            return Ok(());
        }
        self.laid.insert(path.to_owned(), Laid::Folder);
        self.root.create_dir(path)
    }

    /// Removes what was laid out, by name; a name sorts before those below it.
    fn clear(&mut self) -> io::Result<()> {
        while let Some((path, laid)) = self.laid.pop_last() {
            match laid {
                Laid::Folder => self.root.remove_dir(path)?,
                Laid::Other => self.root.remove_file(path)?,
            }
        }
        Ok(())
    }

    /// Where this process finds it.
    #[must_use]
    pub fn here(&self) -> &Path {
        self.place.path()
    }

    /// Where a testee finds it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.seen
    }

    /// Removes the folder, and says if that fails; dropping it does not.
    ///
    /// # Errors
    /// The system would not remove it.
    pub fn remove(mut self) -> io::Result<()> {
        self.close()
    }

    fn close(&mut self) -> io::Result<()> {
        // The temporary folder itself would go through what a testee has written by recursion.
        self.place.disable_cleanup(true);
        if self.clear().is_err() || std::fs::remove_dir(self.place.path()).is_err() {
            // Something else was written here: a walk finds it.
            removal::remove(self.place.path())?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Where this fails, the next run tries again.
        let _ = self.close();
    }
}

/// Where folders of cases are made: `TMPDIR` where it is set, else in memory where the system offers that, else the system's
/// temporary folder. On a disk, making and removing files is most of what a run over the corpus waits for.
pub(super) fn memory() -> &'static Path {
    static SCRATCH: OnceLock<PathBuf> = OnceLock::new();
    SCRATCH.get_or_init(|| {
        let usual = env::temp_dir();
        let chosen = env::var_os("TMPDIR").is_some() || !cfg!(target_os = "linux");
        let memory = (!chosen).then(|| PathBuf::from("/dev/shm"));
        // It may be there and closed to this user.
        memory.filter(|memory| scratch::make(memory).is_ok()).unwrap_or(usual)
    })
}

fn broken(path: &str) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |source| FolderError::Write { path, source }
}

/// Every path is one that a case may use, and only folders have entries below them.
pub(crate) fn check(files: &BTreeMap<String, Entry>) -> Result<(), FolderError> {
    for (path, entry) in files {
        inside(path)?;
        let below = format!("{path}/");
        let has_entries = files.range(below.clone()..).next().is_some_and(|(other, _)| other.starts_with(&below));
        if has_entries && !matches!(entry, Entry::Directory) {
            return Err(FolderError::Path { path: path.clone(), reason: "has entries below it and is not a folder" });
        }
    }
    Ok(())
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
        "is not a path of plain names on this system"
    } else {
        return Ok(());
    };
    Err(FolderError::Path { path: path.to_owned(), reason })
}

/// Where two paths meet in one file, as on a system that folds case, the second is refused.
fn write(root: &Dir, path: &str, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    root.open_with(path, options.write(true).create_new(true))?.write_all(bytes)
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

    #[test]
    fn a_folder_with_more_in_it_than_was_laid_out_is_removed_too() {
        for remove in [Folder::remove, |folder| {
            drop(folder);
            Ok(())
        }] {
            let folder = create(&[("a/b/c", text("x")), ("gone", text("x"))]).unwrap();
            let path = folder.path().to_path_buf();
            std::fs::write(path.join("a/b/more"), "x").unwrap();
            std::fs::remove_file(path.join("gone")).unwrap();
            remove(folder).unwrap();
            assert!(!path.exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_removed_on_a_small_stack_however_deep_a_testee_made_it() {
        for remove in [Folder::remove, |folder| {
            drop(folder);
            Ok(())
        }] {
            let folder = create(&[("a", text("x"))]).unwrap();
            let path = folder.path().to_path_buf();
            std::fs::create_dir_all(path.join("d/".repeat(600))).unwrap();
            let small = std::thread::Builder::new().stack_size(64 << 10);
            small.spawn(move || remove(folder)).unwrap().join().unwrap().unwrap();
            assert!(!path.exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_may_have_another_name_for_the_testee() {
        let here = tempfile::tempdir().unwrap();
        let below = Below { here: here.path().to_owned(), there: "/there".into() };
        let files = BTreeMap::from([("a".to_owned(), text("x"))]);
        let folder = Folder::create_below(&files, &below).unwrap();
        let name = folder.path().strip_prefix("/there").unwrap().to_owned();
        assert_eq!(std::fs::read(here.path().join(name).join("a")).unwrap(), b"x");
        folder.remove().unwrap();
        assert_eq!(std::fs::read_dir(here.path()).unwrap().count(), 0);
        let upwards = BTreeMap::from([("../b".to_owned(), text("x"))]);
        assert!(matches!(Folder::create_below(&upwards, &below), Err(FolderError::Path { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_removed_through_a_link() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("c"), "x").unwrap();
        let folder = create(&[("a/c", text("x")), ("link", Entry::Symlink { to: "/tmp".to_owned() })]).unwrap();
        std::fs::remove_dir_all(folder.path().join("a")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("a")).unwrap();
        folder.remove().unwrap();
        assert!(outside.path().join("c").exists());
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
