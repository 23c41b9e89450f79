//! One tree: objects, triplet records, reference records, and in committed the ledger.

use super::super::layout::Tree;
use super::super::ledger::Ledger;
use super::super::path_safety::{RECORD, Stem, TOMBSTONE};
use super::super::record_shape::{RefRecord, Source, TripletRecord};
use super::super::reference::references;
use super::super::snapshot::{Found, LARGEST, Walk, What, join};
use super::super::{Misfit, sort_order};
use super::{Audit, Ties};
use crate::canon::{Profile, canonicalize};
use crate::digest::Digest;
use crate::files::{EntryKind, HomeError};
use crate::json::{Dialect, Document};
use crate::law::Law;

impl Audit<'_> {
    /// `ties` are kept of the committed tree alone: a turn may have staged a stem twice, and its earlier sources are stale.
    pub(super) fn tree(&mut self, tree: &Tree, mut ties: Option<&mut Ties>) {
        for entry in self.list(tree.folder()) {
            let path = join(tree.folder(), &entry.name);
            match (entry.name.as_str(), entry.kind) {
                ("objects", EntryKind::Folder) => self.objects(tree),
                ("triplets", EntryKind::Folder) => self.triplets(tree, ties.as_deref_mut()),
                ("refs", EntryKind::Folder) => {
                    for name in self.folders(&path) {
                        let path = join(&path, &name);
                        if path == tree.references() {
                            self.references(tree, ties.as_deref_mut());
                        } else {
                            self.misplaced(&path);
                        }
                    }
                }
                ("index", EntryKind::Folder) if ties.is_some() => self.ledger(tree),
                _ => self.misplaced(&path),
            }
        }
    }

    /// The path of a regular file, told from the folder that is gone through.
    fn file(&mut self, found: Found) -> Option<String> {
        match found.what {
            What::File => Some(found.path),
            What::Folder => None,
            What::Other => {
                self.misplaced(&found.path);
                None
            }
            What::Unlisted(why) => {
                self.unreadable(Law::KernelPathSafety, &found.path, why);
                None
            }
        }
    }

    /// Reads a record; what cannot be read is none of its kind.
    fn record<R>(&mut self, path: &str, parse: impl FnOnce(&[u8]) -> Result<R, Misfit>, law: Law) -> Option<R> {
        if let Err(why) = self.home.read(path, LARGEST, &mut self.bytes) {
            self.unreadable(law, path, why);
            return None;
        }
        match parse(&self.bytes) {
            Ok(record) => Some(record),
            Err(misfit) if misfit.pointer.is_root() => {
                self.find(law, path, misfit.message);
                None
            }
            Err(misfit) => {
                self.find(law, path, format!("{}: {}", misfit.pointer, misfit.message));
                None
            }
        }
    }

    fn objects(&mut self, tree: &Tree) {
        const LAW: Law = Law::KernelObjectDigest;
        for found in Walk::from(self.home, &tree.objects()) {
            let Some(path) = self.file(found) else { continue };
            let named = path.rsplit('/').next().and_then(|name| Digest::from_hex(name.as_bytes()));
            let Some(named) = named.filter(|named| tree.object(*named) == path) else {
                self.misplaced(&path);
                continue;
            };
            if let Err(why) = self.home.read(&path, LARGEST, &mut self.bytes) {
                self.unreadable(LAW, &path, why);
            } else if Digest::of(&self.bytes) != named {
                self.find(LAW, &path, "its content has another digest than its name");
            } else if !canonicalize(Profile::Sovereign, &self.bytes).is_ok_and(|own| own.as_slice() == self.bytes) {
                self.find(LAW, &path, "its content is not canonical");
            }
        }
    }

    fn triplets(&mut self, tree: &Tree, mut ties: Option<&mut Ties>) {
        for found in Walk::from(self.home, &tree.triplets()) {
            let Some(path) = self.file(found) else { continue };
            let name = path.strip_prefix(&tree.triplets()).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&path);
            let deleted = name.strip_suffix(TOMBSTONE).and_then(Stem::normal);
            if ties.is_none() && deleted.is_some() {
                continue;
            }
            let Some(stem) = name.strip_suffix(RECORD).and_then(Stem::normal) else {
                self.misplaced(&path);
                continue;
            };
            let Some(record) = self.record(&path, TripletRecord::parse, Law::KernelRecordShape) else {
                if let Some(ties) = ties.as_deref_mut() {
                    ties.untold(stem.as_str());
                }
                continue;
            };
            if record.stem != stem {
                self.find(Law::KernelPathSafety, &path, format!("it is the record of {}", record.stem));
            }
            let absent = record.digests().into_iter().filter(|(_, digest)| self.object(tree, *digest).is_none());
            let absent: Vec<_> = absent.map(|(member, _)| member).collect();
            for member in absent {
                self.find(Law::KernelObjectDigest, &path, format!("its {member} names no object"));
            }
            if let Some(ties) = ties.as_deref_mut() {
                self.links(tree, &path, &record, ties);
            }
        }
    }

    /// The file of an object; a turn need not stage again what is committed.
    fn object(&self, tree: &Tree, digest: Digest) -> Option<String> {
        let places = [tree.object(digest), Tree::committed().object(digest)];
        places.into_iter().find(|path| matches!(self.home.kind(path), Ok(Some(EntryKind::File))))
    }

    /// The references of a committed record; what is wrong with the object itself is found where it lies.
    fn links(&mut self, tree: &Tree, path: &str, record: &TripletRecord, ties: &mut Ties) {
        let object = tree.object(record.links);
        let read = self.home.read(&object, LARGEST, &mut self.bytes);
        let sound = read.is_ok() && Digest::of(&self.bytes) == record.links;
        let links = Document::parse(&self.bytes, &Dialect::STRICT).ok().filter(|_| sound);
        let Some(links) = links else {
            return ties.untold(record.stem.as_str());
        };
        let held = if links.root().is_object() { references(links.root()).ok() } else { None };
        let Some(held) = held else {
            ties.untold(record.stem.as_str());
            return self.find(
                Law::KernelRecordShape,
                path,
                "its links are no object of references that have file names",
            );
        };
        ties.file(path);
        for one in held {
            let source = Source {
                stem: record.stem.as_str().to_owned(),
                location: one.location.as_str().to_owned(),
                relationship: one.relationship,
                artifact_digest: record.links,
            };
            ties.link(&one.kind, &one.id, &source, &tree.reference(&one.kind, &one.id));
        }
    }

    fn references(&mut self, tree: &Tree, mut ties: Option<&mut Ties>) {
        for found in Walk::from(self.home, &tree.references()) {
            let Some(path) = self.file(found) else { continue };
            let below = path.strip_prefix(&tree.references()).unwrap_or(&path);
            if below.matches('/').count() != 2 || !below.ends_with(RECORD) {
                self.misplaced(&path);
                continue;
            }
            let Some(record) = self.record(&path, RefRecord::parse, Law::KernelRecordShape) else {
                if let Some(ties) = ties.as_deref_mut() {
                    ties.untold(&path);
                }
                continue;
            };
            if tree.reference(&record.kind, &record.id) != path {
                let message = format!("it is the record of {}:{}", record.kind, record.id);
                self.find(Law::KernelPathSafety, &path, message);
            }
            if !record.sources.is_sorted_by(|a, b| sort_order::key(a) <= sort_order::key(b)) {
                self.find(Law::KernelSortOrder, &path, "its sources are not sorted");
            }
            if let Some(ties) = ties.as_deref_mut() {
                ties.file(&path);
                for source in &record.sources {
                    ties.source(&record.kind, &record.id, source);
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
            } else if entry.kind != EntryKind::File {
                self.unreadable(Law::KernelLedger, &path, HomeError::NotAFile);
            } else {
                self.record(&path, Ledger::parse, Law::KernelLedger);
            }
        }
    }
}
