//! What a server lists, page by page.
//!
//! Spec: Model Context Protocol, Tools and Utilities, Pagination; Schema, ListToolsResult and Tool, by revision.

use std::collections::BTreeSet;

use assize_verifier::{
    json::{JsonPointer, NodeRef},
    reply::{Declared, declared},
};
use serde_json::{Value, json};

use crate::{
    finding::Asked,
    framing::{kind, quoted},
    message,
    rules::Rule,
    session::{Session, Waited},
};

/// Pages that are read.
const PAGES: usize = 50;
/// Tools that are taken.
const MOST: usize = 500;

/// A listed tool.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tool {
    pub(crate) name: String,
    /// Its input schema as it was written.
    pub(crate) input: Option<Vec<u8>>,
    /// Its output schema as it was written.
    pub(crate) output: Option<Vec<u8>>,
    /// Whether it is annotated to change nothing.
    pub(crate) read_only: bool,
}

/// What a server lists.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    pub(crate) tools: Vec<Tool>,
    /// Why the list is not whole, if it is not.
    pub(crate) broken_off: Option<String>,
    /// Schemas that are not applied, with the reason.
    pub(crate) unjudged: Vec<String>,
}

/// Lists the tools; `has_tools` says whether the server has declared that it has some.
pub(crate) fn list(session: &mut Session<'_>, has_tools: bool) -> Listed {
    let asked = Asked::of("tools/list");
    let (mut listed, mut seen, mut params) = (Listed::default(), BTreeSet::new(), Value::Null);
    for page in 0..PAGES {
        // Whoever has no tools may say so by an error.
        let response = match session.try_to_ask(&asked, "tools/list", params.clone()) {
            Some(Waited::Response(response)) => response,
            Some(Waited::Silence(why)) => {
                session.breach(Rule::Answered, &asked, "", &why);
                listed.broken_off = Some(why);
                return listed;
            }
            None => return listed,
        };
        let Some(document) = message::again(&response) else { return listed };
        let Some(result) = document.root().get("result").filter(|result| result.is_object()) else {
            if has_tools || page > 0 {
                session.breach(Rule::ToolsListed, &asked, "/error", "the list of tools is an error");
            }
            return listed;
        };
        // A list of nothing is what a server without tools has to say.
        if !has_tools && result.get("tools").is_some_and(|tools| tools.elements().next().is_some()) {
            session.breach(Rule::ToolsDeclared, &asked, "", "tools are listed, and no capability tools is declared");
        }
        hints(session, result, &asked);
        take(session, result, &asked, &mut listed);
        match result.get("nextCursor") {
            None => {
                if page > 0 {
                    bad_cursor(session);
                }
                return listed;
            }
            Some(cursor) => {
                let Some(text) = message::text(result, "nextCursor") else {
                    session.breach(
                        Rule::NextCursor,
                        &asked,
                        "/result/nextCursor",
                        &format!("nextCursor is {}", kind(cursor)),
                    );
                    return listed;
                };
                if !seen.insert(text.clone()) {
                    listed.broken_off = Some(format!("the cursor {} came twice", quoted(text.as_bytes())));
                    return listed;
                }
                params = json!({"cursor": text});
            }
        }
        if listed.tools.len() >= MOST {
            listed.broken_off = Some(format!("more than {MOST} tools"));
            return listed;
        }
    }
    listed.broken_off = Some(format!("more than {PAGES} pages"));
    listed
}

/// How long a list may be kept, where the revision has that.
fn hints(session: &mut Session<'_>, result: NodeRef<'_>, asked: &Asked) {
    if result.get("ttlMs").and_then(message::integer).is_none_or(|ms| ms < 0) {
        session.breach(Rule::CacheHints, asked, "/result/ttlMs", "ttlMs is due, as a whole number from 0");
    }
    if !message::text(result, "cacheScope").is_some_and(|scope| scope == "private" || scope == "public") {
        session.breach(Rule::CacheHints, asked, "/result/cacheScope", "cacheScope is due, private or public");
    }
}

fn take(session: &mut Session<'_>, result: NodeRef<'_>, asked: &Asked, listed: &mut Listed) {
    let at = JsonPointer::from_text("/result/tools");
    let Some(tools) = result.get("tools").filter(|tools| tools.is_array()) else {
        session.breach(Rule::ToolsListed, asked, at.as_str(), "tools is due, as an array");
        return;
    };
    for (index, node) in tools.elements().enumerate().take(MOST) {
        let at = at.index(index);
        let Some(name) = message::text(node, "name") else {
            session.breach(Rule::ToolsListed, asked, at.as_str(), "a tool has no text name");
            continue;
        };
        let asked = Asked::of_tool("tools/list", &name);
        if listed.tools.iter().any(|known| known.name == name) {
            session.breach(Rule::ToolNameUnique, &asked, at.as_str(), "a name is listed twice");
            continue;
        }
        let formed = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        if !formed || !(1..=128).contains(&name.len()) {
            session.breach(
                Rule::ToolNameForm,
                &asked,
                at.as_str(),
                &format!("the name {} is of another form", quoted(name.as_bytes())),
            );
        }
        let input = schema(session, node, "inputSchema", &asked, &at, &mut listed.unjudged);
        let output = node
            .get("outputSchema")
            .and_then(|_| schema(session, node, "outputSchema", &asked, &at, &mut listed.unjudged));
        annotations(session, node, &asked, &at);
        let hint = node.get("annotations").and_then(|hints| hints.get("readOnlyHint"));
        let read_only = hint.is_some_and(|hint| hint.raw() == b"true");
        listed.tools.push(Tool { name, input, output, read_only });
    }
}

/// Objects to a schema that a tool declares, and gives its text.
fn schema(
    session: &mut Session<'_>,
    tool: NodeRef<'_>,
    name: &str,
    asked: &Asked,
    at: &JsonPointer,
    unjudged: &mut Vec<String>,
) -> Option<Vec<u8>> {
    let (rule, any_root) = match name {
        "inputSchema" => (Rule::InputSchema, false),
        _ => (Rule::OutputSchemaObject, session.is_stateless()),
    };
    let at = at.member(name);
    let Some(schema) = tool.get(name) else {
        session.breach(rule, asked, at.as_str(), &format!("{name} is missing"));
        return None;
    };
    let is_schema = schema.is_object() || (any_root && message::is_boolean(schema));
    if !is_schema {
        session.breach(rule, asked, at.as_str(), &format!("{name} is {}", kind(schema)));
        return None;
    }
    if !any_root && message::text(schema, "type").as_deref() != Some("object") {
        session.breach(rule, asked, at.member("type").as_str(), &format!("the type of {name} is not \"object\""));
    }
    match declared(schema) {
        Declared::Usable => {}
        Declared::Broken(why) => {
            let place = format!("{}{}", at.as_str(), why.pointer.as_str());
            session.breach(rule, asked, &place, &format!("{name} is no JSON Schema: {}", why.message));
            return None;
        }
        // What is beyond this validator may be a schema all the same.
        Declared::Unapplied(why) => {
            let tool = asked.tool.as_deref().unwrap_or_default();
            unjudged.push(format!("{tool}: its {name} at {}: {why}", session.revision));
        }
    }
    Some(schema.raw().to_vec())
}

fn annotations(session: &mut Session<'_>, tool: NodeRef<'_>, asked: &Asked, at: &JsonPointer) {
    let at = at.member("annotations");
    let Some(hints) = tool.get("annotations") else { return };
    if !hints.is_object() {
        session.breach(Rule::Annotations, asked, at.as_str(), &format!("annotations is {}", kind(hints)));
    }
    for name in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
        if let Some(hint) = hints.get(name).filter(|hint| !message::is_boolean(*hint)) {
            session.breach(Rule::Annotations, asked, at.member(name).as_str(), &format!("{name} is {}", kind(hint)));
        }
    }
}

/// Asks for a page that nobody named. Only of servers that have pages: others may not look at a cursor.
fn bad_cursor(session: &mut Session<'_>) {
    let asked = Asked::of("tools/list with a cursor that nobody gave");
    let Some(response) = session.ask(&asked, "tools/list", json!({"cursor": "assize-probe-no-such-cursor"})) else {
        return;
    };
    let Some(document) = message::again(&response) else { return };
    let code = document.root().get("error").and_then(|error| error.get("code")).and_then(message::integer);
    match code {
        Some(-32602) => {}
        Some(other) => {
            session.breach(Rule::BadCursor, &asked, "/error/code", &format!("the error is {other} and not -32602"))
        }
        None => session.breach(Rule::BadCursor, &asked, "", "it is answered by a page"),
    }
}
