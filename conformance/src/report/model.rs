//! The members of a report.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::{Mismatch, Outcome},
    node::{Node, NodeError},
};
use assize_verifier::digest::Digest;
use serde::{Deserialize, Serialize};

use super::run::Run;
use crate::{
    atp::DEFAULT_LINE,
    exit::Exit,
    testee::{Declaration, Named},
};

/// The report of one run.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Name of this contract.
    pub contract: &'static str,
    /// SHA-256 of the canonical text of `result`: members sorted by name, no white space, number tokens as they stand.
    pub digest: String,
    /// What another run of the same testee must reach again.
    pub result: Results,
    /// What belongs to this run alone.
    pub run: Run,
    /// The same as `result.exit_code`, typed.
    #[serde(skip)]
    pub exit: Exit,
}

/// What was found out, whatever the order and the times.
#[derive(Debug, Clone, Serialize)]
pub struct Results {
    /// Version of the harness.
    pub assize: &'static str,
    /// Whether every selected case got its outcome and every check of the run was made.
    pub complete: bool,
    /// How the command ends.
    pub exit_code: u8,
    /// Whether cases went out twice, with a fresh-process sample and controls.
    pub certifying: bool,
    /// What was asked from.
    pub suite: SuiteInfo,
    /// Who answered.
    pub testee: TesteeInfo,
    /// The filters.
    pub selection: Selected,
    /// Seed of the orders and of every sample.
    pub seed: u32,
    /// Limits that a testee can feel.
    pub limits: Limits,
    /// The expectations file and what it came to; nothing without one.
    pub expectations: Option<ExpectationsInfo>,
    /// Sums over all laws.
    pub totals: Totals,
    /// A row for each selected law, in published order.
    pub laws: Vec<LawRow>,
    /// A row for each certification level.
    pub levels: Vec<LevelRow>,
    /// What shows that this run could have failed; nothing where none were made.
    pub controls: Option<Controls>,
    /// Every selected case with its outcome, by id.
    pub cases: Vec<CaseRow>,
    /// Every case that failed, by id.
    pub failures: Vec<Failure>,
    /// Every case without an answer, by id, with the reason.
    pub unrun: Vec<Unrun>,
    /// Cases whose answers were not the same each time.
    pub unstable: Vec<Unstable>,
    /// Faults of the corpus itself.
    pub faults: Vec<String>,
}

impl Results {
    /// Digest of the canonical text.
    ///
    /// # Errors
    /// The text is no node; only nesting beyond the node's depth could do that.
    pub fn digest(&self) -> Result<Digest, NodeError> {
        let text = serde_json::to_string(self)
            .map_err(|error| NodeError { pointer: String::new(), message: error.to_string() })?;
        Ok(Digest::of(Node::parse(&text)?.canonical().as_bytes()))
    }
}

/// The suite of vectors and the law it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteInfo {
    /// Digest of all vectors.
    pub sha256: String,
    /// Cases in the whole of it.
    pub cases: usize,
    /// Digest of the declarations of laws.
    pub laws_sha256: String,
    /// Digest of the operation table.
    pub operations_sha256: String,
}

/// The implementation that answered, as it introduced itself.
#[derive(Debug, Clone, Serialize)]
pub struct TesteeInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// What stands in front of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shim: Option<Named>,
    /// What it declared: this binds.
    pub ops: Declaration,
}

/// The filters that were given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selected {
    /// Systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<String>,
    /// Modes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    /// Certification levels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<String>,
    /// Ids, prefixes and patterns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<String>,
    /// Which part of how many, as `k/n`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// Limits that a testee can feel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Longest frame in bytes, without its line feed.
    pub line: usize,
    /// Milliseconds without progress.
    pub case_ms: u64,
    /// Milliseconds to hello.
    pub start_ms: u64,
    /// Ends of a process by crash, time-out or bad frame before the rest is not run.
    pub ends: usize,
    /// Seconds of processor time of one process; nothing without a limit.
    pub cpu_s: Option<u64>,
    /// Megabytes of private memory of one process; nothing without a limit.
    pub memory_mb: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line: DEFAULT_LINE, case_ms: 2000, start_ms: 30_000, ends: 20, cpu_s: Some(3600), memory_mb: Some(8192) }
    }
}

/// How an outcome stands to the expectations file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// A failure that an entry names, of the class that it names.
    Expected,
    /// A failure that no entry names, or of another class.
    Unexpected,
    /// A pass of a case that an entry says to fail.
    Stale,
}

/// The expectations file and what it came to.
#[derive(Debug, Clone, Serialize)]
pub struct ExpectationsInfo {
    /// Digest of the file.
    pub sha256: String,
    /// Entries in it.
    pub entries: usize,
    /// Failures that it expects.
    pub expected: usize,
    /// Where the file and the run part; any of them turns the run red.
    pub troubles: Vec<Trouble>,
}

/// Where an expectations file and a run part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trouble {
    /// How.
    pub kind: TroubleKind,
    /// Line of the entry, from 1.
    pub line: usize,
    /// The id or pattern of the entry.
    pub pattern: String,
    /// The case that shows it, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// What to do about it.
    pub message: String,
}

/// How an expectations file and a run part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TroubleKind {
    /// A case that is expected to fail passes, while others of its pattern fail.
    UnexpectedPass,
    /// The pattern names no case of the corpus.
    Unmatched,
    /// A case fails in another class.
    ChangedClass,
    /// Nothing that the pattern names fails any more.
    Stale,
}

/// Counts of outcomes; `cases` is the sum of pass, fail, not applicable and not run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// All of them.
    pub cases: usize,
    /// The answer agrees.
    pub pass: usize,
    /// It does not, or there was none.
    pub fail: usize,
    /// Of the failures, those that the expectations file names.
    pub expected: usize,
    /// Cannot be asked here, or was never declared.
    pub not_applicable: usize,
    /// Was not asked.
    pub not_run: usize,
}

/// One law.
#[derive(Debug, Clone, Serialize)]
pub struct LawRow {
    /// System and law.
    pub slug: String,
    /// Name for people.
    pub title: String,
    /// Cases that the whole suite has for it, selected or not.
    pub in_suite: usize,
    /// Its counts.
    #[serde(flatten)]
    pub counts: Totals,
    /// Answers altered on their way, and how many of these were caught.
    pub altered: Altered,
    /// Cases that a null testee passes too.
    pub null_passes: usize,
    /// Passes that tell this testee from the null testees, alone or together with their twins.
    pub credit: usize,
}

/// Answers altered on their way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Altered {
    /// How many.
    pub planted: usize,
    /// Of how many the outcome of that very case changed.
    pub caught: usize,
}

/// One certification level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelRow {
    /// Its name.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// Whether it is held.
    pub state: LevelState,
    /// Cases of the corpus that belong to it.
    pub cases: usize,
    /// How many of them passed.
    pub pass: usize,
}

/// Whether a level is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LevelState {
    /// Everything of it is declared, was asked and conforms.
    Held,
    /// A case of it fails, expected or not.
    Violated,
    /// Not all of its cases were asked.
    Incomplete,
    /// Not all of it is declared.
    Undeclared,
    /// The corpus has no case for it.
    Empty,
}

impl LevelState {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Violated => "violated",
            Self::Incomplete => "incomplete",
            Self::Undeclared => "undeclared",
            Self::Empty => "empty",
        }
    }
}

/// What shows that the run could have failed.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Controls {
    /// Altered answers over all laws.
    pub altered: Altered,
    /// The same by kind of alteration.
    pub kinds: BTreeMap<&'static str, Altered>,
    /// Alterations that the harness did not catch: each is a bug of it.
    pub missed: Vec<Missed>,
    /// What testees that look at nothing would pass.
    pub null_testees: Vec<NullRow>,
}

/// An alteration that went through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// The case.
    pub id: String,
    /// The alteration.
    pub kind: &'static str,
}

/// One null testee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NullRow {
    /// Its name.
    pub name: &'static str,
    /// Cases that it was asked.
    pub cases: usize,
    /// How many it passes.
    pub pass: usize,
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseRow {
    /// Its id.
    pub id: String,
    /// What became of it.
    pub outcome: Outcome,
    /// How that stands to the expectations file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expectation: Option<Expectation>,
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
    /// Whether the expectations file names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expectation: Option<Expectation>,
    /// Every place where answer and expectation part.
    pub mismatches: Vec<Mismatch>,
    /// What mismatches cannot say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Which mistake the case catches.
    pub rationale: String,
}

/// One case without an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unrun {
    /// Its id.
    pub id: String,
    /// Not applicable, or not run.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
}

/// A case whose answers were not the same each time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unstable {
    /// Its id.
    pub id: String,
    /// Where they part.
    #[serde(rename = "where")]
    pub place: UnstableWhere,
}

/// Where two answers to one case part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnstableWhere {
    /// Between the two orders in one process.
    Orders,
    /// Between a busy process and a fresh one.
    FreshProcess,
    /// Between what passed before and what was to be altered in the controls.
    Controls,
}
