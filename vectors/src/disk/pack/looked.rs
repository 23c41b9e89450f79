//! Systems that are not Unix: every name on the way is looked at before the file is opened.

use std::{
    fs::{self, File, Metadata},
    io,
    path::{Component, Path, PathBuf},
};

use assize_verifier::files::{PackFileError, Unreadable};

pub(super) fn file(root: &Path, path: &str) -> Result<File, PackFileError> {
    let (place, found) = find(root, path)?;
    if found.is_symlink() {
        return Err(PackFileError::Symlink);
    }
    // Before it is opened: opening a pipe may wait.
    if !found.is_file() {
        return Err(PackFileError::NotAFile);
    }
    File::open(place).map_err(|error| why(&error))
}

pub(super) fn exists(root: &Path, path: &str) -> bool {
    find(root, path).is_ok()
}

pub(super) fn entries(root: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(root)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// What stands at the end of a path that leads over no link.
fn find(root: &Path, path: &str) -> Result<(PathBuf, Metadata), PackFileError> {
    let mut place = root.to_path_buf();
    let mut found = None;
    for part in Path::new(path).components() {
        // A drive, or whatever else this system reads into the text.
        let Component::Normal(name) = part else {
            return Err(PackFileError::Unreadable(Unreadable::NOT_A_NAME.reason));
        };
        if found.as_ref().is_some_and(Metadata::is_symlink) {
            return Err(PackFileError::Symlink);
        }
        place.push(name);
        found = Some(fs::symlink_metadata(&place).map_err(|error| why(&error))?);
    }
    found.map(|found| (place, found)).ok_or(PackFileError::Absent)
}

fn why(error: &io::Error) -> PackFileError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => PackFileError::Absent,
        io::ErrorKind::PermissionDenied => PackFileError::Unreadable("no permission"),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => {
            PackFileError::Unreadable(Unreadable::NOT_A_NAME.reason)
        }
        _ => PackFileError::Unreadable("the system did not open it"),
    }
}
