//! The folder of a sweep: what was ordered, and the rows that are there.
//!
//! Rows are appended in whole lines as they come. When all are there, the file is put in the order of the manifest by a second file
//! that takes its place at once. What stands behind the last whole row when a sweep begins was being written when it was broken
//! off, and is cut off.

use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use assize_verifier::digest::Digest;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    CONTRACT,
    listing::Sought,
    row::Row,
    rows::{Place, Reader, Rows},
};

/// What a sweep was started for. Results of one order are never continued for another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// [`CONTRACT`].
    pub contract: String,
    /// The version that judges.
    pub assize: String,
    /// SHA-256 of the manifest; none where a folder takes its place.
    pub manifest: Option<String>,
    /// Where paths start, as given.
    pub root: String,
    /// The same without links and from the top: what is given from two folders may be two. None where it cannot be told.
    #[serde(default)]
    pub real_root: Option<String>,
    /// What is looked for in that folder, in place of a manifest.
    pub sought: Option<Sought>,
    /// The folder of the earlier sweep whose rows are taken over, as given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

impl Order {
    /// The order of this version for a manifest, or for what is sought in a folder.
    #[must_use]
    pub fn new(root: &Path, manifest: Option<Digest>, sought: Option<Sought>) -> Self {
        Self {
            contract: CONTRACT.to_owned(),
            assize: env!("CARGO_PKG_VERSION").to_owned(),
            manifest: manifest.map(Digest::to_hex),
            root: root.display().to_string(),
            real_root: root.canonicalize().ok().map(|root| root.display().to_string()),
            sought,
            since: None,
        }
    }

    /// The same over an earlier sweep.
    #[must_use]
    pub fn since(self, folder: Option<&Path>) -> Self {
        Self { since: folder.map(|folder| folder.display().to_string()), ..self }
    }

    /// Why rows of another order say nothing about the lines of this one.
    pub(super) fn not_to_be_continued(&self, other: &Self) -> Option<&'static str> {
        if self.contract != other.contract || self.assize != other.assize {
            Some("another version of assize")
        } else if self.real_root.is_none() || self.real_root != other.real_root {
            Some("another folder that paths start from")
        } else {
            None
        }
    }

    /// What of another order is not of this one.
    fn difference(&self, other: &Self) -> &'static str {
        if self.contract != other.contract || self.assize != other.assize {
            "another version of assize"
        } else if self.manifest != other.manifest {
            "another manifest, or an earlier state of it"
        } else if (&self.root, &self.real_root) != (&other.root, &other.real_root) {
            "another folder that paths start from"
        } else if self.since != other.since {
            "another earlier sweep, or of none"
        } else {
            "another kind, pattern or option"
        }
    }
}

/// Why results cannot be kept.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The system does not do what is needed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Another sweep is writing there.
    #[error("{}: another sweep is at work here", .0.display())]
    Busy(PathBuf),
    /// The folder holds results of another order.
    #[error("{}: holds the results of {what}", path.display())]
    Other {
        /// The folder.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// The folder holds no results.
    #[error("{}: no sweep has written results here", .0.display())]
    Nothing(PathBuf),
    /// The folder holds a file that a sweep would write, and none wrote it.
    #[error("{}: is there already, and no sweep has written it", .0.display())]
    Foreign(PathBuf),
}

/// The folder of a sweep, held against every other sweep.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// Held, where the system holds folders.
    _lock: Option<File>,
}

const ORDER: &str = "sweep.json";
const RESULTS: &str = "results.jsonl";
const MANIFEST: &str = "manifest.jsonl";
const SORTED: &str = "results.sorted";
/// What the name of a file ends in while it is written.
const NEW: &str = ".new";

/// Where the rows of a folder are.
pub(super) fn results_of(folder: &Path) -> PathBuf {
    folder.join(RESULTS)
}

/// What a folder was ordered for; none if no sweep was at work there.
pub(super) fn order_of(folder: &Path) -> Result<Option<Order>, StoreError> {
    let path = folder.join(ORDER);
    match fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|_| StoreError::Foreign(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            Err(StoreError::Io { path: folder.to_path_buf(), error })
        }
        Err(error) => Err(StoreError::Io { path, error }),
    }
}

impl Store {
    /// Opens a folder, makes it if need be, and refuses one of another order; `restart` forgets what stands there.
    ///
    /// # Errors
    /// The folder is of another order, in use, or cannot be written.
    pub fn open(folder: &Path, order: &Order, restart: bool) -> Result<Self, StoreError> {
        let store = |path: &Path, error| StoreError::Io { path: path.to_path_buf(), error };
        fs::create_dir_all(folder).map_err(|error| store(folder, error))?;
        let lock = File::open(folder).ok();
        if let Some(Err(fs::TryLockError::WouldBlock)) = lock.as_ref().map(File::try_lock) {
            return Err(StoreError::Busy(folder.to_path_buf()));
        }
        let (results, manifest) = (results_of(folder), folder.join(MANIFEST));
        match order_of(folder)? {
            Some(known) if known == *order && !restart => {
                return Ok(Self { folder: folder.to_path_buf(), _lock: lock });
            }
            Some(known) if !restart => {
                return Err(StoreError::Other { path: folder.to_path_buf(), what: order.difference(&known) });
            }
            Some(_) => {
                for path in [&results, &manifest] {
                    match fs::remove_file(path) {
                        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(store(path, error)),
                        _ => {}
                    }
                }
            }
            None => {
                if let Some(path) = [results, manifest].into_iter().find(|path| fs::symlink_metadata(path).is_ok()) {
                    return Err(StoreError::Foreign(path));
                }
            }
        }
        let opened = Self { folder: folder.to_path_buf(), _lock: lock };
        opened.write(ORDER, |file| {
            serde_json::to_writer_pretty(&mut *file, order)?;
            file.write_all(b"\n")
        })?;
        Ok(opened)
    }

    /// Whether a file in the folder of a sweep would be one of its own, by its name.
    #[must_use]
    pub fn writes(name: &OsStr) -> bool {
        let name = name.to_string_lossy();
        let name = name.strip_suffix(NEW).unwrap_or(&name);
        [ORDER, RESULTS, MANIFEST, SORTED].iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// The manifest that was made of a folder, written now if it is not there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn manifest(&self, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<PathBuf, StoreError> {
        let path = self.folder.join(MANIFEST);
        if !path.exists() {
            self.write(MANIFEST, |file| write(file))?;
        }
        Ok(path)
    }

    /// Where results are.
    #[must_use]
    pub fn results(&self) -> PathBuf {
        results_of(&self.folder)
    }

    /// The rows that are there, of so many.
    ///
    /// # Errors
    /// The file of results cannot be read or written.
    pub fn rows(&self, most: u64) -> Result<Rows, StoreError> {
        let path = self.results();
        let failed = |error| StoreError::Io { path: path.clone(), error };
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        opened.and_then(|file| Rows::read(file, most)).map_err(failed)
    }

    /// Puts the rows in the order of the manifest, and shows each.
    ///
    /// # Errors
    /// They cannot be read or written.
    pub fn finish(&self, rows: Rows, mut show: impl FnMut(&Row)) -> Result<(), StoreError> {
        let path = self.results();
        let failed = |error| StoreError::Io { path: path.clone(), error };
        let (file, places) = rows.into_parts();
        let sorted = places.iter().flatten().map(Place::offset).is_sorted();
        let (mut source, mut line) = (Reader::new(file).map_err(failed)?, Vec::new());
        let mut each = |mut copy: Option<&mut dyn io::Write>| -> io::Result<()> {
            for offset in places.iter().flatten().map(Place::offset) {
                source.line(offset, &mut line)?;
                show(&serde_json::from_slice(&line)?);
                if let Some(copy) = &mut copy {
                    copy.write_all(&line)?;
                }
            }
            Ok(())
        };
        if sorted { each(None).map_err(failed) } else { self.write_by(SORTED, RESULTS, |file| each(Some(file))) }
    }

    /// Writes a file of the folder, whole or not at all.
    fn write(&self, name: &str, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<(), StoreError> {
        self.write_by(&format!("{name}{NEW}"), name, write)
    }

    fn write_by(
        &self,
        by: &str,
        name: &str,
        write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        let (by, path) = (self.folder.join(by), self.folder.join(name));
        let written = File::create(&by).and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            fs::rename(&by, &path)
        });
        written.map_err(|error| StoreError::Io { path, error })
    }
}

#[cfg(test)]
mod tests;
