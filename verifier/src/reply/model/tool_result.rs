//! The document of `reply.tool_result`, and the places of a result that can hold an envelope.
//!
//! Spec: Model Context Protocol, schema of `CallToolResult`, by revision; rulings OP, RE-29, RE-36. A value is an
//! envelope here if it is an object with `reply_type`; whether it is a lawful one is decided by the laws of envelopes.

use super::member::{Due, boolean_or_none, given, misfit, object, owed, text};
use super::text::{self, Text};
use crate::json::{Document, JsonPointer, NodeRef};

/// The response to one call, and what the call was, as far as it decides whether the wrapper was reached.
pub(crate) struct Asked<'d> {
    pub(crate) revision: Revision,
    pub(crate) listed: bool,
    pub(crate) arguments_valid: bool,
    pub(crate) schema: Option<NodeRef<'d>>,
    pub(crate) response: NodeRef<'d>,
}

reply_mcp_revisions_revision! {
    /// Revisions of the protocol, oldest first, as `contracts/reply/tables/mcp-revisions.json` states them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Revision
}

/// A text block that parses as an envelope.
pub(crate) struct Copy<'d> {
    pub(crate) at: JsonPointer,
    pub(crate) document: Document<'d>,
}

/// An envelope that was found, and whether it stands inside a member `result`.
pub(crate) struct Carried<'d> {
    pub(crate) envelope: NodeRef<'d>,
    pub(crate) at: JsonPointer,
    pub(crate) wrapped: bool,
}

impl<'d> Asked<'d> {
    pub(crate) fn read(node: NodeRef<'d>, at: &JsonPointer) -> Due<Self> {
        let node = object(node, at)?;
        let revision = Revision::from_name(&text(node, at, "protocol_version")?);
        let place = at.member("tool");
        let tool = object(owed(node, at, "tool")?, &place)?;
        text(tool, &place, "name")?;
        Ok(Self {
            revision: revision.ok_or_else(|| misfit(&at.member("protocol_version"), "a known revision"))?,
            listed: boolean_or_none(tool, &place, "listed")?.unwrap_or(true),
            arguments_valid: boolean_or_none(tool, &place, "arguments_valid")?.unwrap_or(true),
            schema: given(tool, "outputSchema"),
            // A response of null is there, and is judged.
            response: node.get("response").ok_or_else(|| misfit(&at.member("response"), "a member"))?,
        })
    }
}

impl Revision {
    pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
        Self::of_spelling(name)
    }

    pub(crate) fn has_structured_content(self) -> bool {
        self.row().structured_content
    }

    pub(crate) fn has_result_type(self) -> bool {
        self.row().result_type
    }
}

/// The text of every text block of a result.
pub(crate) fn blocks<'d>(result: NodeRef<'d>, at: &JsonPointer) -> Vec<(JsonPointer, Text<'d>)> {
    let content = at.member("content");
    let elements = result.get("content").into_iter().flat_map(NodeRef::elements).enumerate();
    let texts = elements.filter_map(|(index, block)| {
        let kind = block.get("type").and_then(NodeRef::as_string)?;
        let text = block.get("text").filter(|_| kind == "text").and_then(NodeRef::as_string)?;
        Some((content.index(index).member("text"), text.into_bytes()))
    });
    texts.collect()
}

/// The blocks that are envelopes.
pub(crate) fn copies<'b>(blocks: &'b [(JsonPointer, Text<'_>)]) -> Vec<Copy<'b>> {
    let parsed = blocks.iter().filter_map(|(at, text)| Some(Copy { at: at.clone(), document: text::read(text).ok()? }));
    parsed.filter(|copy| is_envelope(copy.document.root())).collect()
}

/// The envelope of the structured content, if it is one.
pub(crate) fn structured<'d>(content: NodeRef<'d>, at: &JsonPointer) -> Option<Carried<'d>> {
    if is_envelope(content) {
        return Some(Carried { envelope: content, at: at.clone(), wrapped: false });
    }
    let mut members = content.members();
    let (name, inner) = members.next()?;
    let alone = members.next().is_none() && name.decode() == "result" && is_envelope(inner);
    alone.then(|| Carried { envelope: inner, at: at.member("result"), wrapped: true })
}

fn is_envelope(value: NodeRef<'_>) -> bool {
    value.get("reply_type").is_some()
}
