//! kernel/object-digest: every digest of a record names an object that holds the bytes with that hash.
//!
//! Spec: Kernel v1 Requirements Pack, Law 4 and Spec-002, 2; ruling KE-30. Objects are named by their content, so they
//! are written once and never removed.

use crate::canon::{Profile, canonicalize};
use crate::digest::Digest;
use crate::files::{EntryKind, HomeError, HomeReader};
use crate::finding::Finding;
use crate::kernel::model::home::{Found, HomeFailure, find, unreadable};
use crate::kernel::model::layout::{Tree, location};
use crate::kernel::model::record::TripletRecord;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/object-digest");

/// The bytes of an object, if they are there and their hash is its name.
pub(crate) fn object(home: &dyn HomeReader, tree: &Tree, digest: Digest) -> Result<Option<Vec<u8>>, HomeFailure> {
    match find(home, &tree.object(digest))? {
        Found::Bytes(bytes) if Digest::of(&bytes) == digest => Ok(Some(bytes)),
        Found::Bytes(_) | Found::Absent | Found::Unusable => Ok(None),
    }
}

/// What is wrong with an object, by its name and what was read of its file.
pub(crate) fn check(path: &str, named: Digest, content: Result<&[u8], HomeError>) -> Option<Finding> {
    let wrong = match content {
        Err(why) => unreadable(why),
        Ok(bytes) if Digest::of(bytes) != named => "its content has another digest than its name".to_owned(),
        Ok(bytes) if !canonicalize(Profile::Sovereign, bytes).is_ok_and(|own| own.as_slice() == bytes) => {
            "its content is not canonical".to_owned()
        }
        Ok(_) => return None,
    };
    Some(Finding::error(LAW, location(path), wrong))
}

/// The digests of a record that name no object, in its tree or in committed: a turn need not stage again what is committed.
pub(crate) fn absent(home: &dyn HomeReader, tree: &Tree, path: &str, record: &TripletRecord) -> Vec<Finding> {
    let stands = |digest| {
        let places = [tree.object(digest), Tree::committed().object(digest)];
        places.iter().any(|place| matches!(home.kind(place), Ok(Some(EntryKind::File))))
    };
    let absent = record.digests().into_iter().filter(|(_, digest)| !stands(*digest));
    absent.map(|(member, _)| Finding::error(LAW, location(path), format!("its {member} names no object"))).collect()
}
