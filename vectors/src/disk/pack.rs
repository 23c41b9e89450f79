//! Reads proof packs for the verifier.
//!
//! Spec: ruling EP-14. Only regular files below the pack's folder are read, and none through a symbolic link, wherever
//! it stands in the path and wherever it leads. The folder itself may be named through one: that is the choice of
//! whoever names it. A test of a path and its opening are one step wherever the system offers that, so that nothing can
//! be exchanged between them.

#[cfg(any(not(unix), test))]
use std::path::PathBuf;
use std::{fs::File, io, path::Path};

use assize_verifier::files::{PackFileError, PackFiles, Unreadable};
#[cfg(unix)]
use rustix::{
    fd::OwnedFd,
    fs::{CWD, Mode, OFlags},
};

use super::files::{Kind, fill, look};

#[cfg(target_os = "linux")]
mod beneath;
#[cfg(any(not(unix), test))]
mod looked;
#[cfg(unix)]
mod walk;

/// The folder of one proof pack.
#[derive(Debug)]
pub struct PackFolder {
    way: Way,
}

/// How files are reached.
#[derive(Debug)]
enum Way {
    /// In one system call, which refuses links by itself.
    #[cfg(target_os = "linux")]
    Beneath(OwnedFd),
    /// Folder by folder, each opened only if it is not a link.
    #[cfg(unix)]
    Walk(OwnedFd),
    /// Each name is looked at, and the file opened then.
    #[cfg(any(not(unix), test))]
    Looked(PathBuf),
}

impl PackFolder {
    /// Opens the folder.
    ///
    /// # Errors
    /// It is not a folder that can be opened and listed.
    #[cfg(unix)]
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::io::retry_on_intr(|| rustix::fs::openat(CWD, path, flags, Mode::empty()))?;
        #[cfg(target_os = "linux")]
        if beneath::works(&root) {
            return Ok(Self { way: Way::Beneath(root) });
        }
        Ok(Self { way: Way::Walk(root) })
    }

    /// Opens the folder.
    ///
    /// # Errors
    /// It is not a folder that can be opened and listed.
    #[cfg(not(unix))]
    pub fn open(path: &Path) -> io::Result<Self> {
        let root = path.canonicalize()?;
        std::fs::read_dir(&root)?;
        Ok(Self { way: Way::Looked(root) })
    }

    fn file(&self, path: &str) -> Result<File, PackFileError> {
        match &self.way {
            #[cfg(target_os = "linux")]
            Way::Beneath(root) => beneath::file(root, path),
            #[cfg(unix)]
            Way::Walk(root) => walk::file(root, path),
            #[cfg(any(not(unix), test))]
            Way::Looked(root) => looked::file(root, path),
        }
    }
}

impl PackFiles for PackFolder {
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        into.clear();
        if !is_plain(path) {
            return Err(PackFileError::Unreadable(Unreadable::NOT_A_NAME.reason));
        }
        let file = self.file(path)?;
        let size = match look(&file).map_err(|why| PackFileError::Unreadable(why.reason))? {
            Kind::Regular(size) => size,
            Kind::Folder | Kind::Other => return Err(PackFileError::NotAFile),
        };
        if size > limit {
            return Err(PackFileError::TooLarge { limit });
        }
        let read = match fill(&file, size, limit, into) {
            // It grew since its size was asked for.
            Ok(()) if u64::try_from(into.len()).is_ok_and(|len| len > limit) => Err(PackFileError::TooLarge { limit }),
            read => read.map_err(|why| PackFileError::Unreadable(why.reason)),
        };
        if read.is_err() {
            into.clear();
        }
        read
    }

    fn exists(&self, path: &str) -> bool {
        is_plain(path)
            && match &self.way {
                #[cfg(target_os = "linux")]
                Way::Beneath(root) => beneath::exists(root, path),
                #[cfg(unix)]
                Way::Walk(root) => walk::exists(root, path),
                #[cfg(any(not(unix), test))]
                Way::Looked(root) => looked::exists(root, path),
            }
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        let mut names = match &self.way {
            #[cfg(target_os = "linux")]
            Way::Beneath(root) => walk::entries(root),
            #[cfg(unix)]
            Way::Walk(root) => walk::entries(root),
            #[cfg(any(not(unix), test))]
            Way::Looked(root) => looked::entries(root),
        }
        .map_err(|_| PackFileError::Unreadable(Unreadable::FAILED.reason))?;
        names.sort_unstable();
        Ok(names)
    }
}

/// Callers promise it. Held to here too, since no way of opening is then ever asked to climb.
pub(crate) fn is_plain(path: &str) -> bool {
    !path.contains('\0') && path.split('/').all(|name| !matches!(name, "" | "." | ".."))
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
