//! The response to a call: a result or an error, and a result with its members.
//!
//! Spec: JSON-RPC 2.0 Specification, 5; Model Context Protocol, schema of `CallToolResult`, by revision; ruling RE-36.

use super::gap_not_semantic::Class;
use super::judgement::Judgement;
use crate::json::{JsonPointer, Kind, NodeRef};
use crate::law::Law;

/// Revisions of the protocol, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

impl Revision {
    pub(super) fn from_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"2024-11-05" => Self::V2024_11_05,
            b"2025-03-26" => Self::V2025_03_26,
            b"2025-06-18" => Self::V2025_06_18,
            b"2025-11-25" => Self::V2025_11_25,
            b"2026-07-28" => Self::V2026_07_28,
            _ => return None,
        })
    }

    pub(super) fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }

    fn has_result_type(self) -> bool {
        self >= Self::V2026_07_28
    }
}

/// What a response says, once it is one thing.
pub(super) enum Said<'d> {
    Result(NodeRef<'d>),
    Error,
}

/// Objects to a response that is not exactly one of result and error.
pub(super) fn response<'d>(response: NodeRef<'d>, at: &JsonPointer, found: &mut Judgement) -> Option<Said<'d>> {
    match (response.get("result"), response.get("error")) {
        (Some(result), None) if result.is_object() => Some(Said::Result(result)),
        (None, Some(_)) => Some(Said::Error),
        (Some(result), None) => {
            breach(Some(result), at.member("result"), "a result is an object", found);
            None
        }
        (Some(_), Some(_)) => {
            breach(Some(response), at.clone(), "a result and an error at once", found);
            None
        }
        (None, None) => {
            breach(None, at.member("result"), "neither a result nor an error", found);
            None
        }
    }
}

/// Whether a result asks for more before there is an outcome.
pub(super) fn is_unfinished(result: NodeRef<'_>, revision: Revision) -> bool {
    revision.has_result_type()
        && result.get("resultType").and_then(NodeRef::as_string).is_some_and(|said| said == "input_required")
}

/// Whether a result has nothing of what results are made of.
pub(super) fn is_empty(result: NodeRef<'_>) -> bool {
    ["content", "structuredContent", "isError"].iter().all(|name| result.get(name).is_none())
}

/// Objects to the members of a result.
pub(super) fn judge(result: NodeRef<'_>, revision: Revision, at: &JsonPointer, found: &mut Judgement) {
    if is_empty(result) {
        breach(None, at.clone(), "a result without content, structuredContent and isError", found);
    }
    let flag = result.get("isError");
    if flag.is_some_and(|flag| !matches!(flag.kind(), Kind::True | Kind::False)) {
        breach(flag, at.member("isError"), "isError is a boolean", found);
    }
    let kind = result.get("resultType");
    if revision.has_result_type() && kind.and_then(NodeRef::as_string).is_none_or(|said| said != "complete") {
        breach(kind, at.member("resultType"), "resultType is complete, or input_required", found);
    }
}

fn breach(member: Option<NodeRef<'_>>, at: JsonPointer, message: &str, found: &mut Judgement) {
    found.breach(Law::ReplyResultSound, Class::of(member), at, message);
}
