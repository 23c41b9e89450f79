//! The suite of cases, and which of it did not load.

use std::{collections::BTreeMap, path::PathBuf};

use assize_corpus::{
    challenge::{self, Challenge, Count, is_challenge},
    operation,
    store::{Store, StoreError},
    table::SpecTable,
    vector::{Corpus, LAWS, id_of},
};
use assize_verifier::digest::Digest;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{catalogue, selection::Selection};

/// A corpus, loaded for running.
#[derive(Debug)]
pub struct Suite {
    /// The cases, and what did not load.
    pub corpus: Corpus,
    /// Laws in their published order, with their titles.
    pub laws: Vec<(String, String)>,
    /// Where the files of cases lie, by id, if they were read from a folder that was named.
    pub places: BTreeMap<String, PathBuf>,
    /// Files that did not load, by the id that their path gives them.
    pub broken: BTreeMap<String, String>,
    /// What else is wrong with it, so that no run over it is complete.
    pub faults: Vec<String>,
    /// Questions beside the corpus that were added to its cases.
    pub challenges: Option<Added>,
    /// The case that each of them was made of, by its id.
    pub bases: BTreeMap<String, String>,
    /// Digest of every file of the suite.
    pub sha256: Digest,
    /// Digest of the declarations of laws.
    pub laws_sha256: Digest,
    /// Digest of the operation table.
    pub operations_sha256: Digest,
}

/// The suite of vectors and the law it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteInfo {
    /// Digest of all vectors.
    pub sha256: String,
    /// Cases in all of it.
    pub cases: usize,
    /// Digest of the law manifests.
    pub laws_sha256: String,
    /// Digest of the operation table.
    pub operations_sha256: String,
}

/// The challenges that were added to a suite: what it takes to make them again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// The seed that they were made from.
    pub seed: String,
    /// How many for each law; nothing for a fifth of its cases and at least 20.
    pub each: Option<usize>,
    /// How many there are.
    pub cases: usize,
}

/// The most challenges for one law: more would be another corpus.
pub const MOST_EACH: usize = 10_000;

impl Suite {
    /// Loads the vectors and the laws, on the current thread pool.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn load(store: &Store) -> Result<Self, StoreError> {
        let corpus = catalogue::corpus(store);
        let (mut broken, mut faults) = (BTreeMap::new(), Vec::new());
        for error in &corpus.errors {
            if let Some(id) = id_of(&error.file) {
                broken.insert(id.to_owned(), error.to_string());
            } else {
                faults.push(error.to_string());
            }
        }
        let laws = match catalogue::laws(store) {
            Ok(laws) => laws.into_iter().map(|law| (law.slug, law.title)).collect(),
            Err(error) => {
                // The loader has reported a broken declaration already.
                if faults.is_empty() {
                    faults.push(error.to_string());
                }
                Vec::new()
            }
        };
        let sha256 = listed(store, "vectors/")?;
        let laws_sha256 = listed(store, LAWS)?;
        let operations_sha256 = operations(store)?;
        let place = |path| Some((id_of(path)?.to_owned(), store.place(path)?.to_path_buf()));
        let places = store.below("vectors/").filter_map(place).collect();
        Ok(Self {
            corpus,
            laws,
            places,
            broken,
            faults,
            challenges: None,
            bases: BTreeMap::new(),
            sha256,
            laws_sha256,
            operations_sha256,
        })
    }

    /// What a report says about it.
    #[must_use]
    pub fn info(&self) -> SuiteInfo {
        SuiteInfo {
            sha256: self.sha256.to_hex(),
            cases: self.len(),
            laws_sha256: self.laws_sha256.to_hex(),
            operations_sha256: self.operations_sha256.to_hex(),
        }
    }

    /// Adds the challenges of a seed to the cases, as many for each law as `each` says, or a fifth of its cases and at least 20, for
    /// every law that a selection reaches. A corpus that is a set of challenges itself gets none.
    pub fn challenge(&mut self, seed: &str, each: Option<usize>, selection: &Selection) {
        if self.corpus.cases.keys().any(|id| is_challenge(id)) {
            return;
        }
        let count = each.map_or(Count::Fifth, Count::Each);
        let laws = self.corpus.laws_with_cases();
        let laws: Vec<&str> = laws.into_iter().filter(|law| selection.takes_law(&self.corpus, law)).collect();
        let made = laws.par_iter().flat_map_iter(|law| challenge::challenges_of(&self.corpus, law, seed, count));
        let set: Vec<Challenge> = made.collect();
        self.challenges = Some(Added { seed: seed.to_owned(), each, cases: set.len() });
        for challenge in set {
            self.bases.insert(challenge.case.id.clone(), challenge.base);
            self.corpus.cases.insert(challenge.case.id.clone(), challenge.case);
        }
    }

    /// Number of cases of the corpus, loaded or not.
    #[must_use]
    pub fn len(&self) -> usize {
        let added = self.challenges.as_ref().map_or(0, |challenges| challenges.cases);
        self.corpus.cases.len() - added + self.broken.len()
    }

    /// Whether there is no case at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many cases a selection takes.
    #[must_use]
    pub fn count(&self, selection: &Selection) -> usize {
        let cases = self.corpus.cases.iter().filter(|(id, case)| selection.takes(&self.corpus, id, case)).count();
        cases + self.broken.keys().filter(|id| selection.takes_id(&self.corpus, id)).count()
    }
}

/// What a report says about a suite, without loading its cases.
///
/// # Errors
/// A file cannot be read.
pub fn info(store: &Store) -> Result<SuiteInfo, StoreError> {
    Ok(SuiteInfo {
        sha256: listed(store, "vectors/")?.to_hex(),
        cases: store.below("vectors/").filter(|path| id_of(path).is_some()).count(),
        laws_sha256: listed(store, LAWS)?.to_hex(),
        operations_sha256: operations(store)?.to_hex(),
    })
}

/// Digest of the operations, with the tables whose columns they name.
fn operations(store: &Store) -> Result<Digest, StoreError> {
    listing(store, store.below(operation::FOLDER).chain(SpecTable::paths(store)).collect())
}

/// Digest of the listing of every file below a path.
fn listed(store: &Store, prefix: &str) -> Result<Digest, StoreError> {
    listing(store, store.below(prefix).collect())
}

/// Digest of a listing of files: digest, space, path, line feed.
fn listing(store: &Store, paths: Vec<&str>) -> Result<Digest, StoreError> {
    let line = |path: &&str| Ok(format!("{} {path}\n", Digest::of(&store.read(path)?)));
    let listing: String = paths.par_iter().map(line).collect::<Result<_, StoreError>>()?;
    Ok(Digest::of(listing.as_bytes()))
}

#[cfg(test)]
mod tests {
    use assize_corpus::vector::law_of;

    use super::*;

    #[test]
    fn a_larger_set_begins_as_a_smaller_one() {
        let mut suite = Suite::load(&Store::embedded()).unwrap();
        let cases = suite.len();
        let all = Selection::default();
        suite.challenge("7", Some(2), &all);
        let (made, two) = (suite.corpus.cases.clone(), suite.bases.len());
        assert_eq!((suite.len(), suite.corpus.cases.len()), (cases, cases + two));
        // No second set comes beside the first.
        suite.challenge("8", Some(2), &all);
        assert_eq!(suite.corpus.cases.len(), made.len());
        let mut larger = Suite::load(&Store::embedded()).unwrap();
        larger.challenge("7", Some(3), &all);
        assert!(suite.bases.iter().all(|(id, base)| larger.bases.get(id) == Some(base)));
    }

    #[test]
    fn laws_that_a_selection_leaves_out_get_none() {
        let made = |filters: &[&str], shard: Option<&str>| {
            let mut suite = Suite::load(&Store::embedded()).unwrap();
            let filters = filters.iter().map(|&filter| filter.to_owned()).collect();
            let shard = shard.map(|shard| shard.parse().unwrap());
            suite.challenge("7", Some(2), &Selection { filters, shard, ..Selection::default() });
            suite.bases.into_keys().collect::<Vec<_>>()
        };
        let (all, law) = (made(&[], None), made(&["canon/rfc8785"], None));
        let of_law: Vec<_> = all.iter().filter(|id| law_of(id) == "canon/rfc8785").cloned().collect();
        assert!(law.len() > 1 && law == of_law && law.len() < all.len());
        // A challenge is named by a former id of its law, by a part of the law's cases, by a pattern and by its own id.
        for filter in ["canon/rfc8785/array-one", "canon/rfc*/challenge*", law[0].as_str()] {
            assert_eq!(made(&[filter], None), law, "{filter}");
        }
        assert!(made(&["*/array-one"], None).len() >= law.len());
        assert_eq!(made(&[], Some("1/50")), all);
    }

    #[test]
    fn a_suite_need_not_be_loaded_to_be_named() {
        let store = Store::embedded();
        assert_eq!(info(&store).unwrap(), Suite::load(&store).unwrap().info());
    }
}
