//! authority/refusal: a run that its policy does not admit ends in a report that says why.
//!
//! Spec: Kernel Contract 0.1.0, 3; rulings AU-6 and AU-21 to AU-27. Of the kernel's codes, `max_nodes_exceeded`
//! and `resolve_ambiguity_failed` need an illegal policy or a proposer that changes its answer, which no lawful run has.

use crate::authority::breach::Breach;
use crate::authority::model::canonical::quoted;
use crate::authority::model::recorded::{Members, Placed, Recorded};
use crate::canon::compose;
use crate::digest::Digest;
use crate::law::Law;

use super::cost_and_collapse::Holders;
use super::policy_bounds::{Field, Policy};
use super::proposal_boundary::Interpretation;

pub(crate) const LAW: Law = Law::named("authority/refusal");

/// The name of the report among the artefacts.
pub(crate) const REFUSAL: &str = "refusal";

/// Steps that a run has taken when it is decided whether it goes on.
const STEPS: usize = 2;

authority_refusals_reason! {
    /// What a run is refused for, in the order of the checks: `contracts/authority/tables/refusals.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Check
}

authority_refusal_report_holds! {
    /// A member of the report: `contracts/authority/tables/refusal-report.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Member
}

/// The report, with the canonical value of each member.
pub(crate) type Report = Members<{ Member::ALL.len() }>;

/// A reason to refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    /// The code, with the count and the limit that it exceeds.
    pub(crate) code: String,
    /// What the caller may do, in the profile's fixed words.
    pub(crate) suggestion: &'static str,
}

/// Every reason to refuse, in the order of the checks; none if the run goes on.
pub(crate) fn reasons(proposed: &[Interpretation], holders: &Holders<'_>, policy: &Policy) -> Vec<Reason> {
    let found = |check: Check| {
        let row = check.row();
        let count = match check {
            Check::EmptyProposal => {
                return proposed.is_empty().then(|| Reason { code: row.reason.to_owned(), suggestion: row.suggestion });
            }
            // What is proposed by nobody contradicts nothing.
            Check::ContradictionsExceeded => holders.contradictions(),
            Check::MaxStepsExceeded => STEPS,
        };
        let limit = Field::from_name(row.limit?)?;
        let code = || format!("{}:{count}>{}", row.reason, policy.get(limit));
        policy.exceeded_by(limit, count).then(|| Reason { code: code(), suggestion: row.suggestion })
    };
    Check::ALL.into_iter().filter_map(found).collect()
}

/// The report; `evidence` are the hashes of the records before it.
pub(crate) fn report(run_id: &str, seed_hash: Digest, reasons: &[Reason], evidence: &[Digest]) -> Report {
    let value = |member| match member {
        Member::Run => compose::string(run_id),
        Member::Seed => quoted(seed_hash).to_vec(),
        Member::Codes => compose::array(reasons.iter().map(|reason| compose::string(&reason.code))),
        Member::Evidence => compose::array(evidence.iter().copied().map(quoted)),
        Member::Suggestions => compose::array(reasons.iter().map(|reason| compose::string(reason.suggestion))),
        Member::Status => compose::string("refused"),
    };
    Member::ALL.map(|member| (member.row().member, value(member)))
}

/// A run that went on to commit has no reason to refuse.
pub(crate) fn check_success(reasons: &[Reason], commit: Recorded<'_>) -> Result<(), Box<Breach>> {
    match reasons.first() {
        Some(reason) => {
            let message = format!("the run had to be refused: {}", reason.code);
            Err(Breach::of(LAW)(commit.whole().wrong(message)))
        }
        None => Ok(()),
    }
}

/// A run that was refused has a reason.
pub(crate) fn check_refusal(reasons: &[Reason], artifact: Recorded<'_>) -> Result<(), Box<Breach>> {
    if reasons.is_empty() {
        let message = "the run was refused, and its policy gives no reason to";
        return Err(Breach::of(LAW)(artifact.whole().wrong(message)));
    }
    Ok(())
}

/// The run that a recorded report names.
pub(crate) fn run_id(report: &Placed<'_>) -> Result<String, Box<Breach>> {
    report.text(Member::Run.row().member).map_err(Breach::of(LAW))
}

/// Holds a recorded report against the one of its run.
pub(crate) fn check_report(stored: &Placed<'_>, expected: &Report) -> Result<(), Box<Breach>> {
    stored.members(expected).map_err(Breach::of(LAW))
}
