//! Temporary folders that do not outlive a run which is killed: the next one removes them.
//!
//! Whoever makes one holds a lock on it for as long as it lives. One that nobody holds belongs to a run that could not
//! remove it any more.

use std::{
    collections::BTreeSet,
    fs::{self, File, Metadata, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use tempfile::TempDir;

use super::removal;

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
        let (place, held) = make(&real(&std::env::temp_dir()))?;
        Ok(Self { place, _held: held })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.place.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The temporary folder itself would go through what a testee has written by recursion.
        self.place.disable_cleanup(true);
        let _ = removal::remove(self.place.path());
    }
}

/// A folder by the one name that it has: a testee that follows links tells that, and its answers are searched for the name that it was given.
#[cfg(unix)]
pub(super) fn real(folder: &Path) -> PathBuf {
    // Where that fails, making something in it does too, and says why.
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// Here a name that was looked up is spelled as few programs spell it.
#[cfg(not(unix))]
pub(super) fn real(folder: &Path) -> PathBuf {
    folder.to_owned()
}

/// Makes a folder in this one, with a handle that holds it, after everything was removed that nobody holds.
pub(super) fn make(below: &Path) -> io::Result<(TempDir, File)> {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(below.to_owned()) {
        sweep(below);
    }
    for _ in 0..ATTEMPTS {
        let place = TempDir::with_prefix_in(PREFIX, below)?;
        let Ok(held) = opened(place.path()) else { continue };
        // Where the system knows no locks, nobody removes what is another's.
        if !matches!(held.try_lock(), Err(TryLockError::WouldBlock)) && place.path().exists() {
            return Ok((place, held));
        }
    }
    Err(io::Error::other(format!("{}: every new folder is removed at once", below.display())))
}

/// A folder as a file that can be locked.
#[cfg(unix)]
fn opened(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Not every system opens a folder as a file by itself.
#[cfg(not(unix))]
fn opened(folder: &Path) -> io::Result<File> {
    Ok(cap_std::fs::Dir::open_ambient_dir(folder, cap_std::ambient_authority())?.into_std_file())
}

/// Removes what runs of this user have left that were killed. What cannot be removed stays for the next.
fn sweep(below: &Path) {
    for entry in fs::read_dir(below).into_iter().flatten().flatten() {
        let path = entry.path();
        let left = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && path.symlink_metadata().is_ok_and(|about| about.is_dir() && is_own(&about))
            && opened(&path).is_ok_and(|folder| folder.try_lock().is_ok());
        if left {
            let _ = removal::remove(&path);
        }
    }
}

#[cfg(unix)]
fn is_own(about: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    about.uid() == rustix::process::geteuid().as_raw()
}

/// Temporary folders are each user's own here.
#[cfg(not(unix))]
fn is_own(_: &Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::{super::folder::memory, *};

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

    #[test]
    fn a_folder_behind_a_link_has_its_real_name() {
        let below = tempfile::tempdir().unwrap();
        let own = below.path().canonicalize().unwrap();
        std::os::unix::fs::symlink(&own, own.join("link")).unwrap();
        assert_eq!(real(&own.join("link/link")), own);
        assert_eq!(real(&own.join("gone")), own.join("gone"));
    }

    #[test]
    fn what_a_testee_made_deep_is_removed_on_a_small_stack_by_this_run_or_the_next() {
        let below = tempfile::tempdir_in(memory()).unwrap();
        let made = || {
            let (place, held) = make(below.path()).unwrap();
            fs::create_dir_all(place.path().join("d/".repeat(600))).unwrap();
            (place, held)
        };
        let (place, held) = made();
        let mine = Scratch { place, _held: held };
        let (left, handle) = made();
        let _ = left.keep();
        drop(handle);
        let small = std::thread::Builder::new().stack_size(64 << 10);
        let below = small.spawn(move || {
            drop(mine);
            sweep(below.path());
            below
        });
        assert_eq!(fs::read_dir(below.unwrap().join().unwrap().path()).unwrap().count(), 0);
    }
}
