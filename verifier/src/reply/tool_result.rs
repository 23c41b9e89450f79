//! The order of judgement on the response to one call of a tool, and on the envelope inside it.
//!
//! Spec: ruling RE-36: Assize's own, since the specification is silent on how the protocol carries an envelope.

use super::envelope;
use super::judgement::Judgement;
use super::laws::{
    content_present, envelope_carried, flag_agrees, no_protocol_error, result_sound, schema_covers_envelope,
};
use super::model::text;
use super::model::tool_result::{Asked, blocks, copies};
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
    let document = text::read(bytes)?;
    let root = JsonPointer::root();
    let asked = Asked::read(document.root(), &root)?;
    let mut found = Judgement::default();
    let skip = result_sound::unfinished(&asked).or_else(|| no_protocol_error::excuse(&asked));
    if skip.is_none() {
        judge(&asked, &root, &mut found);
    }
    Ok(ToolResult { judgement: found.settled(), skip })
}

/// Judges a response to which the laws apply.
fn judge(asked: &Asked<'_>, root: &JsonPointer, found: &mut Judgement) {
    let place = root.member("response");
    let result = result_sound::response(asked.response, &place, found);
    no_protocol_error::judge(asked.response, &place, found);
    let wrapped = result.is_some_and(|result| judge_result(asked, result, &place.member("result"), found));
    // What a tool declares is declared whatever it answers.
    if let Some(schema) = asked.schema {
        schema_covers_envelope::judge(schema, wrapped, &root.member("tool").member("outputSchema"), found);
    }
}

/// Judges a result and the envelope in it; says whether that one stands inside another member.
fn judge_result(asked: &Asked<'_>, result: NodeRef<'_>, at: &JsonPointer, found: &mut Judgement) -> bool {
    if !result_sound::judge(result, asked.revision, at, found) {
        return false;
    }
    content_present::judge(result.get("content"), at, found);
    let blocks = blocks(result, at);
    let copies = copies(&blocks);
    let Some(carried) = envelope_carried::judge(result, asked.revision, &copies, at, found) else { return false };
    content_present::advise(&copies, at, found);
    if let Some(kind) = envelope::judge(carried.envelope, &carried.at, found) {
        flag_agrees::judge(kind, result.get("isError"), at, found);
    }
    carried.wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(tool: &str, response: &str) -> ToolResult {
        let text =
            format!(r#"{{"protocol_version": "2026-07-28", "tool": {{"name": "t", {tool}}}, "response": {response}}}"#);
        tool_result(text.as_bytes()).expect("in the domain")
    }

    const PAYLOAD: &str = r#""outputSchema": {"type": "object", "required": ["payload"]}"#;

    #[test]
    fn what_a_tool_declares_is_judged_whatever_it_answers() {
        let laws = |response| asked(PAYLOAD, response).judgement.laws();
        assert_eq!(laws(r#"{"error": {"code": 1}}"#), [schema_covers_envelope::LAW, no_protocol_error::LAW]);
        assert_eq!(laws("{}"), [result_sound::LAW, schema_covers_envelope::LAW]);
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
        assert_eq!(asked(r#""listed": false"#, both).judgement.laws(), [result_sound::LAW]);
        let unfinished = r#"{"result": {"resultType": "input_required"}, "error": {}}"#;
        assert_eq!(asked(r#""listed": true"#, unfinished).judgement.laws(), [result_sound::LAW]);
    }
}
