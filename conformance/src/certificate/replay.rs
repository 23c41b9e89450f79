//! A certificate against what can be seen again: the corpus built in here, a report, another run.

use std::collections::BTreeSet;

use assize_corpus::{challenge::is_challenge, node::Node};
use assize_verifier::digest::Digest;

use super::{
    Certified,
    claim::{Claim, CommandClaim, HarnessInfo},
    difference::{Difference, differences},
    rebuild::{self, Grounds},
    shape::{Contract, ShapeError},
    statement::Statement,
    stored::Stored,
};
use crate::{
    config::ENVIRONMENT, protocol::Limits, report::FailOn, selection::Selected, suite::SuiteInfo, testee::TransportKind,
};

/// How to make the run again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayPlan {
    /// How the testee is reached.
    pub transport: TransportKind,
    /// The filters.
    pub selection: Selected,
    /// Seed of the orders and of every sample.
    pub seed: u32,
    /// How many questions beside the corpus each law had, if that was said.
    pub each: Option<usize>,
    /// Whether there were any.
    pub challenged: bool,
    /// Limits that the testee can feel.
    pub limits: Limits,
    /// Testee processes, or threads, at work at a time.
    pub jobs: usize,
    /// Rulings that were left out.
    pub without: BTreeSet<String>,
    /// The least weight of a failure that ended the run with an error.
    pub fail_on: FailOn,
    /// Whether a configuration file gave the working folder, or variables that are not handed on without being asked for.
    pub configured: bool,
    /// Digest of the expectations file; nothing without one.
    pub expectations_sha256: Option<String>,
    /// Program and arguments as they were; empty for the built-in verifier.
    pub argv: Vec<String>,
}

/// How to make a certified run again.
#[must_use]
pub fn replay_plan(certified: &Certified) -> ReplayPlan {
    let claim = certified.claim();
    ReplayPlan {
        transport: claim.transport,
        selection: claim.selection.clone(),
        seed: claim.seed,
        each: claim.challenges.as_ref().and_then(|challenges| challenges.each),
        challenged: claim.challenges.is_some(),
        limits: claim.limits.clone(),
        jobs: claim.jobs,
        without: claim.rulings.left_out.iter().cloned().collect(),
        fail_on: claim.fail_on,
        configured: claim.command.as_ref().is_some_and(configured),
        expectations_sha256: claim.expectations.as_ref().map(|file| file.sha256.clone()),
        argv: claim.command.as_ref().map(|command| command.argv.clone()).unwrap_or_default(),
    }
}

fn configured(command: &CommandClaim) -> bool {
    command.directory_given || command.environment.iter().any(|name| !ENVIRONMENT.contains(&name.as_str()))
}

/// A digest of a certificate and the one here.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct DigestPair {
    /// Of what.
    pub name: &'static str,
    /// As certified.
    pub certified: String,
    /// As built in here.
    pub here: String,
    /// Whether the two are one.
    pub same: bool,
}

/// The corpus, laws and operations of a certificate, compared with those of a suite.
#[must_use]
pub fn digest_pairs(claim: &Claim, suite: &SuiteInfo) -> [DigestPair; 3] {
    let pair = |name, certified: &String, here: &String| DigestPair {
        name,
        certified: certified.clone(),
        here: here.clone(),
        same: certified == here,
    };
    [
        pair("corpus", &claim.suite.sha256, &suite.sha256),
        pair("laws", &claim.suite.laws_sha256, &suite.laws_sha256),
        pair("operations", &claim.suite.operations_sha256, &suite.operations_sha256),
    ]
}

/// A report as JSON, read to be made again from its cases.
#[derive(Debug)]
pub struct ReportFile {
    /// The digest that its result has.
    pub digest: String,
    node: Node,
    stored: Stored,
}

impl ReportFile {
    /// Reads what `assize certify --format json` wrote, and computes the digest of its result again.
    ///
    /// # Errors
    /// It is something else.
    pub fn parse(bytes: &[u8]) -> Result<Self, ShapeError> {
        let (text, node) = Contract::read(bytes)?;
        Contract::Report.judge(text)?;
        let stored = serde_json::from_str(text)
            .map_err(|error| ShapeError::Member { member: String::new(), message: error.to_string() })?;
        let result = node.member("result").unwrap_or(&Node::Null);
        Ok(Self { digest: Digest::of(result.canonical().as_bytes()).to_hex(), node, stored })
    }

    /// The statement that this report makes, once all that follows from its cases has been derived again; `sha256` is the
    /// digest of the harness, which no report states.
    ///
    /// # Errors
    /// It does not follow, or no statement may be made of it: every member at fault.
    pub fn statement(&self, grounds: Grounds<'_>, sha256: &str) -> Result<Statement, Vec<Difference>> {
        match self.made(grounds, sha256)? {
            (statement, reasons) if reasons.is_empty() => Ok(statement),
            (_, reasons) => Err(reasons),
        }
    }

    /// The statement, with the reasons why none may be made.
    fn made(&self, grounds: Grounds<'_>, sha256: &str) -> Result<(Statement, Vec<Difference>), Vec<Difference>> {
        rebuild::statement(&self.node, &self.digest, &self.stored, grounds, sha256)
    }
}

/// Where a statement and the report that it claims to be about differ; nothing when the report makes that statement.
#[must_use]
pub fn report_differences(statement: &Statement, report: &ReportFile, grounds: Grounds<'_>) -> Vec<Difference> {
    match report.statement(grounds, &statement.predicate.assize.harness.sha256) {
        // What does not follow may hide what is stated otherwise.
        Err(mut found) => {
            found.extend(directly(statement, report));
            found
        }
        Ok(made) => between(statement, &made),
    }
}

/// Members that stand in a report as they stand in its statement.
const SHARED: [&str; 15] = [
    "/result/suite",
    "/result/testee",
    "/result/selection",
    "/result/seed",
    "/result/limits",
    "/result/grade",
    "/result/fail_on",
    "/result/rulings",
    "/result/totals",
    "/run/transport",
    "/run/jobs",
    "/run/started",
    "/run/containment",
    "/run/command/argv",
    "/run/command/files",
];

/// Where members that stand in both differ, whether or not the report follows from its cases.
fn directly(statement: &Statement, report: &ReportFile) -> Vec<Difference> {
    let Ok(stated) = statement.node() else { return Vec::new() };
    let at = |node: &Node, path: &str| {
        path.split('/').skip(1).try_fold(node.clone(), |node, name| node.member(name).cloned())
    };
    let mut all = Vec::new();
    for place in SHARED {
        let claimed = place.replace("/result/", "/predicate/assize/").replace("/run/", "/predicate/assize/");
        let (stated, found) = (at(&stated, &claimed), at(&report.node, place));
        let (Some(stated), Some(found)) = (stated, found) else { continue };
        all.extend(differences(&stated, &found).into_iter().map(|mut difference| {
            difference.member.insert_str(0, place);
            difference
        }));
    }
    all
}

/// With which seed a run was made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seed {
    /// With that of the certified run: all of the result must come again.
    Recorded,
    /// With another: what does not depend on it must come again.
    Fresh,
}

/// Where a certificate and another run differ; nothing when the run makes the same statement, but for its times, the digests of
/// its sessions (their ids are random) and, of a process, the binary of the harness. `before` is the report that was certified,
/// if it is at hand, since it alone names every case; with another seed, the report of the run made
/// again with the recorded one does as well.
#[must_use]
pub fn replay_differences(
    certified: &Certified,
    again: &ReportFile,
    grounds: Grounds<'_>,
    harness: &HarnessInfo,
    before: Option<&ReportFile>,
    seed: Seed,
) -> Vec<Difference> {
    let mut found = match again.made(grounds, &harness.sha256) {
        Err(found) => found,
        Ok((made, mut reasons)) => {
            let comparable = comparable(certified.claim(), made.predicate.assize, seed);
            reasons.extend(between(&certified.statement, &comparable));
            reasons
        }
    };
    let result = |report: &ReportFile| report.node.member("result").cloned().unwrap_or(Node::Null);
    if let Some(before) = before {
        let (place, was, is) = match seed {
            Seed::Recorded => ("/result", result(before), result(again)),
            // Another seed makes other challenges; the cases of the corpus are the same.
            Seed::Fresh => ("/result/cases", of_corpus(&result(before)), of_corpus(&result(again))),
        };
        found.extend(differences(&was, &is).into_iter().map(|mut difference| {
            difference.member.insert_str(0, place);
            difference
        }));
    }
    found
}

/// The rows of the cases that the corpus has.
fn of_corpus(result: &Node) -> Node {
    let Some(Node::Array(rows)) = result.member("cases") else { return Node::Null };
    let beside = |row: &&Node| row.member("id").and_then(Node::text).is_some_and(is_challenge);
    Node::Array(rows.iter().filter(|row| !beside(row)).cloned().collect())
}

/// The claim of another run with what belongs to that run alone taken from the first.
fn comparable(was: &Claim, mut is: Claim, seed: Seed) -> Statement {
    is.started.clone_from(&was.started);
    // Which process was asked what, and in which order, no seed decides.
    is.sessions.clone_from(&was.sessions);
    if let (Some(is), Some(was)) = (&mut is.command, &was.command) {
        is.environment = usual_of(&was.environment, &is.environment);
    }
    if was.transport == TransportKind::Process {
        is.harness.sha256.clone_from(&was.harness.sha256);
    }
    if seed == Seed::Fresh {
        is.seed = was.seed;
        is.report_sha256.clone_from(&was.report_sha256);
        // Which answers are altered is drawn from the seed.
        is.controls.altered = was.controls.altered;
        is.controls.kinds.clone_from(&was.controls.kinds);
        for (is, was) in is.laws.iter_mut().zip(&was.laws).filter(|(is, was)| is.slug == was.slug) {
            is.altered = was.altered;
        }
        if was.challenges != is.challenges {
            uncounted(was, &mut is);
        }
    }
    Statement::around(is)
}

/// The names of one run, where those that are handed on without being asked for are those of another: which of them are set is a matter
/// of the shell.
fn usual_of(was: &[String], is: &[String]) -> Vec<String> {
    let usual = |name: &&String| ENVIRONMENT.contains(&name.as_str());
    let mut names: Vec<String> =
        was.iter().filter(usual).chain(is.iter().filter(|name| !usual(name))).cloned().collect();
    names.sort();
    names
}

/// Challenges are made from the seed: what they count is another number, and what they come to is a grade.
fn uncounted(was: &Claim, is: &mut Claim) {
    is.challenges.clone_from(&was.challenges);
    is.totals = was.totals;
    is.not_selected = was.not_selected;
    is.not_applicable.clone_from(&was.not_applicable);
    for (is, was) in is.laws.iter_mut().zip(&was.laws).filter(|(is, was)| is.slug == was.slug) {
        (is.counts, is.in_suite) = (was.counts, was.in_suite);
    }
    for (is, was) in is.levels.iter_mut().zip(&was.levels).filter(|(is, was)| is.name == was.name) {
        (is.cases, is.pass) = (was.cases, was.pass);
    }
    if let (Some(is), Some(was)) = (&mut is.expectations, &was.expectations) {
        is.expected = was.expected;
    }
}

fn between(stated: &Statement, made: &Statement) -> Vec<Difference> {
    match (stated.node(), made.node()) {
        (Ok(stated), Ok(made)) => differences(&stated, &made),
        (Err(error), _) | (_, Err(error)) => vec![Difference::new("", error.to_string())],
    }
}
