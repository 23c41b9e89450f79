//! Triplet records and reference records, and how they are stored.
//!
//! Spec: Kernel v1 Requirements Pack, Law 5. Which texts are such records is the law kernel/record-shape.

use std::collections::BTreeMap;

use crate::canon::compose;
use crate::digest::Digest;

use super::token::{Stem, TurnId};

/// What every record says of itself.
pub(crate) const VERSION: &str = "lsi/v1";

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

/// Names of the members of a triplet record, in the order of Law 5.
pub(crate) const TRIPLET_MEMBERS: [&str; 6] =
    ["stem", "body_digest", "links_digest", "manifest_digest", "updated_at_turn", "lsi_version"];

impl TripletRecord {
    /// The record as it is stored.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let members: Vec<_> = TRIPLET_MEMBERS.into_iter().zip(self.values()).collect();
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

/// Names of the members of a source, in the order of Law 5.
pub(crate) const SOURCE_MEMBERS: [&str; 4] = ["stem", "location", "relationship", "artifact_digest"];

impl RefRecord {
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
    /// The source as it stands in its record.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let members: Vec<_> = SOURCE_MEMBERS.into_iter().zip(self.values()).collect();
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
pub(crate) fn hex(digest: Digest) -> Vec<u8> {
    compose::string(&digest.to_hex())
}

/// Records by stem.
pub(crate) type Records = BTreeMap<Stem, TripletRecord>;

/// Sources by the type and id that they point at.
pub(crate) type Sources = BTreeMap<(String, String), Vec<Source>>;
