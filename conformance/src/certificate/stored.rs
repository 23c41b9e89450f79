//! A report that was written as JSON, as far as it cannot be derived from its cases.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::{Mismatch, Outcome},
    node::Node,
    vector::{Force, Spec, Weight},
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;

use super::claim::{
    CommandClaim, ContainmentClaim, FileClaim, Identity, RunClaim, RuntimeClaim, SessionClaim, SubjectClaim,
};
use crate::{
    expectations::Expectation,
    protocol::{Capabilities, Declaration, Limits},
    report::{FailOn, RulingsInfo},
    selection::Selected,
    suite::SuiteInfo,
    testee::{SubjectInfo, TransportKind},
};

/// The report. Of its result only what nothing else follows from is read here: the rest is made again and compared as a whole.
#[derive(Debug, Deserialize)]
pub(super) struct Stored {
    pub(super) digest: String,
    pub(super) result: StoredResult,
    pub(super) run: StoredRun,
}

#[derive(Debug, Deserialize)]
pub(super) struct StoredResult {
    pub(super) assize: String,
    pub(super) fail_on: FailOn,
    pub(super) certifying: bool,
    pub(super) suite: SuiteInfo,
    pub(super) testee: StoredTestee,
    pub(super) selection: Selected,
    pub(super) seed: u32,
    pub(super) limits: Limits,
    pub(super) rulings: RulingsInfo,
    pub(super) expectations: Option<StoredExpectations>,
    pub(super) cases: Vec<StoredCase>,
    pub(super) failures: Vec<StoredFailure>,
    pub(super) remarks: Vec<StoredFailure>,
    pub(super) unrun: Vec<StoredUnrun>,
    pub(super) probes: Vec<StoredProbe>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredTestee {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) lang: Option<String>,
    pub(super) shim: Option<Identity>,
    pub(super) ops: Declaration,
    pub(super) capabilities: Capabilities,
}

#[derive(Debug, Deserialize)]
pub(super) struct StoredExpectations {
    pub(super) sha256: String,
    pub(super) entries: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredCase {
    pub(super) id: String,
    pub(super) outcome: String,
    pub(super) force: Option<StoredWeight>,
    pub(super) behaviour: Option<usize>,
    pub(super) expectation: Option<Expectation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum StoredWeight {
    Spec,
    Ruling,
    Interface,
}

impl From<StoredWeight> for Weight {
    fn from(weight: StoredWeight) -> Self {
        match weight {
            StoredWeight::Spec => Self::Spec,
            StoredWeight::Ruling => Self::Ruling,
            StoredWeight::Interface => Self::Interface,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct StoredFailure {
    pub(super) id: String,
    pub(super) outcome: String,
    pub(super) force: StoredWeight,
    pub(super) expectation: Option<Expectation>,
    pub(super) mismatches: Vec<StoredMismatch>,
    pub(super) note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredMismatch {
    pointer: String,
    #[serde(default, deserialize_with = "present")]
    expected: Option<Box<RawValue>>,
    #[serde(default, deserialize_with = "present")]
    actual: Option<Box<RawValue>>,
    force: Option<StoredForce>,
}

/// A member that is there, though it may be null.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum StoredForce {
    Word(String),
    Elsewhere { spec: Spec },
}

impl StoredMismatch {
    /// As it was before it was written; nothing for a force that there is not.
    pub(crate) fn read(&self) -> Option<Mismatch> {
        let node = |raw: &RawValue| Node::parse(raw.get()).ok();
        let force = match &self.force {
            None => None,
            Some(StoredForce::Elsewhere { spec }) => Some(Force::Spec(Some(spec.clone()))),
            Some(StoredForce::Word(word)) => Some(match word.as_str() {
                "spec" => Force::Spec(None),
                "permitted" => Force::Permitted,
                "interface" => Force::Interface,
                ruling => Force::Ruling(ruling.strip_prefix("ruling ")?.to_owned()),
            }),
        };
        let (expected, actual) = (self.expected.as_deref().and_then(node), self.actual.as_deref().and_then(node));
        Some(Mismatch { force, ..Mismatch::new(self.pointer.clone(), expected, actual) })
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct StoredUnrun {
    pub(super) id: String,
    pub(super) outcome: String,
    pub(super) reason: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct StoredProbe {
    pub(super) capability: String,
    pub(super) profile: String,
    pub(super) at: String,
    pub(super) outcome: String,
    pub(super) message: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredRun {
    pub(super) id: String,
    pub(super) started: String,
    pub(super) seconds: f64,
    pub(super) jobs: usize,
    pub(super) transport: TransportKind,
    pub(super) command: Option<StoredCommand>,
    pub(super) containment: Option<ContainmentClaim>,
    pub(super) sessions: Vec<SessionClaim>,
    pub(super) session_faults: Vec<IgnoredAny>,
    pub(super) receipts: Vec<IgnoredAny>,
    pub(super) orphans: Vec<IgnoredAny>,
    pub(super) evidence: BTreeMap<String, IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredCommand {
    argv: Vec<String>,
    directory: Option<String>,
    environment: Vec<String>,
    files: Vec<FileClaim>,
    subject: Option<SubjectInfo>,
    runtime: Option<SubjectInfo>,
}

impl StoredRun {
    /// What of it a claim has.
    pub(super) fn claim(&self) -> RunClaim {
        RunClaim {
            transport: self.transport,
            command: self.command.as_ref().map(|command| CommandClaim {
                argv: command.argv.clone(),
                directory_given: command.directory.is_some(),
                environment: command.environment.clone(),
                files: command.files.clone(),
                subject: command.subject.as_ref().and_then(SubjectClaim::of),
                runtime: command.runtime.as_ref().map(RuntimeClaim::of),
            }),
            jobs: self.jobs,
            started: self.started.clone(),
            subject: self.command.as_ref().and_then(|command| command.subject.clone()),
            runtime: self.command.as_ref().and_then(|command| command.runtime.clone()),
            containment: self.containment.clone(),
            sessions: self.sessions.clone(),
        }
    }
}

/// The outcome of this name.
pub(crate) fn outcome(name: &str) -> Option<Outcome> {
    let others = [Outcome::Pass, Outcome::NotApplicable, Outcome::NotRun];
    crate::expectations::CLASSES.into_iter().chain(others).find(|outcome| outcome.name() == name)
}
