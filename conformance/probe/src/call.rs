//! Calls of tools, and what is asked of their answers.
//!
//! Spec: Model Context Protocol, Tools, Calling Tools and Error Handling; Schema, CallToolResult, by revision.

use assize_verifier::json::NodeRef;
use serde_json::{Value, json};

use crate::{
    content,
    envelope::Envelopes,
    finding::{Asked, cut},
    framing::kind,
    message,
    rules::Rule,
    session::Session,
    structured,
    tools::Tool,
};

/// The arguments of a call: what they are, whether they pass, and how reports call them.
pub(crate) struct Given<'a> {
    pub(crate) arguments: &'a Value,
    /// What is wrong with them, if anything is.
    pub(crate) spoiled: Option<&'a str>,
}

/// Calls a listed tool, and judges what it answers. Says why something was not judged, where that is so; nothing else
/// where the call was not answered.
pub(crate) fn call(
    session: &mut Session<'_>,
    tool: &Tool,
    given: &Given<'_>,
    envelopes: &mut Envelopes,
) -> Option<Option<String>> {
    let what = given.spoiled.map_or("tools/call".to_owned(), |wrong| format!("tools/call {wrong}"));
    let asked = Asked::of_tool(&what, &tool.name);
    let params = json!({"name": tool.name, "arguments": given.arguments});
    let response = session.ask(&asked, "tools/call", params)?;
    let revision = session.revision.clone();
    envelopes.judge(&response, Some(tool), given.spoiled.is_none(), &revision, &asked);
    let document = message::again(&response)?;
    let root = document.root();
    let mut unjudged = None;
    if let Some(result) = sound_result(root) {
        judge(session, result, &asked);
        // Only a success has to be of use to a program.
        let schema = tool.output.as_deref().filter(|_| given.spoiled.is_none());
        unjudged = structured::judge(result, schema, &revision, &asked, session.found);
    }
    if given.spoiled.is_some() {
        refused(session, root, &asked);
    }
    Some(unjudged.map(|why| format!("{} at {revision}: {why}", cut(&tool.name))))
}

/// A result that stands alone, and is an object.
fn sound_result<'d>(root: NodeRef<'d>) -> Option<NodeRef<'d>> {
    root.get("result").filter(|result| result.is_object() && root.get("error").is_none())
}

/// Objects to a result of a call, whatever was called.
fn judge(session: &mut Session<'_>, result: NodeRef<'_>, asked: &Asked) {
    // Who asks for input first has no outcome yet.
    if session.is_stateless() && message::text(result, "resultType").as_deref() == Some("input_required") {
        return;
    }
    content::judge(result, &session.revision, asked, session.found);
    if let Some(flag) = result.get("isError").filter(|flag| !message::is_boolean(*flag)) {
        session.breach(Rule::IsError, asked, "/result/isError", &format!("isError is {}", kind(flag)));
    }
}

/// Objects to how arguments that do not pass were answered.
fn refused(session: &mut Session<'_>, root: NodeRef<'_>, asked: &Asked) {
    let as_results = session.revision.as_str() >= "2025-11-25";
    match sound_result(root) {
        Some(result) if !message::is_error(result) => {
            session.breach(Rule::ArgumentsValidated, asked, "/result", "they are answered by a success");
        }
        Some(_) if !as_results => {
            session.breach(
                Rule::ArgumentsError,
                asked,
                "/result",
                "they are answered by a result with isError, not by an error of the protocol",
            );
        }
        None if as_results && root.get("error").is_some() => {
            let code =
                root.get("error").and_then(|error| error.get("code")).and_then(message::integer).unwrap_or_default();
            session.breach(
                Rule::ArgumentsError,
                asked,
                "/error",
                &format!("they are answered by the error {code}, not by a result with isError"),
            );
        }
        _ => {}
    }
}

/// Calls a tool that no server has.
pub(crate) fn unknown(session: &mut Session<'_>, envelopes: &mut Envelopes) {
    let asked = Asked::of("tools/call of a tool that is not there");
    let params = json!({"name": "assize-probe-no-such-tool", "arguments": {}});
    let Some(response) = session.ask(&asked, "tools/call", params) else { return };
    let revision = session.revision.clone();
    envelopes.judge(&response, None, true, &revision, &asked);
    let Some(document) = message::again(&response) else { return };
    if let Some(result) = sound_result(document.root()) {
        judge(session, result, &asked);
        let how = if message::is_error(result) { "a result with isError" } else { "a success" };
        session.breach(
            Rule::UnknownTool,
            &asked,
            "/result",
            &format!("it is answered by {how}, not by an error of the protocol"),
        );
    }
}

/// A call that names no tool.
pub(crate) fn malformed(session: &mut Session<'_>) {
    let asked = Asked::of("tools/call without a name");
    let Some(response) = session.ask(&asked, "tools/call", json!({})) else { return };
    let Some(document) = message::again(&response) else { return };
    if sound_result(document.root()).is_some() {
        session.breach(
            Rule::CallMalformed,
            &asked,
            "/result",
            "it is answered by a result, not by an error of the protocol",
        );
    }
}
