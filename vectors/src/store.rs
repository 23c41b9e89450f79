//! Where vector and contract files come from: the build itself, or a folder on disk.
//!
//! Paths are those of the repository (`vectors/sovereign/...`, `contracts/...`) wherever the bytes come from. Every
//! read is counted, so that a lint can name the files that nobody read. A file in a store is not yet a sound one: that
//! is the loader's and the lint's business.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use thiserror::Error;

mod embedded;
// A build that holds the files lists none.
#[cfg_attr(built_in, expect(dead_code, reason = "only the build script lists files then"))]
mod listing;

pub use embedded::embedded;

/// The largest file that is read, in bytes. A case is written for people to read, and the largest of the corpus and of its
/// contracts has less than a hundredth of this; what is larger was laid there by mistake, or so that memory runs out.
pub const LARGEST: u64 = 64 << 20;

/// A sorted set of files.
#[derive(Debug, Default)]
pub struct Store {
    // INVARIANT (order): sorted by path, and no path twice; every constructor sees to it.
    files: Vec<Stored>,
}

#[derive(Debug)]
struct Stored {
    path: Cow<'static, str>,
    content: Content,
    reads: AtomicUsize,
}

impl Stored {
    fn new(path: impl Into<Cow<'static, str>>, content: Content) -> Self {
        Self { path: path.into(), content, reads: AtomicUsize::new(0) }
    }
}

#[derive(Debug)]
enum Content {
    Embedded(usize),
    Owned(Vec<u8>),
    Disk(PathBuf),
}

impl Store {
    /// The files of this build: those that were packed into it, or outside of a release build those of the repository.
    #[must_use]
    pub fn embedded() -> Self {
        // They are sorted already.
        let files = embedded::files().map(|(path, place)| Stored::new(path, Content::Embedded(place)));
        Self { files: files.collect() }
    }

    /// The vectors below `folder`, with the contracts that were built in.
    ///
    /// # Errors
    /// The folder cannot be listed, or holds something that is neither file nor folder.
    pub fn folder(folder: &Path) -> Result<Self, StoreError> {
        Self::folders(Some(folder), None)
    }

    /// The vectors below one folder and the contracts below another; of each those that were built in where no folder is named.
    ///
    /// # Errors
    /// A folder cannot be listed, or holds something that is neither file nor folder.
    pub fn folders(vectors: Option<&Path>, contracts: Option<&Path>) -> Result<Self, StoreError> {
        let mut store = Self::embedded();
        for (room, folder) in [("vectors", vectors), ("contracts", contracts)] {
            let Some(folder) = folder else { continue };
            store.files.retain(|file| file.path.split('/').next() != Some(room));
            store.walk(folder, room)?;
        }
        store.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(store)
    }

    /// Files given as values, for tests of the lint; of two with one path the later counts.
    pub fn memory<P: Into<String>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let files: BTreeMap<String, Vec<u8>> =
            files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect();
        Self { files: files.into_iter().map(|(path, bytes)| Stored::new(path, Content::Owned(bytes))).collect() }
    }

    /// Every path, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.path.as_ref())
    }

    /// Every path that starts with `prefix`, sorted.
    pub fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.range(prefix).iter().map(|file| file.path.as_ref())
    }

    /// Where a file lies, if it is one of a folder that was named.
    #[must_use]
    pub fn place(&self, path: &str) -> Option<&Path> {
        match &self.find(path)?.content {
            Content::Disk(place) => Some(place),
            Content::Embedded(_) | Content::Owned(_) => None,
        }
    }

    /// Whether the store has a file of this path.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    /// The bytes of a file; the read is counted.
    ///
    /// # Errors
    /// There is no such file, it cannot be read, or it is larger than [`LARGEST`].
    pub fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, StoreError> {
        let Some(stored) = self.find(path) else {
            return Err(StoreError::Absent { path: path.to_owned() });
        };
        stored.reads.fetch_add(1, Ordering::Relaxed);
        match &stored.content {
            Content::Embedded(place) => {
                embedded::content(*place).map(Cow::Borrowed).ok_or_else(|| StoreError::Absent { path: path.to_owned() })
            }
            Content::Owned(bytes) => Ok(Cow::Borrowed(bytes)),
            Content::Disk(place) => whole(path, place).map(Cow::Owned),
        }
    }

    /// Paths below `prefix` that were never read.
    #[must_use]
    pub fn unread(&self, prefix: &str) -> Vec<&str> {
        let unread = self.range(prefix).iter().filter(|file| file.reads.load(Ordering::Relaxed) == 0);
        unread.map(|file| file.path.as_ref()).collect()
    }

    fn find(&self, path: &str) -> Option<&Stored> {
        let place = self.files.binary_search_by(|file| file.path.as_ref().cmp(path)).ok()?;
        self.files.get(place)
    }

    fn range(&self, prefix: &str) -> &[Stored] {
        let (_, rest) = self.files.split_at(self.files.partition_point(|file| file.path.as_ref() < prefix));
        let (found, _) = rest.split_at(rest.partition_point(|file| file.path.starts_with(prefix)));
        found
    }

    fn walk(&mut self, folder: &Path, name: &str) -> Result<(), StoreError> {
        let broken = |source| StoreError::Unreadable { path: folder.display().to_string(), source };
        for entry in fs::read_dir(folder).map_err(broken)? {
            let entry = entry.map_err(broken)?;
            let Ok(last) = entry.file_name().into_string() else {
                return Err(StoreError::Name { path: entry.path().display().to_string() });
            };
            if name == "vectors" && listing::is_crate(&last) {
                continue;
            }
            let path = format!("{name}/{last}");
            let kind = entry.file_type().map_err(broken)?;
            if kind.is_dir() {
                self.walk(&entry.path(), &path)?;
            } else if kind.is_file() {
                self.files.push(Stored::new(path, Content::Disk(entry.path())));
            } else {
                return Err(StoreError::Kind { path });
            }
        }
        Ok(())
    }
}

/// All of a file on disk. It may grow while it is read, so the limit is one of the reading.
fn whole(path: &str, place: &Path) -> Result<Vec<u8>, StoreError> {
    let unreadable = |source| StoreError::Unreadable { path: path.to_owned(), source };
    let file = fs::File::open(place).map_err(unreadable)?;
    let mut size = file.metadata().map_err(unreadable)?.len();
    let mut bytes = Vec::new();
    if size <= LARGEST {
        bytes.reserve(usize::try_from(size).unwrap_or_default());
        size = file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(unreadable)? as u64;
    }
    if size > LARGEST { Err(StoreError::Large { path: path.to_owned(), size }) } else { Ok(bytes) }
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
    /// More than any case needs.
    #[error(
        "{path}: has {size} bytes, more than the {LARGEST} that a file of a corpus may have; remove it, or make it smaller"
    )]
    Large {
        /// The path at fault.
        path: String,
        /// How many bytes there are, or were read before the limit was met.
        size: u64,
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
    fn files_of_a_prefix_stand_together() {
        let store = Store::memory([("a/b", "1"), ("a", "2"), ("a0", "3"), ("a/b", "4"), ("a/", "5"), ("b", "6")]);
        assert_eq!(store.paths().collect::<Vec<_>>(), ["a", "a/", "a/b", "a0", "b"]);
        assert_eq!(store.read("a/b").unwrap().as_ref(), b"4");
        for (prefix, below) in
            [("a/", &["a/", "a/b"][..]), ("a", &["a", "a/", "a/b", "a0"]), ("b0", &[]), ("c", &[]), ("A", &[])]
        {
            assert_eq!(store.below(prefix).collect::<Vec<_>>(), below, "{prefix}");
        }
        assert_eq!(store.unread("a/"), ["a/"]);
        assert_eq!(store.below("").count(), 5);
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

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = fs::File::create(folder.path().join("a.json")).unwrap();
        let store = Store::folder(folder.path()).unwrap();
        file.set_len(LARGEST).unwrap();
        assert_eq!(store.read("vectors/a.json").unwrap().len() as u64, LARGEST);
        for size in [LARGEST + 1, 3 << 30] {
            file.set_len(size).unwrap();
            let error = store.read("vectors/a.json").unwrap_err();
            assert!(matches!(error, StoreError::Large { size: said, .. } if said == size), "{error:?}");
            let says =
                format!("vectors/a.json: has {size} bytes, more than the 67108864 that a file of a corpus may have");
            assert!(error.to_string().starts_with(&says), "{error}");
        }
    }

    /// Its length says nothing, as that of one that grows does not.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_without_an_end_is_read_up_to_the_limit() {
        let error = whole("vectors/a.json", Path::new("/dev/zero")).unwrap_err();
        assert!(matches!(error, StoreError::Large { size, .. } if size == LARGEST + 1), "{error:?}");
    }

    #[test]
    fn each_room_can_come_from_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.json"), "a").unwrap();
        let (built_in, here) = (Store::embedded(), Some(folder.path()));
        for (store, room, other) in [
            (Store::folders(here, None).unwrap(), "vectors/", "contracts/"),
            (Store::folders(None, here).unwrap(), "contracts/", "vectors/"),
        ] {
            assert_eq!(store.below(room).collect::<Vec<_>>(), [format!("{room}a.json")]);
            assert_eq!(store.below(other).count(), built_in.below(other).count());
            assert!(store.paths().is_sorted());
        }
        assert_eq!(Store::folders(None, None).unwrap().paths().count(), built_in.paths().count());
    }

    #[cfg(unix)]
    #[test]
    fn refuses_links() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/", folder.path().join("out")).unwrap();
        assert!(matches!(Store::folder(folder.path()), Err(StoreError::Kind { .. })));
    }
}
