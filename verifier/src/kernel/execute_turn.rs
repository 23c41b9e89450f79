//! One turn of a run: request shape, capability, the five stages, staging, links. Committed stays as it is.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.1; rulings KE-3, KE-32, KE-45. Links are checked before the triplet
//! is written, so that a turn that fails leaves nothing of it, and behind what staging would refuse, which comes first.
//! `commit_intent` is read and asks for nothing: promotion is `finish_run`'s (KE-1).

use crate::digest::Digest;
use crate::files::{HomeFiles, HomeReader};
use crate::json::{JsonPointer, NodeRef};

use super::canonical_form::canonical;
use super::capability::{Authorization, ToolCall, is_off};
use super::home::{HomeTrouble, Stop};
use super::issue::{Issue, Issues, Outcome, Stage};
use super::layout::Tree;
use super::link_visibility::validate_candidate;
use super::path_safety::{RunId, Stem, Turn, TurnId, refusal};
use super::shadowing::{Surviving, Triplets};
use super::stage_pipeline::{Candidate, validate_triplet};
use super::staging::{Triplet, stage_triplet, stageable};
use super::turn_result::{CONTRACT, Transition, TurnResult, seen_state, state};

/// Executes a turn.
pub(super) fn execute_turn(home: &mut dyn HomeFiles, request: NodeRef<'_>) -> Result<TurnResult, HomeTrouble> {
    let (issue, run_id, turn_id) = match Request::read(request) {
        Ok(request) => return request.execute(home),
        Err(refused) => refused,
    };
    // Even so the state is known, and what was handed in.
    let turn = text(run_of(request)).as_deref().and_then(RunId::parse).zip(turn_of(request));
    let (prior_state, seen) = states(home, turn.map(|(run, id)| Turn { run, id }).as_ref())?;
    let input = request.get("turn_input");
    let jailed = !is_off(input.and_then(|input| input.get("context")));
    let inputs = input.and_then(|input| canonical(input.raw(), &JsonPointer::root()).ok()).map(|bytes| bytes.digest());
    let transition = Transition { prior_state, proposed_state: seen_state(&seen), inputs, staged: None };
    let issues = issue.into();
    let stage = Stage::BaseShape;
    Ok(TurnResult { run_id, turn_id, stage, issues, jailed, authorization: None, transition })
}

fn text(value: Option<NodeRef<'_>>) -> Option<String> {
    value?.as_string()?.to_str().map(str::to_owned)
}

fn run_of(request: NodeRef<'_>) -> Option<NodeRef<'_>> {
    request.get("run_handle")?.get("run_id")
}

fn turn_of(request: NodeRef<'_>) -> Option<TurnId> {
    TurnId::parse(&text(request.get("turn_id"))?)
}

/// The committed state, and everything that a turn sees.
fn states(home: &dyn HomeReader, turn: Option<&Turn>) -> Result<(Option<Digest>, Surviving), HomeTrouble> {
    let committed = Triplets::read(home, &Tree::committed())?;
    let prior_state = (!committed.records.is_empty()).then(|| state(committed.records.values()));
    let staged = turn.map(|turn| Triplets::read(home, &Tree::staged(turn))).transpose()?;
    Ok((prior_state, Surviving::over(committed, staged.unwrap_or_default())))
}

/// A request of the right shape.
struct Request<'r> {
    turn: Turn,
    input: NodeRef<'r>,
    context: Option<NodeRef<'r>>,
    tool_call: Option<NodeRef<'r>>,
    triplet: Option<(Stem, NodeRef<'r>)>,
}

/// How far a turn came.
struct Course {
    stage: Stage,
    issues: Vec<Issue>,
    authorization: Option<Authorization>,
}

impl<'r> Request<'r> {
    /// Reads a request; the first thing that is wrong with it, and what is known of run and turn by then.
    fn read(request: NodeRef<'r>) -> Result<Self, (Issue, String, String)> {
        let handle = request.get("run_handle");
        let run = text(run_of(request)).as_deref().and_then(RunId::parse);
        let id = turn_of(request);
        // A text that is refused is known all the same.
        let told =
            |given: Option<String>| given.filter(|text| !text.is_empty()).unwrap_or_else(|| "unknown".to_owned());
        let known = || (told(text(run_of(request))), told(text(request.get("turn_id"))));
        let refused = |place: &str| {
            let (run_id, turn_id) = known();
            (refusal(JsonPointer::from_text(place)), run_id, turn_id)
        };
        let object = |parent: NodeRef<'r>, name: &str, place: &str| match parent.get(name) {
            Some(value) if !value.is_object() => Err(refused(place)),
            value => Ok(value),
        };

        if text(request.get("contract_version")).as_deref() != Some(CONTRACT) {
            return Err(refused("/contract_version"));
        }
        if !handle.is_some_and(NodeRef::is_object) {
            return Err(refused("/run_handle"));
        }
        let Some(run) = run else {
            let place = JsonPointer::from_text("/run_handle/run_id");
            let (run_id, turn_id) = known();
            return Err((Issue::fail(Stage::BaseShape, "E_BASE_SHAPE_MISSING_RUN_ID", place), run_id, turn_id));
        };
        let id = id.ok_or_else(|| refused("/turn_id"))?;
        let input = object(request, "turn_input", "/turn_input")?.ok_or_else(|| refused("/turn_input"))?;
        if let Some(intent) = request.get("commit_intent") {
            let intent = text(Some(intent));
            if !matches!(intent.as_deref(), Some("stage_only" | "stage_and_request_promotion")) {
                return Err(refused("/commit_intent"));
            }
        }
        let context = object(input, "context", "/turn_input/context")?;
        let tool_call = object(input, "tool_call", "/turn_input/tool_call")?;
        let triplet = match object(input, "stage_triplet", "/turn_input/stage_triplet")? {
            None => None,
            Some(triplet) => {
                let stem = text(triplet.get("stem")).and_then(|stem| Stem::parse(&stem));
                Some((stem.ok_or_else(|| refused("/stem"))?, triplet))
            }
        };
        Ok(Self { turn: Turn { run, id }, input, context, tool_call, triplet })
    }

    fn execute(self, home: &mut dyn HomeFiles) -> Result<TurnResult, HomeTrouble> {
        let mut course = Course { stage: Stage::BaseShape, issues: Vec::new(), authorization: None };
        let inputs = canonical(self.input.raw(), &JsonPointer::from_text("/turn_input")).map(|bytes| bytes.digest());
        let (prior_state, mut seen) = states(home, Some(&self.turn))?;
        let mut transition = Transition {
            prior_state,
            proposed_state: seen_state(&seen),
            inputs: inputs.as_ref().ok().copied(),
            staged: None,
        };
        match self.run_stages(home, inputs, &mut seen, &mut course) {
            Ok(None) => {}
            Ok(Some(triplet)) => {
                transition.proposed_state = seen_state(&seen);
                transition.staged = Some(triplet.stem().clone());
            }
            Err(Stop::Refused(refused)) => course.issues.extend_from_slice(refused.as_slice()),
            Err(Stop::Home(trouble)) => return Err(trouble),
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
        home: &mut dyn HomeFiles,
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
            // What is missing is no object either.
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
        seen.add(&Tree::staged(&self.turn), triplet.record(&self.turn));
        let found = validate_candidate(home, &self.turn, &triplet, seen)?;
        if found.outcome() == Outcome::Fail {
            return Err(Stop::Refused(found));
        }
        stage_triplet(home, &self.turn, &triplet)?;
        Ok(Some(triplet))
    }
}
