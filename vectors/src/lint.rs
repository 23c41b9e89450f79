//! Whether the corpus is lawful in itself.
//!
//! Contract: `vectors/README.md` and `contracts/README.md`. One finding for each fault, with what to do about it. A
//! clean corpus is complete and consistent; whether its expectations are right is shown elsewhere, by second sources.

mod case;
mod folder;
mod force;
mod layout;
mod question;
mod ruling;
mod schema;

use std::fmt;

pub use case::{ID_FORM, LONGEST_ID, is_lawful_id};
pub use layout::laid_out;
use serde::de::DeserializeOwned;

use crate::{
    operation::{self, Table},
    source::read,
    store::Store,
    vector::{Case, Corpus, Expect, System, Verdict, ruling::Rulings},
};

/// One fault of the corpus.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LintFinding {
    /// The file at fault.
    pub file: String,
    /// JSON Pointer, or line and column, in it; empty for the whole file.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl fmt::Display for LintFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "whole file" } else { &self.pointer };
        write!(f, "{}: {place}: {}; {}", self.file, self.message, self.remedy)
    }
}

/// Everything that is wrong with the vectors and registers of a store, sorted by file. Nothing, when all is well.
#[must_use]
pub fn lint(store: &Store) -> Vec<LintFinding> {
    let corpus = Corpus::load(store);
    let mut linter = Linter::open(store, &corpus);
    schema::check(&mut linter);
    layout::check(&mut linter);
    for (id, case) in &corpus.cases {
        case::check(&mut linter, id, case);
        question::check(&mut linter, case);
    }
    folder::check(&mut linter);
    force::check(&mut linter);
    ruling::check(&mut linter);
    for path in store.unread("vectors/") {
        if !path.ends_with("/README.md") {
            linter.find(
                path,
                "",
                "nothing reads this file",
                "make it a vector (.json), name its pack in `root`, or remove it",
            );
        }
    }
    linter.found.sort();
    linter.found.dedup();
    linter.found
}

/// What every rule looks at, and where findings go.
struct Linter<'a> {
    store: &'a Store,
    corpus: &'a Corpus,
    table: Table,
    rulings: Rulings,
    systems: Vec<System>,
    found: Vec<LintFinding>,
}

impl<'a> Linter<'a> {
    fn open(store: &'a Store, corpus: &'a Corpus) -> Self {
        let found = corpus.errors.iter().map(|error| LintFinding {
            file: error.file.clone(),
            pointer: error.place.clone(),
            message: error.message.clone(),
            remedy: error.remedy.clone(),
        });
        let mut linter = Linter {
            store,
            corpus,
            table: Table::default(),
            rulings: Rulings::default(),
            systems: Vec::new(),
            found: found.collect(),
        };
        match operation::load(store) {
            Ok(table) => linter.table = table,
            Err(error) => linter.find(&error.file, &error.place, error.message, &error.remedy),
        }
        match Rulings::load(store) {
            Ok(rulings) => linter.rulings = rulings,
            Err(error) => linter.find(&error.file, &error.place, error.message, &error.remedy),
        }
        for path in System::paths(store) {
            let system: Option<System> = linter.owed(path);
            linter.systems.extend(system);
        }
        linter
    }

    /// A contract that must be there; a default stands in for it, so that the other rules still run.
    fn owed<T: DeserializeOwned + Default>(&mut self, path: &str) -> T {
        match read(self.store, path) {
            Ok(value) => value,
            Err(error) => {
                self.find(path, &error.place, error.message, &error.remedy);
                T::default()
            }
        }
    }

    fn find(&mut self, file: &str, pointer: &str, message: impl Into<String>, remedy: &str) {
        let (file, pointer, remedy) = (file.to_owned(), pointer.to_owned(), remedy.to_owned());
        self.found.push(LintFinding { file, pointer, message: message.into(), remedy });
    }
}

/// The class of answer that an expectation asserts: `reject`, a report's status, `findings`, or `accept`.
fn class(expect: &Expect) -> &str {
    if expect.is == Verdict::Reject {
        return "reject";
    }
    if let Some(status) = expect.out.get("report").and_then(|report| report.node.member("status")) {
        return status.text().unwrap_or("accept");
    }
    match expect.out.get("findings").map(|findings| &findings.node) {
        Some(crate::node::Node::Array(items)) if !items.is_empty() => "findings",
        _ => "accept",
    }
}

/// Whether a case expects its artefact to be lawful, so that it can be a twin and needs none.
#[must_use]
pub fn accepted(case: &Case) -> bool {
    matches!(class(&case.expect), "accept" | "EQUIVALENT")
}

/// Whether a case stands for what a law refuses: its artefact is unlawful, or has a fault beside a lawful twin.
#[must_use]
pub fn refusing(case: &Case) -> bool {
    !accepted(case) || case.twin.is_some()
}

#[cfg(test)]
mod tests;
