//! Which run may be certified.

use std::collections::BTreeMap;

use assize_corpus::{agreement::Outcome, challenge::is_challenge, vector::Weight};
use thiserror::Error;

use super::{
    claim::{Claim, HarnessInfo, RunClaim},
    statement::Statement,
};
use crate::{
    catalogue::law_of,
    exit::Exit,
    report::Report,
    testee::{SubjectInfo, TransportKind, finds_orphans},
};

/// Why a run is not certified: every reason, not only the first.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the run cannot be certified: {}", .reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct Refusal {
    reasons: Vec<Reason>,
}

impl Refusal {
    /// The reasons; there is at least one.
    #[must_use]
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }
}

/// One reason not to certify a run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// It does not conform, or there is no answer.
    #[error("it ends with exit code {}, not 0", .0.code())]
    Exit(Exit),
    /// It was a plain run, without second order, fresh processes and controls.
    #[error("it was not a certifying run")]
    Rehearsal,
    /// Something is missing from it.
    #[error("it is incomplete")]
    Incomplete,
    /// Processes ended in a way that no case explains.
    #[error("{0} session faults")]
    SessionFaults(usize),
    /// Digests, counts or chains of the testee are not those of the harness.
    #[error("{0} receipts that do not match")]
    Receipts(usize),
    /// Processes outlived the testee.
    #[error("{0} processes were left behind")]
    Orphans(usize),
    /// Processes that outlived the testee could not have been found.
    #[error("its testee was not contained: this system finds no processes that are left behind")]
    Uncontained,
    /// Answers depend on order or process.
    #[error("{0} cases whose answers were not the same each time")]
    Unstable(usize),
    /// What the corpus asks is answered rightly, and what nobody could know is not.
    #[error(
        "{failed} of {of} fresh questions of {law} are answered wrongly, far more than of its cases: so does a table of the corpus"
    )]
    ByHeart {
        /// The law.
        law: String,
        /// Its challenges that fail.
        failed: usize,
        /// Its challenges.
        of: usize,
    },
    /// There were no controls.
    #[error("it has no negative controls")]
    NoControls,
    /// The controls altered nothing.
    #[error("its controls altered no answer")]
    NothingPlanted,
    /// Altered answers went through.
    #[error("{0} altered answers went through unnoticed")]
    Missed(usize),
    /// The report was changed after it was summed up.
    #[error("the digest of its result is {computed}, not {stated} as it says")]
    Digest {
        /// What the report says.
        stated: String,
        /// What it is.
        computed: String,
    },
    /// No file of the command is known, so there is nothing to name.
    #[error("no file of its command is known")]
    NoSubject,
    /// The files of the testee are not known.
    #[error("the files of its subject are not known")]
    Unlooked,
    /// They cannot be digested.
    #[error("its subject cannot be digested: {0}; `--subject PATH` names its files")]
    Undigested(String),
    /// They were not the same all the time.
    #[error(
        "files of its subject changed while it ran: {}; if they are not part of the testee, `--subject PATH` names what is",
        .0.join(", ")
    )]
    Changed(Vec<String>),
    /// What was added to the runtime was not the same all the time.
    #[error("files of its runtime changed while it ran: {}; run it when nobody installs anything, and compile packages first (python3 -m compileall)", .0.join(", "))]
    RuntimeChanged(Vec<String>),
}

impl Reason {
    /// The member of the report that says so.
    pub(super) fn member(&self) -> &'static str {
        match self {
            Self::Exit(_) => "/result/exit_code",
            Self::Rehearsal => "/result/certifying",
            Self::Incomplete => "/result/complete",
            Self::SessionFaults(_) => "/run/session_faults",
            Self::Receipts(_) => "/run/receipts",
            Self::Orphans(_) => "/run/orphans",
            Self::Uncontained => "/run/containment/measures",
            Self::Unstable(_) => "/result/unstable",
            Self::ByHeart { .. } => "/result/cases",
            Self::NoControls => "/result/controls",
            Self::NothingPlanted => "/result/controls/altered/planted",
            Self::Missed(_) => "/result/controls/missed",
            Self::Digest { .. } => "/digest",
            Self::NoSubject => "/run/command/files",
            Self::Unlooked => "/run/command/subject/sha256",
            Self::Undigested(_) => "/run/command/subject/undigested",
            Self::Changed(_) => "/run/command/subject/changed",
            Self::RuntimeChanged(_) => "/run/command/runtime/changed",
        }
    }
}

/// Why a run cannot be certified, if it cannot; `claim` is what the certificate would say of it.
pub(super) fn reasons(report: &Report, claim: &RunClaim) -> Vec<Reason> {
    let (result, run) = (&report.result, &report.run);
    let is_process = run.transport == TransportKind::Process;
    let when = |holds: bool, reason: Reason| holds.then_some(reason);
    let some = |count: usize, reason: fn(usize) -> Reason| when(count > 0, reason(count));
    let computed = result.digest().map_or_else(|error| error.to_string(), |digest| digest.to_hex());
    let controls = match &result.controls {
        None => Some(Reason::NoControls),
        Some(controls) => some(controls.missed.len(), Reason::Missed)
            .or(when(controls.altered.planted == 0, Reason::NothingPlanted))
            .or(some(controls.altered.planted.saturating_sub(controls.altered.caught), Reason::Missed)),
    };
    [
        when(report.exit != Exit::Conforms, Reason::Exit(report.exit)),
        when(!result.certifying, Reason::Rehearsal),
        when(!result.complete, Reason::Incomplete),
        some(run.session_faults.len(), Reason::SessionFaults),
        some(run.receipts.len(), Reason::Receipts),
        some(run.orphans.len(), Reason::Orphans),
        when(
            is_process && !claim.containment.as_ref().is_some_and(|contained| finds_orphans(&contained.measures)),
            Reason::Uncontained,
        ),
        some(result.unstable.len(), Reason::Unstable),
        by_heart(report),
        controls,
        when(computed != report.digest, Reason::Digest { stated: report.digest.clone(), computed: computed.clone() }),
        claim.command.as_ref().filter(|command| command.subject.is_none()).map(|_| subject(claim.subject.as_ref())),
        claim
            .runtime
            .as_ref()
            .filter(|runtime| !runtime.changed.is_empty())
            .map(|runtime| Reason::RuntimeChanged(runtime.changed.clone())),
        when(is_process && claim.command.as_ref().is_none_or(|command| command.files.is_empty()), Reason::NoSubject),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A law of which far more fresh questions fail than cases. Whoever parts from a ruling does so in both; whoever learned the cases does
/// not. The margin is wide, since challenges are made of some cases several times as often as of others: four times the share, and a
/// quarter besides.
fn by_heart(report: &Report) -> Option<Reason> {
    const LEAST: usize = 5;
    let mut laws: BTreeMap<&str, [[usize; 2]; 2]> = BTreeMap::new();
    for case in &report.result.cases {
        let failed = matches!(case.force, Some(Weight::Spec | Weight::Ruling));
        if failed || case.outcome == Outcome::Pass {
            let [known, fresh] = laws.entry(law_of(&case.id)).or_default();
            let [all, wrong] = if is_challenge(&case.id) { fresh } else { known };
            *all += 1;
            *wrong += usize::from(failed);
        }
    }
    laws.into_iter().find_map(|(law, [[known, wrong], [of, failed]])| {
        let far = 4 * failed * known > of * known + 16 * wrong * of;
        (failed >= LEAST && far).then(|| Reason::ByHeart { law: law.to_owned(), failed, of })
    })
}

/// Why the files of a testee are not certified.
fn subject(info: Option<&SubjectInfo>) -> Reason {
    match info {
        Some(SubjectInfo { undigested: Some(why), .. }) => Reason::Undigested(why.clone()),
        Some(SubjectInfo { changed, .. }) if !changed.is_empty() => Reason::Changed(changed.clone()),
        _ => Reason::Unlooked,
    }
}

/// The statement that a run gives.
///
/// # Errors
/// The run may not be certified.
pub fn statement(report: &Report, harness: &HarnessInfo) -> Result<Statement, Refusal> {
    let claim = RunClaim::from(&report.run);
    let reasons = reasons(report, &claim);
    if reasons.is_empty() {
        Ok(Statement::around(Claim::of(&report.result, &report.digest, claim, harness)))
    } else {
        Err(Refusal { reasons })
    }
}
