//! What a package that verifies carries: the verifier compiled to a module, or the sources that the package compiles itself.

use std::{collections::BTreeMap, fs, io, path::Path};

use thiserror::Error;

use crate::language::Carries;

/// The most bytes of all sources together.
const BYTES: u64 = 64 << 20;
/// The most files and folders.
const ENTRIES: usize = 8192;
/// The most folders inside one another.
const DEPTH: usize = 16;

/// What every folder of sources holds.
const MANIFEST: &str = "assize-core/Cargo.toml";

/// What answers in a package that verifies, by the path below the place that the language gives it; a module is one file at that place.
#[derive(Debug, Clone)]
pub struct Core {
    carries: Carries,
    files: BTreeMap<String, Vec<u8>>,
}

/// What is no core.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CoreError {
    /// It cannot be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// Which file or folder.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// It is something else.
    #[error("{path}: {message}")]
    Other {
        /// Which file or folder.
        path: String,
        /// What is wrong with it.
        message: String,
    },
}

impl Core {
    /// A WebAssembly module; nothing if it is none.
    #[must_use]
    pub fn module(bytes: Vec<u8>) -> Option<Self> {
        let files = BTreeMap::from([(String::new(), bytes)]);
        files.values().all(|bytes| bytes.starts_with(b"\0asm")).then_some(Self { carries: Carries::Module, files })
    }

    /// The sources below a folder, as `.ci/core` lays them out.
    ///
    /// # Errors
    /// The folder cannot be read, is no such folder, or holds links, too much, or names that are not UTF-8.
    pub fn sources(folder: &Path) -> Result<Self, CoreError> {
        let mut found = Found::default();
        found.walk(folder, "", 0)?;
        if !found.files.contains_key(MANIFEST) {
            return Err(other(folder, format!("no sources of the core, which hold {MANIFEST}")));
        }
        Ok(Self { carries: Carries::Sources, files: found.files })
    }

    /// What it is.
    pub(crate) fn carries(&self) -> Carries {
        self.carries
    }

    /// The bytes of a module; nothing if it is sources.
    pub(crate) fn module_bytes(&self) -> Option<&[u8]> {
        self.files.get("").filter(|_| self.carries == Carries::Module).map(Vec::as_slice)
    }

    /// Its files, where they go if it stands at `place`.
    pub(crate) fn placed(&self, place: &str) -> impl Iterator<Item = (String, &[u8])> {
        self.files.iter().map(move |(below, bytes)| {
            let to = if below.is_empty() { place.to_owned() } else { format!("{place}/{below}") };
            (to, bytes.as_slice())
        })
    }
}

fn other(path: &Path, message: impl Into<String>) -> CoreError {
    CoreError::Other { path: path.display().to_string(), message: message.into() }
}

#[derive(Default)]
struct Found {
    files: BTreeMap<String, Vec<u8>>,
    bytes: u64,
    entries: usize,
}

impl Found {
    fn walk(&mut self, folder: &Path, prefix: &str, depth: usize) -> Result<(), CoreError> {
        let broken = |path: &Path, source| CoreError::Unreadable { path: path.display().to_string(), source };
        for entry in fs::read_dir(folder).map_err(|error| broken(folder, error))? {
            let entry = entry.map_err(|error| broken(folder, error))?;
            let path = entry.path();
            let Ok(name) = entry.file_name().into_string() else { return Err(other(&path, "the name is not UTF-8")) };
            let about = path.symlink_metadata().map_err(|error| broken(&path, error))?;
            self.entries += 1;
            if self.entries > ENTRIES || depth > DEPTH {
                let message = format!("sources are at most {ENTRIES} files and folders, {DEPTH} inside one another");
                return Err(other(&path, message));
            }
            let below = format!("{prefix}{name}");
            if about.is_dir() {
                self.walk(&path, &format!("{below}/"), depth + 1)?;
            } else if about.is_file() {
                self.bytes = self.bytes.saturating_add(about.len());
                if self.bytes > BYTES {
                    return Err(other(&path, format!("sources have at most {} MiB together", BYTES >> 20)));
                }
                self.files.insert(below, fs::read(&path).map_err(|error| broken(&path, error))?);
            } else {
                // A link may lead out of the folder, and to read a pipe or a device may never end.
                return Err(other(&path, "a link, a pipe or a device; put a regular file in its place"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(fill: impl FnOnce(&Path)) -> Result<Core, CoreError> {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("assize-core")).unwrap();
        fill(folder.path());
        Core::sources(folder.path())
    }

    #[test]
    fn sources_keep_their_paths_below_the_place_that_a_language_gives() {
        let core = sources(|folder| fs::write(folder.join(MANIFEST), "[package]").unwrap()).unwrap();
        let placed: Vec<_> = core.placed("native/core").collect();
        assert_eq!(placed, [("native/core/assize-core/Cargo.toml".to_owned(), b"[package]".as_slice())]);
        let module = Core::module(b"\0asm".to_vec()).unwrap();
        assert_eq!(module.placed("a.wasm").collect::<Vec<_>>(), [("a.wasm".to_owned(), b"\0asm".as_slice())]);
        assert!(Core::module(b"text".to_vec()).is_none());
    }

    #[test]
    fn what_holds_no_core_or_a_link_is_refused_by_its_name() {
        let refusal = |fill: fn(&Path)| sources(fill).unwrap_err().to_string();
        assert!(refusal(|_| ()).contains("no sources of the core"));
        #[cfg(unix)]
        assert!(
            refusal(|folder| std::os::unix::fs::symlink("/etc", folder.join("out")).unwrap()).contains("out: a link")
        );
        let large = refusal(|folder| fs::File::create(folder.join("x")).unwrap().set_len(BYTES + 1).unwrap());
        assert!(large.contains("at most 64 MiB"), "{large}");
        let deep = refusal(|folder| fs::create_dir_all(folder.join("d/".repeat(DEPTH + 2))).unwrap());
        assert!(deep.contains("16 inside one another"), "{deep}");
        assert!(Core::sources(Path::new("/nowhere")).is_err());
    }
}
