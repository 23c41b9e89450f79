//! The end of a run: promotes what it staged, or discards it.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.1, `finish_run`; rulings KE-1, KE-27, KE-43.

use super::promote::promote;
use crate::files::{EntryKind, HomeFiles as _, HomeReader};
use crate::kernel::laws::path_safety::run_folder;
use crate::kernel::model::home::{HomeFailure, Stop, at, list};
use crate::kernel::model::issue::{Issue, Issues, Outcome};
use crate::kernel::model::known::KnownHome;
use crate::kernel::model::token::{RunId, Stem, Turn, TurnId};

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Whether the run passed.
    pub outcome: Outcome,
    /// The signal to commit.
    pub commit: bool,
    /// Whether the staging of a failed run is kept.
    pub keep_evidence: bool,
}

/// What the end of a run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The run's own outcome, unless a promotion failed.
    pub outcome: Outcome,
    /// What the promotions said.
    pub issues: Issues,
    /// Turns that were promoted, in order.
    pub turns: Vec<TurnId>,
    /// Stems that these turns promoted, sorted.
    pub stems: Vec<Stem>,
}

/// Ends a run.
///
/// # Errors
/// If the home does not do what it is asked.
pub(crate) fn finish_run(home: &mut KnownHome<'_>, run: &RunId, ending: Ending) -> Result<Summary, HomeFailure> {
    let mut summary =
        Summary { outcome: ending.outcome, issues: Issues::default(), turns: Vec::new(), stems: Vec::new() };
    match ending.outcome {
        Outcome::Pass if ending.commit => promote_all(home, run, &mut summary)?,
        Outcome::Fail if !ending.keep_evidence => {
            let folder = run_folder(run);
            home.remove(&folder).map_err(at(&folder))?;
        }
        Outcome::Pass | Outcome::Fail => {}
    }
    Ok(summary)
}

fn promote_all(home: &mut KnownHome<'_>, run: &RunId, summary: &mut Summary) -> Result<(), HomeFailure> {
    let mut issues: Vec<Issue> = Vec::new();
    for id in staged_turns(home, run)? {
        match promote(home, &Turn { run: run.clone(), id }) {
            Ok(promoted) => {
                issues.extend_from_slice(promoted.issues.as_slice());
                summary.turns.push(id);
                summary.stems.extend(promoted.stems);
            }
            Err(Stop::Refused(refused)) => {
                issues.extend_from_slice(refused.as_slice());
                summary.outcome = Outcome::Fail;
                break;
            }
            Err(Stop::Home(failure)) => return Err(failure),
        }
    }
    summary.issues = Issues::sorted(issues);
    summary.stems.sort();
    summary.stems.dedup();
    Ok(())
}

/// The turns that a run has staged, in order.
fn staged_turns(home: &dyn HomeReader, run: &RunId) -> Result<Vec<TurnId>, HomeFailure> {
    let entries = list(home, &run_folder(run))?;
    let folders = entries.iter().filter(|entry| entry.kind == EntryKind::Folder);
    Ok(folders.filter_map(|entry| TurnId::parse(&entry.name)).collect())
}
