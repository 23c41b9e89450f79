//! What was read of an archive for one artefact.

use std::sync::Arc;

use assize_verifier::{
    files::{HomeError, HomeFiles as _},
    operation::MemoryRoot,
};

use crate::Scope;

/// The files of one artefact.
#[derive(Clone, Debug, Default)]
pub struct Held {
    parts: Vec<(Scope, Arc<Content>)>,
}

/// What a scope holds.
#[derive(Debug)]
pub(crate) enum Content {
    File(Arc<[u8]>),
    Folder(MemoryRoot),
}

impl Held {
    pub(crate) fn new(parts: Vec<(Scope, Arc<Content>)>) -> Self {
        Self { parts }
    }

    /// The bytes of the file at a path in the archive, if it is of the artefact.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&[u8]> {
        self.parts.iter().find_map(|(scope, content)| match (scope, &**content) {
            (Scope::File(at), Content::File(bytes)) => (at == path).then_some(&**bytes),
            (Scope::Folder(at), Content::Folder(root)) => root.files.bytes(below(at, path)?),
            _ => None,
        })
    }

    /// The folder at a path in the archive, if it was asked for.
    #[must_use]
    pub fn folder(&self, path: &str) -> Option<&MemoryRoot> {
        self.parts.iter().find_map(|(scope, content)| match (scope, &**content) {
            (Scope::Folder(at), Content::Folder(root)) if at == path => Some(root),
            _ => None,
        })
    }
}

impl Content {
    pub(crate) fn of(scope: &Scope) -> Self {
        match scope {
            Scope::File(_) => Self::File(Arc::default()),
            Scope::Folder(_) => Self::Folder(MemoryRoot::default()),
        }
    }

    /// How many files and folders it holds.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::File(_) => 1,
            Self::Folder(root) => root.files.count(),
        }
    }

    /// Lays a file there, by its path below the scope, or a folder. The bytes are those of whoever else holds the file.
    pub(crate) fn lay(&mut self, below: &str, bytes: Option<&Arc<[u8]>>) -> Result<(), &'static str> {
        let laid = match (self, bytes) {
            (Self::File(into), Some(bytes)) => {
                *into = Arc::clone(bytes);
                Ok(())
            }
            (Self::File(_), None) => Ok(()),
            (Self::Folder(_), None) if below.is_empty() => Ok(()),
            (Self::Folder(root), None) => root.files.create_folder(below),
            (Self::Folder(root), Some(bytes)) => {
                let folder = below.rsplit_once('/').map_or("", |(folder, _)| folder);
                let made = if folder.is_empty() { Ok(()) } else { root.files.create_folder(folder) };
                made.and_then(|()| root.files.lay(below, Arc::clone(bytes)))
            }
        };
        laid.map_err(|error| match error {
            HomeError::Occupied | HomeError::NotAFolder => "its name is repeated, or lies below a file",
            HomeError::Name => "no file can have this name",
            _ => "it cannot be held",
        })
    }
}

/// A path seen from a folder that it lies in.
pub(crate) fn below<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}
