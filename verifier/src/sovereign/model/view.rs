//! A turn and its tool attempts as audits look at them.

use super::member::{ordinal, text};
use crate::json::{Dialect, Document, JsonPointer, NodeRef, NumberToken};
use crate::rejection::Rejection;

/// A tool attempt as the runtime saw it.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub(crate) tool_name: String,
    pub(crate) action: String,
    pub(crate) conditions: Vec<String>,
}

/// The members of a decision record that audits look at, where they have their types.
pub(crate) struct Decision {
    pub(crate) pointer: JsonPointer,
    pub(crate) ordinal: Option<String>,
    /// `/capabilities/decisions/<ordinal>`.
    pub(crate) location: Option<String>,
    pub(crate) decision_id: Option<String>,
    pub(crate) run_id: Option<String>,
    pub(crate) turn_id: Option<String>,
    pub(crate) tool_name: Option<String>,
    pub(crate) action: Option<String>,
    pub(crate) outcome: Option<String>,
    pub(crate) deny_code: Option<String>,
}

/// An issue whose members have their types.
pub(crate) struct IssueView {
    pub(crate) stage: String,
    pub(crate) location: String,
    pub(crate) code: String,
}

/// A turn as audits look at it.
pub(crate) struct TurnView {
    pub(crate) run_id: Option<String>,
    pub(crate) turn_id: Option<String>,
    pub(crate) records: Vec<Decision>,
    pub(crate) issues: Vec<IssueView>,
}

/// The decision records of a turn.
pub(crate) fn decisions(turn: NodeRef<'_>) -> impl Iterator<Item = NodeRef<'_>> {
    turn.get("capabilities").and_then(|c| c.get("decisions")).into_iter().flat_map(NodeRef::elements)
}

impl TurnView {
    pub(crate) fn of(turn: NodeRef<'_>) -> Self {
        let records = decisions(turn).enumerate().map(|(index, record)| Decision::of(record, index));
        let issues = turn.get("issues").into_iter().flat_map(NodeRef::elements).filter_map(|issue| {
            Some(IssueView {
                stage: text(issue, "stage")?,
                location: text(issue, "location")?,
                code: text(issue, "code")?,
            })
        });
        Self {
            run_id: text(turn, "run_id"),
            turn_id: text(turn, "turn_id"),
            records: records.collect(),
            issues: issues.collect(),
        }
    }
}

impl Decision {
    fn of(record: NodeRef<'_>, index: usize) -> Self {
        let ordinal = ordinal(record);
        Self {
            pointer: JsonPointer::from_text("/capabilities/decisions").index(index),
            location: ordinal.as_ref().map(|ordinal| format!("/capabilities/decisions/{ordinal}")),
            ordinal,
            decision_id: text(record, "decision_id"),
            run_id: text(record, "run_id"),
            turn_id: text(record, "turn_id"),
            tool_name: text(record, "tool_name"),
            action: text(record, "action"),
            outcome: text(record, "outcome"),
            deny_code: text(record, "deny_code"),
        }
    }
}

/// Reads `[{"tool_name", "action", "conditions": [code, ...]}]`, the attempts of `sovereign.audit` (ruling OP), whose
/// conditions are some of these codes.
pub(crate) fn read_attempts(attempts: &[u8], codes: &[&str]) -> Result<Vec<Attempt>, Rejection> {
    let document = Document::parse(attempts, &Dialect::STRICT)?;
    if !document.root().is_array() {
        return Err(no_list());
    }
    document.root().elements().enumerate().map(|(index, attempt)| Attempt::read(attempt, index, codes)).collect()
}

/// Attempts that are no array.
pub(crate) fn no_list() -> Rejection {
    Rejection::input_at("", "attempts are an array")
}

impl Attempt {
    /// Reads the attempt at an index.
    pub(crate) fn read(attempt: NodeRef<'_>, index: usize, codes: &[&str]) -> Result<Self, Rejection> {
        let wrong = |member: &str, message: &str| Rejection::input_at(format!("/{index}/{member}"), message);
        let listed = attempt.get("conditions").filter(|conditions| conditions.is_array());
        let listed = listed.ok_or_else(|| wrong("conditions", "an attempt has an array `conditions`"))?;
        let mut conditions = Vec::new();
        for code in listed.elements() {
            let known = code.as_string().and_then(|code| codes.iter().find(|known| code == **known));
            let known = known.ok_or_else(|| wrong("conditions", "a condition is one of the three deny codes"))?;
            conditions.push((*known).to_owned());
        }
        Ok(Self {
            tool_name: text(attempt, "tool_name")
                .ok_or_else(|| wrong("tool_name", "an attempt has a string `tool_name`"))?,
            action: text(attempt, "action").ok_or_else(|| wrong("action", "an attempt has a string `action`"))?,
            conditions,
        })
    }
}

/// Records in order of ordinals; those without one stand last.
pub(crate) fn in_order(records: &[Decision]) -> Vec<&Decision> {
    let mut ordered: Vec<&Decision> = records.iter().collect();
    ordered.sort_by(|a, b| match (&a.ordinal, &b.ordinal) {
        (Some(a), Some(b)) => NumberToken::cmp_integers(a, b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    ordered
}
