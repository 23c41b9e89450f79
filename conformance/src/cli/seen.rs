//! What a verdict was found over: the digests of everything that was read for it, where somebody asks for them, and files that do not lie
//! on a disk.

mod source;

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Read},
    path::Path,
    sync::{Mutex, PoisonError},
};

use assize_verifier::{
    digest::Digest,
    files::{EntryKind, Files, HomeEntry, HomeError, HomeReader, PackFileError, PackFiles, Unreadable},
};
use sha2::{Digest as _, Sha256};

use super::{CliError, input};
pub(crate) use source::{Home, Inside};

/// Keeps a digest of what is read under each name; nothing at all where nobody asks.
#[derive(Debug)]
pub(crate) struct Seen {
    kept: Option<Mutex<Digests>>,
    inside: Option<Inside>,
}

#[derive(Debug, Default)]
struct Digests {
    documents: BTreeMap<&'static str, Digest>,
    /// Files of a folder, each with its digest: twice if it has changed in between.
    folders: BTreeMap<&'static str, BTreeSet<(Vec<u8>, Digest)>>,
}

impl Seen {
    /// Keeps nothing, and costs nothing.
    pub(crate) fn by_nobody() -> Self {
        Self { kept: None, inside: None }
    }

    /// Keeps the digests of what is read, of which some may lie in an archive.
    pub(crate) fn by_somebody(inside: Option<Inside>) -> Self {
        Self { kept: Some(Mutex::default()), inside }
    }

    /// A document that was read as a whole.
    pub(crate) fn document(&self, name: &'static str, bytes: Vec<u8>) -> Vec<u8> {
        self.keep(|kept| {
            kept.documents.insert(name, Digest::of(&bytes));
        });
        bytes
    }

    /// A file that is read as a whole.
    pub(crate) fn file(&self, name: &'static str, path: &Path) -> Result<Vec<u8>, CliError> {
        match self.held(path) {
            Some(file) => Ok(self.document(name, file?.to_vec())),
            None => Ok(self.document(name, input::read(path)?)),
        }
    }

    /// The same where one is named.
    pub(crate) fn beside(&self, name: &'static str, path: Option<&Path>) -> Result<Option<Vec<u8>>, CliError> {
        path.map(|path| self.file(name, path)).transpose()
    }

    /// What a file is called, and its bytes; - is standard input.
    pub(crate) fn named(&self, name: &'static str, path: &Path) -> Result<(String, Vec<u8>), CliError> {
        if self.held(path).is_some() {
            return Ok((path.display().to_string(), self.file(name, path)?));
        }
        let (called, bytes) = input::document(path)?;
        Ok((called, self.document(name, bytes)))
    }

    /// A document that is read piece by piece; it has a digest once it was read to its end.
    pub(crate) fn stream<'s>(
        &'s self,
        name: &'static str,
        source: Box<dyn Read + Send + 's>,
    ) -> Box<dyn Read + Send + 's> {
        match self.kept {
            None => source,
            Some(_) => Box::new(Watched { seen: self, name, source, so_far: Sha256::new() }),
        }
    }

    /// The files of a folder, whatever of them is read.
    pub(crate) fn files<F>(&self, name: &'static str, files: F) -> Watching<'_, F> {
        Watching { seen: self, name, files }
    }

    /// The digest of each document, and of the files of each folder: that of the lines which `sha256sum` would write for them,
    /// sorted by name.
    pub(crate) fn digests(self) -> BTreeMap<String, String> {
        let kept = self.kept.map(|kept| kept.into_inner().unwrap_or_else(PoisonError::into_inner)).unwrap_or_default();
        let documents = kept.documents.into_iter().map(|(name, digest)| (name.to_owned(), digest.to_hex()));
        let folders = kept.folders.into_iter().map(|(name, files)| {
            let mut all = Sha256::new();
            for (path, digest) in files {
                all.update(digest.to_hex());
                all.update(b"  ");
                all.update(&path);
                all.update(b"\n");
            }
            (name.to_owned(), Digest::from(<[u8; 32]>::from(all.finalize())).to_hex())
        });
        documents.chain(folders).collect()
    }

    fn keep(&self, keep: impl FnOnce(&mut Digests)) {
        if let Some(kept) = &self.kept {
            keep(&mut kept.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

struct Watched<'s> {
    seen: &'s Seen,
    name: &'static str,
    source: Box<dyn Read + Send + 's>,
    so_far: Sha256,
}

impl Read for Watched<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(into)?;
        if count == 0 && !into.is_empty() {
            let digest = Digest::from(<[u8; 32]>::from(self.so_far.clone().finalize()));
            self.seen.keep(|kept| {
                kept.documents.insert(self.name, digest);
            });
        }
        self.so_far.update(into.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// Files of a folder, with an eye on what is read of them.
#[derive(Debug)]
pub(crate) struct Watching<'s, F> {
    seen: &'s Seen,
    name: &'static str,
    files: F,
}

impl<F> Watching<'_, F> {
    fn saw(&self, path: &[u8], bytes: &[u8]) {
        self.seen.keep(|kept| {
            kept.folders.entry(self.name).or_default().insert((path.to_vec(), Digest::of(bytes)));
        });
    }
}

impl<F: Files> Files for Watching<'_, F> {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        self.files.read(path, into)?;
        self.saw(path, into);
        Ok(())
    }
}

impl<F: PackFiles> PackFiles for Watching<'_, F> {
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        self.files.read(path, limit, into)?;
        self.saw(path.as_bytes(), into);
        Ok(())
    }

    fn exists(&self, path: &str) -> bool {
        self.files.exists(path)
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        self.files.entries()
    }
}

impl<F: HomeReader> HomeReader for Watching<'_, F> {
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, HomeError> {
        self.files.kind(path)
    }

    fn list(&self, path: &str) -> Result<Vec<HomeEntry>, HomeError> {
        self.files.list(path)
    }

    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), HomeError> {
        self.files.read(path, limit, into)?;
        self.saw(path.as_bytes(), into);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_has_a_digest_and_nobody_keeps_none() {
        let seen = Seen::by_somebody(None);
        assert_eq!(seen.document("a", b"abc".to_vec()), b"abc");
        let mut read = Vec::new();
        seen.stream("ledger", Box::new(&b"abc"[..])).read_to_end(&mut read).unwrap();
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let digests = seen.digests();
        assert_eq!((digests["a"].as_str(), digests["ledger"].as_str(), digests.len()), (abc, abc, 2));
        let nobody = Seen::by_nobody();
        nobody.document("a", b"abc".to_vec());
        assert!(nobody.digests().is_empty());
    }

    #[test]
    fn a_folder_has_the_digest_of_its_sums() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b", "a", "unread"] {
            std::fs::write(folder.path().join(name), b"abc").unwrap();
        }
        let seen = Seen::by_somebody(None);
        let files = seen.files("pack", assize_corpus::disk::PackFolder::open(folder.path()).unwrap());
        for name in ["b", "a", "a"] {
            PackFiles::read(&files, name, 9, &mut Vec::new()).unwrap();
        }
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let sums = format!("{abc}  a\n{abc}  b\n");
        assert_eq!(seen.digests()["pack"], Digest::of(sums.as_bytes()).to_hex());
    }
}
