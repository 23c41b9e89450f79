//! The cases that an emission is made of, by law, in their resolved form.
//!
//! A collection is what the caller selected of a corpus; nothing is left out here.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    operation::Table,
    vector::{self, Case},
};
use serde::{Deserialize, Serialize};

use crate::resolve::{ResolveError, Resolved};

/// Cases of some laws.
#[derive(Debug, Clone)]
pub struct Collection {
    /// Laws with at least one case, in the order in which they were given.
    pub laws: Vec<LawCases>,
    /// Cases that are known to fail, by id.
    pub known: BTreeMap<String, Known>,
    /// Digest of the corpus that the cases were taken from.
    pub revision: String,
    /// Operations that the interface has: those that a case asks. A caller that has narrowed a corpus by
    /// its laws puts all of its operations here, so that an implementation still fits.
    pub operations: BTreeSet<String>,
}

/// One law with its cases.
#[derive(Debug, Clone)]
pub struct LawCases {
    /// The law.
    pub law: Law,
    /// Its cases, by id.
    pub cases: Vec<Resolved>,
}

/// What is said of a law.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Law {
    /// System and law.
    pub slug: String,
    /// Name for people.
    pub title: String,
    /// The law in one sentence.
    pub statement: String,
    /// The place in a specification that states it.
    pub spec: String,
}

/// A known failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The class in which the case fails.
    pub outcome: String,
    /// Why.
    pub reason: String,
    /// Where more is said.
    pub link: String,
}

impl Collection {
    /// Resolves cases and groups them by law. `stated` says what is to be said of each law, in the order that is wanted.
    ///
    /// # Errors
    /// A case cannot be resolved, or its law is not stated.
    pub fn new<'c>(
        cases: impl IntoIterator<Item = &'c Case>,
        stated: impl IntoIterator<Item = Law>,
        table: &Table,
        revision: String,
    ) -> Result<Self, ResolveError> {
        let mut by_law: BTreeMap<String, Vec<Resolved>> = BTreeMap::new();
        for case in cases {
            by_law.entry(case.law().to_owned()).or_default().push(Resolved::new(case, table)?);
        }
        let operations = by_law.values().flatten().map(|case| case.op.clone()).collect();
        let mut laws = Vec::new();
        for law in stated {
            if let Some(cases) = by_law.remove(&law.slug) {
                laws.push(LawCases { law, cases });
            }
        }
        match by_law.into_values().flatten().next() {
            Some(stray) => Err(ResolveError {
                message: format!("nothing states the law {}", stray.law),
                case: stray.id,
                remedy: "add the law to contracts/laws",
            }),
            None => Ok(Self { laws, known: BTreeMap::new(), revision, operations }),
        }
    }

    /// Number of cases.
    #[must_use]
    pub fn total(&self) -> usize {
        self.laws.iter().map(|law| law.cases.len()).sum()
    }

    /// Whether the case of this id is among them.
    #[must_use]
    pub fn holds(&self, id: &str) -> bool {
        self.laws.iter().flat_map(|law| &law.cases).any(|case| case.id == id)
    }
}

impl From<&vector::DeclaredLaw> for Law {
    fn from(law: &vector::DeclaredLaw) -> Self {
        Self {
            slug: law.slug.clone(),
            title: law.title.clone(),
            statement: law.statement.clone(),
            spec: format!("{}, {}", law.spec.document, law.spec.section),
        }
    }
}
