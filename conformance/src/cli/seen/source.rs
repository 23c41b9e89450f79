//! Where a verb's files come from: a disk, or what was read of an archive.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
};

use assize_archives::Held;
use assize_corpus::disk::{HomeFolder, PackFolder, Parity};
use assize_verifier::{
    files::{EntryKind, Files, HomeEntry, HomeError, HomeReader, MemoryHome, PackFileError, PackFiles, Unreadable},
    operation::{MemoryRoot, Root as _},
};

use super::{
    super::{CliError, input},
    Seen,
};

/// What was read of an archive for one judgement.
#[derive(Debug)]
pub(crate) struct Inside {
    /// How paths begin that lead there.
    pub(crate) begin: PathBuf,
    pub(crate) held: Held,
}

const HELP: &str = "check the spelling of the path in the archive";

impl Seen {
    /// A path in the archive, if it leads there.
    fn inner(&self, path: &Path) -> Option<(&Inside, String)> {
        let inside = self.inside.as_ref()?;
        let names = path.strip_prefix(&inside.begin).ok()?.iter();
        Some((inside, names.map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/")))
    }

    /// A file of the archive; none where the path does not lead there.
    pub(super) fn held(&self, path: &Path) -> Option<Result<&[u8], CliError>> {
        let (inside, inner) = self.inner(path)?;
        Some(inside.held.file(&inner).ok_or_else(|| no_such("file", path)))
    }

    fn held_folder(&self, path: &Path) -> Option<Result<&MemoryRoot, CliError>> {
        let (inside, inner) = self.inner(path)?;
        Some(inside.held.folder(&inner).ok_or_else(|| no_such("folder", path)))
    }

    /// Opens a file, or with - standard input.
    pub(crate) fn open(&self, path: &Path) -> Result<input::Stream, CliError> {
        let Some((inside, inner)) = self.inner(path) else { return input::stream(path) };
        let Some(length) = inside.held.file(&inner).map(|bytes| bytes.len() as u64) else {
            return Err(no_such("file", path));
        };
        let source = Box::new(Piecewise { held: inside.held.clone(), path: inner, at: 0 });
        Ok(input::Stream { name: path.display().to_string(), length: Some(length), source })
    }

    /// Turn files of law mode, below a folder.
    pub(crate) fn turns<'s>(&'s self, name: &'static str, root: &Path) -> Result<Box<dyn Files + 's>, CliError> {
        match self.held_folder(root).transpose()? {
            Some(root) => Ok(Box::new(self.files(name, Turns(root.turn_files())))),
            None => Ok(Box::new(self.files(name, input::turn_files(root)?))),
        }
    }

    /// Turn files as reference mode finds them. In an archive nothing is found that is not of it.
    pub(crate) fn parity<'s>(&'s self, name: &'static str, root: &Path) -> Result<Box<dyn Files + 's>, CliError> {
        match self.held_folder(root).transpose()? {
            Some(root) => Ok(Box::new(self.files(name, Turns(root.parity_files())))),
            None => Ok(Box::new(self.files(name, Parity::new(root)))),
        }
    }

    /// A pack, whose folder is opened by `open` where it is one of a disk.
    pub(crate) fn pack(
        &self,
        path: &Path,
        open: impl FnOnce(&Path) -> Result<PackFolder, CliError>,
    ) -> Result<Pack<'_>, CliError> {
        match self.held_folder(path).transpose()? {
            Some(root) => root.pack().map(Pack::Held).ok_or_else(|| no_such("folder", path)),
            None => open(path).map(Pack::Folder),
        }
    }

    /// A home, whose folder is opened by `open` where it is one of a disk.
    pub(crate) fn home(
        &self,
        path: &Path,
        open: impl FnOnce(&Path) -> Result<HomeFolder, CliError>,
    ) -> Result<Home<'_>, CliError> {
        match self.held_folder(path).transpose()? {
            Some(root) => Ok(Home::Held(&root.files)),
            None => open(path).map(Home::Folder),
        }
    }
}

fn no_such(what: &str, path: &Path) -> CliError {
    CliError::unreadable(format!("{}: the archive holds no such {what}", path.display()), HELP)
}

/// A file of an archive, piece by piece.
struct Piecewise {
    held: Held,
    path: String,
    at: usize,
}

impl Read for Piecewise {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut rest = self.held.file(&self.path).and_then(|bytes| bytes.get(self.at..)).unwrap_or_default();
        let count = rest.read(into)?;
        self.at += count;
        Ok(count)
    }
}

/// Turn files, wherever they are.
struct Turns<'s>(Box<dyn Files + 's>);

impl Files for Turns<'_> {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        self.0.read(path, into)
    }
}

/// A pack, wherever it is.
pub(crate) enum Pack<'s> {
    Folder(PackFolder),
    Held(Box<dyn PackFiles + 's>),
}

impl Pack<'_> {
    fn files(&self) -> &dyn PackFiles {
        match self {
            Self::Folder(folder) => folder,
            Self::Held(files) => &**files,
        }
    }
}

impl PackFiles for Pack<'_> {
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        self.files().read(path, limit, into)
    }

    fn exists(&self, path: &str) -> bool {
        self.files().exists(path)
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        self.files().entries()
    }
}

/// A home, wherever it is.
pub(crate) enum Home<'s> {
    Folder(HomeFolder),
    Held(&'s MemoryHome),
}

impl Home<'_> {
    fn files(&self) -> &dyn HomeReader {
        match self {
            Self::Folder(folder) => folder,
            Self::Held(files) => *files,
        }
    }
}

impl HomeReader for Home<'_> {
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, HomeError> {
        self.files().kind(path)
    }

    fn list(&self, path: &str) -> Result<Vec<HomeEntry>, HomeError> {
        self.files().list(path)
    }

    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), HomeError> {
        self.files().read(path, limit, into)
    }
}
