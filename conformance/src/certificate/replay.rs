//! A certificate against what can be seen again: the corpus built in here, a report, another run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use assize_corpus::node::{Node, NodeError};
use assize_verifier::digest::Digest;
use thiserror::Error;

use super::{
    Certified,
    claim::{Claim, HarnessInfo},
    statement::{Resource, Statement},
};
use crate::{
    protocol::Limits,
    report::{FailOn, Report, Totals},
    selection::Selected,
    suite::{ChallengesInfo, SuiteInfo},
    testee::TransportKind,
};

/// Differences of one part that are shown.
const SHOWN: usize = 5;

/// How to make the run again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayPlan {
    /// How the testee is reached.
    pub transport: TransportKind,
    /// The filters.
    pub selection: Selected,
    /// Seed of the orders and of every sample.
    pub seed: u32,
    /// The questions beside the corpus; nothing where there were none.
    pub challenges: Option<ChallengesInfo>,
    /// Limits that the testee can feel.
    pub limits: Limits,
    /// Testee processes, or threads, at work at a time.
    pub jobs: usize,
    /// Rulings that were left out.
    pub without: BTreeSet<String>,
    /// The least weight of a failure that ended the run with an error.
    pub fail_on: FailOn,
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
        challenges: claim.challenges.clone(),
        limits: claim.limits.clone(),
        jobs: claim.jobs,
        without: claim.rulings.left_out.iter().cloned().collect(),
        fail_on: claim.fail_on,
        expectations_sha256: claim.expectations.as_ref().map(|file| file.sha256.clone()),
        argv: claim.command.as_ref().map(|command| command.argv.clone()).unwrap_or_default(),
    }
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

/// A place where a certificate and what is seen differ.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// Part of the certificate.
    pub part: &'static str,
    /// As certified, and as seen.
    pub message: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.message)
    }
}

/// A report as JSON, with the digest that its result has.
#[derive(Debug, Clone)]
pub struct ReportFile {
    /// The digest of the result.
    pub digest: String,
    /// Outcomes by id of the case.
    cases: BTreeMap<String, String>,
}

/// A file that is not a report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportFileError {
    /// Not UTF-8.
    #[error("not UTF-8: {0}")]
    Encoding(#[from] std::str::Utf8Error),
    /// Not JSON, or a name twice in one object.
    #[error(transparent)]
    Json(#[from] NodeError),
    /// Of another contract.
    #[error("no report: /contract is not \"assize-report/v2\", or /result is missing")]
    Contract,
}

impl ReportFile {
    /// Reads what `assize certify --format json` wrote, and computes its digest again.
    ///
    /// # Errors
    /// It is something else.
    pub fn parse(bytes: &[u8]) -> Result<Self, ReportFileError> {
        let report = Node::parse(std::str::from_utf8(bytes)?)?;
        let contract = report.member("contract").and_then(Node::text);
        let (Some("assize-report/v2"), Some(result)) = (contract, report.member("result")) else {
            return Err(ReportFileError::Contract);
        };
        let mut cases = BTreeMap::new();
        if let Some(Node::Array(rows)) = result.member("cases") {
            for row in rows {
                if let (Some(id), Some(outcome)) =
                    (row.member("id").and_then(Node::text), row.member("outcome").and_then(Node::text))
                {
                    cases.insert(id.to_owned(), outcome.to_owned());
                }
            }
        }
        Ok(Self { digest: Digest::of(result.canonical().as_bytes()).to_hex(), cases })
    }
}

/// Where a repeated run and its certificate differ; nothing when they agree. `before` is the report that was certified,
/// if there is one: only that report names the cases.
#[must_use]
pub fn differences(
    certified: &Certified,
    again: &Report,
    harness: &HarnessInfo,
    before: Option<&ReportFile>,
) -> Vec<Difference> {
    let (was, is) = (certified.claim(), Claim::of(again, harness));
    let mut found = files(&certified.statement, &Statement::around(is.clone()));
    if was.report_sha256 == is.report_sha256 {
        return found;
    }
    found.push(Difference { part: "report digest", message: parted(&was.report_sha256, &is.report_sha256) });
    let mut part = |part, was: String, is: String| {
        if was != is {
            found.push(Difference { part, message: parted(&was, &is) });
        }
    };
    part("grade", was.grade.name().to_owned(), is.grade.name().to_owned());
    part("rulings", format!("{:?}", was.rulings), format!("{:?}", is.rulings));
    part("totals", counts(&was.totals), counts(&is.totals));
    part("exit code", "0".to_owned(), again.exit.code().to_string());
    part("testee", format!("{:?}", was.testee), format!("{:?}", is.testee));
    part("selection", format!("{:?}", was.selection), format!("{:?}", is.selection));
    part("seed", was.seed.to_string(), is.seed.to_string());
    part("limits", format!("{:?}", was.limits), format!("{:?}", is.limits));
    part("expectations", format!("{:?}", was.expectations), format!("{:?}", is.expectations));
    part("harness version", was.harness.version.clone(), again.result.assize.to_owned());
    part("controls", format!("{:?}", was.controls), format!("{:?}", is.controls));
    found.extend(
        digest_pairs(was, &is.suite)
            .into_iter()
            .filter(|pair| !pair.same)
            .map(|pair| Difference { part: pair.name, message: parted(&pair.certified, &pair.here) }),
    );
    let laws = |claim: &Claim| -> BTreeMap<String, String> {
        let row = |law: &super::claim::LawClaim| {
            let (altered, credit) = (law.altered, law.credit);
            let grade = law.grade.name();
            format!(
                "{grade}; {}; controls {}/{}; credit {credit}",
                counts(&law.counts),
                altered.caught,
                altered.planted
            )
        };
        claim.laws.iter().map(|law| (law.slug.clone(), row(law))).collect()
    };
    found.extend(rows("law", &laws(was), &laws(&is)));
    let levels = |claim: &Claim| -> BTreeMap<String, String> {
        claim.levels.iter().map(|level| (level.name.clone(), level.state.name().to_owned())).collect()
    };
    found.extend(rows("level", &levels(was), &levels(&is)));
    if let Some(before) = before {
        let cases = again.result.cases.iter().map(|case| (case.id.clone(), case.outcome.name().to_owned())).collect();
        found.extend(rows("case", &before.cases, &cases));
    }
    found
}

/// Files that ran and were not certified, and the reverse.
fn files(was: &Statement, is: &Statement) -> Vec<Difference> {
    let digests = |statement: &Statement| -> BTreeSet<String> {
        statement.subject.iter().map(|file| file.digest.sha256.clone()).collect()
    };
    let (certified, ran) = (digests(was), digests(is));
    let message = |file: &Resource, says: &str| Difference {
        part: "command",
        message: format!("{} ({}) {says}", file.name, file.digest.sha256),
    };
    let other = is.subject.iter().filter(|file| !certified.contains(&file.digest.sha256));
    let gone = was.subject.iter().filter(|file| !ran.contains(&file.digest.sha256));
    other
        .map(|file| message(file, "is not a file that was certified"))
        .chain(gone.map(|file| message(file, "was certified and did not run")))
        .collect()
}

fn rows(part: &'static str, was: &BTreeMap<String, String>, is: &BTreeMap<String, String>) -> Vec<Difference> {
    let names: BTreeSet<_> = was.keys().chain(is.keys()).collect();
    let absent = "absent".to_owned();
    let mut found = Vec::new();
    let mut more = 0_usize;
    for name in names {
        let (before, now) = (was.get(name).unwrap_or(&absent), is.get(name).unwrap_or(&absent));
        match (before == now, found.len()) {
            (true, _) => {}
            (false, ..SHOWN) => found.push(Difference { part, message: format!("{name}: {}", parted(before, now)) }),
            (false, _) => more += 1,
        }
    }
    if more > 0 {
        found.push(Difference { part, message: format!("and {more} more") });
    }
    found
}

fn parted(was: &str, is: &str) -> String {
    format!("certified {was}, now {is}")
}

fn counts(totals: &Totals) -> String {
    format!(
        "{} cases, {} pass ({} remarks), {} fail ({} spec, {} ruling; {} expected), {} n/a, {} not run",
        totals.cases,
        totals.pass,
        totals.remarks,
        totals.fail,
        totals.spec,
        totals.ruling,
        totals.expected,
        totals.not_applicable,
        totals.not_run
    )
}
