//! kernel/deletion: deletion is staged: a tombstone for each stem, which promotion carries out.
//!
//! Spec: Kernel v1 Requirements Pack, Law 6; rulings KE-14, KE-25, KE-41. Objects stay, and so do references to what is
//! deleted.

use std::collections::BTreeSet;

use crate::canon::compose;
use crate::files::{HomeFiles, HomeReader};
use crate::json::JsonPointer;
use crate::kernel::laws::fortress::StagingWriter;
use crate::kernel::laws::link_visibility::identity;
use crate::kernel::laws::object_digest::object;
use crate::kernel::laws::record_shape::{load, parsed};
use crate::kernel::model::home::{Found, Stop, find};
use crate::kernel::model::issue::{Issue, Issues, Stage};
use crate::kernel::model::layout::{TOMBSTONE, Tree};
use crate::kernel::model::member::{Misfit, Object};
use crate::kernel::model::record::{Records, TripletRecord};
use crate::kernel::model::token::{Stem, Turn};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/deletion");

/// What stands for a type or an id that nobody knows.
const UNKNOWN: &str = "unknown";

const MEMBERS: [&str; 5] = ["kind", "stem", "dto_type", "id", "deleted_by_turn_id"];

/// Stages the deletion of stems.
///
/// # Errors
/// If the record of such a stem is corrupt, and nothing is written then; or if the home does not do it.
pub(crate) fn stage_deletions(home: &mut dyn HomeFiles, turn: &Turn, stems: &[Stem]) -> Result<(), Stop> {
    let with_identity = |stem| Ok((stem, deleted_identity(home, turn, stem)?));
    let identified: Vec<_> = stems.iter().map(with_identity).collect::<Result<_, Stop>>()?;
    let mut staging = StagingWriter::new(home, turn);
    for (stem, (dto_type, id)) in identified {
        staging.tombstone(stem, &tombstone(stem, &dto_type, &id, turn))?;
    }
    Ok(())
}

/// The identity that goes with a stem: of its committed body, else of its staged one.
fn deleted_identity(home: &dyn HomeReader, turn: &Turn, stem: &Stem) -> Result<(String, String), Stop> {
    for tree in [Tree::committed(), Tree::staged(turn)] {
        let Some(record) = load(home, &tree.triplet(stem), TripletRecord::parse)? else { continue };
        let Some(body) = object(home, &tree, record.body)? else { continue };
        // A tombstone holds no empty text.
        let known = |text: String| if text.is_empty() { UNKNOWN.to_owned() } else { text };
        return Ok(identity(&body).map_or_else(unknown, |(dto_type, id)| (known(dto_type), known(id))));
    }
    Ok(unknown())
}

fn unknown() -> (String, String) {
    (UNKNOWN.to_owned(), UNKNOWN.to_owned())
}

fn tombstone(stem: &Stem, dto_type: &str, id: &str, turn: &Turn) -> Vec<u8> {
    let values = ["tombstone", stem.as_str(), dto_type, id, &turn.id.to_string()].map(compose::string);
    let members: Vec<_> = MEMBERS.into_iter().zip(values).collect();
    compose::object(&members)
}

/// Refuses the tombstones of a turn's staging if one of them is bad.
pub(crate) fn check(home: &dyn HomeReader, turn: &Turn, tombstones: &BTreeSet<Stem>) -> Result<(), Stop> {
    let bad: Result<Vec<_>, _> = tombstones.iter().map(|stem| judge(home, turn, stem)).collect();
    let bad: Vec<_> = bad?.into_iter().flatten().collect();
    if bad.is_empty() { Ok(()) } else { Err(Stop::Refused(Issues::sorted(bad))) }
}

/// The records that a turn creates, and the stems that it deletes: creation wins over deletion.
pub(crate) fn effective(records: Records, tombstones: BTreeSet<Stem>) -> (Records, BTreeSet<Stem>) {
    let (created, mut deleted) = (records, tombstones);
    deleted.retain(|stem| !created.contains_key(stem));
    (created, deleted)
}

/// Judges the tombstone of a stem in a turn's staging: shape, then stem, then turn.
fn judge(home: &dyn HomeReader, turn: &Turn, stem: &Stem) -> Result<Option<Issue>, Stop> {
    let file = JsonPointer::from_text("/index/staging/triplets").member(&format!("{stem}{TOMBSTONE}"));
    let invalid = |place| Issue::fail(Stage::Promotion, "E_TOMBSTONE_INVALID", place);
    let Found::Bytes(bytes) = find(home, &Tree::staged(turn).tombstone(stem))? else {
        return Ok(Some(invalid(file)));
    };
    let Ok([spelled, deleted_by]) = read(&bytes) else {
        return Ok(Some(invalid(file)));
    };
    if Stem::parse(&spelled).is_none_or(|spelled| spelled != *stem) {
        return Ok(Some(Issue::fail(Stage::Promotion, "E_TOMBSTONE_STEM_MISMATCH", file.member("stem"))));
    }
    Ok((deleted_by != turn.id.to_string()).then(|| invalid(file.member("deleted_by_turn_id"))))
}

/// Stem and turn of a tombstone of the right shape.
fn read(text: &[u8]) -> Result<[String; 2], Misfit> {
    let document = parsed(text)?;
    let tombstone = Object::closed(document.root(), JsonPointer::root(), &MEMBERS, &[])?;
    for name in MEMBERS {
        if tombstone.text(name)?.is_empty() {
            return Err(tombstone.misfit(name, "an empty text"));
        }
    }
    if tombstone.string("kind")? != "tombstone" {
        return Err(tombstone.misfit("kind", "no tombstone"));
    }
    Ok([tombstone.text("stem")?, tombstone.text("deleted_by_turn_id")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"kind":"tombstone","stem":"a","dto_type":"t","id":"i","deleted_by_turn_id":"turn-0001"}"#;

    #[test]
    fn a_tombstone_is_five_texts() {
        assert_eq!(read(GOOD.as_bytes()), Ok(["a".to_owned(), "turn-0001".to_owned()]));
        for (from, to) in [
            ("{", ""),
            ("\"kind\"", "\"more\":1,\"kind\""),
            ("\"kind\":\"tombstone\",", ""),
            ("\"tombstone\"", "\"stone\""),
            ("\"t\"", "\"\""),
            ("\"i\"", "1"),
            ("\"i\"", "null"),
            ("\"stem\":\"a\"", "\"stem\":\"a\",\"stem\":\"a\""),
        ] {
            assert!(read(GOOD.replacen(from, to, 1).as_bytes()).is_err(), "{from} to {to}");
        }
    }
}
