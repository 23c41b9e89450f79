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
    vector::{Case, Corpus, is_case},
};
use assize_verifier::digest::Digest;
use rayon::prelude::*;

use crate::{
    catalogue::{self, law_of},
    report::SuiteInfo,
};

/// Which cases to run; an empty list takes all.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Ids, prefixes of ids that end at a segment, or patterns with `*` and `?`.
    pub filters: Vec<String>,
    /// Systems.
    pub systems: Vec<String>,
    /// Modes; a case that is asked without a mode is in none.
    pub modes: Vec<String>,
}

impl Selection {
    /// Whether the id is selected, as far as an id can tell.
    #[must_use]
    pub fn takes_id(&self, id: &str) -> bool {
        let system = id.split('/').next().unwrap_or_default();
        (self.filters.is_empty() || self.filters.iter().any(|filter| fits(filter, id)))
            && (self.systems.is_empty() || self.systems.iter().any(|known| known == system))
    }

    /// Whether the case is selected.
    #[must_use]
    pub fn takes(&self, id: &str, case: &Case) -> bool {
        let mode = || case.args.get("mode").and_then(serde_json::Value::as_str);
        self.takes_id(id)
            && (self.modes.is_empty() || mode().is_some_and(|mode| self.modes.iter().any(|known| known == mode)))
    }
}

/// Whether an id is named by a filter: itself, a prefix up to a slash, or a pattern.
fn fits(filter: &str, id: &str) -> bool {
    if filter.contains(['*', '?']) {
        return glob(filter.as_bytes(), id.as_bytes());
    }
    let filter = filter.trim_end_matches('/');
    id.strip_prefix(filter).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// `*` stands for any run of bytes, slashes too; `?` for one.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut pattern, mut text) = (pattern, text);
    // Where to go on after a mismatch: behind the last star, one byte further in the text.
    let mut retry: Option<(&[u8], &[u8])> = None;
    loop {
        match (pattern.split_first(), text.split_first()) {
            (Some((b'*', rest)), _) => {
                retry = Some((rest, text));
                pattern = rest;
            }
            (Some((wanted, rest)), Some((given, left))) if *wanted == b'?' || wanted == given => {
                (pattern, text) = (rest, left);
            }
            (None, None) => return true,
            _ => {
                let Some((behind, [_, left @ ..])) = retry else {
                    return false;
                };
                retry = Some((behind, left));
                (pattern, text) = (behind, left);
            }
        }
    }
}

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

/// What a report says of a suite, without loading its cases.
///
/// # Errors
/// A file cannot be read.
pub fn info(store: &Store) -> Result<SuiteInfo, StoreError> {
    Ok(SuiteInfo {
        sha256: listed(store, "vectors/")?.to_hex(),
        cases: store.below("vectors/").filter(|path| is_case(path)).count(),
        laws_sha256: listed(store, "contracts/laws/")?.to_hex(),
        operations_sha256: listed(store, operation::PATH)?.to_hex(),
    })
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
    fn a_filter_is_an_id_a_prefix_or_a_pattern() {
        for (filter, takes) in [
            ("sovereign/float-ban/minus-zero", true),
            ("sovereign/float-ban", true),
            ("sovereign/float-ban/", true),
            ("sovereign", true),
            ("sovereign/float", false),
            ("float-ban", false),
            ("*minus*", true),
            ("*/float-ban/*", true),
            ("sovereign/*/minus-zer?", true),
            ("sovereign/*/minus-zero?", false),
            ("*", true),
            ("?", false),
        ] {
            assert_eq!(fits(filter, "sovereign/float-ban/minus-zero"), takes, "{filter}");
        }
    }

    #[test]
    fn a_suite_need_not_be_loaded_to_be_named() {
        let store = Store::embedded();
        assert_eq!(info(&store).unwrap(), Suite::load(&store).unwrap().info());
    }

    #[test]
    fn what_does_not_load_was_not_run() {
        let store = Store::memory([("vectors/canon/jcs/a.json", "{"), ("vectors/canon/jcs/law.json", "{")]);
        let suite = Suite::load(&store).unwrap();
        let tried = run(&suite, &Selection::default(), || assize_corpus::handler::InProcess, &|_| ());
        assert_eq!((suite.len(), tried.len(), suite.faults.len()), (1, 1, 1));
        assert_eq!(tried[0].judgement.outcome, Outcome::NotRun);
    }
}
