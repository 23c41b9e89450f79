//! A pack in memory.

use std::collections::{BTreeMap, BTreeSet};

use assize_packs::Pack;
use assize_verifier::files::{PackFileError, PackFiles};

/// The files of a pack by relative path. Holds its reader to what the trait says of paths.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Memory {
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

impl From<Pack> for Memory {
    fn from(pack: Pack) -> Self {
        Self { files: pack.files }
    }
}

impl Memory {
    pub(crate) fn text(&self, path: &str) -> &str {
        std::str::from_utf8(&self.files[path]).unwrap()
    }

    pub(crate) fn put(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        self.files.insert(path.to_owned(), content.into());
    }
}

impl PackFiles for Memory {
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        held(path);
        into.clear();
        match self.files.get(path) {
            Some(content) if content.len() as u64 > limit => Err(PackFileError::TooLarge { limit }),
            Some(content) => {
                into.extend_from_slice(content);
                Ok(())
            }
            None if self.exists(path) => Err(PackFileError::NotAFile),
            None => Err(PackFileError::Absent),
        }
    }

    fn exists(&self, path: &str) -> bool {
        held(path);
        let below = format!("{path}/");
        self.files.contains_key(path)
            || self.files.range(below.clone()..).next().is_some_and(|(at, _)| at.starts_with(&below))
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        let names: BTreeSet<_> = self.files.keys().filter_map(|path| path.split('/').next()).collect();
        Ok(names.into_iter().map(str::to_owned).collect())
    }
}

/// What a caller promises of every path.
fn held(path: &str) {
    let plain = !path.contains('\0') && path.split('/').all(|name| !matches!(name, "" | "." | ".."));
    assert!(plain, "the verifier asked for {path:?}");
}
