//! An envelope inside the response to one call of a tool.
//!
//! Spec: ruling RE-36: Assize's own, since the specification is silent on how the protocol carries an envelope.

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
    let mut found = Judgement::default();
    let skip = asked.skip();
    if skip.is_none() {
        judge(&asked, &root, &mut found);
    }
    Ok(ToolResult { judgement: found.settled(), skip })
}

/// Judges a response to which the laws apply.
fn judge(asked: &Asked<'_>, root: &JsonPointer, found: &mut Judgement) {
    let place = root.member("response");
    let wrapped = match result_sound::response(asked.response, &place, found) {
        None => false,
        Some(Said::Error) => {
            no_protocol_error::judge(&place, found);
            false
        }
        Some(Said::Result(result)) => judge_result(asked, result, &place.member("result"), found),
    };
    // What a tool declares is declared whatever it answers.
    if let Some(schema) = asked.schema {
        schema_covers_envelope::judge(schema, wrapped, &root.member("tool").member("outputSchema"), found);
    }
}

/// Judges a result and the envelope in it; says whether that one stands inside another member.
fn judge_result(asked: &Asked<'_>, result: NodeRef<'_>, at: &JsonPointer, found: &mut Judgement) -> bool {
    result_sound::judge(result, asked.revision, at, found);
    if result_sound::is_empty(result) {
        return false;
    }
    content_present::judge(result.get("content"), at, found);
    let blocks = envelope_carried::blocks(result, at);
    let copies = envelope_carried::copies(&blocks);
    let Some(carried) = envelope_carried::judge(result, asked.revision, &copies, at, found) else { return false };
    if copies.is_empty() {
        content_present::advise(at, found);
    }
    if let Some(kind) = envelope::judge(carried.envelope, &carried.at, found) {
        flag_agrees::judge(kind, result.get("isError"), at, found);
    }
    carried.wrapped
}

/// The document of `reply.tool_result` (rulings OP, RE-36).
struct Asked<'d> {
    revision: Revision,
    call: Call,
    schema: Option<NodeRef<'d>>,
    response: NodeRef<'d>,
}

impl<'d> Asked<'d> {
    /// Why the laws do not apply, if they do not: there is no outcome yet, or the call never came to one.
    fn skip(&self) -> Option<&'static str> {
        let result = self.response.get("result");
        let alone = result.filter(|_| self.response.get("error").is_none());
        if alone.is_some_and(|result| result_sound::is_unfinished(result, self.revision)) {
            return Some("the tool asks for input first: there is no outcome yet");
        }
        self.call.excuse().filter(|_| !result.is_some_and(envelope_carried::is_found))
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;

    fn asked(tool: &str, response: &str) -> ToolResult {
        let text =
            format!(r#"{{"protocol_version": "2026-07-28", "tool": {{"name": "t", {tool}}}, "response": {response}}}"#);
        tool_result(text.as_bytes()).expect("in the domain")
    }

    const PAYLOAD: &str = r#""outputSchema": {"type": "object", "required": ["payload"]}"#;

    #[test]
    fn what_a_tool_declares_is_judged_whatever_it_answers() {
        let laws = |response| asked(PAYLOAD, response).judgement.laws();
        assert_eq!(laws(r#"{"error": {"code": 1}}"#), [Law::ReplySchemaCoversEnvelope, Law::ReplyNoProtocolError]);
        assert_eq!(laws("{}"), [Law::ReplyResultSound, Law::ReplySchemaCoversEnvelope]);
        assert_eq!(laws(r#"{"result": {"resultType": "complete"}}"#), laws("{}"));
        assert!(laws(r#"{"result": {"resultType": "input_required"}}"#).is_empty());
    }

    #[test]
    fn a_call_out_of_scope_is_skipped_in_any_form_without_an_envelope() {
        for response in ["{}", "null", r#"{"result": []}"#, r#"{"result": {}, "error": {}}"#, r#"{"error": {}}"#] {
            let found = asked(r#""listed": false"#, response);
            assert_eq!((found.judgement.is_lawful(), found.skip.is_some()), (true, true), "{response}");
        }
        let both = r#"{"result": {"structuredContent": {"reply_type": "S"}}, "error": {}}"#;
        assert_eq!(asked(r#""listed": false"#, both).judgement.laws(), [Law::ReplyResultSound]);
        let unfinished = r#"{"result": {"resultType": "input_required"}, "error": {}}"#;
        assert_eq!(asked(r#""listed": true"#, unfinished).judgement.laws(), [Law::ReplyResultSound]);
    }
}
