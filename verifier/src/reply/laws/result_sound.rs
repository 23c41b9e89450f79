//! The response to a call: a result or an error, and a result with its members.
//!
//! Spec: JSON-RPC 2.0 Specification, 5; Model Context Protocol, schema of `CallToolResult`, by revision; ruling RE-36.

use crate::json::{JsonPointer, Kind, NodeRef};
use crate::law::Law;
use crate::reply::judgement::{Class, Judgement};
use crate::reply::model::tool_result::{Asked, Revision};

pub(crate) const LAW: Law = Law::named("reply/result-sound");

/// Why a response is not judged yet, if it is not: it asks for more before there is an outcome.
pub(crate) fn unfinished(asked: &Asked<'_>) -> Option<&'static str> {
    let result = asked.response.get("result").filter(|_| asked.response.get("error").is_none())?;
    let said = result.get("resultType").filter(|_| asked.revision.has_result_type()).and_then(NodeRef::as_string)?;
    (said == "input_required").then_some("the tool asks for input first: there is no outcome yet")
}

/// Objects to a response that is not exactly one of result and error, and gives the result.
pub(crate) fn response<'d>(response: NodeRef<'d>, at: &JsonPointer, found: &mut Judgement) -> Option<NodeRef<'d>> {
    match (response.get("result"), response.get("error")) {
        (Some(result), None) if result.is_object() => Some(result),
        (None, Some(_)) => None,
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

/// Whether a result has nothing of what results are made of.
fn is_empty(result: NodeRef<'_>) -> bool {
    ["content", "structuredContent", "isError"].iter().all(|name| result.get(name).is_none())
}

/// Objects to the members of a result; true if there are any that it is made of.
pub(crate) fn judge(result: NodeRef<'_>, revision: Revision, at: &JsonPointer, found: &mut Judgement) -> bool {
    let empty = is_empty(result);
    if empty {
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
    !empty
}

fn breach(member: Option<NodeRef<'_>>, at: JsonPointer, message: &str, found: &mut Judgement) {
    found.breach(LAW, Class::of(member), at, message);
}
