//! What a home held at one moment: every path with the digest of its file.
//!
//! Spec: Kernel v1 Requirements Pack, Law 1; rulings KE-2 (names, types, bytes) and KE-49.

use std::collections::BTreeMap;
use std::fmt;

use crate::canon::compose;
use crate::digest::Digest;
use crate::files::{EntryKind, HomeError, HomeReader};
use crate::json::{Dialect, Document};
use crate::rejection::Rejection;

/// Bytes of a file of a home that are read: what the reader of documents takes.
pub(super) const LARGEST: u64 = Dialect::STRICT.bytes as u64;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A folder.
    Folder,
    /// A file with this content.
    File(Digest),
}

/// Every path of a home, or of a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    entries: BTreeMap<String, Entry>,
}

/// A path that no snapshot can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrecorded {
    /// The path below the home.
    pub path: String,
    /// Why, unless it is neither a file nor a folder.
    pub why: Option<HomeError>,
}

impl fmt::Display for Unrecorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why {
            Some(why) => write!(f, "{}: {why}", self.path),
            None => write!(f, "{}: neither a file nor a folder", self.path),
        }
    }
}

impl std::error::Error for Unrecorded {}

impl Snapshot {
    /// Takes a whole home, file by file.
    ///
    /// # Errors
    /// If something in it is neither a file nor a folder, or cannot be read.
    pub fn take(home: &dyn HomeReader) -> Result<Self, Unrecorded> {
        let (taken, left_out) = Self::below(home, "");
        match left_out.into_iter().next() {
            Some(unrecorded) => Err(unrecorded),
            None => Ok(taken),
        }
    }

    /// What stands at a path and below it, and what could not be taken.
    pub(super) fn below(home: &dyn HomeReader, path: &str) -> (Self, Vec<Unrecorded>) {
        let (mut taken, mut left_out, mut bytes) = (Self::default(), Vec::new(), Vec::new());
        for found in Walk::from(home, path) {
            let why = match found.what {
                What::Folder => {
                    if !found.path.is_empty() {
                        taken.entries.insert(found.path, Entry::Folder);
                    }
                    continue;
                }
                What::File => match home.read(&found.path, LARGEST, &mut bytes) {
                    Ok(()) => {
                        taken.entries.insert(found.path, Entry::File(Digest::of(&bytes)));
                        continue;
                    }
                    Err(why) => Some(why),
                },
                What::Other => None,
                What::Unlisted(why) => Some(why),
            };
            left_out.push(Unrecorded { path: found.path, why });
        }
        (taken, left_out)
    }

    /// Reads a snapshot: an object of relative paths, each with the digest of its file or `dir`.
    ///
    /// # Errors
    /// If the text is anything else.
    pub fn parse(text: &[u8]) -> Result<Self, Rejection> {
        let document = Document::parse(text, &Dialect::STRICT)?;
        if !document.root().is_object() {
            return Err(Rejection::Input("a snapshot is an object of paths".to_owned()));
        }
        let mut entries = BTreeMap::new();
        for (name, value) in document.root().members() {
            let path = name.decode().to_text_lossy().into_owned();
            let entry = value.as_string().and_then(|value| match value.as_bytes() {
                b"dir" => Some(Entry::Folder),
                hex => Digest::from_hex(hex).map(Entry::File),
            });
            let entry = entry.ok_or_else(|| Rejection::Input(format!("{path}: neither a digest nor `dir`")))?;
            if entries.insert(path, entry).is_some() {
                return Err(Rejection::Input(format!("{}: a path stands once", name.decode().to_text_lossy())));
            }
        }
        Ok(Self { entries })
    }

    /// The snapshot as a canonical document.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let members: Vec<_> = self.entries.iter().map(|(path, entry)| (path.as_str(), entry.canonical())).collect();
        compose::object(&members)
    }

    /// What stands at a path. Where something lies below it there is a folder, listed or not.
    pub(super) fn get(&self, path: &str) -> Option<Entry> {
        self.entries.get(path).copied().or_else(|| {
            let below = format!("{path}/");
            let (next, _) = self.entries.range(below.clone()..).next()?;
            next.starts_with(&below).then_some(Entry::Folder)
        })
    }

    /// Its paths, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}

impl Entry {
    fn canonical(self) -> Vec<u8> {
        match self {
            Self::Folder => compose::string("dir"),
            Self::File(digest) => compose::string(&digest.to_hex()),
        }
    }
}

/// Goes through a folder and all below it, names in order, a folder before what it holds.
pub(super) struct Walk<'h> {
    home: &'h dyn HomeReader,
    pending: Vec<(String, EntryKind)>,
}

/// Something on the way.
pub(super) struct Found {
    pub(super) path: String,
    pub(super) what: What,
}

/// What it is.
pub(super) enum What {
    Folder,
    File,
    Other,
    /// A folder that cannot be listed, or a path that tells nothing.
    Unlisted(HomeError),
}

impl<'h> Walk<'h> {
    /// Starts at a path, which itself is found first; where nothing stands, nothing is found.
    pub(super) fn from(home: &'h dyn HomeReader, path: &str) -> Self {
        let pending = match home.kind(path) {
            Ok(kind) => kind.map(|kind| (path.to_owned(), kind)).into_iter().collect(),
            Err(_) => vec![(path.to_owned(), EntryKind::Other)],
        };
        Self { home, pending }
    }
}

impl Iterator for Walk<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        let (path, kind) = self.pending.pop()?;
        let what = match kind {
            EntryKind::File => What::File,
            EntryKind::Other => What::Other,
            EntryKind::Folder => match self.home.list(&path) {
                Err(why) => What::Unlisted(why),
                Ok(entries) => {
                    let below = entries.into_iter().rev().map(|entry| (join(&path, &entry.name), entry.kind));
                    self.pending.extend(below);
                    What::Folder
                }
            },
        };
        Some(Found { path, what })
    }
}

/// The path of a name in a folder; the home itself is the empty path.
pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
