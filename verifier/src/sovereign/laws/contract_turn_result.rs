//! Contract 6: a turn result, and each issue in it, has the published members.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.6, turn-result.schema.json (patch); rulings TURN-11, TURN-12,
//! TRN-02 to TRN-05, ISS-01, ISS-06 to ISS-14, SCH-18, SV-28.

use crate::contracts;
use crate::finding::Finding;
use crate::json::{JsonError, JsonPointer, NodeRef};
use crate::law::Law;
use crate::rejection::ShapeBreach;
use crate::sovereign::model::shape::Shape;
use crate::sovereign::model::stage_order::StageOrder;

pub(crate) const LAW: Law = Law::named("sovereign/contract-turn-result");

static SCHEMA: Shape = Shape::stated_by(contracts::TURN_RESULT_SCHEMA);

static ISSUE_SCHEMA: Shape = Shape::stated_by(contracts::KERNEL_ISSUE_SCHEMA);

/// The transition digests that every turn result has.
pub(crate) const TRANSITION: [&str; 3] = ["prior_state_digest", "proposed_state_digest", "inputs_digest"];

/// The places at which a turn result breaks its published shape, each named once.
pub(crate) fn breaches(turn: NodeRef<'_>) -> Vec<ShapeBreach> {
    SCHEMA.breaches(turn)
}

/// The places at which an issue breaks its published shape, each named once.
pub(crate) fn issue_breaches(issue: NodeRef<'_>) -> Vec<ShapeBreach> {
    ISSUE_SCHEMA.breaches(issue)
}

/// The decision records in a turn result, where the float ban wins over the schema's `integer`, which admits `1.0`
/// (SCH-11).
pub(crate) fn records(turn: NodeRef<'_>) -> Vec<(JsonPointer, NodeRef<'_>)> {
    let place = JsonPointer::from_text("/capabilities/decisions");
    let decisions = turn.get("capabilities").and_then(|capabilities| capabilities.get("decisions"));
    let records = decisions.into_iter().flat_map(NodeRef::elements).enumerate();
    records.map(|(index, record)| (place.index(index), record)).collect()
}

/// A limit that a turn file exceeds.
pub(crate) fn over_limit(error: JsonError) -> Finding {
    let message = format!("{error}: {}", error.kind.help());
    Finding::error(LAW, error.pointer, message)
}

/// A turn result as an object.
pub(crate) fn object(root: NodeRef<'_>) -> Result<NodeRef<'_>, Finding> {
    let object = Some(root).filter(|root| root.is_object());
    object.ok_or_else(|| Finding::error(LAW, JsonPointer::root(), "a turn result is an object"))
}

/// The transition of a turn result.
pub(crate) fn transition(root: NodeRef<'_>) -> Result<NodeRef<'_>, Finding> {
    let transition = root.get("transition").filter(|transition| transition.is_object());
    transition.ok_or_else(|| at("/transition", "a turn result has an object `transition`"))
}

/// The digests that a transition lacks, each with its finding.
pub(crate) fn absent_digests(transition: NodeRef<'_>) -> impl Iterator<Item = (&'static str, Finding)> {
    let absent = TRANSITION.into_iter().filter(move |name| transition.get(name).is_none());
    absent.map(|name| {
        let pointer = JsonPointer::from_text("/transition").member(name);
        (name, Finding::error(LAW, pointer, "the transition lacks this digest"))
    })
}

/// The decision records of a turn result.
pub(crate) fn decisions(root: NodeRef<'_>) -> Result<NodeRef<'_>, Finding> {
    let capabilities = root.get("capabilities").filter(|capabilities| capabilities.is_object());
    let capabilities = capabilities.ok_or_else(|| at("/capabilities", "a turn result has an object `capabilities`"))?;
    let decisions = capabilities.get("decisions").filter(|decisions| decisions.is_array());
    decisions.ok_or_else(|| at("/capabilities/decisions", "capabilities have an array `decisions`"))
}

/// The issues of a turn result.
pub(crate) fn issues(root: NodeRef<'_>) -> Result<NodeRef<'_>, Finding> {
    let issues = root.get("issues").filter(|issues| issues.is_array());
    issues.ok_or_else(|| at("/issues", "a turn result has an array `issues`"))
}

fn at(pointer: &str, message: &str) -> Finding {
    Finding::error(LAW, JsonPointer::from_text(pointer), message)
}

/// The form that a member of an issue has to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A name of the stage order.
    Stage,
    Text,
    Object,
}

/// The members without which an issue cannot be compared, and what to say of one that is wrong.
pub(crate) const ISSUE: [(&str, Form, &str); 4] = [
    ("stage", Form::Stage, "the stage is one of the stage order"),
    ("location", Form::Text, "the location is a string"),
    ("code", Form::Text, "the code is a string"),
    ("details", Form::Object, "details are an object"),
];

impl Form {
    fn is_of(self, value: NodeRef<'_>, stages: &StageOrder) -> bool {
        match self {
            Self::Stage => value
                .as_string()
                .as_ref()
                .and_then(|stage| stage.to_str())
                .and_then(|stage| stages.index(stage))
                .is_some(),
            Self::Text => value.as_string().is_some(),
            Self::Object => value.is_object(),
        }
    }
}

/// The members of an issue that have a wrong type or are absent.
pub(crate) fn issue(issue: NodeRef<'_>, place: &JsonPointer, stages: &StageOrder) -> Vec<Finding> {
    if !issue.is_object() {
        return vec![Finding::error(LAW, place.clone(), "an issue is an object")];
    }
    let wrong =
        ISSUE.into_iter().filter(|(name, form, _)| !issue.get(name).is_some_and(|value| form.is_of(value, stages)));
    wrong.map(|(name, _, message)| Finding::error(LAW, place.member(name), message)).collect()
}
