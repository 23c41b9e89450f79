//! Temporary folders that do not outlive a run which is killed: the next one removes them.
//!
//! Whoever makes one holds a lock on it for as long as it lives. One that nobody holds belongs to a run that could not
//! remove it any more.

use std::{
    fs::{self, File},
    io,
    path::Path,
    sync::{Mutex, PoisonError},
};

use tempfile::TempDir;

/// How every such folder is called at its start.
const PREFIX: &str = "assize-scratch-";
/// How often one is made again that another run has removed before it was held.
const ATTEMPTS: usize = 8;

/// A temporary folder, removed when dropped, or by the next run.
#[derive(Debug)]
pub struct Scratch {
    place: TempDir,
    _held: File,
}

impl Scratch {
    /// Makes one in the system's temporary folder.
    ///
    /// # Errors
    /// The system would not make it.
    pub fn new() -> io::Result<Self> {
        let (place, held) = make(&std::env::temp_dir())?;
        Ok(Self { place, _held: held })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.place.path()
    }
}

/// Makes a folder in this one, with a handle that holds it, after everything was removed that nobody holds.
pub(super) fn make(below: &Path) -> io::Result<(TempDir, File)> {
    static SWEPT: Mutex<Vec<std::path::PathBuf>> = Mutex::new(Vec::new());
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if !swept.iter().any(|known| known == below) {
        swept.push(below.to_owned());
        drop(swept);
        sweep(below);
    } else {
        drop(swept);
    }
    for _ in 0..ATTEMPTS {
        let place = TempDir::with_prefix_in(PREFIX, below)?;
        let Ok(held) = File::open(place.path()) else { continue };
        if hold(&held) && place.path().exists() {
            return Ok((place, held));
        }
    }
    Err(io::Error::other(format!("{}: every new folder is removed at once", below.display())))
}

/// Whether this process holds a folder now; where the system knows no locks, nobody removes what is another's.
#[cfg(unix)]
fn hold(folder: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    !matches!(flock(folder, FlockOperation::NonBlockingLockExclusive), Err(rustix::io::Errno::WOULDBLOCK))
}

#[cfg(not(unix))]
fn hold(_: &File) -> bool {
    true
}

/// Removes what runs of this user have left that were killed. What cannot be removed stays for the next.
#[cfg(unix)]
fn sweep(below: &Path) {
    use std::os::unix::fs::MetadataExt as _;

    use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};

    let own = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(below).into_iter().flatten().flatten() {
        let path = entry.path();
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && path.symlink_metadata().is_ok_and(|about| about.is_dir() && about.uid() == own);
        if !ours {
            continue;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(folder) = open(&path, flags, Mode::empty()) else { continue };
        if flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Folders cannot be held here, so that nobody knows which are left.
#[cfg(not(unix))]
fn sweep(_: &Path) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_removed_and_nothing_else() {
        let below = tempfile::tempdir().unwrap();
        let (held, _handle) = make(below.path()).unwrap();
        let (left, handle) = make(below.path()).unwrap();
        fs::create_dir(left.path().join("in")).unwrap();
        // As a process does that is killed.
        let left = left.keep();
        drop(handle);
        let foreign = below.path().join("assize-other");
        fs::create_dir(&foreign).unwrap();
        let target = below.path().join("target");
        fs::create_dir(&target).unwrap();
        let link = below.path().join(format!("{PREFIX}link"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        sweep(below.path());
        assert!(!left.exists());
        assert!(held.path().exists() && foreign.exists() && target.exists() && link.is_symlink());
    }
}
