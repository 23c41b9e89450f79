//! kernel/link-visibility: a reference resolves if a body that the turn sees carries its identity: its own, another of its
//! staging, or a committed one.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.3 and Spec-002, 4; rulings KE-6, KE-7, KE-36, KE-44. Identities are
//! compared exactly. A pass promises nothing about turns that are promoted later.

use std::collections::BTreeSet;

use crate::digest::Digest;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};

use crate::canon::compose;
use crate::kernel::laws::object_digest::object;
use crate::kernel::laws::path_safety;
use crate::kernel::laws::record_shape::{corrupt, intact, parsed};
use crate::kernel::laws::shadowing::Surviving;
use crate::kernel::model::home::{Found, HomeFailure, Stop, find};
use crate::kernel::model::issue::{Details, Issue, Issues, Stage};
use crate::kernel::model::known::{KnownHome, KnownTriplets};
use crate::kernel::model::layout::Tree;
use crate::kernel::model::record::TripletRecord;
use crate::kernel::model::reference::Reference;
use crate::kernel::model::token::{Stem, Turn};
use crate::kernel::model::triplets::Identity;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/link-visibility");

const ORPHAN: &str = "E_LSI_ORPHAN_REFERENCE";

/// Checks the links of a staged triplet against everything that its turn sees. Writes nothing.
///
/// # Errors
/// If a record that has to be read is corrupt, or the home does not let it be read. A reference without target is not
/// an error: it is among the issues.
pub(crate) fn validate_links(home: &mut KnownHome<'_>, turn: &Turn, stem: &Stem) -> Result<Issues, Stop> {
    let tree = Tree::staged(turn);
    let path = tree.triplet(stem);
    let record = match find(home, &path)? {
        Found::Absent => return Ok(Issue::fail(Stage::Lsi, ORPHAN, JsonPointer::from_text("/ci/schema")).into()),
        Found::Unusable => return Err(corrupt(&path).into()),
        Found::Bytes(bytes) => own_record(&bytes, stem, &path)?,
    };
    let unusable = || damaged("/links");
    let links = object(home, &tree, record.links)?.ok_or_else(unusable)?;
    let links = Document::parse(&links, &Dialect::STRICT).map_err(|_| unusable())?;
    if !links.root().is_object() {
        return Err(unusable().into());
    }
    let references = path_safety::references(links.root())?;
    if references.is_empty() {
        return Ok(Issues::default());
    }
    let seen = Surviving::read(home, Some(turn))?;
    intact(seen.corrupt())?;
    let mut missing = Missing::of(&references);
    missing.look(home, turn, &seen)?;
    Ok(missing.orphans(&references))
}

/// The same for body and references of a triplet that is about to be staged; `seen` is what its turn sees, its record included.
pub(crate) fn validate_candidate(
    home: &mut KnownHome<'_>,
    turn: &Turn,
    body: &[u8],
    references: &[Reference],
    seen: &Surviving,
) -> Result<Issues, Stop> {
    if references.is_empty() {
        return Ok(Issues::default());
    }
    intact(seen.corrupt())?;
    let mut missing = Missing::of(references);
    missing.body(body);
    missing.look(home, turn, seen)?;
    Ok(missing.orphans(references))
}

/// Reads the record whose links are asked about; what is wrong with it says where to look.
fn own_record(bytes: &[u8], stem: &Stem, path: &str) -> Result<TripletRecord, Issue> {
    let document = parsed(bytes).map_err(|_| corrupt(path))?;
    let root = document.root();
    let named = root.get("links_digest").and_then(NodeRef::as_string).filter(|name| *name != "");
    match named {
        None if root.is_object() => return Err(damaged("/manifest")),
        // No object has such a name.
        Some(name) if Digest::from_hex(name.as_bytes()).is_none() => return Err(damaged("/links")),
        _ => {}
    }
    TripletRecord::parse(bytes).ok().filter(|record| record.stem == *stem).ok_or_else(|| corrupt(path))
}

fn damaged(place: &str) -> Issue {
    Issue::fail(Stage::Lsi, "E_LSI_CORRUPT_RECORD", JsonPointer::from_text(place))
}

/// Targets of references that no body has been found to carry yet.
#[derive(Debug)]
struct Missing {
    targets: BTreeSet<Identity>,
}

impl Missing {
    fn of(references: &[Reference]) -> Self {
        Self { targets: references.iter().map(target).collect() }
    }

    /// Looks through the bodies that a turn sees, its own first, until nothing is missing.
    fn look(&mut self, home: &mut KnownHome<'_>, turn: &Turn, seen: &Surviving) -> Result<(), HomeFailure> {
        self.look_into(home, &Tree::staged(turn), |stem| seen.hides_staged(stem))?;
        self.look_into(home, &Tree::committed(), |stem| seen.hides(stem))
    }

    /// Looks through the bodies of a tree that are not hidden. What each of them carries stays known.
    fn look_into(
        &mut self,
        home: &mut KnownHome<'_>,
        tree: &Tree,
        hidden: impl Fn(&str) -> bool,
    ) -> Result<(), HomeFailure> {
        let mut known = home.take(tree);
        let looked = known.triplets.as_mut().map_or(Ok(()), |triplets| {
            let KnownTriplets { all, bodies, .. } = triplets;
            self.targets.retain(|target| bodies.carriers(target).all(|stem| hidden(stem.as_str())));
            let mut passed_over = Vec::new();
            while !self.targets.is_empty()
                && let Some(stem) = bodies.unread.pop_first()
            {
                let Some(record) = all.records.get(&stem) else { continue };
                let hidden = hidden(stem.as_str());
                match object(home, tree, record.body) {
                    Ok(Some(body)) => {
                        let Some(identity) = identity(&body) else { continue };
                        if !hidden {
                            self.found(&identity);
                        }
                        bodies.carries(stem, &identity);
                    }
                    // A body that is not there creates nothing.
                    Ok(None) => bodies.is_absent(record.body),
                    // Nobody asked for a body that is hidden.
                    Err(_) if hidden => passed_over.push(stem),
                    Err(failure) => return Err(failure),
                }
            }
            bodies.unread.extend(passed_over);
            Ok(())
        });
        if looked.is_ok() {
            home.put(tree, known);
        }
        looked
    }

    fn body(&mut self, body: &[u8]) {
        if let Some(identity) = identity(body) {
            self.found(&identity);
        }
    }

    fn found(&mut self, identity: &Identity) {
        self.targets.remove(identity);
    }

    fn orphans(&self, references: &[Reference]) -> Issues {
        let orphan = |reference: &&Reference| self.targets.contains(&target(reference));
        Issues::sorted(references.iter().filter(orphan).map(issue).collect())
    }
}

/// The identity that a reference points at.
fn target(reference: &Reference) -> Identity {
    (reference.kind.clone(), reference.id.clone())
}

fn issue(orphan: &Reference) -> Issue {
    let relationship = orphan.relationship.as_deref().map_or_else(|| b"null".to_vec(), compose::string);
    let details = Details::of(&[
        ("type", compose::string(&orphan.kind)),
        ("id", compose::string(&orphan.id)),
        ("relationship", relationship),
    ]);
    Issue::fail(Stage::Lsi, ORPHAN, orphan.location.member("id")).with_details(details)
}

/// The identity that a body creates: its own dto_type and id, if both are texts.
pub(crate) fn identity(body: &[u8]) -> Option<Identity> {
    let document = Document::parse(body, &Dialect::STRICT).ok()?;
    let text = |name| document.root().get(name)?.as_string()?.to_str().map(str::to_owned);
    Some((text("dto_type")?, text("id")?))
}
