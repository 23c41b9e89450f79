//! The files of a case in memory, for the verifier, which is called and needs no folder.
//!
//! Contract: what it finds there is what it would find in the [`Folder`] of the case, and tests compare the two. Files and folders by
//! plain paths are all that is held. Where a path leads out of them, the system alone knows what is there: the files are laid out
//! then, and the reader of the disk is asked.

use std::{collections::BTreeMap, sync::OnceLock};

use assize_verifier::{
    files::{
        Files, Found, HomeError, HomeFiles, HomeReader as _, Lost, MemoryHome, PackFileError, PackFiles, Unreadable,
    },
    operation::Root,
};

use crate::{
    disk::{self, Contained, Folder, FolderError, Parity},
    vector::Entry,
};

/// The files of one case.
#[derive(Debug)]
pub(crate) struct Held<'c> {
    /// What was given.
    given: &'c BTreeMap<String, Entry>,
    /// The same, and what was written since.
    home: MemoryHome,
    /// What was given, on disk, once a path led out of it.
    laid: OnceLock<Result<Folder, FolderError>>,
}

impl<'c> Held<'c> {
    /// Takes the files in; nothing where only a system holds them, as links and what may not be read.
    ///
    /// # Errors
    /// A path leads out of the folder.
    pub(crate) fn new(given: &'c BTreeMap<String, Entry>) -> Result<Option<Self>, FolderError> {
        disk::check(given)?;
        // Elsewhere a path means what the system makes of it: drives, other separators.
        let home = if cfg!(unix) { tree(given) } else { None };
        Ok(home.map(|home| Self { given, home, laid: OnceLock::new() }))
    }

    /// Why the files could not be laid out, if they had to be.
    pub(crate) fn fault(self) -> Option<FolderError> {
        self.laid.into_inner()?.err()
    }

    /// What was given, on disk.
    fn folder(&self) -> Result<&Folder, Unreadable> {
        let laid = self.laid.get_or_init(|| Folder::create(self.given));
        laid.as_ref().map_err(|_| Unreadable { reason: "it could not be laid out" })
    }
}

/// Files and folders as they would lie on disk; nothing where there is anything else.
fn tree(given: &BTreeMap<String, Entry>) -> Option<MemoryHome> {
    let mut home = MemoryHome::default();
    for (path, entry) in given {
        match entry {
            Entry::File(document) => {
                home.create_folder(path.rsplit_once('/').map_or("", |(folder, _)| folder)).ok()?;
                home.create(path, &document.bytes()).ok()?;
            }
            Entry::Directory => home.create_folder(path).ok()?,
            Entry::Symlink { .. } | Entry::Unreadable { .. } => return None,
        }
    }
    Some(home)
}

impl Root for Held<'_> {
    fn turn_files(&self) -> Box<dyn Files + '_> {
        Box::new(Turns(self))
    }

    fn parity_files(&self) -> Box<dyn Files + '_> {
        Box::new(AsFound(self))
    }

    fn pack(&self) -> Option<Box<dyn PackFiles + '_>> {
        Some(Box::new(Pack(&self.home)))
    }

    fn home(&mut self) -> Option<&mut dyn HomeFiles> {
        Some(&mut self.home)
    }
}

/// What [`Contained`] reads.
struct Turns<'h>(&'h Held<'h>);

impl Files for Turns<'_> {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        into.clear();
        let here = std::str::from_utf8(path).map_or(Err(Lost::Elsewhere), |path| find(&self.0.home, path));
        match here {
            Err(Lost::Elsewhere) => {
                let folder = Contained::new(self.0.folder()?.here());
                folder.map_err(|_| Unreadable { reason: "its folder cannot be opened" })?.read(path, into)
            }
            here => self.0.home.read_found(here, into),
        }
    }
}

/// What [`Parity`] reads.
struct AsFound<'h>(&'h Held<'h>);

impl Files for AsFound<'_> {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        into.clear();
        let native = disk::native(path)?;
        let here = native.to_str().map_or(Err(Lost::Elsewhere), |path| find(&self.0.home, path));
        match here {
            Err(Lost::Elsewhere) => Parity::new(self.0.folder()?.here()).read(path, into),
            here => self.0.home.read_found(here, into),
        }
    }
}

/// The longest path that is followed here. A system takes no more than some thousand bytes, the way to the folder among them.
const LONGEST: usize = 1024;

/// Follows a path of any kind.
fn find(home: &MemoryHome, path: &str) -> Result<Found, Lost> {
    if path.len() > LONGEST && !path.contains('\0') { Err(Lost::Elsewhere) } else { home.find(path) }
}

/// What [`disk::PackFolder`] reads.
struct Pack<'h>(&'h MemoryHome);

/// Paths that a system does not take, however they are made up.
const PATH_BYTES: usize = 4096;

impl Pack<'_> {
    fn find(&self, path: &str) -> Result<Found, PackFileError> {
        if !disk::is_plain(path) || path.len() >= PATH_BYTES {
            return Err(PackFileError::Unreadable(Unreadable::NOT_A_NAME.reason));
        }
        self.0.down(path).map_err(|lost| match lost {
            Lost::Absent | Lost::BelowFile | Lost::Elsewhere => PackFileError::Absent,
            Lost::Name => PackFileError::Unreadable(Unreadable::NOT_A_NAME.reason),
        })
    }
}

impl PackFiles for Pack<'_> {
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        into.clear();
        let Found::File(path) = self.find(path)? else { return Err(PackFileError::NotAFile) };
        self.0.read(&path, limit, into).map_err(|error| match error {
            HomeError::TooLarge { limit } => PackFileError::TooLarge { limit },
            _ => PackFileError::Unreadable(Unreadable::FAILED.reason),
        })
    }

    fn exists(&self, path: &str) -> bool {
        self.find(path).is_ok()
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        let listed = self.0.list("").map_err(|_| PackFileError::Unreadable(Unreadable::FAILED.reason))?;
        Ok(listed.into_iter().map(|entry| entry.name).collect())
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
