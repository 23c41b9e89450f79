//! Where everything lies below a home folder, as far as no name has to be spelled: those are the law kernel/path-safety.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 3; rulings KE-30, KE-31, KE-37.

use crate::digest::Digest;
use crate::json::JsonPointer;

/// The index.
pub(crate) const INDEX: &str = "index";
/// What is promoted.
pub(crate) const COMMITTED: &str = "index/committed";
/// What is staged, by run and turn.
pub(crate) const STAGING: &str = "index/staging";
/// What a promotion changes of [`COMMITTED`], while it is written; by others, a tree that is to take its place.
pub(crate) const NEW: &str = "index/committed.__new";
/// The tree whose place was taken, by whoever puts a whole tree in the place of another.
pub(crate) const OLD: &str = "index/committed.__bak";
/// What [`NEW`] is called once it is whole and has to be carried out: the journal of a promotion.
pub(crate) const JOURNAL: &str = "index/.promoting";
/// The page of a journal that says what no file in it shows, below [`NEW`] and then [`JOURNAL`].
pub(crate) const PAGE: &str = "promotion.json";
/// What runs write for whoever traces them.
pub(crate) const TRACE: &str = "trace";
/// A file that is being written to take the place of another. There is one at a time, and no record has this name.
pub(crate) const WRITING: &str = "index/.writing";

/// Suffix of the files of records.
pub(crate) const RECORD: &str = ".json";

/// Suffix of the files of tombstones.
pub(crate) const TOMBSTONE: &str = ".tombstone.json";

/// A tree of objects, triplet records and reference records: committed, one that is to be, or one turn's staging.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    folder: String,
}

impl Tree {
    /// What is promoted.
    #[must_use]
    pub fn committed() -> Self {
        Self::at(COMMITTED)
    }

    /// The tree in a folder.
    #[must_use]
    pub fn at(folder: &str) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The folder itself.
    #[must_use]
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// The folder of the objects.
    #[must_use]
    pub fn objects(&self) -> String {
        format!("{}/objects", self.folder)
    }

    /// The file of an object.
    #[must_use]
    pub fn object(&self, digest: Digest) -> String {
        let hex = digest.to_hex();
        format!("{}/objects/{}/{hex}", self.folder, hex.get(..2).unwrap_or_default())
    }

    /// The folder of the triplet records.
    #[must_use]
    pub fn triplets(&self) -> String {
        format!("{}/triplets", self.folder)
    }

    /// The folder of the reference records.
    #[must_use]
    pub fn references(&self) -> String {
        format!("{}/refs/by_id", self.folder)
    }

    /// The file of the ledger, which lies in committed alone.
    #[must_use]
    pub fn ledger(&self) -> String {
        format!("{}/index/run_ledger.json", self.folder)
    }
}

/// The rest of a path that lies below a folder.
pub(crate) fn below<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// The folder of the tree in which a path lies: committed, or a turn's staging.
pub(crate) fn tree_of(path: &str) -> Option<&str> {
    if path == COMMITTED || below(COMMITTED, path).is_some() {
        return Some(COMMITTED);
    }
    let (run, rest) = below(STAGING, path)?.split_once('/')?;
    let turn = rest.split('/').next()?;
    path.get(..STAGING.len() + run.len() + turn.len() + 2)
}

/// A path of the home as the location of an issue or a finding.
#[must_use]
pub fn location(path: &str) -> JsonPointer {
    path.split('/').fold(JsonPointer::root(), |place, name| place.member(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_lies_in_one_tree_or_in_none() {
        for (path, tree) in [
            ("index/committed", Some("index/committed")),
            ("index/committed/refs/by_id/t/i.json", Some("index/committed")),
            ("index/committed.__new/triplets/a.json", None),
            ("index/staging/r/turn-0001", Some("index/staging/r/turn-0001")),
            ("index/staging/r/turn-0001/triplets/a.json", Some("index/staging/r/turn-0001")),
            ("index/staging/r", None),
            ("index/staging", None),
            ("index/.writing", None),
            ("", None),
        ] {
            assert_eq!(tree_of(path), tree, "{path}");
        }
    }

    #[test]
    fn locations_escape_each_name() {
        assert_eq!(location("index/a~b/c.json").as_str(), "/index/a~0b/c.json");
    }
}
