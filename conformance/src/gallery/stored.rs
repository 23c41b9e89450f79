//! The report of a kept result, as far as pages show it.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::{Mismatch, Outcome},
    vector::Weight,
};
use assize_verifier::digest::Digest;
use serde::{Deserialize, de::IgnoredAny};

use crate::{
    certificate::stored::{StoredMismatch, outcome},
    exit::Exit,
    protocol::{Capabilities, Named},
    report::{Cluster, Failure, Grade, RunGrade, Totals, view::grade_word},
    suite::{Suite, SuiteInfo},
    testee::Evidence,
};

/// What reports that can be read call themselves.
const CONTRACT: &str = "assize-report/v2";

/// The members of a report that pages are made of.
pub(super) struct Asked {
    pub(super) digest: String,
    pub(super) exit: Exit,
    pub(super) result: Results,
    pub(super) run: Run,
    pub(super) clusters: Vec<Cluster>,
    pub(super) failures: Vec<Failure>,
    pub(super) remarks: Vec<Failure>,
}

#[derive(Deserialize)]
struct Stored {
    contract: String,
    digest: String,
    result: Results,
    run: Run,
}

#[derive(Deserialize)]
pub(super) struct Results {
    pub(super) assize: String,
    complete: bool,
    pub(super) grade: RunGrade,
    exit_code: u8,
    pub(super) suite: SuiteInfo,
    pub(super) testee: Testee,
    pub(super) seed: u32,
    pub(super) totals: Totals,
    pub(super) laws: Vec<Law>,
    clusters: Vec<StoredCluster>,
    failures: Vec<StoredFailure>,
    remarks: Vec<StoredFailure>,
    pub(super) unrun: Vec<Unrun>,
    pub(super) unstable: Vec<Unstable>,
    pub(super) faults: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Testee {
    pub(super) shim: Option<Named>,
    pub(super) capabilities: Capabilities,
}

/// What came of one law.
#[derive(Deserialize)]
pub(super) struct Law {
    pub(super) slug: String,
    pub(super) title: String,
    pub(super) grade: Grade,
    #[serde(flatten)]
    pub(super) counts: Totals,
}

#[derive(Deserialize)]
pub(super) struct Unrun {
    pub(super) id: String,
    pub(super) outcome: String,
    pub(super) reason: String,
}

#[derive(Deserialize)]
pub(super) struct Unstable {
    pub(super) id: String,
}

#[derive(Deserialize)]
pub(super) struct Run {
    pub(super) session_faults: Vec<Told>,
    pub(super) receipts: Vec<Told>,
    pub(super) orphans: Vec<IgnoredAny>,
    pub(super) evidence: BTreeMap<String, Evidence>,
}

/// Something that was wrong with the run.
#[derive(Deserialize)]
pub(super) struct Told {
    pub(super) message: String,
}

#[derive(Deserialize)]
struct StoredCluster {
    law: String,
    force: Weight,
    outcome: String,
    place: String,
    difference: String,
    flags: Vec<String>,
    smallest: String,
    cases: Vec<String>,
}

#[derive(Deserialize)]
struct StoredFailure {
    id: String,
    law: String,
    outcome: String,
    force: Weight,
    mismatches: Vec<StoredMismatch>,
    note: Option<String>,
    rationale: String,
}

impl Asked {
    /// Reads a report; what is wrong with it, in words, where it cannot be one that a run has written.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut stored: Stored = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if stored.contract != CONTRACT {
            return Err(format!("it calls itself {:?}, not {CONTRACT:?}", stored.contract));
        }
        let result = &mut stored.result;
        let exit = Exit::of(result.exit_code).ok_or_else(|| format!("no run ends with {}", result.exit_code))?;
        let read =
            |failures: Vec<StoredFailure>| failures.into_iter().map(StoredFailure::read).collect::<Result<Vec<_>, _>>();
        let failures = read(std::mem::take(&mut result.failures))?;
        let remarks = read(std::mem::take(&mut result.remarks))?;
        let clusters = std::mem::take(&mut result.clusters).into_iter().map(StoredCluster::read);
        let clusters = clusters.collect::<Result<_, _>>()?;
        let asked =
            Self { digest: stored.digest, exit, result: stored.result, run: stored.run, clusters, failures, remarks };
        asked.consistent()?;
        Ok(asked)
    }

    /// A page condemns by these numbers and words, so they have to hold together: what violates has a failure against a
    /// specification to show, and what has one violates.
    fn consistent(&self) -> Result<(), String> {
        for law in &self.result.laws {
            if !is_slug(&law.slug) {
                return Err(format!("{:?} is no law", law.slug));
            }
            let of_it = self.failures.iter().filter(|failure| failure.law == law.slug);
            let heavy = of_it.filter(|failure| failure.force == Weight::Spec).count();
            if heavy != law.counts.spec || (heavy > 0) != (law.grade == Grade::Violates) {
                return Err(format!(
                    "of {} it says {:?} and {} against a specification, and lists {heavy}",
                    law.slug,
                    law.grade.name(),
                    law.counts.spec
                ));
            }
        }
        if self.result.grade == RunGrade::Violates && self.result.laws.iter().all(|law| law.grade != Grade::Violates) {
            return Err("it says that a law is violated, and names none".to_owned());
        }
        Ok(())
    }

    /// Whether it was asked from this suite: its vectors, under its laws and its operations.
    pub(super) fn is_of(&self, suite: &Suite) -> bool {
        let SuiteInfo { sha256, cases: _, laws_sha256, operations_sha256 } = &self.result.suite;
        [sha256, laws_sha256, operations_sha256]
            == [suite.sha256, suite.laws_sha256, suite.operations_sha256].map(Digest::to_hex).each_ref()
    }

    /// How many cases were put to the implementation.
    pub(super) fn asked(&self) -> usize {
        self.result.totals.pass.saturating_add(self.result.totals.fail)
    }

    /// Whether what answered is the implementation at all: else nothing counts against it.
    pub(super) fn usable(&self) -> bool {
        matches!(self.exit, Exit::Conforms | Exit::Violates | Exit::Integrity | Exit::NoAnswer)
    }

    /// The grade, or why there is none, as a report has it.
    pub(super) fn word(&self) -> &'static str {
        let whole = self.result.complete && self.asked() > 0 && self.result.faults.is_empty();
        grade_word(self.exit, self.result.grade, whole)
    }

    /// The law of this slug.
    pub(super) fn law(&self, slug: &str) -> Option<&Law> {
        self.result.laws.iter().find(|law| law.slug == slug)
    }
}

/// System and law, each of small letters, digits and dashes: they become a path.
fn is_slug(slug: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    slug.split_once('/').is_some_and(|(system, law)| plain(system) && plain(law))
}

impl StoredCluster {
    fn read(self) -> Result<Cluster, String> {
        Ok(Cluster {
            law: self.law,
            force: self.force,
            outcome: named(&self.outcome)?,
            place: self.place,
            difference: self.difference,
            flags: self.flags,
            smallest: self.smallest,
            cases: self.cases,
        })
    }
}

impl StoredFailure {
    fn read(self) -> Result<Failure, String> {
        let mismatch = |stored: &StoredMismatch| -> Result<Mismatch, String> {
            stored.read().ok_or_else(|| format!("{}: a difference binds by nothing that there is", self.id))
        };
        let mismatches = self.mismatches.iter().map(mismatch).collect::<Result<_, _>>()?;
        Ok(Failure {
            outcome: named(&self.outcome)?,
            id: self.id,
            law: self.law,
            force: self.force,
            expectation: None,
            mismatches,
            note: self.note,
            rationale: self.rationale,
        })
    }
}

fn named(name: &str) -> Result<Outcome, String> {
    outcome(name).ok_or_else(|| format!("no case comes to {name:?}"))
}
