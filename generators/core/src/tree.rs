//! The files of a question, and what became of them.

use std::collections::BTreeMap;

use assize_verifier::{
    files::{EntryKind, Files, HomeError, HomeFiles, HomeReader as _, MemoryHome, PackFiles},
    operation::{MemoryRoot, Root},
};

/// The longest text of a link: what Linux holds, so that following some costs no more than it does there.
const LONGEST: usize = 4095;

/// A tree of files that remembers what it was before an operation could write it.
#[derive(Default)]
pub(crate) struct Tree {
    root: MemoryRoot,
    before: Option<MemoryHome>,
}

/// What stands at a path now.
pub enum Change<'t> {
    /// A file with these bytes.
    File(&'t [u8]),
    /// A folder.
    Folder,
    /// Nothing any more.
    Gone,
}

impl Tree {
    pub(crate) fn put_file(&mut self, path: &str, bytes: &[u8]) -> Result<(), HomeError> {
        self.put_folder(folder(path))?;
        self.root.files.create(path, bytes)
    }

    pub(crate) fn put_folder(&mut self, path: &str) -> Result<(), HomeError> {
        self.root.files.create_folder(path)
    }

    /// Puts a link, of which it may be known where it leads.
    pub(crate) fn put_link(&mut self, path: &str, to: Option<&str>) -> Result<(), HomeError> {
        self.put_folder(folder(path))?;
        // Says whether there may be something of that name.
        if self.root.files.kind(path)?.is_some() {
            return Err(HomeError::Occupied);
        }
        match to {
            None => self.root.files.put_link(path),
            Some(to) if to.is_empty() || to.contains('\0') || to.len() > LONGEST => return Err(HomeError::Name),
            Some(to) => self.root.files.put_link_to(path, to),
        }
        Ok(())
    }

    /// What an operation changed, by path.
    #[inline(never)]
    pub(crate) fn changes(&self) -> BTreeMap<&str, Change<'_>> {
        let Some(before) = &self.before else { return BTreeMap::new() };
        let now = &self.root.files;
        let mut earlier: BTreeMap<&str, Option<&[u8]>> = before.below("").collect();
        let mut changes = BTreeMap::new();
        for (path, bytes) in now.below("") {
            let same = earlier.remove(path).is_some_and(|before| before == bytes);
            match bytes {
                _ if same => {}
                Some(bytes) => drop(changes.insert(path, Change::File(bytes))),
                // No operation makes a link.
                None if now.kind(path) == Ok(Some(EntryKind::Folder)) => drop(changes.insert(path, Change::Folder)),
                None => {}
            }
        }
        changes.extend(earlier.into_keys().map(|path| (path, Change::Gone)));
        changes
    }
}

/// The folder that a path lies in.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl Root for Tree {
    fn turn_files(&self) -> Box<dyn Files + '_> {
        self.root.turn_files()
    }

    fn parity_files(&self) -> Box<dyn Files + '_> {
        self.root.parity_files()
    }

    fn pack(&self) -> Option<Box<dyn PackFiles + '_>> {
        self.root.pack()
    }

    fn home(&mut self) -> Option<&mut dyn HomeFiles> {
        if self.before.is_none() {
            self.before = Some(self.root.files.clone());
        }
        self.root.home()
    }
}
