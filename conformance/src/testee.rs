//! Who answers: what a testee says of itself, and the ways of putting questions to one.
//!
//! Contract: `contracts/interface/protocol.md`, Handshake and Outcomes. The built-in verifier, a child process, and the
//! sealed comparator behind its shim are reached through one trait, [`Bench`]; whatever is behind it, every question is
//! heard.

mod bench;
mod bounds;
mod child;
mod declaration;
pub(crate) mod engine;
mod flight;
mod interview;
mod log;
pub mod process;
pub(crate) mod session;
mod timing;

pub use bench::{Bench, BuiltIn};
pub use child::{Child, Item, Unusable};
pub use declaration::Declaration;
pub use flight::{Flight, Placed};
pub use interview::Interview;
pub use log::Notes;
pub use process::{Launch, StartError};
pub use session::Setup;
pub use timing::{Clock, Patience, Timing};

use assize_corpus::{
    agreement::{Judgement, Outcome, judge},
    testee::Answer,
    trial::PrepareError,
    vector::Case,
};
use serde::{Deserialize, Serialize};

/// A name and a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
}

/// What a testee says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introduction {
    /// The implementation.
    pub testee: Named,
    /// Its language.
    pub lang: Option<String>,
    /// What stands in front of it.
    pub shim: Option<Named>,
    /// What it declares: this binds.
    pub ops: Declaration,
    /// How many cases may be outstanding.
    pub in_flight: usize,
}

impl Introduction {
    /// The built-in verifier.
    #[must_use]
    pub fn built_in() -> Self {
        Self {
            testee: Named { name: "assize".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            lang: Some("rust".to_owned()),
            shim: None,
            ops: Declaration::built_in(),
            in_flight: 1,
        }
    }
}

/// What came of one question.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// The testee said something.
    Answer(Answer),
    /// The process ended.
    Crash(String),
    /// No answer in time; the text tells slow from hung.
    Timeout(String),
    /// What came was not the protocol.
    Protocol(String),
    /// In the controls: the answer that was to be altered is not one that passes, as it did before.
    Changed,
    /// The question was not put, because the run came to its end.
    NotRun(String),
    /// The question cannot be put here: the outcome that this gives, and why.
    Unasked(Outcome, String),
}

impl Heard {
    /// A case whose files cannot be laid out.
    fn unasked(error: &PrepareError) -> Self {
        let judgement = error.judgement();
        Self::Unasked(judgement.outcome, judgement.note.unwrap_or_default())
    }

    /// What this makes of a case. What a testee wrote may be long, and is cut: everything here goes into reports.
    #[must_use]
    pub fn judged(&self, case: &Case) -> Judgement {
        let judgement = match self {
            Self::Answer(answer) => judge(case, answer),
            Self::Crash(note) => Judgement::noted(Outcome::Crash, note),
            Self::Timeout(note) => Judgement::noted(Outcome::Timeout, note),
            Self::Protocol(note) => Judgement::noted(Outcome::Protocol, note),
            Self::Changed => Judgement::noted(Outcome::NotRun, "the answer to be altered no longer passes"),
            Self::NotRun(note) => Judgement::noted(Outcome::NotRun, note),
            Self::Unasked(outcome, note) => Judgement::noted(*outcome, note),
        };
        bounds::within(judgement)
    }
}
