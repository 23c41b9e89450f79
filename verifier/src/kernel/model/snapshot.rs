//! What a home held at one moment: every path with the digest of its file.
//!
//! Spec: Kernel v1 Requirements Pack, Law 1; rulings KE-2 (names, types, bytes) and KE-49.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::canon::compose;
use crate::digest::Digest;
use crate::files::{EntryKind, HomeError, HomeReader};
use crate::json::{Dialect, Document};
use crate::rejection::Rejection;

use super::issue::Outcome;
use super::layout::{COMMITTED, Tree};

/// Bytes of a file of a home that are read: what the reader of documents takes.
pub(crate) const LARGEST: u64 = Dialect::STRICT.bytes as u64;

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
    pub(crate) fn below(home: &dyn HomeReader, path: &str) -> (Self, Vec<Unrecorded>) {
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
    pub(crate) fn get(&self, path: &str) -> Option<Entry> {
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

/// What happened between a snapshot and now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ran<'r> {
    /// The operation that ran, by the name it has in scenarios.
    pub operation: Option<&'r str>,
    /// Its outcome; none where it was stopped, or nobody knows.
    pub outcome: Option<Outcome>,
}

/// What became of the committed tree since a snapshot.
#[derive(Debug)]
pub(crate) struct Change {
    /// Paths that are not as they were, sorted.
    pub(crate) paths: BTreeSet<String>,
    /// Whether the ledger is among what changed.
    pub(crate) ledger: bool,
}

impl Change {
    /// Compares the committed tree with a snapshot. A path that cannot be taken now has changed.
    pub(crate) fn since(before: &Snapshot, home: &dyn HomeReader) -> Self {
        let (after, left_out) = Snapshot::below(home, COMMITTED);
        let within =
            |path: &&str| path.strip_prefix(COMMITTED).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let differs = |path: &str| before.get(path) != after.get(path);
        let paths = before.paths().filter(within).chain(after.paths()).filter(|path| differs(path));
        let paths = paths.map(str::to_owned).chain(left_out.into_iter().map(|left_out| left_out.path)).collect();
        Self { paths, ledger: differs(&Tree::committed().ledger()) }
    }
}

/// Goes through a folder and all below it, names in order, a folder before what it holds.
pub(crate) struct Walk<'h> {
    home: &'h dyn HomeReader,
    pending: Vec<(String, EntryKind)>,
}

/// Something on the way.
pub(crate) struct Found {
    pub(crate) path: String,
    pub(crate) what: What,
}

/// What it is.
pub(crate) enum What {
    Folder,
    File,
    Other,
    /// A folder that cannot be listed, or a path that tells nothing.
    Unlisted(HomeError),
}

impl<'h> Walk<'h> {
    /// Starts at a path, which itself is found first; where nothing stands, nothing is found.
    pub(crate) fn from(home: &'h dyn HomeReader, path: &str) -> Self {
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
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
