//! Where vector and contract files come from: the binary itself, or a folder on disk.
//!
//! Paths are those of the repository (`vectors/sovereign/...`, `contracts/...`) wherever the bytes come from.
//! Design: section 2. Every read is counted, so that a lint can name the files that nobody read.
//! A file in a store is not yet a sound one: that is the loader's and the lint's business.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use thiserror::Error;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/files.rs"));
}

/// One file that was built in, by its path; no read is counted.
#[must_use]
pub fn embedded(path: &str) -> Option<&'static [u8]> {
    let files = embedded::FILES;
    let place = files.binary_search_by_key(&path, |(known, _)| known).ok()?;
    files.get(place).map(|(_, bytes)| *bytes)
}

/// A sorted set of files.
#[derive(Debug, Default)]
pub struct Store {
    files: BTreeMap<String, Stored>,
}

#[derive(Debug)]
struct Stored {
    content: Content,
    reads: AtomicUsize,
}

#[derive(Debug)]
enum Content {
    Embedded(&'static [u8]),
    Owned(Vec<u8>),
    Disk(PathBuf),
}

impl Store {
    /// The files that were built into this crate.
    #[must_use]
    pub fn embedded() -> Self {
        let mut store = Self::default();
        for (path, bytes) in embedded::FILES {
            store.put((*path).to_owned(), Content::Embedded(bytes));
        }
        store
    }

    /// The vectors below `folder`, with the contracts that were built in.
    ///
    /// # Errors
    /// The folder cannot be listed, or holds something that is neither file nor folder.
    pub fn folder(folder: &Path) -> Result<Self, StoreError> {
        let mut store = Self::default();
        for (path, bytes) in embedded::FILES.iter().filter(|(path, _)| path.starts_with("contracts/")) {
            store.put((*path).to_owned(), Content::Embedded(bytes));
        }
        store.walk(folder, "vectors")?;
        Ok(store)
    }

    /// Files given as values, for tests of the lint.
    pub fn memory<P: Into<String>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let mut store = Self::default();
        for (path, bytes) in files {
            store.put(path.into(), Content::Owned(bytes.into()));
        }
        store
    }

    /// Every path, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Every path that starts with `prefix`, sorted.
    pub fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        let from = self.files.range::<str, _>((std::ops::Bound::Included(prefix), std::ops::Bound::Unbounded));
        from.map(|(path, _)| path.as_str()).take_while(move |path| path.starts_with(prefix))
    }

    /// Whether the store has a file of this path.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The bytes of a file; the read is counted.
    ///
    /// # Errors
    /// There is no such file, or it cannot be read.
    pub fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, StoreError> {
        let Some(stored) = self.files.get(path) else {
            return Err(StoreError::Absent { path: path.to_owned() });
        };
        stored.reads.fetch_add(1, Ordering::Relaxed);
        match &stored.content {
            Content::Embedded(bytes) => Ok(Cow::Borrowed(bytes)),
            Content::Owned(bytes) => Ok(Cow::Borrowed(bytes)),
            Content::Disk(place) => {
                let read = fs::read(place).map_err(|source| StoreError::Unreadable { path: path.to_owned(), source });
                read.map(Cow::Owned)
            }
        }
    }

    /// Paths below `prefix` that were never read.
    #[must_use]
    pub fn unread(&self, prefix: &str) -> Vec<&str> {
        let stored = self.files.iter().filter(|(path, _)| path.starts_with(prefix));
        stored.filter(|(_, file)| file.reads.load(Ordering::Relaxed) == 0).map(|(path, _)| path.as_str()).collect()
    }

    fn put(&mut self, path: String, content: Content) {
        self.files.insert(path, Stored { content, reads: AtomicUsize::new(0) });
    }

    fn walk(&mut self, folder: &Path, name: &str) -> Result<(), StoreError> {
        let broken = |source| StoreError::Unreadable { path: folder.display().to_string(), source };
        for entry in fs::read_dir(folder).map_err(broken)? {
            let entry = entry.map_err(broken)?;
            let Ok(last) = entry.file_name().into_string() else {
                return Err(StoreError::Name { path: entry.path().display().to_string() });
            };
            let path = format!("{name}/{last}");
            let kind = entry.file_type().map_err(broken)?;
            if kind.is_dir() {
                self.walk(&entry.path(), &path)?;
            } else if kind.is_file() {
                self.put(path, Content::Disk(entry.path()));
            } else {
                return Err(StoreError::Kind { path });
            }
        }
        Ok(())
    }
}

/// Why a corpus cannot be listed or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No such file.
    #[error("{path}: no such file in the corpus; check the spelling")]
    Absent {
        /// The path asked for.
        path: String,
    },
    /// The system would not read it.
    #[error("{path}: cannot be read: {source}; check that it exists and may be read")]
    Unreadable {
        /// The path at fault.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file name that is not UTF-8.
    #[error("{path}: the name is not UTF-8; rename the file")]
    Name {
        /// The path at fault.
        path: String,
    },
    /// A link, pipe or device.
    #[error("{path}: neither file nor folder; a corpus holds nothing else, so remove it")]
    Kind {
        /// The path at fault.
        path: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_reads() {
        let store = Store::memory([("vectors/a.json", "1"), ("vectors/b.json", "2"), ("x", "3")]);
        assert_eq!(store.read("vectors/a.json").unwrap().as_ref(), b"1");
        assert_eq!(store.unread("vectors/"), ["vectors/b.json"]);
        assert_eq!(store.below("vectors/").count(), 2);
        assert!(matches!(store.read("y"), Err(StoreError::Absent { .. })));
    }

    #[test]
    fn finds_built_in_files() {
        assert_eq!(embedded("contracts/gone"), None);
        for (path, bytes) in embedded::FILES {
            assert_eq!(embedded(path), Some(*bytes), "{path}");
        }
    }

    #[test]
    fn lists_a_folder_sorted() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        fs::write(folder.path().join("sub/b.json"), "b").unwrap();
        fs::write(folder.path().join("a.json"), "a").unwrap();
        let store = Store::folder(folder.path()).unwrap();
        let paths: Vec<_> = store.below("vectors/").collect();
        assert_eq!(paths, ["vectors/a.json", "vectors/sub/b.json"]);
        assert_eq!(store.read("vectors/sub/b.json").unwrap().as_ref(), b"b");
        assert!(Store::folder(&folder.path().join("absent")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn refuses_links() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/", folder.path().join("out")).unwrap();
        assert!(matches!(Store::folder(folder.path()), Err(StoreError::Kind { .. })));
    }
}
