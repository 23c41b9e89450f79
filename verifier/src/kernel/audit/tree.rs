//! One tree: objects, triplet records, reference records, and in committed the ledger.

use super::Audit;
use crate::digest::Digest;
use crate::files::{EntryKind, HomeError};
use crate::json::{Dialect, Document};
use crate::kernel::laws::{ledger, object_digest, path_safety, record_shape, sort_order};
use crate::kernel::model::layout::Tree;
use crate::kernel::model::record::{RefRecord, Source, TripletRecord};
use crate::kernel::model::references::References;
use crate::kernel::model::snapshot::{Found, LARGEST, Walk, What, join};

impl Audit<'_> {
    /// `ends` are kept of the committed tree alone: a turn may have staged a stem twice, and its earlier sources are stale.
    pub(crate) fn tree(&mut self, tree: &Tree, mut ends: Option<&mut References>) {
        for entry in self.list(tree.folder()) {
            let path = join(tree.folder(), &entry.name);
            match (entry.name.as_str(), entry.kind) {
                ("objects", EntryKind::Folder) => self.objects(tree),
                ("triplets", EntryKind::Folder) => self.triplets(tree, ends.as_deref_mut()),
                ("refs", EntryKind::Folder) => {
                    for name in self.folders(&path) {
                        let path = join(&path, &name);
                        if path == tree.references() {
                            self.references(tree, ends.as_deref_mut());
                        } else {
                            self.misplaced(&path);
                        }
                    }
                }
                ("index", EntryKind::Folder) if ends.is_some() => self.ledger(tree),
                _ => self.misplaced(&path),
            }
        }
    }

    /// The path of a regular file, told from the folder that is gone through.
    fn file(&mut self, found: Found) -> Option<String> {
        match found.what {
            What::File => return Some(found.path),
            What::Folder => {}
            What::Other => self.misplaced(&found.path),
            What::Unlisted(why) => self.findings.push(path_safety::unlisted(&found.path, why)),
        }
        None
    }

    /// Reads a file; its bytes stay until the next one is read.
    fn read(&mut self, path: &str) -> Result<&[u8], HomeError> {
        self.home.read(path, LARGEST, &mut self.bytes)?;
        Ok(&self.bytes)
    }

    fn objects(&mut self, tree: &Tree) {
        for found in Walk::from(self.home, &tree.objects()) {
            let Some(path) = self.file(found) else { continue };
            let Some(named) = self.accepted(path_safety::object_named(tree, &path)) else { continue };
            let judged = object_digest::check(&path, named, self.read(&path));
            self.findings.extend(judged);
        }
    }

    fn triplets(&mut self, tree: &Tree, mut ends: Option<&mut References>) {
        for found in Walk::from(self.home, &tree.triplets()) {
            let Some(path) = self.file(found) else { continue };
            let named = path_safety::stem_named(tree, &path, ends.is_none());
            let Some(stem) = self.accepted(named).flatten() else { continue };
            let read = record_shape::check(&path, self.read(&path), TripletRecord::parse);
            let Some(record) = self.accepted(read) else {
                if let Some(ends) = ends.as_deref_mut() {
                    ends.unreadable(stem.as_str());
                }
                continue;
            };
            self.findings.extend(path_safety::other_stem(&path, &stem, &record));
            self.findings.extend(object_digest::absent(self.home, tree, &path, &record));
            if let Some(ends) = ends.as_deref_mut() {
                self.links(tree, &path, &record, ends);
            }
        }
    }

    /// The references of a committed record; what is wrong with the object itself is found where it lies.
    fn links(&mut self, tree: &Tree, path: &str, record: &TripletRecord, ends: &mut References) {
        let sound = self.read(&tree.object(record.links)).is_ok_and(|bytes| Digest::of(bytes) == record.links);
        let links = Document::parse(&self.bytes, &Dialect::STRICT).ok().filter(|_| sound);
        let Some(held) = links.map(|links| record_shape::links(path, links.root())) else {
            return ends.unreadable(record.stem.as_str());
        };
        let Some(held) = self.accepted(held) else {
            return ends.unreadable(record.stem.as_str());
        };
        ends.file(path);
        for one in held {
            let source = Source {
                stem: record.stem.as_str().to_owned(),
                location: one.location.as_str().to_owned(),
                relationship: one.relationship,
                artifact_digest: record.links,
            };
            ends.link(&one.kind, &one.id, &source, &tree.reference(&one.kind, &one.id));
        }
    }

    fn references(&mut self, tree: &Tree, mut ends: Option<&mut References>) {
        for found in Walk::from(self.home, &tree.references()) {
            let Some(path) = self.file(found) else { continue };
            if !self.passes(path_safety::no_reference(tree, &path)) {
                continue;
            }
            let read = record_shape::check(&path, self.read(&path), RefRecord::parse);
            let Some(record) = self.accepted(read) else {
                if let Some(ends) = ends.as_deref_mut() {
                    ends.unreadable(&path);
                }
                continue;
            };
            self.findings.extend(path_safety::other_identity(tree, &path, &record));
            self.findings.extend(sort_order::check(&path, &record));
            if let Some(ends) = ends.as_deref_mut() {
                ends.file(&path);
                for source in &record.sources {
                    ends.source(&record.kind, &record.id, source);
                }
            }
        }
    }

    /// The ledger, which is all that its folder holds.
    fn ledger(&mut self, tree: &Tree) {
        let ledger = tree.ledger();
        let folder = join(tree.folder(), "index");
        for entry in self.list(&folder) {
            let path = join(&folder, &entry.name);
            if path != ledger {
                self.misplaced(&path);
                continue;
            }
            let content = if entry.kind == EntryKind::File { self.read(&path) } else { Err(HomeError::NotAFile) };
            let judged = ledger::check(&path, content);
            self.findings.extend(judged);
        }
    }
}
