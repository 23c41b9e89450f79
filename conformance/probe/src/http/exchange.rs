//! One request and its response, and what a message that is sent asks for.

use std::{io::Read as _, time::Duration};

use serde_json::Value;
use ureq::{
    Agent, Body,
    http::{HeaderMap, Request, Response, Uri},
};

/// Bytes of a body that is only quoted.
const QUOTED: u64 = 64 * 1024;

/// What a message is to the transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It has an answer.
    Question,
    /// A notification or a response: taken, and not answered.
    Notice,
    /// Not even a message.
    Nonsense,
}

/// What is known of a message from its members.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) kind: Kind,
    pub(super) method: String,
    /// Of a single request.
    pub(super) id: Option<Value>,
    /// What a call is of.
    name: Option<String>,
    /// The revision that it names itself, where no handshake has.
    revision: Option<String>,
}

impl Message {
    pub(super) fn of(line: &[u8]) -> Self {
        let value: Value = serde_json::from_slice(line).unwrap_or_default();
        let asks = |one: &Value| one.get("method").is_some() && one.get("id").is_some();
        let kind = match &value {
            Value::Object(_) if asks(&value) => Kind::Question,
            Value::Array(all) if all.iter().any(asks) => Kind::Question,
            Value::Object(_) | Value::Array(_) => Kind::Notice,
            _ => Kind::Nonsense,
        };
        let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        Self {
            kind,
            method: text("/method").unwrap_or_default(),
            id: value.get("id").cloned(),
            name: text("/params/name"),
            revision: text("/params/_meta/io.modelcontextprotocol~1protocolVersion"),
        }
    }
}

/// What every request of a conversation has.
#[derive(Debug, Clone)]
pub(super) struct Headers {
    pub(super) session: Option<Vec<u8>>,
    /// The revision that was agreed on, where it is said in a header.
    pub(super) revision: Option<String>,
    pub(super) origin: Option<&'static str>,
}

/// Sends; whatever the status, there is a response.
pub(super) fn run(
    url: &Uri,
    method: &str,
    headers: &Headers,
    sent: Option<(&Message, &[u8])>,
    patience: Duration,
) -> Result<Response<Body>, ureq::Error> {
    // A connection of its own for each, and none to anywhere else: neither redirections nor proxies are followed.
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .max_idle_connections(0)
        .timeout_global(Some(patience))
        .user_agent(concat!("assize-probe/", env!("CARGO_PKG_VERSION")))
        .build();
    let accepts = if method == "GET" { "text/event-stream" } else { "application/json, text/event-stream" };
    let mut request = Request::builder().method(method).uri(url.clone()).header("accept", accepts);
    if let Some(session) = &headers.session {
        request = request.header("mcp-session-id", session.as_slice());
    }
    if let Some(origin) = headers.origin {
        request = request.header("origin", origin);
    }
    let named = sent.and_then(|(message, _)| message.revision.as_ref());
    if let Some(revision) = named.or(headers.revision.as_ref()) {
        request = request.header("mcp-protocol-version", revision);
    }
    let agent = Agent::new_with_config(config);
    let Some((message, line)) = sent else { return agent.run(request.body(())?) };
    if named.is_some() {
        request = request.header("mcp-method", &message.method);
        if let Some(name) = message.name.as_ref().filter(|name| name.bytes().all(|byte| byte.is_ascii_graphic())) {
            request = request.header("mcp-name", name);
        }
    }
    agent.run(request.header("content-type", "application/json").body(line)?)
}

/// The media type of a response, without its parameters.
pub(super) fn media_type(headers: &HeaderMap) -> String {
    let given = headers.get("content-type").and_then(|given| given.to_str().ok()).unwrap_or_default();
    given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The start of a body, whatever it is.
pub(super) fn start(body: Body) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What cannot be read is not quoted.
    let _ = body.into_reader().take(QUOTED).read_to_end(&mut bytes);
    bytes
}
