//! Rulings and places: what an expectation rests on, so that whoever is judged can read it.
//!
//! A ruling decides a point that a specification leaves open, on which it contradicts itself, or which has to be applied to a
//! question that it does not put. Contracts: `contracts/interface/rulings.schema.json`, `contracts/interface/specs.schema.json`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{model::Case, provenance::Provenance};
use crate::{
    force::{Force, Spec},
    source::{LoadError, read},
    store::Store,
};

/// The document that a `spec` names when a case rests on a ruling and on no place of a text; its sections are ids.
pub const RULINGS: &str = "Assize rulings";

/// How a ruling stands to the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stands {
    /// The text says it; the ruling applies it.
    Says,
    /// Two places of the text part.
    Contradicts,
    /// The text leaves it open.
    Silent,
}

impl Stands {
    /// In words.
    #[must_use]
    pub fn described(self) -> &'static str {
        match self {
            Self::Says => "the text says it",
            Self::Contradicts => "the text contradicts itself",
            Self::Silent => "the text is silent",
        }
    }
}

/// How what other code does weighs against the one who does the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behaviour {
    /// The ruling takes it over.
    AsRuled,
    /// Text and ruling leave it free: a remark at most.
    Lawful,
    /// Only the ruling forbids it.
    AgainstRuling,
    /// The text forbids it.
    AgainstText,
    /// Code does nothing here that could be weighed.
    None,
}

impl Behaviour {
    /// The name in the data.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AsRuled => "as-ruled",
            Self::Lawful => "lawful",
            Self::AgainstRuling => "against-ruling",
            Self::AgainstText => "against-text",
            Self::None => "none",
        }
    }
}

/// The same for all that `code` says, or part by part.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Behaviours {
    /// All of it.
    All(Behaviour),
    /// In the words of each part.
    Parts(BTreeMap<Behaviour, String>),
}

/// What is decided: once, or for each mode where the modes part.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Decision {
    /// In every mode.
    One(String),
    /// By mode.
    Modes {
        /// By the text.
        law: String,
        /// As the sealed comparator does.
        reference: String,
    },
}

/// Whether the two modes answer alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Modes {
    /// On every input of the row.
    Same,
    /// Not on some input of the row.
    Differ,
}

/// What the sealed comparator does with the inputs of a row that reference mode leaves out, so that a case of law mode
/// stands alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Alone {
    /// It ends in another report than law mode.
    Reports,
    /// It raises.
    Aborts,
}

/// One ruling.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// `EP-27`, `NUM-04`, `OP`.
    pub id: String,
    /// The question.
    pub point: String,
    /// Where the question arises.
    pub places: Vec<Spec>,
    /// What the text says.
    pub text: Option<String>,
    /// What the specification's own code, its public implementation or a text that it builds on does.
    pub code: Option<String>,
    /// How that weighs; not for a system whose modes say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<Behaviours>,
    /// The answer.
    pub ruling: Decision,
    /// How it stands to the text.
    pub stands: Stands,
    /// For a row of the behaviour table: whether the modes part on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modes: Option<Modes>,
    /// For such a row: what becomes of its cases of law mode that have no pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone: Option<Alone>,
    /// That code parts from the text, where neither `stands` nor `modes` says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erratum: Option<bool>,
    /// Why no case can show it, or none of reference mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excluded: Option<String>,
}

impl Ruling {
    /// Whether the text parts from itself, or code from the text.
    #[must_use]
    pub fn is_erratum(&self) -> bool {
        self.parts() || self.erratum == Some(true)
    }

    /// How each part of what code does weighs, in its words.
    #[must_use]
    pub fn behaviours(&self) -> BTreeMap<Behaviour, &str> {
        match &self.behaviour {
            Some(Behaviours::All(one)) => BTreeMap::from([(*one, self.code.as_deref().unwrap_or_default())]),
            Some(Behaviours::Parts(parts)) => parts.iter().map(|(one, words)| (*one, words.as_str())).collect(),
            None => BTreeMap::new(),
        }
    }

    /// Whether that shows without a member of its own.
    pub(crate) fn parts(&self) -> bool {
        self.stands == Stands::Contradicts || self.modes == Some(Modes::Differ)
    }
}

/// The rulings that a case names: the one that it cites, the one that decides it, those by which its parts bind, those beside it, and
/// its rows.
#[must_use]
pub fn named(case: &Case) -> BTreeSet<&str> {
    let cited = Some(&case.spec.section).filter(|_| case.spec.document == RULINGS);
    let followed = match &case.provenance {
        Provenance::Ruling(id) => Some(id),
        _ => None,
    };
    let binding = case.force.iter().filter_map(|force| match force {
        Force::Ruling(id) => Some(id),
        _ => None,
    });
    cited
        .into_iter()
        .chain(followed)
        .chain(binding)
        .chain(&case.rulings)
        .chain(&case.rows)
        .map(String::as_str)
        .collect()
}

/// `contracts/rulings/<system>.json`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulingsFile {
    system: String,
    rulings: Vec<Ruling>,
}

/// Every ruling of a store, by its system.
#[derive(Debug, Clone, Default)]
pub struct Rulings(BTreeMap<String, Vec<Ruling>>);

impl Rulings {
    /// Reads every file below `contracts/rulings/`.
    ///
    /// # Errors
    /// A file is not of the shape.
    pub fn load(store: &Store) -> Result<Self, LoadError> {
        let mut all: BTreeMap<String, Vec<Ruling>> = BTreeMap::new();
        for path in store.below("contracts/rulings/") {
            let file: RulingsFile = read(store, path)?;
            all.entry(file.system).or_default().extend(file.rulings);
        }
        Ok(Self(all))
    }

    /// Every ruling with its system.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Ruling)> {
        self.0.iter().flat_map(|(system, rulings)| rulings.iter().map(move |ruling| (system.as_str(), ruling)))
    }

    /// The ruling that a name means, with its system: `EP-4`, `ep-4` and `EP-04` mean the same one.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(&str, &Ruling)> {
        let wanted = numbered(name);
        let is_meant = |id: &str| id.eq_ignore_ascii_case(name) || wanted.is_some() && numbered(id) == wanted;
        self.iter().find(|(_, ruling)| is_meant(&ruling.id))
    }
}

/// The family of an id in capitals, and its number.
pub(crate) fn numbered(id: &str) -> Option<(String, u32)> {
    let (family, number) = id.split_once('-')?;
    Some((family.to_ascii_uppercase(), number.parse().ok()?))
}

/// One document with the places that can be cited.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The title by which it is cited.
    pub title: String,
    /// Its version, where it has one beside its title.
    pub version: Option<String>,
    /// Digest of its text, where that was at hand.
    pub sha256: Option<String>,
    /// What it is.
    pub note: String,
    /// Its places.
    pub places: Vec<Place>,
}

/// A place of a document.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Number or heading.
    pub section: String,
    /// What stands there, in a few words.
    pub about: String,
    /// The sentences of it that oblige somebody; absent in a document that is cited and is not a specification.
    pub sentences: Option<Vec<Sentence>>,
}

/// One sentence of a specification that obliges somebody, or one row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentence {
    /// Its number within its place.
    pub n: usize,
    /// What it asks, in other words.
    pub says: String,
    /// The laws that hold it.
    #[serde(default)]
    pub laws: Vec<String>,
    /// Parts of the ids of those cases that judge it, where they are not all cases of its laws.
    #[serde(default)]
    pub cases: Vec<String>,
    /// Why so few cases hold it.
    pub thin: Option<String>,
    /// Why nothing can judge it.
    pub unjudged: Option<String>,
}

/// A law that no sentence asks for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Beyond {
    /// Its slug.
    pub law: String,
    /// What it rests on.
    pub why: String,
}

/// `contracts/specs/<system>.json`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Documents {
    /// The system, or `rfc`.
    pub system: String,
    /// What can be cited.
    pub documents: Vec<Document>,
    /// Laws of the system that none of its sentences asks for.
    #[serde(default)]
    pub beyond: Vec<Beyond>,
}

impl Documents {
    /// Reads every file below `contracts/specs/`.
    ///
    /// # Errors
    /// A file is not of the shape.
    pub fn load(store: &Store) -> Result<Vec<Self>, LoadError> {
        store.below("contracts/specs/").map(|path| read(store, path)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruling_is_found_by_each_of_its_names() {
        let rulings = Rulings::load(&Store::embedded()).unwrap();
        for name in ["EP-4", "ep-4", "EP-04"] {
            let (system, ruling) = rulings.find(name).unwrap();
            assert_eq!((system, ruling.id.as_str()), ("episode", "EP-4"), "{name}");
        }
        assert_eq!(rulings.find("num-4").unwrap().1.id, "NUM-04");
        assert_eq!(rulings.find("op").unwrap().0, "interface");
        for name in ["EP", "EP-0", "EP-4x", "", "OP-1"] {
            assert!(rulings.find(name).is_none(), "{name}");
        }
    }
}
