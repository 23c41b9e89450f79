//! Linux 5.6 and later: the kernel resolves the whole path below the folder and refuses every link.

use std::fs::File;

use assize_verifier::files::PackFileError;
use rustix::{
    fd::OwnedFd,
    fs::{Mode, OFlags, ResolveFlags, openat2},
    io::{Errno, retry_on_intr},
};

use super::{super::files::AT_ONCE, walk::why};

const INSIDE: ResolveFlags = ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_MAGICLINKS);

/// Whether the call is there at all: older kernels lack it, and sandboxes forbid it.
pub(super) fn works(root: &OwnedFd) -> bool {
    open(root, ".", OFlags::PATH).is_ok()
}

pub(super) fn file(root: &OwnedFd, path: &str) -> Result<File, PackFileError> {
    open(root, path, OFlags::RDONLY | AT_ONCE).map(File::from).map_err(why)
}

/// A handle for the place alone asks for no permission to read, and may stand for a link that ends the path.
pub(super) fn exists(root: &OwnedFd, path: &str) -> bool {
    open(root, path, OFlags::PATH | OFlags::NOFOLLOW).is_ok()
}

fn open(root: &OwnedFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    retry_on_intr(|| openat2(root, path, flags | OFlags::CLOEXEC, Mode::empty(), INSIDE))
}
