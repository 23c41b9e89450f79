//! What a server is asked beside its tools: the handshake, and requests that make no sense.
//!
//! Spec: Model Context Protocol, Lifecycle and Utilities; JSON-RPC 2.0 Specification, 4.1, 5.1 and 6.

use assize_verifier::json::NodeRef;
use serde_json::{Value, json};

use crate::{
    finding::Asked,
    framing::{kind, quoted},
    message,
    revision::{BATCHES, NOBODY, is_revision},
    rules::Rule,
    session::{Session, Waited, client, envelope},
};

/// What a handshake came to.
#[derive(Debug, Default)]
pub(crate) struct Shaken {
    /// The revision that is spoken from now on.
    pub(crate) revision: Option<String>,
    /// Name and version of the server, as it says.
    pub(crate) server: Option<(String, String)>,
    /// Whether it declares that it has tools.
    pub(crate) tools: bool,
    /// Why nothing is spoken, where that is no fault.
    pub(crate) why: Option<String>,
}

/// Initializes.
pub(crate) fn initialize(session: &mut Session<'_>, revision: &str) -> Shaken {
    let asked = Asked::of(&format!("initialize at {revision}"));
    let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": client()});
    let Some(response) = session.ask(&asked, "initialize", params) else { return Shaken::default() };
    let Some(document) = message::again(&response) else { return Shaken::default() };
    let Some(result) = document.root().get("result").filter(|result| result.is_object()) else {
        // The text asks for an offer, and the example below it refuses.
        let code = document.root().get("error").and_then(|error| error.get("code")).and_then(message::integer);
        let rule = if code == Some(-32602) { Rule::VersionRefused } else { Rule::VersionNegotiated };
        session.breach(rule, &asked, "/error", "initialize is answered by an error");
        return Shaken { why: Some("initialize is answered by an error".to_owned()), ..Shaken::default() };
    };
    let mut due = |rule, place: &str, message: &str| session.breach(rule, &asked, place, message);
    let spoken = message::text(result, "protocolVersion");
    match spoken.as_deref() {
        None => due(Rule::Initialize, "/result/protocolVersion", "protocolVersion is due, as a text"),
        Some(spoken) if !is_revision(spoken) => {
            due(
                Rule::VersionNegotiated,
                "/result/protocolVersion",
                &format!("{} is no revision", quoted(spoken.as_bytes())),
            );
        }
        Some(NOBODY) => {
            due(Rule::VersionNegotiated, "/result/protocolVersion", "a revision that does not exist is agreed to")
        }
        Some(_) => {}
    }
    let info = result.get("serverInfo");
    let of = |name| info.and_then(|info| message::text(info, name));
    for name in ["name", "version"] {
        if of(name).is_none() {
            due(
                Rule::Initialize,
                &format!("/result/serverInfo/{name}"),
                &format!("serverInfo has a {name}, as a text"),
            );
        }
    }
    let capabilities = capabilities(session, result, &asked);
    session.logs = capabilities.is_some_and(|declared| declared.get("logging").is_some());
    Shaken {
        tools: capabilities.is_some_and(|declared| declared.get("tools").is_some()),
        server: of("name").zip(of("version")),
        revision: spoken.filter(|spoken| is_revision(spoken) && spoken != NOBODY),
        why: None,
    }
}

/// Asks what a server speaks that knows no handshake.
pub(crate) fn discover(session: &mut Session<'_>) -> Shaken {
    let asked = Asked::of("server/discover");
    let response = match session.try_to_ask(&asked, "server/discover", Value::Null) {
        Some(Waited::Response(response)) => response,
        // Who never heard of it owes no answer.
        Some(Waited::Silence(why)) => return Shaken { why: Some(why), ..Shaken::default() },
        None => return Shaken::default(),
    };
    let Some(document) = message::again(&response) else { return Shaken::default() };
    let Some(result) = document.root().get("result").filter(|result| result.is_object()) else {
        return Shaken { why: Some("server/discover is answered by an error".to_owned()), ..Shaken::default() };
    };
    let versions = result.get("supportedVersions");
    if !versions.is_some_and(NodeRef::is_array) {
        session.breach(Rule::Initialize, &asked, "/result/supportedVersions", "supportedVersions is due, as an array");
    }
    let mut spoken = versions.into_iter().flat_map(NodeRef::elements).filter_map(NodeRef::as_string);
    let speaks = spoken.any(|version| version == session.revision.as_str());
    if result.get("ttlMs").and_then(message::integer).is_none_or(|ms| ms < 0) {
        session.breach(Rule::Initialize, &asked, "/result/ttlMs", "ttlMs is due, as a whole number from 0");
    }
    if !message::text(result, "cacheScope").is_some_and(|scope| scope == "private" || scope == "public") {
        session.breach(Rule::Initialize, &asked, "/result/cacheScope", "cacheScope is due, private or public");
    }
    let tools = capabilities(session, result, &asked).is_some_and(|declared| declared.get("tools").is_some());
    let why = (!speaks).then(|| "it is not among the supported versions".to_owned());
    Shaken { revision: speaks.then(|| session.revision.clone()), server: None, tools, why }
}

fn capabilities<'d>(session: &mut Session<'_>, result: NodeRef<'d>, asked: &Asked) -> Option<NodeRef<'d>> {
    let declared = result.get("capabilities").filter(|declared| declared.is_object());
    if declared.is_none() {
        session.breach(Rule::Initialize, asked, "/result/capabilities", "capabilities is due, as an object");
    }
    declared
}

/// Something that every server answers: a ping, or without a handshake the question what it speaks.
pub(crate) fn ping(session: &mut Session<'_>, what: &str) {
    let asked = Asked::of(what);
    if session.is_stateless() {
        session.ask(&asked, "server/discover", Value::Null);
        return;
    }
    let Some(response) = session.ask(&asked, "ping", Value::Null) else { return };
    let Some(document) = message::again(&response) else { return };
    match document.root().get("result") {
        None => session.breach(Rule::Ping, &asked, "/error", "a ping is answered by an error"),
        Some(result)
            if result.members().any(|(name, _)| !matches!(&*name.decode().to_text_lossy(), "_meta" | "resultType")) =>
        {
            session.breach(Rule::Ping, &asked, "/result", &format!("a ping is answered by {}", quoted(result.raw())));
        }
        Some(_) => {}
    }
}

/// A method that no server has.
pub(crate) fn unknown_method(session: &mut Session<'_>) {
    let asked = Asked::of("a method that is not there");
    let Some(response) = session.ask(&asked, "assize/no-such-method", json!({})) else { return };
    let Some(document) = message::again(&response) else { return };
    let error = document.root().get("error");
    match error.and_then(|error| error.get("code")).and_then(message::integer) {
        Some(-32601) => {}
        Some(code) => {
            session.breach(Rule::UnknownMethod, &asked, "/error/code", &format!("the error is {code} and not -32601"))
        }
        None if error.is_none() => session.breach(Rule::UnknownMethod, &asked, "/result", "it is answered by a result"),
        None => {}
    }
}

/// A notification that no server knows, and something that it answers behind it.
pub(crate) fn notification(session: &mut Session<'_>) {
    session.notify("notifications/assize-probe");
    ping(session, "a notification that is not known");
}

/// Two pings in a batch, where the revision has batches.
pub(crate) fn batch(session: &mut Session<'_>) {
    if session.revision != BATCHES {
        return;
    }
    let asked = Asked::of("a batch of two pings");
    let ((_, one), (id, other)) = (session.request("ping", Value::Null), session.request("ping", Value::Null));
    // In which order they are answered is free.
    let first = one.get("id").map(Value::to_string).unwrap_or_default();
    session.forget(&first);
    let line = Value::Array(vec![one, other]).to_string();
    session.refusable = true;
    let mut waited = session.exchange(&asked, &id, &line);
    if matches!(&waited, Some(Waited::Response(response)) if refusal(response).is_none()) && session.is_owed(&first) {
        waited = session.wait(&asked, &first);
    }
    session.refusable = false;
    let why = match waited {
        Some(Waited::Response(response)) => refusal(&response),
        Some(Waited::Silence(why)) => Some(why),
        None => None,
    };
    if let Some(why) = why {
        session.breach(Rule::BatchReceived, &asked, "", &why);
    }
}

/// How a whole batch is refused: by an error for no request in it.
fn refusal(response: &[u8]) -> Option<String> {
    let document = message::again(response)?;
    let id = document.root().get("id");
    if id.is_some_and(|id| id.raw() != b"null") {
        return None;
    }
    let code = document.root().get("error")?.get("code").and_then(message::integer).unwrap_or_default();
    Some(format!("it is refused by the error {code}"))
}

/// A line that is not JSON, and something that is answered behind it.
pub(crate) fn nonsense(session: &mut Session<'_>) {
    let asked = Asked::of("a line that is not JSON");
    session.astray = true;
    session.put_raw(br#"{"jsonrpc": "2.0", "id": "#);
    let (method, params) =
        if session.is_stateless() { ("server/discover", Value::Null) } else { ("ping", Value::Null) };
    if let Some(Waited::Silence(why)) = session.try_to_ask(&asked, method, params) {
        session.breach(Rule::AfterNonsense, &asked, "", &format!("nothing is answered after it: {why}"));
        session.over_is_told = session.closed;
    }
}

/// Without a handshake: a revision that nobody speaks.
pub(crate) fn unspoken(session: &mut Session<'_>) {
    let asked = Asked::of(&format!("server/discover at {NOBODY}"));
    let Some(response) = session.ask(&asked, "server/discover", json!({"_meta": envelope(NOBODY)})) else { return };
    let Some(document) = message::again(&response) else { return };
    if let Some(result) = document.root().get("result") {
        let message = format!("a revision that does not exist is answered by {}", kind(result));
        session.breach(Rule::VersionNegotiated, &asked, "/result", &message);
    }
}
