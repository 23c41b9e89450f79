//! What stands beside the cases: flags, and the errata register.
//!
//! Contract: `contracts/interface/errata.schema.json`. Reading one says nothing about whether it
//! agrees with the cases: the lint does.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model::unique;

/// `contracts/errata.json`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Register {
    /// Where text and code part, or the text and itself.
    pub errata: Vec<Erratum>,
    /// Every row of the behaviour table.
    #[serde(deserialize_with = "unique")]
    pub rows: BTreeMap<String, Row>,
}

/// One place where a specification's text and its code part, or where the text contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// Its row of the behaviour table; in a system of one mode, its ruling.
    pub id: String,
    /// The system.
    pub system: String,
    /// The document.
    pub document: String,
    /// Places in it.
    pub sections: Vec<String>,
    /// What the text says.
    pub text: String,
    /// What the code does, or another text that the specification builds on.
    pub code: String,
    /// What Assize does, by mode; `law` alone in a system of one mode.
    pub ruling: BTreeMap<String, String>,
    /// Vectors that show it, by mode.
    pub vectors: BTreeMap<String, Vec<String>>,
    /// Why no vector can show it, or none of reference mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excluded: Option<String>,
}

impl Erratum {
    /// Whether its system answers in law mode and in reference mode, so that cases come in pairs.
    #[must_use]
    pub fn two_modes(&self) -> bool {
        self.system == "sovereign"
    }

    /// Whether `name` means this erratum: `EP-04`, `ep-04`, or `EP-4` as a provenance may spell it.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        numbered(name).is_some_and(|name| numbered(&self.id) == Some(name))
    }
}

/// The family of an id in capitals, and its number.
pub(super) fn numbered(id: &str) -> Option<(String, u32)> {
    let (family, number) = id.split_once('-')?;
    Some((family.to_ascii_uppercase(), number.parse().ok()?))
}

/// One row of the behaviour table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Whether the modes are the `same` or `differ`.
    pub modes: String,
    /// Why no vector can cover it, or none of reference mode.
    pub excluded: Option<String>,
}

/// A bug class in `vectors/flags.json`, whatever is said about it.
pub type Flag = serde_json::Value;
