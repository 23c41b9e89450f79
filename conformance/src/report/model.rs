//! The members of a report.

use assize_corpus::{
    agreement::{Mismatch, Outcome},
    node::{Node, NodeError},
    vector::Weight,
};
use assize_verifier::digest::Digest;
use serde::{Deserialize, Serialize};

use super::{challenged::Challenged, grade::Grade, run::Run};
use crate::{
    exit::Exit,
    expectations::{Expectation, ExpectationsInfo},
    protocol::{Capabilities, Declaration, Limits, Named},
    runner::{Altered, Controls, Probe, Unstable},
    selection::Selected,
    suite::SuiteInfo,
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

/// What was found out, independent of order and times.
#[derive(Debug, Clone, Serialize)]
pub struct Results {
    /// Version of the harness.
    pub assize: &'static str,
    /// Whether every selected case got its outcome and every check of the run was made.
    pub complete: bool,
    /// What all of it comes to: the worst of the laws that have a grade; nothing where no verdict can rest on the run.
    pub grade: RunGrade,
    /// The least weight of a failure that ends the command with an error.
    pub fail_on: FailOn,
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
    /// The questions beside the corpus that were among the cases; nothing where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenges: Option<Challenged>,
    /// Limits that a testee can notice.
    pub limits: Limits,
    /// The rulings that the expectations rest on.
    pub rulings: RulingsInfo,
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
    /// Failures that look like one, the heaviest first.
    pub clusters: Vec<Cluster>,
    /// Every case that failed, by id.
    pub failures: Vec<Failure>,
    /// Every case that passed and whose answer differs from a convention of the protocol, by id.
    pub remarks: Vec<Failure>,
    /// Every case without an answer, by id, with the reason.
    pub unrun: Vec<Unrun>,
    /// Declared limits, asked on them and one past them.
    pub probes: Vec<Probe>,
    /// Cases whose answers were not the same each time.
    pub unstable: Vec<Unstable>,
    /// Faults of the corpus itself.
    pub faults: Vec<String>,
}

impl Results {
    /// Digest of the canonical text.
    ///
    /// # Errors
    /// The text is not a node; only nesting beyond the node's depth could do that.
    pub fn digest(&self) -> Result<Digest, NodeError> {
        let text = serde_json::to_string(self)
            .map_err(|error| NodeError { pointer: String::new(), message: error.to_string() })?;
        Ok(Digest::of(Node::parse(&text)?.canonical().as_bytes()))
    }
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
    /// What it can be asked beside its operations; empty for everything.
    pub capabilities: Capabilities,
}

/// What the whole run comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunGrade {
    /// Specifications and rulings hold in everything that was asked.
    ConformsStrictly,
    /// The specifications hold.
    Conforms,
    /// A specification is broken.
    Violates,
    /// No verdict can rest on the run.
    Incomplete,
}

impl RunGrade {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ConformsStrictly => "conforms strictly",
            Self::Conforms => "conforms",
            Self::Violates => "violates",
            Self::Incomplete => "incomplete",
        }
    }
}

/// The least weight of a failure that ends the command with an error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// Differences from conventions too.
    Remark,
    /// What is against a ruling too.
    Ruling,
    /// What is against a specification alone.
    #[default]
    Spec,
}

impl FailOn {
    /// Whether a difference of this weight counts.
    #[must_use]
    pub fn counts(self, weight: Weight) -> bool {
        let least = match self {
            Self::Remark => Weight::Interface,
            Self::Ruling => Weight::Ruling,
            Self::Spec => Weight::Spec,
        };
        weight >= least
    }
}

/// The rulings that a run rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulingsInfo {
    /// Those by which a part of a case that was asked binds.
    pub rests_on: Vec<String>,
    /// Those that were left out.
    pub left_out: Vec<String>,
}

/// Counts of outcomes; `cases` is the sum of pass, fail, not applicable and not run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// All of them.
    pub cases: usize,
    /// The answer agrees, or differs from a convention alone.
    pub pass: usize,
    /// Of the passes, those that differ from a convention.
    pub remarks: usize,
    /// The answer does not agree, or there was none.
    pub fail: usize,
    /// Of the failures, those against a specification.
    pub spec: usize,
    /// Of the failures, those against a ruling alone.
    pub ruling: usize,
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
    /// What it comes to.
    pub grade: Grade,
    /// What keeps it from a grade, for people.
    #[serde(skip)]
    pub lacks: Option<&'static str>,
    /// Cases that the whole suite has for it, selected or not.
    pub in_suite: usize,
    /// Its counts.
    #[serde(flatten)]
    pub counts: Totals,
    /// Answers altered on their way, and how many of these were caught.
    pub altered: Altered,
    /// Cases that a null testee passes too.
    pub null_passes: usize,
    /// Passes that show the difference to the null testees, alone or together with their twins.
    pub credit: usize,
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
    /// What its laws come to, as far as they were asked.
    pub grade: Grade,
    /// Cases of the corpus that belong to it.
    pub cases: usize,
    /// How many of them passed.
    pub pass: usize,
}

/// Whether a level is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LevelState {
    /// Everything of it is declared, everything that applies was asked, nothing violates, and something was shown.
    Held,
    /// A law of it is violated, expected or not.
    Violated,
    /// Not all of its cases were asked, or too few apply to show anything.
    Incomplete,
    /// Not all of it is declared.
    Undeclared,
    /// The testee declares less than the level owes.
    Incapable,
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
            Self::Incapable => "incapable",
            Self::Empty => "empty",
        }
    }
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseRow {
    /// Its id.
    pub id: String,
    /// What became of it.
    pub outcome: Outcome,
    /// What the difference weighs, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<Weight>,
    /// Which of several permitted answers it gave, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<usize>,
    /// How that stands to the expectations file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expectation: Option<Expectation>,
}

/// One case whose answer is not the expected one.
#[derive(Debug, Clone, Serialize)]
pub struct Failure {
    /// Its id.
    pub id: String,
    /// Its law.
    pub law: String,
    /// What became of it.
    pub outcome: Outcome,
    /// What the difference weighs.
    pub force: Weight,
    /// Whether the expectations file names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expectation: Option<Expectation>,
    /// Every place where answer and expectation differ.
    pub mismatches: Vec<Mismatch>,
    /// What mismatches cannot say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Which mistake the case catches.
    pub rationale: String,
}

/// Failures that look like one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cluster {
    /// Their law.
    pub law: String,
    /// What they weigh.
    pub force: Weight,
    /// What became of them.
    pub outcome: Outcome,
    /// Where they part first, with `*` for every index; empty where there was no answer.
    pub place: String,
    /// How they part there, in words; the start of what came in place of an answer.
    pub difference: String,
    /// Bug classes that their inputs plant.
    pub flags: Vec<String>,
    /// The one with the smallest input.
    pub smallest: String,
    /// All of them, by id.
    pub cases: Vec<String>,
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
