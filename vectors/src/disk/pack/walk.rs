//! Any Unix: each folder of the path is opened from the one before it, and only if it is not a link.

use std::{fs::File, io};

use assize_verifier::files::{PackFileError, Unreadable};
use rustix::{
    fd::{AsFd as _, BorrowedFd, OwnedFd},
    fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat},
    io::{Errno, retry_on_intr},
};

use super::super::files::AT_ONCE;

/// To pass through a folder, permission to search it is enough.
#[cfg(target_os = "linux")]
const PASSAGE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);
#[cfg(not(target_os = "linux"))]
const PASSAGE: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

pub(super) fn file(root: &OwnedFd, path: &str) -> Result<File, PackFileError> {
    last(root, path, |folder, name| open(folder, name, OFlags::RDONLY | AT_ONCE)).map(File::from).map_err(why)
}

pub(super) fn exists(root: &OwnedFd, path: &str) -> bool {
    last(root, path, |folder, name| statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)).is_ok()
}

pub(super) fn entries(root: &OwnedFd) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(root)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(String::from_utf8_lossy(name).into_owned());
        }
    }
    Ok(names)
}

/// Goes to the folder of the last name, and does there what is wanted.
fn last<T>(
    root: &OwnedFd,
    path: &str,
    wanted: impl FnOnce(BorrowedFd<'_>, &str) -> Result<T, Errno>,
) -> Result<T, Errno> {
    let mut passed: Option<OwnedFd> = None;
    let mut rest = path;
    loop {
        let folder = passed.as_ref().unwrap_or(root).as_fd();
        let Some((name, below)) = rest.split_once('/') else {
            return wanted(folder, rest);
        };
        passed = Some(open(folder, name, PASSAGE)?);
        rest = below;
    }
}

/// Systems differ in what they say of a link that is not followed, so it is looked at.
fn open(folder: BorrowedFd<'_>, name: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    retry_on_intr(|| openat(folder, name, flags, Mode::empty())).map_err(|error| {
        let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
        let is_link = found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Symlink);
        if is_link { Errno::LOOP } else { error }
    })
}

pub(super) fn why(error: Errno) -> PackFileError {
    match error {
        Errno::NOENT | Errno::NOTDIR => PackFileError::Absent,
        Errno::LOOP => PackFileError::Symlink,
        // What opening a socket, or a device that no driver serves, comes to.
        Errno::NXIO | Errno::NODEV | Errno::OPNOTSUPP => PackFileError::NotAFile,
        Errno::ACCESS | Errno::PERM => PackFileError::Unreadable("no permission"),
        Errno::INVAL | Errno::NAMETOOLONG => PackFileError::Unreadable(Unreadable::NOT_A_NAME.reason),
        _ => PackFileError::Unreadable("the system did not open it"),
    }
}
