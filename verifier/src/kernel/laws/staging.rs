//! kernel/staging: staging a triplet: its objects, its record and its references, in the turn's own folder.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.1 and Spec-002, 3; rulings KE-32, KE-33, KE-34. No stage runs here.
//! Everything that can be refused is, before the first byte is written. The record comes last, so that a record that is
//! there has its objects.

use crate::canon::CanonicalBytes;
use crate::files::{HomeFiles, HomeReader};
use crate::json::{Dialect, Document, JsonPointer};
use crate::kernel::laws::canonical_form::canonical;
use crate::kernel::laws::fortress::StagingWriter;
use crate::kernel::laws::path_safety;
use crate::kernel::laws::record_shape;
use crate::kernel::laws::sort_order;
use crate::kernel::model::home::Stop;
use crate::kernel::model::issue::Issue;
use crate::kernel::model::layout::Tree;
use crate::kernel::model::record::{RefRecord, Source, Sources, TripletRecord};
use crate::kernel::model::reference::Reference;
use crate::kernel::model::token::{Stem, Turn};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/staging");

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
            Ok(document) => path_safety::references(document.root())?,
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
    pub(crate) fn body(&self) -> &[u8] {
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
pub(crate) fn stage_triplet(home: &mut dyn HomeFiles, turn: &Turn, triplet: &Triplet) -> Result<TripletRecord, Stop> {
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
pub(crate) fn stageable(home: &dyn HomeReader, turn: &Turn, triplet: &Triplet) -> Result<(), Stop> {
    indexed(home, &Tree::staged(turn), sources(&triplet.record(turn), &triplet.references)).map(drop)
}

/// The sources that a record's references are.
pub(crate) fn sources(record: &TripletRecord, references: &[Reference]) -> Sources {
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
        let stored = record_shape::references(home, tree, &kind, &id)?;
        let mut record = stored.unwrap_or_else(|| RefRecord { kind, id, sources: Vec::new() });
        record.sources.retain(|old| added.first().is_none_or(|new| new.stem != old.stem));
        record.sources.append(&mut added);
        sort_order::sort(&mut record.sources);
        Ok(record)
    };
    sources.into_iter().map(with).collect()
}
