//! The table of rewritings: which there are, for which operations, why their answers follow, and why an operation has none.
//!
//! Contract: `contracts/interface/relations.json`. It is declared once; challenge sets, the fuzz target `relations` and the property
//! tests of this crate all go by it.

use std::{collections::BTreeMap, sync::OnceLock};

use serde::Deserialize;

use super::Relation;
use crate::{force::Spec, source::LoadError, store::Store, vector::Case};

/// The table in a store.
pub const TABLE: &str = "contracts/interface/relations.json";

/// What relations and makers there are, and for what.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The ways in which a question can be rewritten at all.
    pub rewritings: Vec<Rewriting>,
    /// Relations and makers.
    pub relations: Vec<Described>,
    /// Laws for which no set is made, with the reason.
    pub without: BTreeMap<String, String>,
}

/// One way in which a question can be rewritten.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewriting {
    /// Its name.
    pub name: String,
    /// What is rewritten.
    pub statement: String,
    /// The operations for which no relation does it, with the reason.
    pub none: Vec<Reason>,
}

/// Why some operations have no relation of a rewriting.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The operations.
    pub operations: Vec<String>,
    /// Why.
    pub why: String,
}

/// A relation or a maker in words.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// Whether it builds the question, or changes one.
    pub kind: Kind,
    /// The rewriting that it does, by name.
    pub rewriting: String,
    /// What becomes of the answer.
    pub answer: Answered,
    /// Why the expectation follows.
    pub statement: String,
    /// The places of specifications, or rulings, by which it is lawful.
    pub spec: Vec<Spec>,
    /// By operation, the ruling without which the text would not say that its answers follow: they bind by no more than that.
    #[serde(default)]
    pub rulings: BTreeMap<String, String>,
    /// What it notices that the vectors by themselves do not.
    pub kept_for: Kept,
    /// The operations for which it is used.
    pub operations: Vec<String>,
    /// Laws for whose cases it is not used, with the reason.
    #[serde(default)]
    pub except: BTreeMap<String, String>,
}

/// Whether a question is built or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Changed.
    Relation,
    /// Built.
    Maker,
}

/// What becomes of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answered {
    /// It stays as it is.
    Same,
    /// It changes as the statement says.
    Follows,
}

/// Why a relation is kept: a mutant of the verifier that it kills and no vector does, or a reason.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// Mutants that it kills and no vector does.
    #[serde(default)]
    pub kills: Vec<Mutant>,
    /// Why it is kept besides, or without any.
    #[serde(default)]
    pub why: Option<String>,
}

/// A change of the verifier.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// The file.
    pub file: String,
    /// The function.
    pub function: String,
    /// What is changed in it.
    pub change: String,
}

impl Table {
    /// Reads the table of a store.
    ///
    /// # Errors
    /// It is absent or not of the shape.
    pub fn load(store: &Store) -> Result<Self, LoadError> {
        crate::source::read(store, TABLE)
    }

    /// The table of this build.
    #[must_use]
    pub fn embedded() -> &'static Self {
        static TABLE: OnceLock<Table> = OnceLock::new();
        let none = || Table { rewritings: Vec::new(), relations: Vec::new(), without: BTreeMap::new() };
        TABLE.get_or_init(|| Self::load(&Store::embedded()).unwrap_or_else(|_| none()))
    }

    pub(super) fn uses(&self, relation: &Relation, case: &Case) -> bool {
        self.described(relation).is_some_and(|described| {
            described.operations.contains(&case.op) && !described.except.contains_key(case.law())
        })
    }

    /// The ruling on which a relation rests for an operation.
    pub(super) fn ruling(&self, relation: &Relation, op: &str) -> Option<&str> {
        self.described(relation)?.rulings.get(op).map(String::as_str)
    }

    fn described(&self, relation: &Relation) -> Option<&Described> {
        self.relations.iter().find(|described| described.name == relation.name)
    }
}
