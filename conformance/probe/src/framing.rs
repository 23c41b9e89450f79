//! What every message of a server owes, whatever it is about.
//!
//! Spec: JSON-RPC 2.0 Specification, 4 and 5; Model Context Protocol, Base Protocol and Transports, stdio.

use assize_verifier::json::{Kind, NodeRef};

use crate::{
    finding::{Asked, Findings},
    message::{self, Sort},
    rules::Rule,
};

/// Objects to a message by its members.
pub(crate) fn judge(node: NodeRef<'_>, sort: Sort, revision: &str, asked: &Asked, found: &mut Findings) {
    let mut breach = |rule, pointer: &str, message: &str| found.breach(rule, revision, asked, pointer, message);
    if matches!(sort, Sort::Value | Sort::Neither) {
        breach(Rule::StdoutMessages, "", &format!("a line holds no message: {}", quoted(node.raw())));
        return;
    }
    match node.get("jsonrpc").map(|version| (version, version.as_string())) {
        None => breach(Rule::JsonrpcVersion, "/jsonrpc", "jsonrpc is missing"),
        Some((_, Some(version))) if version == "2.0" => {}
        Some((version, _)) => {
            breach(Rule::JsonrpcVersion, "/jsonrpc", &format!("jsonrpc is {}", quoted(version.raw())))
        }
    }
    if sort != Sort::Response {
        return;
    }
    if node.get("result").is_some() && node.get("error").is_some() {
        breach(Rule::OneOfResultError, "", "a result and an error at once");
    }
    if let Some(result) = node.get("result") {
        if !result.is_object() {
            breach(Rule::ResultObject, "/result", &format!("the result is {}", kind(result)));
        } else if let Some(meta) = result.get("_meta").filter(|meta| !meta.is_object()) {
            breach(Rule::ResultObject, "/result/_meta", &format!("_meta is {}", kind(meta)));
        }
        if result.is_object() {
            match result.get("resultType") {
                Some(value) if value.as_string().is_some() => {}
                Some(value) => {
                    breach(Rule::ResultType, "/result/resultType", &format!("resultType is {}", kind(value)))
                }
                None => breach(Rule::ResultType, "/result/resultType", "resultType is missing"),
            }
        }
    }
    if let Some(error) = node.get("error") {
        if !error.is_object() {
            breach(Rule::ErrorShape, "/error", &format!("the error is {}", kind(error)));
            return;
        }
        if error.get("code").and_then(message::integer).is_none() {
            breach(Rule::ErrorShape, "/error/code", "the code of an error is an integer");
        }
        if message::text(error, "message").is_none() {
            breach(Rule::ErrorShape, "/error/message", "the message of an error is a text");
        }
    }
}

/// What a value is, in words.
pub(crate) fn kind(value: NodeRef<'_>) -> &'static str {
    match value.kind() {
        Kind::Object => "an object",
        Kind::Array => "an array",
        Kind::String => "a text",
        Kind::Number => "a number",
        Kind::True | Kind::False => "a boolean",
        Kind::Null => "null",
    }
}

/// The start of what a server wrote.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    const SHOWN: usize = 60;
    let text = String::from_utf8_lossy(bytes.get(..SHOWN * 4).unwrap_or(bytes));
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{:?}...", text.get(..cut).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}
