//! Staging a triplet: its objects, its record and its references, in the turn's own folder.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.1 and Spec-002, 3; rulings KE-32, KE-33, KE-34. No stage runs here.
//! Everything that can be refused is, before the first byte is written. The record comes last, so that a record that is
//! there has its objects.

use std::collections::BTreeMap;

use crate::canon::CanonicalBytes;
use crate::files::{HomeFiles, HomeReader};
use crate::json::{Dialect, Document, JsonPointer};

use super::canonical_form::canonical;
use super::fortress::StagingWriter;
use super::home::{Stop, corrupt, load};
use super::issue::Issue;
use super::layout::Tree;
use super::path_safety::{Stem, Turn};
use super::record_shape::{RefRecord, Source, TripletRecord};
use super::reference::{Reference, references};
use super::sort_order;

/// A triplet that can be staged.
#[derive(Clone, Debug)]
pub struct Triplet {
    stem: Stem,
    body: CanonicalBytes,
    links: CanonicalBytes,
    manifest: CanonicalBytes,
    references: Vec<Reference>,
}

impl Triplet {
    /// Takes the JSON texts of the three members of a triplet, which are objects.
    ///
    /// # Errors
    /// If one has no canonical form, or a reference could not be indexed; the location lies below `/body`, `/links` or
    /// `/manifest`.
    pub fn new(stem: Stem, body: &[u8], links: &[u8], manifest: &[u8]) -> Result<Self, Issue> {
        let member = |name, text| canonical(text, &JsonPointer::root().member(name));
        let body = member("body", body)?;
        let links = member("links", links)?;
        let manifest = member("manifest", manifest)?;
        let references = match Document::parse(links.as_slice(), &Dialect::STRICT) {
            Ok(document) => references(document.root())?,
            // Canonical bytes are a document.
            Err(_) => Vec::new(),
        };
        Ok(Self { stem, body, links, manifest, references })
    }

    /// Its name.
    #[must_use]
    pub fn stem(&self) -> &Stem {
        &self.stem
    }

    /// Canonical bytes of its body.
    pub(super) fn body(&self) -> &[u8] {
        self.body.as_slice()
    }

    /// What it points at.
    #[must_use]
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// Its record as a turn stages it.
    #[must_use]
    pub fn record(&self, turn: &Turn) -> TripletRecord {
        TripletRecord {
            stem: self.stem.clone(),
            body: self.body.digest(),
            links: self.links.digest(),
            manifest: self.manifest.digest(),
            updated_at_turn: turn.id,
        }
    }
}

/// Stages a triplet; an earlier version of its stem in the same turn makes way.
///
/// # Errors
/// If a reference record of the turn's staging is corrupt, and nothing is written then; or if the home does not do it.
pub(super) fn stage_triplet(home: &mut dyn HomeFiles, turn: &Turn, triplet: &Triplet) -> Result<TripletRecord, Stop> {
    let record = triplet.record(turn);
    let sources = sources(&record, &triplet.references);
    let indexed = indexed(home, &Tree::staged(turn), sources)?;
    let mut staging = StagingWriter::new(home, turn);
    for bytes in [&triplet.body, &triplet.links, &triplet.manifest] {
        staging.object(bytes.digest(), bytes.as_slice())?;
    }
    for reference in &indexed {
        staging.reference(reference)?;
    }
    staging.triplet(&record)?;
    Ok(record)
}

/// Whether a triplet could be staged: the same refusals, and nothing is written.
pub(super) fn stageable(home: &dyn HomeReader, turn: &Turn, triplet: &Triplet) -> Result<(), Stop> {
    indexed(home, &Tree::staged(turn), sources(&triplet.record(turn), &triplet.references)).map(drop)
}

/// Sources by the type and id that they point at.
pub(super) type Sources = BTreeMap<(String, String), Vec<Source>>;

/// The sources that a record's references are.
pub(super) fn sources(record: &TripletRecord, references: &[Reference]) -> Sources {
    let mut sources = Sources::new();
    for reference in references {
        let source = Source {
            stem: record.stem.to_string(),
            location: reference.location.to_string(),
            relationship: reference.relationship.clone(),
            artifact_digest: record.links,
        };
        sources.entry((reference.kind.clone(), reference.id.clone())).or_default().push(source);
    }
    sources
}

/// The reference records of a staging as they are with these sources of one stem in place of its old ones.
fn indexed(home: &dyn HomeReader, tree: &Tree, sources: Sources) -> Result<Vec<RefRecord>, Stop> {
    let with = |((kind, id), mut added): ((String, String), Vec<Source>)| {
        let path = tree.reference(&kind, &id);
        let stored = load(home, &path, RefRecord::parse)?;
        let mut record = match stored {
            Some(stored) if (&stored.kind, &stored.id) != (&kind, &id) => return Err(corrupt(&path).into()),
            Some(stored) => stored,
            None => RefRecord { kind, id, sources: Vec::new() },
        };
        record.sources.retain(|old| added.first().is_none_or(|new| new.stem != old.stem));
        record.sources.append(&mut added);
        sort_order::sort(&mut record.sources);
        Ok(record)
    };
    sources.into_iter().map(with).collect()
}
