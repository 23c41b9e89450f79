//! The folder of a case, as the verifier's operations look at it.

use std::path::Path;

use assize_verifier::{
    files::{Files, HomeFiles, PackFiles},
    operation::{NoFiles, Root},
};

use super::{Contained, HomeFolder, PackFolder, Parity};

/// A folder on disk. What cannot be opened holds nothing that can be read, and is neither a pack nor a home.
#[derive(Debug)]
pub struct CaseRoot<'p> {
    path: &'p Path,
    home: Option<HomeFolder>,
}

impl<'p> CaseRoot<'p> {
    /// The folder at this path; nothing is opened before an operation asks for it.
    #[must_use]
    pub fn new(path: &'p Path) -> Self {
        Self { path, home: None }
    }
}

impl Root for CaseRoot<'_> {
    fn turn_files(&self) -> Box<dyn Files + '_> {
        match Contained::new(self.path) {
            Ok(files) => Box::new(files),
            Err(_) => Box::new(NoFiles),
        }
    }

    fn parity_files(&self) -> Box<dyn Files + '_> {
        Box::new(Parity::new(self.path))
    }

    fn pack(&self) -> Option<Box<dyn PackFiles + '_>> {
        Some(Box::new(PackFolder::open(self.path).ok()?))
    }

    fn home(&mut self) -> Option<&mut dyn HomeFiles> {
        self.home = HomeFolder::open(self.path).ok();
        self.home.as_mut().map(|home| home as &mut dyn HomeFiles)
    }
}
