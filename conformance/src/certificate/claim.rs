//! What is certified: our own member of the predicate.
//!
//! Every count of a report that is not a pass has a place of its own here. Unknown members are refused: a later version of
//! the contract has another name.

use std::collections::BTreeMap;

use assize_corpus::agreement::Outcome;
use serde::{Deserialize, Serialize};

use crate::{
    protocol::{Capabilities, Declaration, Limits},
    report::{Challenged, FailOn, Grade, LevelRow, LevelState, Results, RulingsInfo, Run, RunGrade, Totals},
    runner::Altered,
    selection::Selected,
    suite::SuiteInfo,
    testee::{SEALED, SubjectInfo, TransportKind},
};

/// Name of the contract.
pub const CONTRACT: &str = "assize-certificate/v2";

/// What no certificate proves; every one says so itself.
pub const DOES_NOT_PROVE: [&str; 10] = [
    "Nothing is shown beyond the cases and laws that are listed: a finite corpus samples an implementation, it does not exhaust it.",
    "Nothing is shown about inputs outside the corpus.",
    "Nothing is shown about laws that no operation can judge: `assize laws` marks them as not judged, each with the reason.",
    "Nothing is shown about another version or build: the digests name the program, its arguments, its subject and the packages of its runtime; the rest of its runtime and the libraries of the system are not among them.",
    "A testee that recognises the cases of the public corpus and behaves otherwise elsewhere would pass.",
    "That nobody knew the seed beforehand, from which the questions beside the corpus are made, is what the operator of the harness says: a replay asks others.",
    "The environment of the run is what the operator of the harness says it was.",
    "Containment is as stated: a testee that got around it could have reached the harness or the network.",
    "Expected failures, cases that were not applicable and cases that were not selected are no passes.",
    "The signer alone vouches for this; the authors of the specifications do not.",
];

/// What the certificate of a testee that was a process, and not sealed off, does not prove besides.
pub const NOT_SEALED: &str = "The testee could read what its user can read: the binary and the corpus of the harness, which say what to answer, and a private key, with which it could have signed a statement of its own.";

/// What the certificate of a testee that could read more than its own does not prove besides.
pub const READABLE: &str = "What the testee could read beside its subject and its runtime was not digested: an answer may lie there, or a private key, with which it could have signed a statement of its own.";

/// What the certificate of a testee whose runtime has no digest does not prove besides.
pub const UNDIGESTED: &str =
    "The packages of its runtime were not digested: what answered may lie there, and be another by now.";

/// What a claim does not prove, by how far the testee was contained, and by what of it was digested.
#[must_use]
pub fn does_not_prove(
    transport: TransportKind,
    containment: Option<&ContainmentClaim>,
    command: Option<&CommandClaim>,
) -> Vec<String> {
    let sealed = containment.is_some_and(|contained| contained.level == SEALED);
    let open = (transport == TransportKind::Process && !sealed).then_some(NOT_SEALED);
    let more = containment.is_some_and(|contained| !contained.readable.is_empty()).then_some(READABLE);
    let runtime = command.and_then(|command| command.runtime.as_ref());
    let unknown = runtime.is_some_and(|runtime| runtime.sha256.is_none()).then_some(UNDIGESTED);
    DOES_NOT_PROVE.into_iter().chain(open).chain(more).chain(unknown).map(str::to_owned).collect()
}

/// What is certified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Name of the contract.
    pub contract: String,
    /// What ran the cases.
    pub harness: HarnessInfo,
    /// Digest of the report's result.
    pub report_sha256: String,
    /// What was asked from.
    pub suite: SuiteInfo,
    /// Who answered.
    pub testee: TesteeClaim,
    /// How it was reached.
    pub transport: TransportKind,
    /// What was started; nothing for the built-in verifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandClaim>,
    /// The filters.
    pub selection: Selected,
    /// Seed of the orders and of every sample.
    pub seed: u32,
    /// The questions beside the corpus; nothing where there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenges: Option<Challenged>,
    /// Limits that the testee could notice.
    pub limits: Limits,
    /// Testee processes, or threads, at work at a time.
    pub jobs: usize,
    /// When the run began, RFC 3339 in UTC.
    pub started: String,
    /// How far the testee was contained; nothing for the built-in verifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub containment: Option<ContainmentClaim>,
    /// Every process of the testee, with the chain of its answers.
    pub sessions: Vec<SessionClaim>,
    /// The expectations file; nothing without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expectations: Option<ExpectationsClaim>,
    /// What the run came to.
    pub grade: RunGrade,
    /// The least weight of a failure that would have ended the run with an error.
    pub fail_on: FailOn,
    /// The rulings that this rests on, and those that were left out.
    pub rulings: RulingsInfo,
    /// Sums over all laws.
    pub totals: Totals,
    /// Cases of the corpus that the filters left out.
    pub not_selected: usize,
    /// Cases that could not be asked or were never declared, counted by reason.
    pub not_applicable: BTreeMap<String, usize>,
    /// Cases that were not asked, counted by reason.
    pub not_run: BTreeMap<String, usize>,
    /// A row for each selected law.
    pub laws: Vec<LawClaim>,
    /// A row for each certification level.
    pub levels: Vec<LevelRow>,
    /// What shows that the run could have failed.
    pub controls: ControlsClaim,
    /// What all this does not prove.
    pub does_not_prove: Vec<String>,
}

/// The harness binary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HarnessInfo {
    /// Its version.
    pub version: String,
    /// Digest of its file.
    pub sha256: String,
}

/// A name and a version, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
}

/// The implementation, as it introduced itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TesteeClaim {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// What stands in front of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shim: Option<Identity>,
    /// What it declared: its operations.
    pub ops: Declaration,
    /// What it can be asked beside them; empty for everything.
    pub capabilities: Capabilities,
}

/// What was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandClaim {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Whether a working folder was configured.
    pub directory_given: bool,
    /// Names of the environment variables that were handed on.
    pub environment: Vec<String>,
    /// The program and every argument that names a file.
    pub files: Vec<FileClaim>,
    /// All files of its subject, before the run and after it; nothing where they were not the same or could not be read, and
    /// then there is no certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectClaim>,
    /// What was added to its runtime, before the run and after it; nothing where nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<RuntimeClaim>,
}

/// What was added to a runtime: packages and virtual environments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuntimeClaim {
    /// Base names of the folders and files.
    pub paths: Vec<String>,
    /// How many files and links.
    pub files: usize,
    /// Bytes of the files.
    pub bytes: u64,
    /// Digest over all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Why there is no digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undigested: Option<String>,
}

impl RuntimeClaim {
    pub(super) fn of(info: &SubjectInfo) -> Self {
        Self {
            paths: info.paths.clone(),
            files: info.files,
            bytes: info.bytes,
            sha256: info.sha256.clone(),
            undigested: info.undigested.clone(),
        }
    }
}

/// All files of a subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectClaim {
    /// Base names of what it consists of; `.` for the working folder, where nothing was named.
    pub paths: Vec<String>,
    /// How many files and links.
    pub files: usize,
    /// Bytes of the files.
    pub bytes: u64,
    /// Digest over all of them.
    pub sha256: String,
}

impl SubjectClaim {
    pub(super) fn of(info: &SubjectInfo) -> Option<Self> {
        let whole = info.changed.is_empty() && info.undigested.is_none();
        let sha256 = info.sha256.clone().filter(|_| whole)?;
        Some(Self { paths: info.paths.clone(), files: info.files, bytes: info.bytes, sha256 })
    }
}

/// A file of the command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileClaim {
    /// Which word of the command; 0 is the program.
    pub argument: usize,
    /// Base name.
    pub name: String,
    /// Digest of its bytes.
    pub sha256: String,
}

/// How far the testee was contained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContainmentClaim {
    /// The level reached.
    pub level: String,
    /// What was done.
    pub measures: Vec<String>,
    /// What was not: the system did not offer it, or the caller did not want it.
    pub missing: Vec<String>,
    /// Files and folders that it could read by configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
}

/// One process of the testee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionClaim {
    /// What it was for.
    pub purpose: String,
    /// Answers that the harness counted.
    pub served: u64,
    /// The chain that the harness kept.
    pub chain: String,
    /// Whether the testee's goodbye said the same; nothing when it was ended before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed: Option<bool>,
}

/// The expectations file and what it came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectationsClaim {
    /// Digest of the file.
    pub sha256: String,
    /// Entries in it.
    pub entries: usize,
    /// Failures that it expects.
    pub expected: usize,
}

/// One law.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LawClaim {
    /// System and law.
    pub slug: String,
    /// What it comes to.
    pub grade: Grade,
    /// Cases that the whole suite has for it, and challenges, selected or not.
    pub in_suite: usize,
    /// Its counts.
    pub counts: Totals,
    /// Answers altered on their way, and how many of these were caught.
    pub altered: Altered,
    /// Cases that a null testee passes too.
    pub null_passes: usize,
    /// Passes that tell the testee from the null testees.
    pub credit: usize,
}

/// What shows that the run could have failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControlsClaim {
    /// Altered answers over all laws.
    pub altered: Altered,
    /// The same by kind of alteration.
    pub kinds: BTreeMap<String, Altered>,
    /// What testees that look at nothing would pass.
    pub null_testees: Vec<NullClaim>,
}

/// One null testee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NullClaim {
    /// Its name.
    pub name: String,
    /// Cases that it was asked.
    pub cases: usize,
    /// How many it passes.
    pub pass: usize,
}

/// What belongs to a run alone, as a claim has it.
#[derive(Debug)]
pub(super) struct RunClaim {
    pub(super) transport: TransportKind,
    pub(super) command: Option<CommandClaim>,
    pub(super) jobs: usize,
    pub(super) started: String,
    /// The files of the testee, whether or not they can be certified.
    pub(super) subject: Option<SubjectInfo>,
    /// The same of its runtime.
    pub(super) runtime: Option<SubjectInfo>,
    pub(super) containment: Option<ContainmentClaim>,
    pub(super) sessions: Vec<SessionClaim>,
}

impl From<&Run> for RunClaim {
    fn from(run: &Run) -> Self {
        Self {
            transport: run.transport,
            command: run.command.as_ref().map(CommandClaim::of),
            jobs: run.jobs,
            started: run.started.clone(),
            subject: run.command.as_ref().and_then(|command| command.subject.clone()),
            runtime: run.command.as_ref().and_then(|command| command.runtime.clone()),
            containment: run.containment.as_ref().map(|contained| ContainmentClaim {
                level: contained.level.to_owned(),
                measures: contained.measures.iter().map(ToString::to_string).collect(),
                missing: contained.missing.iter().map(ToString::to_string).collect(),
                readable: contained.readable.clone(),
            }),
            sessions: run.sessions.iter().map(SessionClaim::of).collect(),
        }
    }
}

/// Whether filters or a shard took single cases.
fn is_part(selection: &Selected) -> bool {
    !selection.cases.is_empty() || selection.shard.is_some()
}

/// How many questions beside the corpus there are.
fn beside(challenges: Option<&Challenged>) -> usize {
    challenges.map_or(0, |challenges| challenges.cases)
}

/// A level as it is certified: a run of a part holds none, even where it asked all cases of one.
fn certified(level: &LevelRow, of_part: bool) -> LevelRow {
    let state = if of_part && level.state == LevelState::Held { LevelState::Incomplete } else { level.state };
    LevelRow { state, ..level.clone() }
}

impl Claim {
    /// What the results of a run give to certify, with their digest and what belongs to the run alone; whether they may be is
    /// another question.
    pub(super) fn of(result: &Results, digest: &str, run: RunClaim, harness: &HarnessInfo) -> Self {
        let reasons = |of: Outcome| {
            let mut reasons = BTreeMap::new();
            for case in result.unrun.iter().filter(|case| case.outcome == of) {
                *reasons.entry(case.reason.clone()).or_insert(0) += 1;
            }
            reasons
        };
        let law = |law: &crate::report::LawRow| LawClaim {
            slug: law.slug.clone(),
            grade: law.grade,
            in_suite: law.in_suite,
            counts: law.counts,
            altered: law.altered,
            null_passes: law.null_passes,
            credit: law.credit,
        };
        let does_not_prove = does_not_prove(run.transport, run.containment.as_ref(), run.command.as_ref());
        Self {
            contract: CONTRACT.to_owned(),
            harness: harness.clone(),
            report_sha256: digest.to_owned(),
            suite: result.suite.clone(),
            testee: TesteeClaim {
                name: result.testee.name.clone(),
                version: result.testee.version.clone(),
                lang: result.testee.lang.clone(),
                shim: result.testee.shim.clone().map(|shim| Identity { name: shim.name, version: shim.version }),
                ops: result.testee.ops.clone(),
                capabilities: result.testee.capabilities.clone(),
            },
            transport: run.transport,
            command: run.command,
            selection: result.selection.clone(),
            seed: result.seed,
            challenges: result.challenges.clone(),
            limits: result.limits.clone(),
            jobs: run.jobs,
            started: run.started,
            containment: run.containment,
            sessions: run.sessions,
            expectations: result.expectations.as_ref().map(|info| ExpectationsClaim {
                sha256: info.sha256.clone(),
                entries: info.entries,
                expected: info.expected,
            }),
            grade: result.grade,
            fail_on: result.fail_on,
            rulings: result.rulings.clone(),
            totals: result.totals,
            not_selected: (result.suite.cases + beside(result.challenges.as_ref())).saturating_sub(result.totals.cases),
            not_applicable: reasons(Outcome::NotApplicable),
            not_run: reasons(Outcome::NotRun),
            laws: result.laws.iter().map(law).collect(),
            levels: result.levels.iter().map(|level| certified(level, is_part(&result.selection))).collect(),
            controls: result.controls.as_ref().map(ControlsClaim::of).unwrap_or_default(),
            does_not_prove,
        }
    }

    /// Whether this is about a part of the corpus: filters or a shard took single cases.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        is_part(&self.selection)
    }

    /// How many questions beside the corpus were made for the run.
    #[must_use]
    pub fn beside(&self) -> usize {
        beside(self.challenges.as_ref())
    }

    /// Levels in this state.
    pub fn levels_in(&self, state: LevelState) -> impl Iterator<Item = &LevelRow> {
        self.levels.iter().filter(move |level| level.state == state)
    }
}

impl CommandClaim {
    fn of(command: &crate::testee::CommandInfo) -> Self {
        let file = |file: &crate::testee::FileInfo| FileClaim {
            argument: file.argument,
            name: file.name.clone(),
            sha256: file.sha256.clone(),
        };
        Self {
            argv: command.argv.clone(),
            directory_given: command.directory.is_some(),
            environment: command.environment.clone(),
            files: command.files.iter().map(file).collect(),
            subject: command.subject.as_ref().and_then(SubjectClaim::of),
            runtime: command.runtime.as_ref().map(RuntimeClaim::of),
        }
    }
}

impl SessionClaim {
    fn of(session: &crate::testee::SessionRow) -> Self {
        Self {
            purpose: session.purpose.to_owned(),
            served: session.served,
            chain: session.chain.clone(),
            agreed: session.agreed,
        }
    }
}

impl ControlsClaim {
    fn of(controls: &crate::runner::Controls) -> Self {
        let null =
            |row: &crate::runner::NullRow| NullClaim { name: row.name.to_owned(), cases: row.cases, pass: row.pass };
        Self {
            altered: controls.altered,
            kinds: controls.kinds.iter().map(|(kind, altered)| ((*kind).to_owned(), *altered)).collect(),
            null_testees: controls.null_testees.iter().map(null).collect(),
        }
    }
}
