//! The laws and the errata, as a reader wants to see them: declarations and rulings of the contracts joined to the cases of a corpus.
//!
//! For laws only names are looked at, and a case that is listed need not load; which cases rest on an erratum is read from
//! the cases.

use std::collections::BTreeMap;

pub use assize_corpus::vector::law_of;
use assize_corpus::{
    errata::{self, Erratum},
    store::{Store, StoreError},
    vector::{Corpus, DeclaredLaw, LAWS, LoadError, Piece, id_of, ruling::Rulings},
};
use assize_verifier::law::Law;
use rayon::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::{
    selection::Selection,
    worlds::{self, World},
};

/// Systems in their published order.
pub const SYSTEMS: [&str; Law::SYSTEMS.len()] = Law::SYSTEMS;

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
    /// Worlds of inputs that were searched whole for it.
    pub worlds: Vec<World>,
}

/// Every law in its published order; a folder of vectors that no declaration names stands at the end.
///
/// # Errors
/// A declaration cannot be read.
pub fn laws(store: &Store) -> Result<Vec<LawEntry>, CatalogueError> {
    let worlds = worlds(store)?;
    let mut cases: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for id in store.below("vectors/").filter_map(id_of) {
        cases.entry(law_of(id)).or_default().push(id.to_owned());
    }
    let mut laws: Vec<DeclaredLaw> = store.below(LAWS).map(|path| read(store, path)).collect::<Result<_, _>>()?;
    laws.sort_by(|a, b| (place(a.system()), a.position, &a.slug).cmp(&(place(b.system()), b.position, &b.slug)));
    let mut entries: Vec<LawEntry> = laws
        .into_iter()
        .map(|law| {
            let cases = cases.remove(law.slug.as_str()).unwrap_or_default();
            let worlds = worlds.iter().filter(|world| world.laws.contains(&law.slug)).cloned().collect();
            entry(law, cases, worlds)
        })
        .collect();
    for (slug, cases) in cases {
        entries.push(LawEntry {
            title: slug.to_owned(),
            slug: slug.to_owned(),
            statement: "declared nowhere".to_owned(),
            document: String::new(),
            section: String::new(),
            origin: String::new(),
            module: String::new(),
            operations: Vec::new(),
            unjudged: None,
            cases,
            open: Vec::new(),
            worlds: Vec::new(),
        });
    }
    Ok(entries)
}

/// Every world of inputs that was searched whole; none where a store declares none.
///
/// # Errors
/// The file has another shape.
pub fn worlds(store: &Store) -> Result<Vec<World>, CatalogueError> {
    if !store.has(worlds::PATH) {
        return Ok(Vec::new());
    }
    read::<worlds::File>(store, worlds::PATH).map(|file| file.worlds)
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

/// Every ruling by which something that other code does is lawful, in the same order.
///
/// # Errors
/// A ruling or a case does not load.
pub fn lawful(store: &Store) -> Result<Vec<Erratum>, CatalogueError> {
    let (rulings, corpus) = rulings_and_cases(store)?;
    let mut lawful = errata::lawful(&rulings, &corpus.cases);
    lawful.sort_by_key(|erratum| place(&erratum.system));
    Ok(lawful)
}

/// The two things that errata are made of, in full.
pub(crate) fn rulings_and_cases(store: &Store) -> Result<(Rulings, Corpus), CatalogueError> {
    let (rulings, mut corpus) = (Rulings::load(store)?, corpus(store));
    corpus.errors.pop().map_or(Ok((rulings, corpus)), |error| Err(error.into()))
}

/// Everything that makes up the corpus, loaded on the current thread pool.
#[must_use]
pub fn corpus(store: &Store) -> Corpus {
    pieces(store, Corpus::paths(store).collect()).into_iter().collect()
}

/// The same without the cases that a selection does not take by their ids: most of the time goes into reading them.
#[must_use]
pub fn part(store: &Store, selection: &Selection) -> Corpus {
    // Laws first: a filter may name a case as it was called before.
    let mut corpus: Corpus = pieces(store, store.below(LAWS).collect()).into_iter().collect();
    let taken = |path: &&str| id_of(path).is_none_or(|id| selection.takes_id(&corpus, id));
    let taken = store.below("vectors/").filter(taken).collect();
    corpus.extend(pieces(store, taken));
    corpus
}

fn pieces(store: &Store, paths: Vec<&str>) -> Vec<Piece> {
    paths.par_iter().map(|path| Piece::load(store, path)).collect()
}

/// Where a system stands among the others.
fn place(system: &str) -> usize {
    SYSTEMS.iter().position(|known| *known == system).unwrap_or(SYSTEMS.len())
}

fn entry(law: DeclaredLaw, cases: Vec<String>, worlds: Vec<World>) -> LawEntry {
    LawEntry {
        module: law.module().unwrap_or_default(),
        slug: law.slug,
        title: law.title,
        statement: law.statement,
        document: law.spec.document,
        section: law.spec.section,
        origin: law.origin,
        operations: law.operations,
        unjudged: law.unjudged,
        cases,
        open: law.open,
        worlds,
    }
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
        let published: Vec<_> = Law::ALL.into_iter().map(|law| law.slug()).collect();
        assert_eq!(slugs, published);
    }

    #[test]
    fn a_folder_without_declaration_is_listed() {
        let laws = laws(&Store::memory([("vectors/reply/x/a.json", "{")])).unwrap();
        assert_eq!(laws.len(), 1);
        assert_eq!((laws[0].slug.as_str(), laws[0].cases.len()), ("reply/x", 1));
    }

    #[test]
    fn a_broken_declaration_is_named() {
        let error = laws(&Store::memory([("contracts/laws/canon/episode.json", "[]")])).unwrap_err();
        assert!(error.to_string().starts_with("contracts/laws/canon/episode.json: "), "{error}");
    }

    #[test]
    fn a_part_of_the_corpus_has_the_cases_that_are_named_by_any_of_their_names() {
        let store = Store::embedded();
        let part = |filter: &str| {
            let selection = Selection { filters: vec![filter.to_owned()], ..Selection::default() };
            part(&store, &selection)
        };
        let law = part("canon/rfc8785");
        assert!(law.cases.len() > 100 && law.cases.keys().all(|id| law_of(id) == "canon/rfc8785"));
        assert_eq!((law.laws.len(), law.errors.len()), (Law::ALL.len(), 0));
        let (former, now) = law.laws.values().find_map(|law| law.renamed.iter().next()).unwrap();
        assert_eq!(part(former).cases.into_keys().collect::<Vec<_>>(), std::slice::from_ref(now));
        assert!(part("canon/rfc8785/gone").cases.is_empty());
    }
}
