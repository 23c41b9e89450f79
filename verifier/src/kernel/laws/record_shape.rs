//! kernel/record-shape: triplet records and reference records have their members and no others, and are read strictly.
//!
//! Spec: Kernel v1 Requirements Pack, Law 5; rulings KE-8, KE-19, KE-30. A record that reads is of the right shape;
//! whether its objects are there is asked elsewhere. The kernel refuses to go on with a record that does not read, or is
//! another's.

use super::path_safety;
use crate::digest::Digest;
use crate::files::{HomeError, HomeReader};
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, Kind, NodeRef};
use crate::kernel::model::home::{Found, Stop, find, unreadable};
use crate::kernel::model::issue::{Issue, Issues, Stage};
use crate::kernel::model::layout::{Tree, location};
use crate::kernel::model::member::{Misfit, Object};
use crate::kernel::model::record::{RefRecord, SOURCE_MEMBERS, Source, TRIPLET_MEMBERS, TripletRecord, VERSION};
use crate::kernel::model::reference::Reference;
use crate::kernel::model::token::{Stem, TurnId};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/record-shape");

impl TripletRecord {
    /// Reads a record. A member `dto_type`, which the public implementation adds, is passed over.
    ///
    /// # Errors
    /// If it is not JSON, or not of this shape; the pointer names the member.
    pub fn parse(text: &[u8]) -> Result<Self, Misfit> {
        let document = parsed(text)?;
        let record = Object::closed(document.root(), JsonPointer::root(), &TRIPLET_MEMBERS, &["dto_type"])?;
        versioned(&record)?;
        let stem = Stem::normal(&record.text("stem")?).ok_or_else(|| record.misfit("stem", "no stem"))?;
        let turn = TurnId::parse(&record.text("updated_at_turn")?);
        Ok(Self {
            stem,
            body: digest(&record, "body_digest")?,
            links: digest(&record, "links_digest")?,
            manifest: digest(&record, "manifest_digest")?,
            updated_at_turn: turn.ok_or_else(|| record.misfit("updated_at_turn", "no turn id"))?,
        })
    }
}

impl RefRecord {
    /// Reads a record.
    ///
    /// # Errors
    /// If it is not JSON, or not of this shape; the pointer names the member.
    pub fn parse(text: &[u8]) -> Result<Self, Misfit> {
        let document = parsed(text)?;
        let root = document.root();
        let record = Object::closed(root, JsonPointer::root(), &["lsi_version", "type", "id", "sources"], &[])?;
        versioned(&record)?;
        let sources: Result<_, _> =
            record.elements("sources")?.map(|(node, place)| Source::read(node, place)).collect();
        Ok(Self { kind: record.text("type")?, id: record.text("id")?, sources: sources? })
    }
}

impl Source {
    fn read(node: NodeRef<'_>, place: JsonPointer) -> Result<Self, Misfit> {
        let source = Object::closed(node, place, &SOURCE_MEMBERS, &[])?;
        let relationship = source.member("relationship")?;
        Ok(Self {
            stem: source.text("stem")?,
            location: source.text("location")?,
            relationship: if relationship.kind() == Kind::Null { None } else { Some(source.text("relationship")?) },
            artifact_digest: digest(&source, "artifact_digest")?,
        })
    }
}

/// A record's text as a document.
pub(crate) fn parsed(text: &[u8]) -> Result<Document<'_>, Misfit> {
    Document::parse(text, &Dialect::STRICT).map_err(|error| Misfit::new(JsonPointer::root(), error.to_string()))
}

/// Checks a record's `lsi_version`.
pub(crate) fn versioned(record: &Object<'_>) -> Result<(), Misfit> {
    if record.string("lsi_version")? == VERSION { Ok(()) } else { Err(record.misfit("lsi_version", "not lsi/v1")) }
}

fn digest(record: &Object<'_>, name: &str) -> Result<Digest, Misfit> {
    Digest::from_hex(record.string(name)?.as_bytes()).ok_or_else(|| record.misfit(name, "no digest"))
}

/// The issue for a record that is not what it has to be.
pub(crate) fn corrupt(path: &str) -> Issue {
    Issue::fail(Stage::Lsi, "E_LSI_CORRUPT_RECORD", location(path))
}

/// Refuses to go on with records that cannot be read.
pub(crate) fn intact<'p>(unreadable: impl IntoIterator<Item = &'p String>) -> Result<(), Stop> {
    let unreadable: Vec<_> = unreadable.into_iter().map(|path| corrupt(path)).collect();
    if unreadable.is_empty() { Ok(()) } else { Err(Stop::Refused(Issues::sorted(unreadable))) }
}

/// Reads a record, if there is one; one of another shape is corrupt, at its path.
pub(crate) fn load<T>(
    home: &dyn HomeReader,
    path: &str,
    parse: impl FnOnce(&[u8]) -> Result<T, Misfit>,
) -> Result<Option<T>, Stop> {
    match find(home, path)? {
        Found::Absent => Ok(None),
        Found::Bytes(bytes) => parse(&bytes).map(Some).map_err(|_| corrupt(path).into()),
        Found::Unusable => Err(corrupt(path).into()),
    }
}

/// Reads the record of a stem, if there is one; that of another stem is corrupt in its place.
pub(crate) fn triplet(home: &dyn HomeReader, tree: &Tree, stem: &Stem) -> Result<Option<TripletRecord>, Stop> {
    let path = tree.triplet(stem);
    let record = load(home, &path, TripletRecord::parse)?;
    match record {
        Some(record) if record.stem != *stem => Err(corrupt(&path).into()),
        record => Ok(record),
    }
}

/// Reads the record of an identity, if there is one; that of another identity is corrupt in its place.
pub(crate) fn references(home: &dyn HomeReader, tree: &Tree, kind: &str, id: &str) -> Result<Option<RefRecord>, Stop> {
    let path = tree.reference(kind, id);
    let record = load(home, &path, RefRecord::parse)?;
    match record {
        Some(record) if (record.kind.as_str(), record.id.as_str()) != (kind, id) => Err(corrupt(&path).into()),
        record => Ok(record),
    }
}

/// Takes what was read of a file for a record.
pub(crate) fn check<R>(
    path: &str,
    content: Result<&[u8], HomeError>,
    parse: impl FnOnce(&[u8]) -> Result<R, Misfit>,
) -> Result<R, Finding> {
    let text = content.map_err(|why| found(path, unreadable(why)))?;
    parse(text).map_err(|misfit| found(path, misfit.sentence()))
}

/// Takes the links of a committed record for what they are: an object of references that have file names.
pub(crate) fn links(path: &str, links: NodeRef<'_>) -> Result<Vec<Reference>, Finding> {
    let held = if links.is_object() { path_safety::references(links).ok() } else { None };
    held.ok_or_else(|| found(path, "its links are not an object of references that have file names"))
}

fn found(path: &str, message: impl Into<String>) -> Finding {
    Finding::error(LAW, location(path), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

    fn triplet(change: impl Fn(&str) -> String) -> Result<TripletRecord, Misfit> {
        let text = format!(
            r#"{{"body_digest":"{EMPTY}","links_digest":"{EMPTY}","lsi_version":"lsi/v1","manifest_digest":"{EMPTY}","stem":"a/b","updated_at_turn":"turn-0001"}}"#
        );
        TripletRecord::parse(change(&text).as_bytes())
    }

    #[test]
    fn a_triplet_record_is_six_members_and_is_written_as_it_was_read() {
        let record = triplet(str::to_owned).expect("a record");
        assert_eq!(TripletRecord::parse(&record.canonical()), Ok(record.clone()));
        let with_type = triplet(|text| text.replace("\"stem\"", "\"dto_type\":null,\"stem\""));
        assert_eq!(with_type, Ok(record), "a seventh member dto_type is passed over");
    }

    #[test]
    fn records_of_another_shape_are_refused_where_they_differ() {
        for (from, to, pointer) in [
            ("{", "", ""),
            ("\"stem\"", "\"more\":1,\"stem\"", "/more"),
            ("\"stem\":\"a/b\",", "", "/stem"),
            ("\"stem\"", "\"stem\":\"a/b\",\"stem\"", "/stem"),
            ("a/b", "a/../b", "/stem"),
            ("a/b", "/a", "/stem"),
            ("lsi/v1", "lsi/v2", "/lsi_version"),
            ("turn-0001", "turn-1", "/updated_at_turn"),
            ("\"turn-0001\"", "1", "/updated_at_turn"),
            ("\"body_digest\":\"44", "\"body_digest\":\"4", "/body_digest"),
            ("\"links_digest\":\"44136fa", "\"links_digest\":\"44136FA", "/links_digest"),
        ] {
            let refused = triplet(|text| text.replacen(from, to, 1)).expect_err(to);
            assert_eq!(refused.pointer.as_str(), pointer, "{from} to {to}");
        }
    }

    #[test]
    fn a_reference_record_wraps_its_sources() {
        let source = format!(r#"{{"artifact_digest":"{EMPTY}","location":"/links/k","relationship":null,"stem":"a"}}"#);
        let text = format!(r#"{{"id":"i","lsi_version":"lsi/v1","sources":[{source}],"type":"t"}}"#);
        let record = RefRecord::parse(text.as_bytes()).expect("a record");
        assert_eq!(record.canonical(), text.as_bytes());
        for (from, to, pointer) in [
            ("\"relationship\":null,", "", "/sources/0/relationship"),
            ("null", "1", "/sources/0/relationship"),
            ("\"id\":\"i\"", "\"id\":1", "/id"),
            ("[{", "[[],{", "/sources/0"),
        ] {
            let refused = RefRecord::parse(text.replacen(from, to, 1).as_bytes()).expect_err(to);
            assert_eq!(refused.pointer.as_str(), pointer, "{from} to {to}");
        }
    }
}
