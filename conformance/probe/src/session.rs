//! A conversation with one process of a server: requests go out, and everything that comes is judged.
//!
//! Spec: JSON-RPC 2.0 Specification; Model Context Protocol, Lifecycle and Transports, stdio.

use std::collections::BTreeSet;

use assize_verifier::json::NodeRef;
use serde_json::{Map, Value, json};

use crate::{
    finding::{Asked, Findings},
    framing::{self, quoted},
    message::{self, Read, Sort},
    revision::{BATCHES, STATELESS},
    rules::Rule,
    wire::{Breach, Ended, Event, Start, Wire},
};

/// Messages that may come before an answer.
const MESSAGES: usize = 2000;
/// Questions that may go without an answer before nothing more is asked.
const SILENCES: usize = 3;

/// A conversation.
pub(crate) struct Session<'f> {
    wire: Box<dyn Wire>,
    pub(crate) found: &'f mut Findings,
    /// By which everything is judged: the one asked for until another is agreed on.
    pub(crate) revision: String,
    /// How long this question is waited for, and every other after the first.
    patience: String,
    later: String,
    /// Whether the client has said that it is initialized.
    pub(crate) initialized: bool,
    /// Whether the server has declared that it logs.
    pub(crate) logs: bool,
    /// Whether an error without an id may come.
    pub(crate) astray: bool,
    /// Whether an error without an id answers what is asked.
    pub(crate) refusable: bool,
    /// Whether a notification was the last that was sent before this question.
    noticed: bool,
    asked: u64,
    answered: BTreeSet<String>,
    late: BTreeSet<String>,
    silences: usize,
    /// Whether the server has closed its output.
    pub(crate) closed: bool,
    /// Why nothing more can be asked.
    pub(crate) over: Option<String>,
    /// Whether a rule tells of that, so that nothing is left out.
    pub(crate) over_is_told: bool,
}

/// What waiting for an answer came to.
pub(crate) enum Waited {
    /// The response, whole.
    Response(Vec<u8>),
    /// None, in words.
    Silence(String),
}

impl<'f> Session<'f> {
    pub(crate) fn new(start: &mut dyn Start, revision: &str, found: &'f mut Findings) -> Result<Self, String> {
        let mut wire = start.start()?;
        found.over_http = start.is_http();
        if revision >= STATELESS {
            wire.agreed(revision);
        }
        Ok(Self {
            wire,
            found,
            revision: revision.to_owned(),
            patience: start.patience(true),
            later: start.patience(false),
            initialized: false,
            logs: false,
            astray: false,
            refusable: false,
            noticed: false,
            asked: 0,
            answered: BTreeSet::new(),
            late: BTreeSet::new(),
            silences: 0,
            closed: false,
            over: None,
            over_is_told: false,
        })
    }

    pub(crate) fn is_stateless(&self) -> bool {
        self.revision.as_str() >= STATELESS
    }

    /// From now on a revision is spoken.
    pub(crate) fn agree(&mut self, revision: &str) {
        revision.clone_into(&mut self.revision);
        self.wire.agreed(revision);
    }

    /// A breach of a rule.
    pub(crate) fn breach(&mut self, rule: Rule, asked: &Asked, pointer: &str, message: &str) {
        self.found.breach(rule, &self.revision, asked, pointer, message);
    }

    /// Asks, and objects where no answer comes.
    pub(crate) fn ask(&mut self, asked: &Asked, method: &str, params: Value) -> Option<Vec<u8>> {
        match self.try_to_ask(asked, method, params)? {
            Waited::Response(response) => Some(response),
            Waited::Silence(why) => {
                self.breach(Rule::Answered, asked, "", &why);
                None
            }
        }
    }

    /// Asks; nothing where nothing more can be asked.
    pub(crate) fn try_to_ask(&mut self, asked: &Asked, method: &str, params: Value) -> Option<Waited> {
        let (id, request) = self.request(method, params);
        self.exchange(asked, &id, &request.to_string())
    }

    /// A request with an id of its own. Every other is a text, since both have to come back as they were.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> (String, Value) {
        self.asked = self.asked.saturating_add(1);
        let id = if self.asked.is_multiple_of(2) { json!(format!("probe-{}", self.asked)) } else { json!(self.asked) };
        let mut request = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if let Some(members) = request.as_object_mut() {
            let params = self.with_envelope(params);
            if !params.is_null() {
                members.insert("params".to_owned(), params);
            }
        }
        (id.to_string(), request)
    }

    /// What each request says of its client where no handshake has.
    fn with_envelope(&self, params: Value) -> Value {
        if !self.is_stateless() {
            return params;
        }
        let mut members = match params {
            Value::Object(members) => members,
            Value::Null => Map::new(),
            other => return other,
        };
        members.entry("_meta").or_insert_with(|| envelope(&self.revision));
        Value::Object(members)
    }

    /// Sends a line with a request, and waits for the response with this id.
    pub(crate) fn exchange(&mut self, asked: &Asked, id: &str, line: &str) -> Option<Waited> {
        if self.over.is_some() {
            return None;
        }
        self.wire.send(line.as_bytes());
        self.wire.begin();
        let waited = self.wait(asked, id);
        self.noticed = false;
        self.patience.clone_from(&self.later);
        waited
    }

    /// Sends what has no answer.
    pub(crate) fn notify(&mut self, method: &str) {
        self.put(&json!({"jsonrpc": "2.0", "method": method}));
        self.noticed = true;
    }

    /// Sends any line.
    pub(crate) fn put_raw(&mut self, line: &[u8]) {
        if self.over.is_none() {
            self.wire.send(line);
        }
    }

    fn put(&mut self, message: &Value) {
        self.put_raw(message.to_string().as_bytes());
    }

    /// Waits for one response, and judges what comes before it; nothing where the probe is to end.
    pub(crate) fn wait(&mut self, asked: &Asked, id: &str) -> Option<Waited> {
        for _ in 0..MESSAGES {
            let why = match self.wire.next() {
                Event::Line(line) => match self.take(asked, id, &line) {
                    Some(response) => {
                        self.answered.insert(id.to_owned());
                        return Some(Waited::Response(response));
                    }
                    None if self.over.is_some() => break,
                    None => continue,
                },
                Event::Expired => {
                    self.expire(id);
                    return Some(Waited::Silence(format!("no answer within {}", self.patience)));
                }
                // That there is no answer is then no fault of the server.
                Event::Stopped => {
                    self.over = Some("interrupted".to_owned());
                    return None;
                }
                Event::Refused(why) => {
                    self.late.insert(id.to_owned());
                    return Some(Waited::Silence(why));
                }
                Event::Breach(Breach { rule, message }) => {
                    self.breach(rule, asked, "", &message);
                    continue;
                }
                Event::Overlong => "a line is longer than is taken",
                Event::End => {
                    self.closed = true;
                    "the server closed its output without an answer"
                }
            };
            self.over = Some(why.to_owned());
            return Some(Waited::Silence(why.to_owned()));
        }
        let why = self.over.get_or_insert_with(|| format!("{MESSAGES} messages came and no answer"));
        Some(Waited::Silence(why.clone()))
    }

    /// Gives a question up, and says so to the server.
    fn expire(&mut self, id: &str) {
        self.silences = self.silences.saturating_add(1);
        self.late.insert(id.to_owned());
        if self.silences >= SILENCES {
            self.over = Some(format!("{SILENCES} questions went without an answer"));
        }
        if let Ok(id) = serde_json::from_str::<Value>(id) {
            self.put(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
        }
    }

    /// Takes a line, and gives the response that is waited for if it is there.
    fn take(&mut self, asked: &Asked, id: &str, line: &[u8]) -> Option<Vec<u8>> {
        let (document, sound) = match message::read(line) {
            Read::Document { document, sound } => (document, sound),
            Read::NotUtf8 => {
                self.breach(Rule::Utf8, asked, "", &format!("a line is not UTF-8: {}", quoted(line)));
                return None;
            }
            Read::NotJson(why) => {
                self.breach(Rule::StdoutMessages, asked, "", &format!("a line is not JSON ({why}): {}", quoted(line)));
                return None;
            }
            Read::Beyond(why) => {
                self.over = Some(format!("a message is not read here: {why}"));
                return None;
            }
        };
        if let Some(why) = sound {
            self.breach(Rule::NamesUnique, asked, "", &format!("a message cannot be read in one way: {why}"));
        }
        let root = document.root();
        if !root.is_array() {
            return self.one(asked, id, root);
        }
        if self.revision != BATCHES {
            self.breach(Rule::StdoutMessages, asked, "", "messages come in a batch, which this revision does not know");
        }
        let mut response = None;
        for node in root.elements() {
            response = self.one(asked, id, node).or(response);
        }
        response
    }

    /// Takes one message.
    fn one(&mut self, asked: &Asked, id: &str, node: NodeRef<'_>) -> Option<Vec<u8>> {
        let sort = message::sort(node);
        framing::judge(node, sort, &self.revision, asked, self.found);
        match sort {
            Sort::Response => self.response(asked, id, node),
            Sort::Request => {
                self.requested(asked, node);
                None
            }
            Sort::Notification => {
                self.notified(asked, node);
                None
            }
            Sort::Neither | Sort::Value => None,
        }
    }

    /// Whether a response is the one that is waited for; objects to others.
    fn response(&mut self, asked: &Asked, id: &str, node: NodeRef<'_>) -> Option<Vec<u8>> {
        let given = node.get("id").map(spelled);
        match given.as_deref() {
            Some(given) if given == id => return Some(node.raw().to_vec()),
            Some(given) if self.late.remove(given) => {}
            Some(given) if self.answered.contains(given) => {
                self.breach(Rule::AnsweredOnce, asked, "/id", &format!("a second response to request {given}"));
            }
            Some(given) if given != "null" && given.trim_matches('"') == id.trim_matches('"') => {
                self.breach(
                    Rule::IdReturned,
                    asked,
                    "/id",
                    &format!(
                        "the id of the request is of another type in the response: {}",
                        if given.starts_with('"') { "a text" } else { "a number" }
                    ),
                );
                return Some(node.raw().to_vec());
            }
            None | Some("null") if node.get("error").is_some() && self.refusable => return Some(node.raw().to_vec()),
            None | Some("null") if node.get("error").is_some() && self.astray => {}
            None | Some("null") if self.noticed => {
                self.breach(Rule::NotificationUnanswered, asked, "", "a notification is answered");
            }
            None | Some("null") => self.breach(Rule::IdReturned, asked, "/id", "a response has no id"),
            Some(_) => self.breach(Rule::AnsweredOnce, asked, "/id", "a response to a request that nobody made"),
        }
        None
    }

    /// Answers a request of the server, as a client does that has declared nothing.
    fn requested(&mut self, asked: &Asked, node: NodeRef<'_>) {
        let method = message::text(node, "method").unwrap_or_default();
        let id: Value = node.get("id").and_then(|id| serde_json::from_slice(id.raw()).ok()).unwrap_or(Value::Null);
        if method == "ping" {
            self.put(&json!({"jsonrpc": "2.0", "id": id, "result": {}}));
            return;
        }
        let named = quoted(method.as_bytes());
        self.breach(
            Rule::NegotiatedOnly,
            asked,
            "/method",
            &format!("{named} is asked of a client that has not declared it"),
        );
        if !self.initialized {
            self.breach(
                Rule::QuietBefore,
                asked,
                "/method",
                &format!("{named} is asked before notifications/initialized"),
            );
        }
        self.put(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "Method not found"}}));
    }

    fn notified(&mut self, asked: &Asked, node: NodeRef<'_>) {
        match message::text(node, "method").unwrap_or_default().as_str() {
            "notifications/message" if !self.logs || self.is_stateless() => {
                let message = if self.is_stateless() {
                    "a log message, and no level was given"
                } else {
                    "a log message, and logging is not declared"
                };
                self.breach(Rule::LoggingDeclared, asked, "/method", message);
            }
            "notifications/progress" => {
                self.breach(
                    Rule::ProgressToken,
                    asked,
                    "/params/progressToken",
                    "progress is told, and no token was given",
                );
            }
            _ => {}
        }
    }

    /// A response with this id may still come, and was asked for.
    pub(crate) fn forget(&mut self, id: &str) {
        self.late.insert(id.to_owned());
    }

    /// Whether a response with this id has not come yet; it is then waited for.
    pub(crate) fn is_owed(&mut self, id: &str) -> bool {
        self.late.remove(id)
    }

    /// Ends the process, or the session.
    pub(crate) fn end(self) -> Ended {
        let ended = self.wire.end();
        for Breach { rule, message } in &ended.breaches {
            self.found.breach(*rule, &self.revision, &Asked::of("the transport, at the end"), "", message);
        }
        ended
    }
}

/// What stands in `_meta` of a request without a handshake.
pub(crate) fn envelope(revision: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": client(),
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// Who asks.
pub(crate) fn client() -> Value {
    json!({"name": "assize-probe", "version": env!("CARGO_PKG_VERSION")})
}

/// An id as this crate spells it.
fn spelled(id: NodeRef<'_>) -> String {
    match id.as_string() {
        Some(text) => Value::String(text.to_text_lossy().into_owned()).to_string(),
        None => String::from_utf8_lossy(id.raw()).into_owned(),
    }
}
