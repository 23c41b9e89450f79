//! The members of a report.

use assize_corpus::agreement::{Mismatch, Outcome};
use serde::Serialize;

use crate::{
    catalogue::law_of,
    exit::Exit,
    run::{Selection, Suite, Tried},
};

/// The report of one run.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Version of the harness.
    pub assize: &'static str,
    /// Name of this contract.
    pub contract: &'static str,
    /// What was run from.
    pub suite: SuiteInfo,
    /// Who answered.
    pub testee: TesteeInfo,
    /// The filters.
    pub selection: Selected,
    /// Sums over all laws.
    pub totals: Totals,
    /// A row for each selected law, in published order.
    pub laws: Vec<LawRow>,
    /// Every case that failed.
    pub failures: Vec<Failure>,
    /// How the command ends.
    pub exit_code: u8,
    /// Cases without an answer, with the reason; the contract has no place for it.
    #[serde(skip)]
    pub unrun: Vec<Unrun>,
    /// Faults of the corpus itself; the contract has no place for them.
    #[serde(skip)]
    pub faults: Vec<String>,
    /// The same as `exit_code`, typed.
    #[serde(skip)]
    pub exit: Exit,
}

/// The suite of vectors.
#[derive(Debug, Clone, Serialize)]
pub struct SuiteInfo {
    /// Digest of all its files.
    pub sha256: String,
    /// Cases in the whole of it.
    pub cases: usize,
}

/// The implementation that answered.
#[derive(Debug, Clone, Serialize)]
pub struct TesteeInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl TesteeInfo {
    /// The verifier that is built in.
    #[must_use]
    pub fn built_in() -> Self {
        Self { name: "assize".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// The filters that were given.
#[derive(Debug, Clone, Serialize)]
pub struct Selected {
    /// Systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<String>,
    /// Modes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    /// Ids, prefixes and patterns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<String>,
}

/// Counts of outcomes; `cases` is the sum of the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// All of them.
    pub cases: usize,
    /// The answer agrees.
    pub pass: usize,
    /// It does not, or there was none.
    pub fail: usize,
    /// Cannot be asked here.
    pub not_applicable: usize,
    /// Was not asked.
    pub not_run: usize,
}

impl Totals {
    fn count(&mut self, outcome: Outcome) {
        self.cases += 1;
        match outcome {
            Outcome::Pass => self.pass += 1,
            Outcome::NotApplicable => self.not_applicable += 1,
            Outcome::NotRun => self.not_run += 1,
            _ => self.fail += 1,
        }
    }
}

/// One law.
#[derive(Debug, Clone, Serialize)]
pub struct LawRow {
    /// System and law.
    pub slug: String,
    /// Name for people.
    pub title: String,
    /// Its counts.
    #[serde(flatten)]
    pub counts: Totals,
}

/// One case that failed.
#[derive(Debug, Clone, Serialize)]
pub struct Failure {
    /// Its id.
    pub id: String,
    /// Its law.
    pub law: String,
    /// What became of it.
    pub outcome: Outcome,
    /// Every place where answer and expectation part.
    pub mismatches: Vec<Mismatch>,
    /// Which mistake the case catches.
    pub rationale: String,
    /// What mismatches cannot say; the contract has no place for it.
    #[serde(skip)]
    pub note: Option<String>,
}

/// One case without an answer.
#[derive(Debug, Clone)]
pub struct Unrun {
    /// Its id.
    pub id: String,
    /// Not applicable, or not run.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
}

impl Report {
    /// Sums up a run.
    #[must_use]
    pub fn new(suite: &Suite, selection: &Selection, testee: TesteeInfo, tried: Vec<Tried>) -> Self {
        let (mut totals, mut failures, mut unrun) = (Totals::default(), Vec::new(), Vec::new());
        let known = suite.laws.iter().map(|(slug, title)| (slug.clone(), title.clone()));
        let mut laws: Vec<LawRow> =
            known.map(|(slug, title)| LawRow { slug, title, counts: Totals::default() }).collect();
        for case in tried {
            let outcome = case.judgement.outcome;
            let slug = law_of(&case.id).to_owned();
            totals.count(outcome);
            match laws.iter_mut().find(|law| law.slug == slug) {
                Some(law) => law.counts.count(outcome),
                None => {
                    let mut counts = Totals::default();
                    counts.count(outcome);
                    laws.push(LawRow { title: slug.clone(), slug: slug.clone(), counts });
                }
            }
            match outcome {
                Outcome::Pass => {}
                Outcome::NotApplicable | Outcome::NotRun => {
                    unrun.push(Unrun { id: case.id, outcome, reason: case.judgement.note.unwrap_or_default() });
                }
                _ => failures.push(Failure {
                    id: case.id,
                    law: slug,
                    outcome,
                    mismatches: case.judgement.mismatches,
                    rationale: case.rationale,
                    note: case.judgement.note,
                }),
            }
        }
        laws.retain(|law| law.counts.cases > 0);
        let exit = end(totals, &suite.faults);
        Self {
            assize: env!("CARGO_PKG_VERSION"),
            contract: "assize-report/v1",
            suite: SuiteInfo { sha256: suite.sha256.to_hex(), cases: suite.len() },
            testee,
            selection: Selected {
                systems: distinct(&selection.systems),
                modes: distinct(&selection.modes),
                cases: distinct(&selection.filters),
            },
            totals,
            laws,
            failures,
            exit_code: exit.code(),
            unrun,
            faults: suite.faults.clone(),
            exit,
        }
    }
}

fn end(totals: Totals, faults: &[String]) -> Exit {
    let failed = if totals.fail > 0 { Exit::Violates } else { Exit::Conforms };
    let incomplete = totals.cases == 0 || totals.not_run > 0 || !faults.is_empty();
    failed.or(if incomplete { Exit::NoAnswer } else { Exit::Conforms })
}

fn distinct(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort();
    names.dedup();
    names
}
