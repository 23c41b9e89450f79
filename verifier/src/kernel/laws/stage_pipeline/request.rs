//! The request of a turn, as far as stage `base_shape` asks of it.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.1; ruling KE-45.

use crate::json::{JsonPointer, NodeRef};
use crate::kernel::laws::path_safety::refusal;
use crate::kernel::model::issue::{CONTRACT, Issue, Stage};
use crate::kernel::model::token::{RunId, Stem, Turn, TurnId};

/// A request of the right shape.
pub(crate) struct Request<'r> {
    pub(crate) turn: Turn,
    pub(crate) input: NodeRef<'r>,
    pub(crate) context: Option<NodeRef<'r>>,
    pub(crate) tool_call: Option<NodeRef<'r>>,
    pub(crate) triplet: Option<(Stem, NodeRef<'r>)>,
}

impl<'r> Request<'r> {
    /// Reads a request; the first thing that is wrong with it, and what is known of run and turn by then.
    pub(crate) fn read(request: NodeRef<'r>) -> Result<Self, (Issue, String, String)> {
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

    /// The turn of a request, whatever else is wrong with it.
    pub(crate) fn turn(request: NodeRef<'r>) -> Option<Turn> {
        let run = text(run_of(request)).as_deref().and_then(RunId::parse)?;
        Some(Turn { run, id: turn_of(request)? })
    }
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
