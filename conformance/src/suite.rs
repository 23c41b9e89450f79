//! The suite of cases, which of them a run takes, and what became of one.
//!
//! Every selected case gets an outcome, and a case that does not load is one that was not run.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::Judgement,
    operation,
    store::{Store, StoreError},
    vector::{Corpus, id_of},
};
use assize_verifier::digest::Digest;
use rayon::prelude::*;

use crate::{
    catalogue::{self, law_of},
    report::SuiteInfo,
    selection::Selection,
};

/// A corpus, loaded for running.
#[derive(Debug)]
pub struct Suite {
    /// The cases, and what did not load.
    pub corpus: Corpus,
    /// Laws in their published order, with their titles.
    pub laws: Vec<(String, String)>,
    /// Files that did not load, by the id that their path gives them.
    pub broken: BTreeMap<String, String>,
    /// What else is wrong with it, so that no run over it is complete.
    pub faults: Vec<String>,
    /// Digest of every file of the suite.
    pub sha256: Digest,
    /// Digest of the law manifests.
    pub laws_sha256: Digest,
    /// Digest of the operation table.
    pub operations_sha256: Digest,
}

impl Suite {
    /// Loads everything below `vectors/`, on the current thread pool.
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
                // The loader has reported a broken `law.json` already.
                if faults.is_empty() {
                    faults.push(error.to_string());
                }
                Vec::new()
            }
        };
        let sha256 = listed(store, "vectors/")?;
        let laws_sha256 = listed(store, "contracts/laws/")?;
        let operations_sha256 = listed(store, operation::PATH)?;
        Ok(Self { corpus, laws, broken, faults, sha256, laws_sha256, operations_sha256 })
    }

    /// What a report says of it.
    #[must_use]
    pub fn info(&self) -> SuiteInfo {
        SuiteInfo {
            sha256: self.sha256.to_hex(),
            cases: self.len(),
            laws_sha256: self.laws_sha256.to_hex(),
            operations_sha256: self.operations_sha256.to_hex(),
        }
    }

    /// Number of cases, loaded or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.corpus.cases.len() + self.broken.len()
    }

    /// Whether there is no case at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many cases a selection takes.
    #[must_use]
    pub fn count(&self, selection: &Selection) -> usize {
        let cases = self.corpus.cases.iter().filter(|(id, case)| selection.takes(id, case)).count();
        cases + self.broken.keys().filter(|id| selection.takes_id(id)).count()
    }
}

/// What a report says of a suite, without loading its cases.
///
/// # Errors
/// A file cannot be read.
pub fn info(store: &Store) -> Result<SuiteInfo, StoreError> {
    Ok(SuiteInfo {
        sha256: listed(store, "vectors/")?.to_hex(),
        cases: store.below("vectors/").filter(|path| id_of(path).is_some()).count(),
        laws_sha256: listed(store, "contracts/laws/")?.to_hex(),
        operations_sha256: listed(store, operation::PATH)?.to_hex(),
    })
}

/// Digest of the listing of every file below a path: digest, space, path, line feed.
fn listed(store: &Store, prefix: &str) -> Result<Digest, StoreError> {
    let paths: Vec<&str> = store.below(prefix).collect();
    let line = |path: &&str| Ok(format!("{} {path}\n", Digest::of(&store.read(path)?)));
    let listing: String = paths.par_iter().map(line).collect::<Result<_, StoreError>>()?;
    Ok(Digest::of(listing.as_bytes()))
}

/// What became of one case.
#[derive(Debug, Clone)]
pub struct Tried {
    /// Its id.
    pub id: String,
    /// The outcome with everything that explains it.
    pub judgement: Judgement,
    /// The case's rationale.
    pub rationale: String,
}

impl Tried {
    /// Law of the case.
    #[must_use]
    pub fn law(&self) -> &str {
        law_of(&self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_need_not_be_loaded_to_be_named() {
        let store = Store::embedded();
        assert_eq!(info(&store).unwrap(), Suite::load(&store).unwrap().info());
    }
}
