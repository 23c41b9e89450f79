//! One turn of a run: request shape, capability, the five stages, staging, links. Committed stays as it is.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.1, and Law 2; rulings KE-3, KE-32, KE-45, KE-51. Links are checked before
//! the triplet is written, so that a turn that fails leaves nothing of it, and after what staging would refuse, which comes
//! first. `commit_intent` is read and asks for nothing: promotion is `finish_run`'s (KE-1).

mod turn_result;

use crate::digest::Digest;
use crate::json::{JsonPointer, NodeRef};
use crate::kernel::laws::canonical_form::canonical;
use crate::kernel::laws::capability::{Authorization, ToolCall, is_off};
use crate::kernel::laws::link_visibility::validate_candidate;
use crate::kernel::laws::shadowing::Surviving;
use crate::kernel::laws::stage_pipeline::{Candidate, Request, validate_triplet};
use crate::kernel::laws::staging::{Triplet, stage_triplet, stageable};
use crate::kernel::laws::turn_sequence;
use crate::kernel::model::executed::Executed;
use crate::kernel::model::home::{HomeFailure, Stop};
use crate::kernel::model::issue::{Issue, Issues, Outcome, Stage};
use crate::kernel::model::known::KnownHome;
use turn_result::Transition;
pub use turn_result::TurnResult;

/// Executes a turn that its run has not had yet, and remembers it if it passes.
pub(crate) fn execute_turn(
    home: &mut KnownHome<'_>,
    request: NodeRef<'_>,
    executed: &mut Executed,
) -> Result<TurnResult, HomeFailure> {
    let (issue, run_id, turn_id) = match Request::read(request) {
        // The last thing that is asked of a request.
        Ok(read) => match turn_sequence::refused(home, &read.turn, executed)? {
            Some(issue) => (issue, read.turn.run.to_string(), read.turn.id.to_string()),
            None => {
                let turn = read.turn.clone();
                let result = read.execute(home)?;
                if result.outcome() == Outcome::Pass {
                    executed.add(&turn);
                }
                return Ok(result);
            }
        },
        Err(refused) => refused,
    };
    // Even so the state is known, and what was handed in.
    let seen = Surviving::read(home, Request::turn(request).as_ref())?;
    let input = request.get("turn_input");
    let jailed = !is_off(input.and_then(|input| input.get("context")));
    let inputs = input.and_then(|input| canonical(input.raw(), &JsonPointer::root()).ok()).map(|bytes| bytes.digest());
    let transition = transition(home, &seen, inputs);
    let issues = issue.into();
    let stage = Stage::BaseShape;
    Ok(TurnResult { run_id, turn_id, stage, issues, jailed, authorization: None, transition })
}

/// What a turn would change that has staged nothing yet.
fn transition(home: &mut KnownHome<'_>, seen: &Surviving, inputs: Option<Digest>) -> Transition {
    let prior_state = seen.prior_state(home);
    Transition { prior_state, proposed_state: seen.state(home), inputs, staged: None }
}

/// How far a turn came.
struct Course {
    stage: Stage,
    issues: Vec<Issue>,
    authorization: Option<Authorization>,
}

impl Request<'_> {
    fn execute(self, home: &mut KnownHome<'_>) -> Result<TurnResult, HomeFailure> {
        let mut course = Course { stage: Stage::BaseShape, issues: Vec::new(), authorization: None };
        let inputs = canonical(self.input.raw(), &JsonPointer::from_text("/turn_input")).map(|bytes| bytes.digest());
        let mut seen = Surviving::read(home, Some(&self.turn))?;
        let mut transition = transition(home, &seen, inputs.as_ref().ok().copied());
        match self.run_stages(home, inputs, &mut seen, &mut course) {
            Ok(None) => {}
            Ok(Some(triplet)) => {
                transition.proposed_state = seen.state(home);
                transition.staged = Some(triplet.stem().clone());
            }
            Err(Stop::Refused(refused)) => course.issues.extend_from_slice(refused.as_slice()),
            Err(Stop::Home(failure)) => return Err(failure),
        }
        Ok(TurnResult {
            run_id: self.turn.run.to_string(),
            turn_id: self.turn.id.to_string(),
            stage: course.stage,
            issues: Issues::sorted(course.issues),
            jailed: !is_off(self.context),
            authorization: course.authorization,
            transition,
        })
    }

    /// Goes as far as the turn can; gives the triplet that it has staged.
    fn run_stages(
        &self,
        home: &mut KnownHome<'_>,
        inputs: Result<Digest, Issue>,
        seen: &mut Surviving,
        course: &mut Course,
    ) -> Result<Option<Triplet>, Stop> {
        if let Some(request) = self.tool_call {
            course.stage = Stage::Capability;
            let call = ToolCall { context: self.context, request };
            let made = call.authorize(self.turn.run.as_str(), &self.turn.id.to_string());
            course.issues.extend(made.issue());
            let outcome = made.outcome();
            course.authorization = Some(made);
            if outcome == Outcome::Fail {
                return Ok(None);
            }
        }
        let Some((stem, triplet)) = &self.triplet else {
            return inputs.map(|_| None).map_err(Stop::from);
        };
        course.stage = Stage::Determinism;
        let raw = |name| triplet.get(name).map(NodeRef::raw);
        let candidate = Candidate {
            stem: stem.as_str(),
            // What is missing is not an object either.
            body: raw("body").unwrap_or(b"null"),
            links: raw("links").unwrap_or(b"null"),
            manifest: raw("manifest").unwrap_or(b"{}"),
        };
        let found = validate_triplet(&candidate);
        if found.outcome() == Outcome::Fail {
            return Err(Stop::Refused(found));
        }
        course.issues.extend_from_slice(found.as_slice());
        let triplet = Triplet::new(stem.clone(), candidate.body, candidate.links, candidate.manifest)?;
        inputs?;
        course.stage = Stage::Lsi;
        stageable(home, &self.turn, &triplet)?;
        seen.add(triplet.record(&self.turn));
        let found = validate_candidate(home, &self.turn, triplet.body(), triplet.references(), seen)?;
        if found.outcome() == Outcome::Fail {
            return Err(Stop::Refused(found));
        }
        stage_triplet(home, &self.turn, &triplet)?;
        Ok(Some(triplet))
    }
}
