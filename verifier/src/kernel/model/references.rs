//! Both ends of every reference of a tree, brought together without holding a record.

use std::collections::BTreeSet;

use crate::canon::compose;
use crate::digest::Digest;

use super::record::Source;

/// One end of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    /// Digest of all that both ends say.
    print: Digest,
    /// Digest of the name by which the other end's file is known.
    other: Digest,
    /// Index of the path of this end's file.
    at: u32,
}

/// What links say that there is, and what sources say.
#[derive(Debug, Default)]
pub(crate) struct References {
    links: Vec<End>,
    sources: Vec<End>,
    paths: Vec<String>,
    /// Names of files that could not be read, as digests.
    unreadable: BTreeSet<Digest>,
}

impl References {
    /// Begins with the ends that a file holds.
    pub(crate) fn file(&mut self, path: &str) {
        self.paths.push(path.to_owned());
    }

    /// A reference of a triplet, and the path of the reference record in which its source is due.
    pub(crate) fn link(&mut self, kind: &str, id: &str, source: &Source, record: &str) {
        let end = self.end(kind, id, source, record);
        self.links.push(end);
    }

    /// A source of a reference record.
    pub(crate) fn source(&mut self, kind: &str, id: &str, source: &Source) {
        let end = self.end(kind, id, source, &source.stem);
        self.sources.push(end);
    }

    fn end(&self, kind: &str, id: &str, source: &Source, other: &str) -> End {
        let said = [compose::string(kind), compose::string(id), source.canonical()];
        let at = u32::try_from(self.paths.len().saturating_sub(1)).unwrap_or(u32::MAX);
        End { print: Digest::of(&compose::array(said)), other: Digest::of(other.as_bytes()), at }
    }

    /// A stem whose links, or a path whose sources, cannot be read.
    pub(crate) fn unreadable(&mut self, name: &str) {
        self.unreadable.insert(Digest::of(name.as_bytes()));
    }

    /// No more ends will come.
    pub(crate) fn close(&mut self) {
        self.links.sort_unstable();
        self.sources.sort_unstable();
    }

    /// Paths of the triplet records with a link that has no source.
    pub(crate) fn links_without_source(&self) -> impl Iterator<Item = &str> {
        self.alone(&self.links, &self.sources)
    }

    /// Paths of the reference records with a source that has no link.
    pub(crate) fn sources_without_link(&self) -> impl Iterator<Item = &str> {
        self.alone(&self.sources, &self.links)
    }

    fn alone<'t>(&'t self, ends: &'t [End], others: &'t [End]) -> impl Iterator<Item = &'t str> {
        let met = |end: &End| others.binary_search_by(|other| other.print.cmp(&end.print)).is_ok();
        let alone = ends.iter().filter(move |end| !met(end) && !self.unreadable.contains(&end.other));
        alone.filter_map(|end| self.paths.get(end.at as usize)).map(String::as_str)
    }
}
