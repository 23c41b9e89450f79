//! Reading and writing a home with the path kept for whoever has to be told.

use crate::files::{EntryKind, HomeEntry, HomeError, HomeFiles, HomeReader, MemoryHome};
use crate::json::Dialect;

use super::issue::{Issue, Issues};
use super::layout::{INDEX, WRITING};
use crate::files::parent;

/// A home that did not do what it was asked. This is not a judgement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {error}")]
pub struct HomeFailure {
    /// Where, below the home.
    pub path: String,
    /// Why.
    pub error: HomeError,
}

/// Why an operation ends without its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The kernel refuses: a judgement.
    Refused(Issues),
    /// The home did not do what it was asked: none.
    Home(HomeFailure),
}

impl From<Issue> for Stop {
    fn from(issue: Issue) -> Self {
        Self::Refused(issue.into())
    }
}

impl From<HomeFailure> for Stop {
    fn from(failure: HomeFailure) -> Self {
        Self::Home(failure)
    }
}

/// Attaches the path to an error.
pub(crate) fn at(path: &str) -> impl Fn(HomeError) -> HomeFailure {
    move |error| HomeFailure { path: path.to_owned(), error }
}

/// What is said in a finding about something that cannot be read.
pub(crate) fn unreadable(why: HomeError) -> String {
    format!("it cannot be read: {why}")
}

/// What was found where a file is due.
pub(crate) enum Found {
    Absent,
    Bytes(Vec<u8>),
    /// Something that is not a file, or too large for a document.
    Unusable,
}

/// Reads what stands where a file is due.
pub(crate) fn find(home: &dyn HomeReader, path: &str) -> Result<Found, HomeFailure> {
    let mut bytes = Vec::new();
    match home.read(path, Dialect::STRICT.bytes.into(), &mut bytes) {
        Ok(()) => Ok(Found::Bytes(bytes)),
        // A name that the file system does not hold stands nowhere.
        Err(HomeError::Absent | HomeError::Name) => Ok(Found::Absent),
        Err(HomeError::Symlink | HomeError::NotAFile | HomeError::TooLarge { .. }) => Ok(Found::Unusable),
        Err(error) => Err(at(path)(error)),
    }
}

/// What stands at a path.
pub(crate) fn kind(home: &dyn HomeReader, path: &str) -> Result<Option<EntryKind>, HomeFailure> {
    home.kind(path).map_err(at(path))
}

/// What lies in a folder; nothing where there is none.
pub(crate) fn list(home: &dyn HomeReader, folder: &str) -> Result<Vec<HomeEntry>, HomeFailure> {
    match home.list(folder) {
        Err(HomeError::Absent | HomeError::NotAFolder | HomeError::Symlink) => Ok(Vec::new()),
        listed => listed.map_err(at(folder)),
    }
}

/// Visits all that lies below a folder, a folder before what it holds; paths given are below the home.
///
/// What follows is not visited once `visit` fails.
pub(crate) fn walk<E: From<HomeFailure>>(
    home: &dyn HomeReader,
    folder: &str,
    visit: &mut dyn FnMut(&str, EntryKind) -> Result<(), E>,
) -> Result<(), E> {
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let mut folders = Vec::new();
        for entry in list(home, &folder)? {
            let path = format!("{folder}/{}", entry.name);
            visit(&path, entry.kind)?;
            if entry.kind == EntryKind::Folder {
                folders.push(path);
            }
        }
        pending.extend(folders.into_iter().rev());
    }
    Ok(())
}

/// What lies below a folder, in memory, without what lies in `left_out`. What cannot be used there cannot be used here.
pub(crate) fn copy(home: &dyn HomeReader, folder: &str, left_out: &str) -> Result<MemoryHome, HomeFailure> {
    let mut copied = MemoryHome::default();
    let inside = format!("{left_out}/");
    walk::<HomeFailure>(home, folder, &mut |path, kind| {
        if path == left_out || path.starts_with(&inside) {
            return Ok(());
        }
        if kind == EntryKind::Folder {
            return copied.create_folder(path).map_err(at(path));
        }
        match find(home, path)? {
            Found::Absent => Ok(()),
            Found::Bytes(bytes) => copied.create(path, &bytes).map_err(at(path)),
            Found::Unusable => {
                copied.put_link(path);
                Ok(())
            }
        }
    })?;
    Ok(copied)
}

/// Writes a file that a reader may look at: beside everything, and then into its place at once.
pub(crate) fn replace(home: &mut dyn HomeFiles, path: &str, bytes: &[u8]) -> Result<(), HomeFailure> {
    home.create_folder(INDEX).map_err(at(INDEX))?;
    match home.create(WRITING, bytes) {
        // What an earlier stop has left.
        Err(HomeError::Occupied) => {
            home.remove(WRITING).map_err(at(WRITING))?;
            home.create(WRITING, bytes)
        }
        created => created,
    }
    .map_err(at(path))?;
    let folder = parent(path);
    home.create_folder(folder).map_err(at(folder))?;
    home.rename(WRITING, path).map_err(at(path))
}
