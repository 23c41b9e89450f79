//! Puts a corpus to a testee, many cases at a time.
//!
//! Design: section 2 (life of a vector); style: habits 14 to 16. Every selected case gets an outcome, and a case that does
//! not load is one that was not run. Order of results is that of the ids, whatever the threads do.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::{Judgement, Outcome},
    operation,
    store::{Store, StoreError},
    testee::Testee,
    trial,
    vector::{Corpus, is_case},
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
    /// Loads everything below `vectors/`.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn load(store: &Store) -> Result<Self, StoreError> {
        let corpus = Corpus::load(store);
        let (mut broken, mut faults) = (BTreeMap::new(), Vec::new());
        for error in &corpus.errors {
            if is_case(&error.file) {
                let id = error.file.trim_start_matches("vectors/").trim_end_matches(".json");
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

/// Digest of the listing of every file below a path: digest, space, path, line feed.
fn listed(store: &Store, prefix: &str) -> Result<Digest, StoreError> {
    let mut listing = String::new();
    for path in store.below(prefix) {
        listing.push_str(&format!("{} {path}\n", Digest::of(&store.read(path)?)));
    }
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

/// Runs the selected cases on the current thread pool, a testee for each worker. `watch` is called after every case, in
/// any order.
pub fn run<T: Testee>(
    suite: &Suite,
    selection: &Selection,
    testee: impl Fn() -> T + Sync + Send,
    watch: &(dyn Fn(&Tried) + Sync),
) -> Vec<Tried> {
    let cases: Vec<_> = suite.corpus.cases.iter().filter(|(id, case)| selection.takes(id, case)).collect();
    let ran = cases.par_iter().map_init(testee, |testee, (id, case)| {
        let judgement = trial::run(case, testee);
        let tried = Tried { id: (*id).clone(), judgement, rationale: case.rationale.clone() };
        watch(&tried);
        tried
    });
    let mut tried: Vec<Tried> = ran.collect();
    for (id, why) in suite.broken.iter().filter(|(id, _)| selection.takes_id(id)) {
        let judgement = Judgement::noted(Outcome::NotRun, why.clone());
        let broken = Tried { id: id.clone(), judgement, rationale: String::new() };
        watch(&broken);
        tried.push(broken);
    }
    tried.sort_by(|a, b| a.id.cmp(&b.id));
    tried
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_load_was_not_run() {
        let store = Store::memory([("vectors/canon/jcs/a.json", "{"), ("vectors/canon/jcs/law.json", "{")]);
        let suite = Suite::load(&store).unwrap();
        let tried = run(&suite, &Selection::default(), || assize_corpus::handler::InProcess, &|_| ());
        assert_eq!((suite.len(), tried.len(), suite.faults.len()), (1, 1, 1));
        assert_eq!(tried[0].judgement.outcome, Outcome::NotRun);
    }
}
