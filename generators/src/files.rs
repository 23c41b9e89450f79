//! The files of an emission, in memory: who owns each, and what is in it.

use std::collections::BTreeMap;

/// Files by their path, with `/` between names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    entries: BTreeMap<String, File>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Who keeps it.
    pub owner: Owner,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Who keeps a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The generator: written anew by every emission.
    Generator,
    /// The implementer: written once, where nothing is there yet.
    Implementer,
}

impl Files {
    /// Adds a file that the generator keeps.
    pub fn generated(&mut self, path: impl Into<String>, bytes: Vec<u8>) {
        self.entries.insert(path.into(), File { owner: Owner::Generator, bytes });
    }

    /// Adds a file that is the implementer's.
    pub fn offered(&mut self, path: impl Into<String>, bytes: Vec<u8>) {
        self.entries.insert(path.into(), File { owner: Owner::Implementer, bytes });
    }

    /// Every file, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &File)> {
        self.entries.iter().map(|(path, file)| (path.as_str(), file))
    }

    /// The file at a path.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<&File> {
        self.entries.get(path)
    }

    /// The file at a path, to change it.
    pub fn find_mut(&mut self, path: &str) -> Option<&mut File> {
        self.entries.get_mut(path)
    }
}
