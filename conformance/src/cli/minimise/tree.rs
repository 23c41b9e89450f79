//! What lies in a folder, as a vector describes it: files, links and empty folders.
//!
//! Contract: `vectors/README.md` (`files`). Links are taken as links and never followed, so that nothing outside of the
//! folder is read.

use std::{collections::BTreeMap, fs, path::Path};

use assize::minimise::input::document;
use assize_corpus::vector::Entry;

use crate::cli::{error::CliError, output};

/// The most entries, and bytes of all files together: every question writes all of them out again.
const ENTRIES: usize = 10_000;
const BYTES: u64 = 256 << 20;
/// The deepest nesting of folders.
const DEPTH: usize = 64;

/// Everything below a folder, by path.
pub(super) fn read(folder: &Path) -> Result<BTreeMap<String, Entry>, CliError> {
    let mut tree = Tree { entries: BTreeMap::new(), left: BYTES };
    tree.walk(folder, "", DEPTH)?;
    Ok(tree.entries)
}

struct Tree {
    entries: BTreeMap<String, Entry>,
    /// Bytes that may still come.
    left: u64,
}

impl Tree {
    /// Reads a folder, whose path with a slash is `name`. Returns whether anything lies in it.
    fn walk(&mut self, folder: &Path, name: &str, levels: usize) -> Result<bool, CliError> {
        if levels == 0 {
            return Err(large(folder, &format!("more than {DEPTH} folders inside each other")));
        }
        let mut holds = false;
        for found in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
            let found = found.map_err(|error| unreadable(folder, error))?;
            let place = found.path();
            let last = found.file_name().into_string().map_err(|_| unreadable(&place, "its name is not UTF-8"))?;
            let path = format!("{name}{last}");
            let kind = found.file_type().map_err(|error| unreadable(&place, error))?;
            holds = true;
            let entry = if kind.is_symlink() {
                let to = fs::read_link(&place).map_err(|error| unreadable(&place, error))?;
                let to = to.into_os_string().into_string();
                Entry::Symlink { to: to.map_err(|_| unreadable(&place, "what it links to is not UTF-8"))? }
            } else if kind.is_file() {
                Entry::File(document(self.file(&place)?))
            } else if !kind.is_dir() {
                return Err(unreadable(&place, "it is neither file, folder nor link"));
            } else if self.walk(&place, &format!("{path}/"), levels - 1)? {
                continue;
            } else {
                Entry::Directory
            };
            if self.entries.len() >= ENTRIES {
                return Err(large(folder, &format!("more than {ENTRIES} entries")));
            }
            self.entries.insert(path, entry);
        }
        Ok(holds)
    }

    fn file(&mut self, place: &Path) -> Result<Vec<u8>, CliError> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        let bytes = crate::cli::input::at_most(place, most)?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.left = self
            .left
            .checked_sub(size)
            .ok_or_else(|| large(place, &format!("more than {} MiB, with the files before it", BYTES >> 20)))?;
        Ok(bytes)
    }
}

fn unreadable(place: &Path, why: impl std::fmt::Display) -> CliError {
    let message = format!("{}: cannot be taken in: {why}", output::middle(&place.display().to_string()));
    CliError::unreadable(message, "name a folder of files, folders and links that you may read")
}

fn large(place: &Path, what: &str) -> CliError {
    let message = format!("{}: {what}", output::middle(&place.display().to_string()));
    CliError::unreadable(message, "is this the folder that you mean? Take away what the disagreement does not need")
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn files_links_and_empty_folders_are_entries() {
        let folder = tempfile::tempdir().unwrap();
        let below = |path: &str| folder.path().join(path);
        fs::create_dir_all(below("a/empty")).unwrap();
        fs::write(below("a/file"), b"\xff").unwrap();
        fs::write(below("text"), "{}").unwrap();
        symlink("/nowhere", below("link")).unwrap();
        symlink(".", below("a/around")).unwrap();
        let found = read(folder.path()).unwrap();
        let kinds: Vec<_> = found
            .iter()
            .map(|(path, entry)| match entry {
                Entry::File(document) => format!("{path} {}", document.bytes().len()),
                Entry::Directory => format!("{path}/"),
                Entry::Symlink { to } => format!("{path} to {to}"),
                Entry::Unreadable { .. } => path.clone(),
            })
            .collect();
        assert_eq!(kinds, ["a/around to .", "a/empty/", "a/file 1", "link to /nowhere", "text 2"]);
    }

    #[test]
    fn what_is_too_deep_too_many_or_no_file_is_refused() {
        let refused = |folder: &Path, says: &str| {
            let why = read(folder).unwrap_err().to_string();
            assert!(why.contains(says), "{why}");
        };
        let deep = tempfile::tempdir().unwrap();
        fs::create_dir_all(deep.path().join("d/".repeat(DEPTH))).unwrap();
        refused(deep.path(), "inside each other");
        let many = tempfile::tempdir().unwrap();
        for number in 0..=ENTRIES {
            fs::write(many.path().join(number.to_string()), "").unwrap();
        }
        refused(many.path(), "entries");
        let large = tempfile::tempdir().unwrap();
        fs::File::create(large.path().join("a")).unwrap().set_len(BYTES).unwrap();
        fs::write(large.path().join("b"), "1").unwrap();
        refused(large.path(), "MiB");
        let socket = tempfile::tempdir().unwrap();
        let _listens = std::os::unix::net::UnixListener::bind(socket.path().join("s")).unwrap();
        refused(socket.path(), "neither file");
        refused(&socket.path().join("none"), "cannot be taken in");
    }
}
