//! Triplet records and reference records: their members, read strictly and written canonically.
//!
//! Spec: Kernel v1 Requirements Pack, Law 5; rulings KE-8, KE-19, KE-30. A record that reads is of the right shape;
//! whether it belongs where it was found, and whether its objects are there, is asked elsewhere.

use crate::canon::compose;
use crate::digest::Digest;
use crate::json::{Dialect, Document, JsonPointer, Kind, NodeRef};

use super::member::{Misfit, Object};
use super::path_safety::{Stem, TurnId};

/// What every record says of itself.
pub(super) const VERSION: &str = "lsi/v1";

/// What a triplet is, in digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TripletRecord {
    /// Its name.
    pub stem: Stem,
    /// Its body.
    pub body: Digest,
    /// Its links.
    pub links: Digest,
    /// Its manifest.
    pub manifest: Digest,
    /// The turn that staged it.
    pub updated_at_turn: TurnId,
}

const TRIPLET: [&str; 6] = ["stem", "body_digest", "links_digest", "manifest_digest", "updated_at_turn", "lsi_version"];

impl TripletRecord {
    /// Reads a record. A member `dto_type`, which the public implementation adds, is passed over.
    ///
    /// # Errors
    /// If it is not JSON, or not of this shape; the pointer names the member.
    pub fn parse(text: &[u8]) -> Result<Self, Misfit> {
        let document = parsed(text)?;
        let record = Object::closed(document.root(), JsonPointer::root(), &TRIPLET, &["dto_type"])?;
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

    /// The record as it is stored.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let members: Vec<_> = TRIPLET.into_iter().zip(self.values()).collect();
        compose::object(&members)
    }

    /// The six values in the order of Law 5, each as canonical JSON.
    #[must_use]
    pub fn values(&self) -> [Vec<u8>; 6] {
        let [stem, turn, version] =
            [self.stem.as_str(), &self.updated_at_turn.to_string(), VERSION].map(compose::string);
        let [body, links, manifest] = [self.body, self.links, self.manifest].map(hex);
        [stem, body, links, manifest, turn, version]
    }

    /// Its three digests by name.
    #[must_use]
    pub fn digests(&self) -> [(&'static str, Digest); 3] {
        [("body_digest", self.body), ("links_digest", self.links), ("manifest_digest", self.manifest)]
    }
}

/// Everything that points at one identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefRecord {
    /// The type that is pointed at.
    pub kind: String,
    /// The id that is pointed at.
    pub id: String,
    /// Where it is pointed at from, in stored order.
    pub sources: Vec<Source>,
}

/// One reference, seen from its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The triplet that holds it.
    pub stem: String,
    /// Where it stands in that triplet.
    pub location: String,
    /// What it says of itself.
    pub relationship: Option<String>,
    /// The links object that holds it.
    pub artifact_digest: Digest,
}

const SOURCE: [&str; 4] = ["stem", "location", "relationship", "artifact_digest"];

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

    /// The record as it is stored.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        compose::object(&[
            ("lsi_version", compose::string(VERSION)),
            ("type", compose::string(&self.kind)),
            ("id", compose::string(&self.id)),
            ("sources", compose::array(self.sources.iter().map(Source::canonical))),
        ])
    }
}

impl Source {
    fn read(node: NodeRef<'_>, place: JsonPointer) -> Result<Self, Misfit> {
        let source = Object::closed(node, place, &SOURCE, &[])?;
        let relationship = source.member("relationship")?;
        Ok(Self {
            stem: source.text("stem")?,
            location: source.text("location")?,
            relationship: if relationship.kind() == Kind::Null { None } else { Some(source.text("relationship")?) },
            artifact_digest: digest(&source, "artifact_digest")?,
        })
    }

    /// The source as it stands in its record.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let members: Vec<_> = SOURCE.into_iter().zip(self.values()).collect();
        compose::object(&members)
    }

    /// The four values in the order of Law 5, each as canonical JSON.
    #[must_use]
    pub fn values(&self) -> [Vec<u8>; 4] {
        let relationship = self.relationship.as_deref().map_or_else(|| b"null".to_vec(), compose::string);
        [compose::string(&self.stem), compose::string(&self.location), relationship, hex(self.artifact_digest)]
    }
}

/// A digest as canonical JSON.
pub(super) fn hex(digest: Digest) -> Vec<u8> {
    compose::string(&digest.to_hex())
}

/// A record's text as a document.
pub(super) fn parsed(text: &[u8]) -> Result<Document<'_>, Misfit> {
    Document::parse(text, &Dialect::STRICT).map_err(|error| Misfit::new(JsonPointer::root(), error.to_string()))
}

/// Checks a record's `lsi_version`.
pub(super) fn versioned(record: &Object<'_>) -> Result<(), Misfit> {
    if record.string("lsi_version")? == VERSION { Ok(()) } else { Err(record.misfit("lsi_version", "not lsi/v1")) }
}

fn digest(record: &Object<'_>, name: &str) -> Result<Digest, Misfit> {
    Digest::from_hex(record.string(name)?.as_bytes()).ok_or_else(|| record.misfit(name, "no digest"))
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
