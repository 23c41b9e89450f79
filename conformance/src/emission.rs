//! Which part of a suite is emitted: the bridge from selection and known failures to the generators.
//!
//! Generators know neither a run nor an expectations file; what they need of both is handed to them here.

use std::collections::BTreeMap;

use assize_corpus::{
    operation::{self, Operation},
    vector::{Case, Verdict},
};
use assize_generators::{
    collection::{Collection, Known, Law},
    resolve::ResolveError,
};
use thiserror::Error;

use crate::{config::ConfigError, expectations::Expectations, selection::Selection, suite::Suite};

/// Why there is nothing to emit.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EmissionError {
    /// Part of the corpus does not load: an emission would silently lack it.
    #[error("{0}")]
    Corpus(String),
    /// A case cannot be resolved.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// The expectations file names a case twice.
    #[error(transparent)]
    Expectations(#[from] ConfigError),
}

/// The known failures that an expectations file names, by id.
///
/// # Errors
/// Two entries name one case.
pub fn known(suite: &Suite, expectations: &Expectations) -> Result<BTreeMap<String, Known>, EmissionError> {
    let entries = expectations.entries_by_case(suite)?.into_iter();
    Ok(entries
        .map(|(id, entry)| {
            let (outcome, reason) = (entry.outcome.name().to_owned(), entry.reason.clone());
            (id.to_owned(), Known { outcome, reason, link: entry.link.clone() })
        })
        .collect())
}

/// The selected cases, in the published order of their laws. Known failures outside the selection are left out. Where
/// operations are named, cases and interface have these alone; where there are none, the interface has all.
///
/// # Errors
/// Part of the corpus does not load, or a case cannot be resolved.
pub fn collect(
    suite: &Suite,
    selection: &Selection,
    operations: &[String],
    known: BTreeMap<String, Known>,
) -> Result<Collection, EmissionError> {
    if let Some(fault) = suite.broken.values().chain(&suite.faults).next() {
        return Err(EmissionError::Corpus(fault.clone()));
    }
    let selected =
        suite.corpus.cases.iter().filter(|(id, case)| selection.takes(&suite.corpus, id, case)).map(|(_, case)| case);
    // A suite in another language compares, and has no reference verifier: what has to be observed is asked over the pipe alone.
    let compared =
        |case: &&Case| !operation::table().find(&case.op).is_some_and(|operation| expects_observed(operation, case));
    let named = |op: &String| operations.is_empty() || operations.contains(op);
    let selected = selected.filter(compared).filter(|case| named(&case.op));
    let laws = suite.laws.iter().filter_map(|(slug, _)| suite.corpus.laws.get(slug)).map(Law::from);
    let mut collection = Collection::new(selected, laws, operation::table(), suite.sha256.to_hex())?;
    collection.operations = suite.corpus.cases.values().map(|case| case.op.clone()).filter(named).collect();
    collection.known = known.into_iter().filter(|(id, _)| collection.holds(id)).collect();
    Ok(collection)
}

/// Whether an answer to a case is judged by what the harness sees in it, and not by what it says alone.
fn expects_observed(operation: &Operation, case: &Case) -> bool {
    let observed = |accepts: bool, name: &str| operation.observed(accepts).any(|out| out.name == name);
    case.answers().any(|expect| expect.out.keys().any(|name| observed(expect.is == Verdict::Accept, name)))
}
