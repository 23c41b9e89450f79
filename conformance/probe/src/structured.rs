//! The structured content of a result: its revision, its copy in text, and the schema of its tool.
//!
//! Spec: Model Context Protocol, Tools, Structured Content and Output Schema; Schema, CallToolResult, by revision.

use assize_verifier::{
    json::NodeRef,
    reply::{breach_of_declared, equal, read},
};

use crate::{
    finding::{Asked, Findings},
    framing::kind,
    message,
    rules::Rule,
};

const PLACE: &str = "/result/structuredContent";

/// Objects to the structured content of a result; says why it was not held to the schema, where it could not be.
pub(crate) fn judge(
    result: NodeRef<'_>,
    schema: Option<&[u8]>,
    revision: &str,
    asked: &Asked,
    found: &mut Findings,
) -> Option<String> {
    let mut breach = |rule, message: &str| found.breach(rule, revision, asked, PLACE, message);
    let content = result.get("structuredContent");
    if let Some(content) = content {
        breach(Rule::StructuredOfRevision, "structuredContent is sent, which this revision does not have");
        if !content.is_object() {
            breach(Rule::StructuredObject, &format!("structuredContent is {}", kind(content)));
        }
        if !is_copied(result, content) {
            breach(Rule::StructuredText, "no text block holds structuredContent as JSON");
        }
    }
    let schema = schema.filter(|_| !message::is_error(result) && Rule::OutputSchemaHeld.row(revision).is_some())?;
    let Some(content) = content else {
        breach(Rule::OutputSchemaHeld, "the tool declares an outputSchema, and structuredContent is missing");
        return None;
    };
    let schema = message::again(schema)?;
    match breach_of_declared(schema.root(), content) {
        Ok(None) => None,
        Ok(Some(why)) => {
            let place = format!("{PLACE}{}", why.pointer.as_str());
            found.breach(
                Rule::OutputSchemaHeld,
                revision,
                asked,
                &place,
                &format!("the outputSchema is not held: {}", why.message),
            );
            None
        }
        Err(why) => Some(format!("the outputSchema was not applied: {why}")),
    }
}

/// Whether a text block holds the same JSON.
fn is_copied(result: NodeRef<'_>, content: NodeRef<'_>) -> bool {
    let blocks = result.get("content").into_iter().flat_map(NodeRef::elements);
    let texts = blocks.filter(|block| message::text(*block, "type").as_deref() == Some("text"));
    texts
        .filter_map(|block| message::text(block, "text"))
        .any(|text| read(text.as_bytes()).is_ok_and(|copy| equal(copy.root(), content)))
}
