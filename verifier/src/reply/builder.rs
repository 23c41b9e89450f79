//! The reference builder: the pattern for implementers.
//!
//! Spec: Canonical Reply System Architecture (Final), 7, 9 and 10; rulings RE-2, RE-3, RE-10, RE-38, RE-39.
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
//! // The wrapper makes the builder, and adds what belongs to transport and nothing else.
//! let (mut calls, mut now) = (0, 0);
//! let ids = || { calls += 1; format!("t-{calls}") };
//! let clock = || { now += 12; now };
//! let envelope = Wrapper::new(ids, clock).run(|builder| Ok(open(builder, "")));
//! assert_eq!(envelope.reply().kind(), ReplyType::I);
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
use std::sync::Arc;

use serde_json::{Map, Value};

use super::code;
use super::judgement::Judgement;
use super::laws::area_registered::Areas;
use super::laws::code_registered::Registered;
use super::laws::{envelope_separation, type_agrees};
use super::model::data::Data;
use super::model::registry::Registries;
use super::model::reply_type::ReplyType;
use super::model::text;
use crate::json::JsonPointer;
use crate::rejection::Rejection;

/// The code of a success that was given none, and that of a crash (rulings RE-2 and RE-12).
const SUCCESS: &str = "MCP-SYS-S-001";
const CRASH: &str = "MCP-SYS-E-001";

/// The codes that builders are held to: those of an active registry, and the areas that it declares.
#[derive(Clone, Debug)]
pub struct Codes {
    areas: Areas<'static>,
    registered: Registered<'static>,
    crash: String,
}

/// Makes the replies of one invocation. It cannot be copied: a second one would escape the freeze.
#[derive(Debug, Default)]
pub struct ReplyBuilder {
    codes: Option<Arc<Codes>>,
    loud: bool,
}

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

impl Codes {
    /// Reads the document of a registry, of which the first registry counts: it is the newest revision.
    ///
    /// # Errors
    /// If the document is not JSON, exceeds a limit, or has another shape.
    pub fn read(registry: &[u8]) -> Result<Self, Rejection> {
        let document = text::read(registry)?;
        Ok(Self::of(&Registries::read(document.root(), &JsonPointer::root())?))
    }

    /// The codes of the newest of some registries.
    pub(super) fn of(registries: &Registries<'_>) -> Self {
        let newest = registries.newest();
        let areas = newest.map(Areas::of).unwrap_or_default().owned();
        let registered = Registered::of(newest).owned();
        let mut codes = Self { areas, registered, crash: CRASH.to_owned() };
        let rows = newest.into_iter().flat_map(|registry| &registry.active);
        let rows = rows.filter_map(|row| std::str::from_utf8(&row.code).ok());
        // A crash is told by a registered code where there is one (ruling RE-40).
        let told = std::iter::once(CRASH).chain(rows).find(|code| judged(ReplyType::E, code, Some(&codes)).is_lawful());
        if let Some(told) = told {
            codes.crash = told.to_owned();
        }
        codes
    }
}

impl ReplyBuilder {
    /// A builder for one invocation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A builder for one invocation that takes registered codes alone.
    #[must_use]
    pub fn held_to(codes: Arc<Codes>) -> Self {
        Self { codes: Some(codes), loud: false }
    }

    /// The same, for development: where a bad code would be told as an error, there is a panic.
    pub(super) fn loud(self) -> Self {
        Self { loud: true, ..self }
    }

    /// A success. It is not terminal: the tool may still come to another end.
    pub fn success(&self, data: Data) -> Reply {
        Reply { kind: ReplyType::S, code: SUCCESS.to_owned(), data }
    }

    /// A success with a code of its own.
    ///
    /// # Errors
    /// If the code is unlawful, of another type, or not registered; nothing is constructed then.
    pub fn success_as(&self, code: &str, data: Data) -> Result<Reply, Judgement> {
        self.construct(ReplyType::S, code, data)
    }

    /// The caller made a mistake.
    ///
    /// # Errors
    /// If the code is unlawful, of another type, or not registered; the builder stays open then.
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
        self.construct(kind, code, data).map_err(|why| Box::new(Refused { builder: self, why }))
    }

    /// Holds a code to the very laws by which others are judged.
    fn construct(&self, kind: ReplyType, code: &str, data: Data) -> Result<Reply, Judgement> {
        let found = judged(kind, code, self.codes.as_deref());
        if found.is_lawful() { Ok(Reply { kind, code: code.to_owned(), data }) } else { Err(found) }
    }

    /// The last reply of a builder that is still open.
    pub(super) fn crash(self) -> Reply {
        let code = self.codes.map_or_else(|| CRASH.to_owned(), |codes| codes.crash.clone());
        Reply { kind: ReplyType::E, code, data: Data::new() }
    }
}

fn judged(kind: ReplyType, text: &str, codes: Option<&Codes>) -> Judgement {
    let (mut found, given) = (Judgement::default(), Areas::default());
    let areas = codes.map_or(&given, |codes| &codes.areas);
    let of = code::judge(text.as_bytes(), areas, JsonPointer::root, &mut found);
    type_agrees::judge(kind, of, JsonPointer::root, &mut found);
    if let Some(codes) = codes {
        codes.registered.judge_call(text.as_bytes(), JsonPointer::root, &mut found);
    }
    found.settled()
}

impl Refused {
    /// The end of a tool that used a bad code: a mistake of the system, not of its caller. A loud wrapper makes it panic.
    #[expect(clippy::panic, reason = "whoever asks for a loud wrapper asks for this, in development")]
    pub fn into_error(self) -> Reply {
        if self.builder.loud {
            panic!("a reply was refused: {self}");
        }
        self.builder.crash()
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

    /// Every member that it has, by name.
    #[must_use]
    pub fn members(&self) -> Map<String, Value> {
        envelope_separation::members(self.kind, &self.code, &self.data)
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
