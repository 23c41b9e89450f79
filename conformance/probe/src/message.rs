//! One line of a server: whether it can be read, and what messages stand in it.
//!
//! Spec: JSON-RPC 2.0 Specification, 4 to 6; Model Context Protocol, Base Protocol, Messages.

use assize_verifier::{
    json::{Dialect, Document, Kind, NodeRef},
    reply::{self, Rejection},
};

/// What reading a line came to.
pub(crate) enum Read<'l> {
    /// JSON; `sound` unless a name comes twice in an object, or a number is beyond every double.
    Document { document: Document<'l>, sound: Option<String> },
    /// Not UTF-8.
    NotUtf8,
    /// Not JSON.
    NotJson(String),
    /// Larger or deeper than is read here.
    Beyond(String),
}

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Response,
    Request,
    Notification,
    /// An object that is none of them.
    Neither,
    /// Not even an object.
    Value,
}

/// Reads a line, as far as it can be read.
pub(crate) fn read(line: &[u8]) -> Read<'_> {
    if std::str::from_utf8(line).is_err() {
        return Read::NotUtf8;
    }
    let why = match reply::read(line) {
        Ok(document) => return Read::Document { document, sound: None },
        Err(Rejection::Json(why)) => why,
        Err(why) => return Read::Beyond(why.to_string()),
    };
    match Document::parse(line, &Dialect::STRICT) {
        Ok(document) => Read::Document { document, sound: Some(why.kind.to_string()) },
        Err(why) if why.kind.is_limit() => Read::Beyond(why.kind.to_string()),
        Err(why) => Read::NotJson(why.kind.to_string()),
    }
}

/// Reads a message that was read before.
pub(crate) fn again(message: &[u8]) -> Option<Document<'_>> {
    Document::parse(message, &Dialect::STRICT).ok()
}

/// What a message is by its members.
pub(crate) fn sort(message: NodeRef<'_>) -> Sort {
    let has = |name| message.get(name).is_some();
    match () {
        () if !message.is_object() => Sort::Value,
        () if message.get("method").and_then(NodeRef::as_string).is_some() && has("id") => Sort::Request,
        () if message.get("method").and_then(NodeRef::as_string).is_some() => Sort::Notification,
        () if has("result") || has("error") => Sort::Response,
        () => Sort::Neither,
    }
}

/// The text of a member.
pub(crate) fn text(object: NodeRef<'_>, name: &str) -> Option<String> {
    Some(object.get(name)?.as_string()?.to_text_lossy().into_owned())
}

/// Whether a value is true or false.
pub(crate) fn is_boolean(value: NodeRef<'_>) -> bool {
    matches!(value.kind(), Kind::True | Kind::False)
}

/// An integer, spelled as one.
pub(crate) fn integer(value: NodeRef<'_>) -> Option<i64> {
    value.as_number().filter(|token| !token.float).and_then(|token| token.text.parse().ok())
}

/// Whether a result says that it is an error.
pub(crate) fn is_error(result: NodeRef<'_>) -> bool {
    result.get("isError").is_some_and(|flag| flag.kind() == Kind::True)
}
