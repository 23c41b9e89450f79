//! A file of known failures made from the errata: what the sealed comparator gets wrong in law mode, and why.
//!
//! Classes are derived from the cases ([`partings`]); a run shows whether they hold.

use std::collections::BTreeSet;

use assize_corpus::{
    agreement::Outcome,
    errata::{Parting, partings},
    store::Store,
};
use serde::Serialize;

use crate::catalogue::{self, CatalogueError};

const HEAD: &str = "\
# What the sealed comparator gets wrong in law mode, and why; written by `assize errata --expectations`.
#
# A case that rests on several errata stands under the first of them. WRONG-VERDICT: the comparator aborts where a report
# is owed. WRONG-OUTPUT: its report is another one.

";

#[derive(Serialize)]
struct File<'a> {
    failure: Vec<Failure<'a>>,
}

/// One entry, as `contracts/interface/expectations.schema.json` has it.
#[derive(Serialize)]
struct Failure<'a> {
    cases: Vec<&'a str>,
    outcome: Outcome,
    reason: String,
    link: String,
}

/// What the sealed comparator gets wrong in law mode, as a file of known failures.
///
/// # Errors
/// A ruling or a case does not load.
pub fn known_failures(store: &Store) -> Result<String, CatalogueError> {
    let (rulings, corpus) = catalogue::rulings_and_cases(store)?;
    Ok(written(&partings(&rulings, &corpus.cases)))
}

/// One entry for each row and class, every case under the first row on which it fails.
fn written(partings: &[Parting<'_>]) -> String {
    let mut seen = BTreeSet::new();
    let mut failures: Vec<(&str, Failure<'_>)> = Vec::new();
    for Parting { ruling, case, outcome } in partings.iter().filter(|parting| seen.insert(&parting.case.id)) {
        let entry = failures.iter_mut().find(|(id, entry)| *id == ruling.id && entry.outcome == *outcome);
        if let Some((_, entry)) = entry {
            entry.cases.push(&case.id);
            continue;
        }
        let said = |what: &Option<String>| what.clone().unwrap_or_else(|| "nothing.".to_owned());
        let reason = format!("{}: the text: {} The code: {}", ruling.id, said(&ruling.text), said(&ruling.code));
        let link = format!("contracts/rulings/sovereign.json#{}", ruling.id);
        failures.push((&ruling.id, Failure { cases: vec![&case.id], outcome: *outcome, reason, link }));
    }
    let failure = failures.into_iter().map(|(_, failure)| failure).collect();
    // Every text and every list of texts has a form in TOML.
    let entries = toml::to_string_pretty(&File { failure }).unwrap_or_default();
    format!("{HEAD}{entries}")
}
