//! The reference builder: the pattern for implementers.
//!
//! Spec: Canonical Reply System Architecture (Final), 7 to 11; rulings RE-2, RE-3, RE-10, RE-12.
//!
//! The three terminal methods take the builder itself, so that a call on a frozen builder does not compile. A call with a
//! bad code constructs nothing: it gives the builder back, still open.
//!
//! ```
//! use assize_verifier::reply::{self, Data, Reply, ReplyBuilder, ReplyType, Wrapper};
//!
//! // A tool takes the builder of its invocation and returns one reply.
//! fn open(builder: ReplyBuilder, path: &str) -> Reply {
//!     if path.is_empty() {
//!         return builder.invalid("WA-IO-I-001", Data::new()).unwrap_or_else(|refused| refused.into_error());
//!     }
//!     builder.success(Data::from_iter([("path".to_owned(), path.into())]))
//! }
//!
//! // The wrapper adds what belongs to transport, and nothing else.
//! let reply = open(ReplyBuilder::new(), "");
//! assert_eq!(reply.kind(), ReplyType::I);
//! let envelope = Wrapper::new("t-1", 12).wrap(Ok(reply));
//! assert!(reply::envelope(envelope.to_json().as_bytes())?.is_lawful());
//! # Ok::<(), reply::Rejection>(())
//! ```
//!
//! What the freeze forbids does not compile here:
//!
//! ```compile_fail
//! use assize_verifier::reply::{Data, ReplyBuilder};
//!
//! let builder = ReplyBuilder::new();
//! let denied = builder.denied("EN-WRITE-D-001", Data::new());
//! let late = builder.success(Data::new());
//! ```

use std::fmt;

use serde_json::{Map, Value, json};

use super::code;
use super::judgement::Judgement;
use super::laws::area_registered::Areas;
use super::laws::type_agrees;
use super::model::reply_type::ReplyType;
use crate::json::JsonPointer;

/// Data of a reply: always an object.
pub type Data = Map<String, Value>;

/// The code of a success that was given none, and that of a crash (rulings RE-2 and RE-12).
const SUCCESS: &str = "MCP-SYS-S-001";
const CRASH: &str = "MCP-SYS-E-001";

/// Makes the replies of one invocation. It cannot be copied: a second one would escape the freeze.
#[derive(Debug, Default)]
pub struct ReplyBuilder(());

/// One outcome. It cannot be changed, and whoever holds it returns it.
#[derive(Debug, PartialEq)]
#[must_use = "a reply is returned"]
pub struct Reply {
    kind: ReplyType,
    code: String,
    data: Data,
}

/// A call that constructed nothing, and the builder as it was.
#[derive(Debug)]
pub struct Refused {
    /// Still open.
    pub builder: ReplyBuilder,
    /// What is wrong with the code.
    pub why: Judgement,
}

/// The end of a tool that did not return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crash;

impl ReplyBuilder {
    /// A builder for one invocation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A success. It is not terminal: the tool may still come to another end.
    pub fn success(&self, data: Data) -> Reply {
        Reply { kind: ReplyType::S, code: SUCCESS.to_owned(), data }
    }

    /// A success with a code of its own.
    ///
    /// # Errors
    /// If the code is unlawful, or of another type; nothing is constructed then.
    pub fn success_as(&self, code: &str, data: Data) -> Result<Reply, Judgement> {
        construct(ReplyType::S, code, data)
    }

    /// The caller made a mistake.
    ///
    /// # Errors
    /// If the code is unlawful, or of another type; the builder stays open then.
    pub fn invalid(self, code: &str, data: Data) -> Result<Reply, Box<Refused>> {
        self.terminal(ReplyType::I, code, data)
    }

    /// Policy refuses.
    ///
    /// # Errors
    /// As [`ReplyBuilder::invalid`].
    pub fn denied(self, code: &str, data: Data) -> Result<Reply, Box<Refused>> {
        self.terminal(ReplyType::D, code, data)
    }

    /// The system broke.
    ///
    /// # Errors
    /// As [`ReplyBuilder::invalid`].
    pub fn error(self, code: &str, data: Data) -> Result<Reply, Box<Refused>> {
        self.terminal(ReplyType::E, code, data)
    }

    fn terminal(self, kind: ReplyType, code: &str, data: Data) -> Result<Reply, Box<Refused>> {
        construct(kind, code, data).map_err(|why| Box::new(Refused { builder: self, why }))
    }
}

/// Holds a code to the very laws by which others are judged.
fn construct(kind: ReplyType, text: &str, data: Data) -> Result<Reply, Judgement> {
    let mut found = Judgement::default();
    let of = code::judge(text.as_bytes(), &Areas::default(), JsonPointer::root, &mut found);
    type_agrees::judge(kind, of, JsonPointer::root, &mut found);
    if found.is_lawful() { Ok(Reply { kind, code: text.to_owned(), data }) } else { Err(found.settled()) }
}

/// The last reply of a builder that is still open.
fn crash(_: ReplyBuilder) -> Reply {
    Reply { kind: ReplyType::E, code: CRASH.to_owned(), data: Data::new() }
}

impl Refused {
    /// The end of a tool that used a bad code: a mistake of the system, not of its caller.
    pub fn into_error(self) -> Reply {
        crash(self.builder)
    }
}

impl Reply {
    /// What it means.
    #[must_use]
    pub fn kind(&self) -> ReplyType {
        self.kind
    }

    /// Its code.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Its data.
    #[must_use]
    pub fn data(&self) -> &Data {
        &self.data
    }
}

/// What the wrapper adds to the reply of one invocation. It has no clock and no source of ids: whoever has them gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapper {
    trace_id: String,
    duration_ms: u64,
}

/// A reply on its way out.
#[derive(Debug, PartialEq)]
pub struct Envelope {
    reply: Reply,
    wrapper: Wrapper,
}

impl Wrapper {
    /// `trace_id` is fresh for each invocation and not taken from its arguments.
    #[must_use]
    pub fn new(trace_id: impl Into<String>, duration_ms: u64) -> Self {
        Self { trace_id: trace_id.into(), duration_ms }
    }

    /// Wraps the reply as it is; a crash, whatever it was, becomes an error of a fresh builder.
    #[must_use]
    pub fn wrap(self, outcome: Result<Reply, Crash>) -> Envelope {
        let reply = outcome.unwrap_or_else(|Crash| crash(ReplyBuilder::new()));
        Envelope { reply, wrapper: self }
    }
}

impl Envelope {
    /// The reply inside.
    pub fn reply(&self) -> &Reply {
        &self.reply
    }

    /// The bytes that leave the wrapper.
    #[must_use]
    pub fn to_json(&self) -> String {
        let Reply { kind, code, data } = &self.reply;
        let error = if *kind == ReplyType::S { Value::Null } else { json!({ "code": code }) };
        let meta = json!({"trace_id": self.wrapper.trace_id, "duration_ms": self.wrapper.duration_ms});
        json!({"status": kind.name(), "reply_type": kind.letter(), "data": data, "meta": meta, "error": error})
            .to_string()
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why.findings.first() {
            Some(first) => f.write_str(&first.finding.message),
            None => f.write_str("the call constructed nothing"),
        }
    }
}

impl std::error::Error for Refused {}
