//! An envelope inside the response to one call of a tool.
//!
//! Spec: `facts/reply.md` 11 and ruling RE-36: Assize's own, since the seed is silent on how the protocol carries an envelope.

use super::judgement::Judgement;
use super::member::{Due, boolean_or_none, given, misfit, object, owed, text};
use super::no_protocol_error::{self, Call};
use super::result_sound::{self, Revision, Said};
use super::{content_present, envelope, envelope_carried, flag_agrees, schema_covers_envelope};
use crate::json::{JsonPointer, NodeRef};
use crate::rejection::Rejection;

/// What a tool result comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolResult {
    /// What is wrong with it.
    pub judgement: Judgement,
    /// Why the laws do not apply, if they do not.
    pub skip: Option<&'static str>,
}

/// Judges the response to one call.
///
/// # Errors
/// If the document is not JSON, exceeds a limit, has another shape, or names an unknown revision of the protocol.
pub fn tool_result(bytes: &[u8]) -> Result<ToolResult, Rejection> {
    let document = super::text::read(bytes)?;
    let root = JsonPointer::root();
    let asked = Asked::read(object(document.root(), &root)?, &root)?;
    let place = root.member("response");
    let mut found = Judgement::default();
    let skip = match result_sound::response(asked.response, &place, &mut found) {
        None => None,
        Some(Said::Error) => {
            let excuse = asked.call.excuse();
            if excuse.is_none() {
                no_protocol_error::judge(&place, &mut found);
            }
            excuse
        }
        Some(Said::Result(result)) => judge(&asked, result, &place.member("result"), &mut found),
    };
    Ok(ToolResult { judgement: found.settled(), skip })
}

/// Judges a result, unless the laws do not apply to it.
fn judge(asked: &Asked<'_>, result: NodeRef<'_>, at: &JsonPointer, found: &mut Judgement) -> Option<&'static str> {
    if result_sound::is_unfinished(result, asked.revision) {
        return Some("the tool asks for input first: there is no outcome yet");
    }
    let blocks = envelope_carried::blocks(result, at);
    let copies = envelope_carried::copies(&blocks);
    let structured = result.get("structuredContent").and_then(|content| envelope_carried::structured(content, at));
    let excuse = asked.call.excuse().filter(|_| structured.is_none() && copies.is_empty());
    if excuse.is_some() {
        return excuse;
    }
    result_sound::judge(result, asked.revision, at, found);
    if result_sound::is_empty(result) {
        return None;
    }
    content_present::judge(result.get("content"), at, found);
    let carried = envelope_carried::judge(result, asked.revision, &copies, at, found);
    let wrapped = carried.as_ref().is_some_and(|carried| carried.wrapped);
    if carried.is_some() && copies.is_empty() {
        content_present::advise(at, found);
    }
    if let Some(kind) = carried.and_then(|carried| envelope::judge(carried.envelope, &carried.at, found)) {
        flag_agrees::judge(kind, result.get("isError"), at, found);
    }
    if let Some(schema) = asked.schema {
        schema_covers_envelope::judge(
            schema,
            wrapped,
            &JsonPointer::root().member("tool").member("outputSchema"),
            found,
        );
    }
    None
}

/// The document of `reply.tool_result`: operations.md, Input shapes.
struct Asked<'d> {
    revision: Revision,
    call: Call,
    schema: Option<NodeRef<'d>>,
    response: NodeRef<'d>,
}

impl<'d> Asked<'d> {
    fn read(node: NodeRef<'d>, at: &JsonPointer) -> Due<Self> {
        let revision = Revision::from_name(&text(node, at, "protocol_version")?);
        let place = at.member("tool");
        let tool = object(owed(node, at, "tool")?, &place)?;
        text(tool, &place, "name")?;
        Ok(Self {
            revision: revision.ok_or_else(|| misfit(&at.member("protocol_version"), "a known revision"))?,
            call: Call {
                listed: boolean_or_none(tool, &place, "listed")?.unwrap_or(true),
                arguments_valid: boolean_or_none(tool, &place, "arguments_valid")?.unwrap_or(true),
            },
            schema: given(tool, "outputSchema"),
            // A response of null is there, and is judged.
            response: node.get("response").ok_or_else(|| misfit(&at.member("response"), "a member"))?,
        })
    }
}
