//! The laws and the errata, as a reader wants them: manifests and rulings of the contracts joined to the cases of a corpus.
//!
//! For laws only names are looked at, and a case that is listed need not load; which cases rest on an erratum is asked of
//! the cases.

use std::collections::BTreeMap;

pub use assize_corpus::vector::law_of;
use assize_corpus::{
    errata::{self, Erratum},
    store::{Store, StoreError},
    vector::{Corpus, Law, LoadError, Manifest, Piece, SystemLaws, id_of, ruling::Rulings},
};
use rayon::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::expectations;

/// Systems in their published order.
pub const SYSTEMS: [&str; 6] = ["canon", "sovereign", "episode", "authority", "kernel", "reply"];

/// A register that cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// It is not there.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It has another shape.
    #[error("{file}: {source}; restore the file")]
    Shape {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A ruling or a case does not load.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// One law with what the corpus holds of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LawEntry {
    /// System and law.
    pub slug: String,
    /// Name for people.
    pub title: String,
    /// The law in one sentence.
    pub statement: String,
    /// File name of the specification.
    pub document: String,
    /// Where in it.
    pub section: String,
    /// Stated in text, in code, or as a contract.
    pub origin: String,
    /// The verifier's module that decides it; empty for a law that is not judged.
    pub module: String,
    /// Operations that can test it.
    pub operations: Vec<String>,
    /// Why no operation can judge it.
    pub unjudged: Option<String>,
    /// Ids of its cases.
    pub cases: Vec<String>,
    /// Questions without a ruling.
    pub open: Vec<String>,
}

/// Every law in its published order; a folder of vectors that no manifest names stands at the end.
///
/// # Errors
/// A manifest of the contracts, or a `law.json`, cannot be read.
pub fn laws(store: &Store) -> Result<Vec<LawEntry>, CatalogueError> {
    let mut cases: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for id in store.below("vectors/").filter_map(id_of) {
        cases.entry(law_of(id)).or_default().push(id.to_owned());
    }
    let mut systems: Vec<SystemLaws> = Vec::new();
    for path in store.below("contracts/laws/") {
        systems.push(read(store, path)?);
    }
    systems.sort_by_key(|laws| place(&laws.system));
    let mut entries = Vec::new();
    for law in systems.into_iter().flat_map(|system| system.laws) {
        entries.push(entry(store, &law, cases.remove(law.slug.as_str()).unwrap_or_default())?);
    }
    for (slug, cases) in cases {
        entries.push(LawEntry {
            title: slug.to_owned(),
            slug: slug.to_owned(),
            statement: "stated in no manifest".to_owned(),
            document: String::new(),
            section: String::new(),
            origin: String::new(),
            module: String::new(),
            operations: Vec::new(),
            unjudged: None,
            cases,
            open: Vec::new(),
        });
    }
    Ok(entries)
}

/// Every erratum, by system in published order, with the cases that rest on it.
///
/// # Errors
/// A ruling or a case does not load.
pub fn errata(store: &Store) -> Result<Vec<Erratum>, CatalogueError> {
    let (rulings, corpus) = rulings_and_cases(store)?;
    let mut errata = errata::errata(&rulings, &corpus.cases);
    errata.sort_by_key(|erratum| place(&erratum.system));
    Ok(errata)
}

/// What the sealed comparator gets wrong in law mode, as a file of known failures.
///
/// # Errors
/// A ruling or a case does not load.
pub fn known_failures(store: &Store) -> Result<String, CatalogueError> {
    let (rulings, corpus) = rulings_and_cases(store)?;
    Ok(expectations::known(&errata::partings(&rulings, &corpus.cases)))
}

/// The two things of which errata are made, whole.
fn rulings_and_cases(store: &Store) -> Result<(Rulings, Corpus), CatalogueError> {
    let (rulings, mut corpus) = (Rulings::load(store)?, corpus(store));
    corpus.errors.pop().map_or(Ok((rulings, corpus)), |error| Err(error.into()))
}

/// Everything below `vectors/`, loaded on the current thread pool.
#[must_use]
pub fn corpus(store: &Store) -> Corpus {
    let paths: Vec<&str> = store.below("vectors/").collect();
    let pieces: Vec<Piece> = paths.par_iter().map(|path| Piece::load(store, path)).collect();
    pieces.into_iter().collect()
}

/// Where a system stands among the others.
fn place(system: &str) -> usize {
    SYSTEMS.iter().position(|known| *known == system).unwrap_or(SYSTEMS.len())
}

fn entry(store: &Store, law: &Law, cases: Vec<String>) -> Result<LawEntry, CatalogueError> {
    let manifest = format!("vectors/{}/law.json", law.slug);
    let open = if store.has(&manifest) { read::<Manifest>(store, &manifest)?.open } else { Vec::new() };
    Ok(LawEntry {
        slug: law.slug.clone(),
        title: law.title.clone(),
        statement: law.statement.clone(),
        document: law.spec.document.clone(),
        section: law.spec.section.clone(),
        origin: law.origin.clone(),
        module: law.module.clone(),
        operations: law.operations.clone(),
        unjudged: law.unjudged.clone(),
        cases,
        open,
    })
}

/// A JSON document of the contracts or the vectors.
pub(crate) fn read<T: DeserializeOwned>(store: &Store, path: &str) -> Result<T, CatalogueError> {
    let bytes = store.read(path)?;
    serde_json::from_slice(&bytes).map_err(|source| CatalogueError::Shape { file: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_laws_stand_in_published_order() {
        let laws = laws(&Store::embedded()).unwrap();
        let slugs: Vec<_> = laws.iter().map(|law| law.slug.as_str()).collect();
        let published: Vec<_> = assize_verifier::law::Law::ALL.into_iter().map(|law| law.slug()).collect();
        assert_eq!(slugs, published);
    }

    #[test]
    fn a_folder_without_manifest_is_listed() {
        let laws = laws(&Store::memory([("vectors/reply/x/a.json", "{")])).unwrap();
        assert_eq!(laws.len(), 1);
        assert_eq!((laws[0].slug.as_str(), laws[0].cases.len()), ("reply/x", 1));
    }

    #[test]
    fn a_broken_manifest_is_named() {
        let error = laws(&Store::memory([("contracts/laws/canon.json", "[]")])).unwrap_err();
        assert!(error.to_string().starts_with("contracts/laws/canon.json: "), "{error}");
    }
}
