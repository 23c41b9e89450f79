//! Reading and writing a home with the path kept for whoever has to be told.

use crate::files::{EntryKind, HomeEntry, HomeError, HomeFiles, HomeReader};
use crate::json::Dialect;

use super::issue::{Issue, Issues, Stage};
use super::layout::{INDEX, WRITING, location, parent};
use super::member::Misfit;

/// A home that did not do what it was asked. This is no judgement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {error}")]
pub struct HomeTrouble {
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
    Home(HomeTrouble),
}

impl From<Issue> for Stop {
    fn from(issue: Issue) -> Self {
        Self::Refused(issue.into())
    }
}

impl From<HomeTrouble> for Stop {
    fn from(trouble: HomeTrouble) -> Self {
        Self::Home(trouble)
    }
}

/// Attaches the path to an error.
pub(super) fn at(path: &str) -> impl Fn(HomeError) -> HomeTrouble {
    move |error| HomeTrouble { path: path.to_owned(), error }
}

/// What was found where a file is due.
pub(super) enum Found {
    Absent,
    Bytes(Vec<u8>),
    /// Something that is no file, or too large for a document.
    Unusable,
}

/// Reads what stands where a file is due.
pub(super) fn find(home: &dyn HomeReader, path: &str) -> Result<Found, HomeTrouble> {
    let mut bytes = Vec::new();
    match home.read(path, Dialect::STRICT.bytes.into(), &mut bytes) {
        Ok(()) => Ok(Found::Bytes(bytes)),
        // A name that the file system does not hold stands nowhere.
        Err(HomeError::Absent | HomeError::Name) => Ok(Found::Absent),
        Err(HomeError::Symlink | HomeError::NotAFile | HomeError::TooLarge { .. }) => Ok(Found::Unusable),
        Err(error) => Err(at(path)(error)),
    }
}

/// Reads a record, if there is one; one of another shape is corrupt, at its path.
pub(super) fn load<T>(
    home: &dyn HomeReader,
    path: &str,
    parse: impl FnOnce(&[u8]) -> Result<T, Misfit>,
) -> Result<Option<T>, Stop> {
    match find(home, path)? {
        Found::Absent => Ok(None),
        Found::Bytes(bytes) => parse(&bytes).map(Some).map_err(|_| corrupt(path).into()),
        Found::Unusable => Err(corrupt(path).into()),
    }
}

/// The issue for a record that is not what it has to be.
pub(super) fn corrupt(path: &str) -> Issue {
    Issue::fail(Stage::Lsi, "E_LSI_CORRUPT_RECORD", location(path))
}

/// What stands at a path.
pub(super) fn kind(home: &dyn HomeReader, path: &str) -> Result<Option<EntryKind>, HomeTrouble> {
    home.kind(path).map_err(at(path))
}

/// What lies in a folder; nothing where there is none.
pub(super) fn list(home: &dyn HomeReader, folder: &str) -> Result<Vec<HomeEntry>, HomeTrouble> {
    match home.list(folder) {
        Err(HomeError::Absent | HomeError::NotAFolder | HomeError::Symlink) => Ok(Vec::new()),
        listed => listed.map_err(at(folder)),
    }
}

/// Visits all that lies below a folder, a folder before what it holds; paths given are below the home.
///
/// What follows is not visited once `visit` fails.
pub(super) fn walk<E: From<HomeTrouble>>(
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

/// Writes a file that a reader may look at: beside everything, and then into its place at once.
pub(super) fn replace(home: &mut dyn HomeFiles, path: &str, bytes: &[u8]) -> Result<(), HomeTrouble> {
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
