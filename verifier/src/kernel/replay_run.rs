//! The replay of a run: its turns once more, in a copy of the home that nobody sees.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.5, `replay_run`; ruling KE-57.

use super::execute_turn::{TurnResult, execute_turn};
use super::laws::path_safety::run_folder;
use super::laws::replay::{Descriptor, Replayed, Structure, promoted};
use super::model::executed::Executed;
use super::model::home::{HomeFailure, Stop, copy};
use super::model::issue::Issues;
use super::model::known::KnownHome;
use super::model::layout::{INDEX, Tree};
use super::model::ledger::Ledger;
use super::model::token::TurnId;
use crate::files::HomeReader;
use crate::json::NodeRef;

/// What came of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replay {
    /// Nothing, or why the run was not replayed or is another.
    pub(crate) issues: Issues,
    /// What the replay gave, canonical; none where nothing was replayed.
    pub(crate) report: Option<Vec<u8>>,
}

/// Replays a run.
pub(crate) fn replay_run(home: &dyn HomeReader, descriptor: NodeRef<'_>) -> Result<Replay, HomeFailure> {
    let refused = |issue| Ok(Replay { issues: Issues::from(issue), report: None });
    let descriptor = match Descriptor::read(descriptor) {
        Ok(descriptor) => descriptor,
        Err(issue) => return refused(issue),
    };
    // A ledger that cannot be read stops promotions alone (KE-31) and names no turn here.
    let ledger = match Ledger::load(home, &Tree::committed()) {
        Ok(ledger) => ledger,
        Err(Stop::Refused(_)) => Ledger::default(),
        Err(Stop::Home(failure)) => return Err(failure),
    };
    if ledger.last(&descriptor.run) != TurnId::NONE {
        return refused(promoted());
    }
    let mut copied = copy(home, INDEX, &run_folder(&descriptor.run))?;
    let mut copied = KnownHome::new(&mut copied);
    let mut executed = Executed::default();
    let mut replayed = Replayed::default();
    for request in &descriptor.requests {
        let result = execute_turn(&mut copied, *request, &mut executed)?;
        replayed.add(&structure(&result));
    }
    Ok(Replay { issues: descriptor.compare(&replayed), report: Some(replayed.report()) })
}

fn structure(result: &TurnResult) -> Structure<'_> {
    Structure {
        run_id: &result.run_id,
        turn_id: &result.turn_id,
        outcome: result.outcome(),
        stage: result.stage,
        issues: &result.issues,
        transition: result.transition.digests(),
        decision: result.authorization.as_ref().map(|made| made.record.as_slice()),
    }
}
