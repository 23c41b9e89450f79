//! What is asked, what is answered, and who answers.
//!
//! `seen` and framing are the process testee's business; here a question is a value and so is its answer. An [`Answer`]
//! is what the testee said, and no judgement of it: that is [`crate::agreement`].

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use crate::operation::Kind;

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The operation.
    pub op: String,
    /// Its arguments.
    pub args: serde_json::Map<String, serde_json::Value>,
    /// Documents by name, as exact bytes.
    pub docs: BTreeMap<String, Vec<u8>>,
    /// The folder of the case's files, for operations that read any.
    pub root: Option<PathBuf>,
}

/// What a testee said.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The operation succeeded.
    Accept {
        /// Outputs by name.
        out: BTreeMap<String, Output>,
    },
    /// The operation refused: a judgement too.
    Reject {
        /// Why, as a set.
        codes: BTreeSet<String>,
        /// Outputs by name.
        out: BTreeMap<String, Output>,
    },
    /// The testee does not do this.
    Unsupported {
        /// What it does not do.
        feature: String,
    },
    /// The testee broke: no judgement.
    Fault {
        /// `panic`, or the testee's own word.
        kind: String,
        /// For people.
        message: String,
    },
}

impl Answer {
    /// An acceptance.
    pub fn accept<N: Into<String>>(out: impl IntoIterator<Item = (N, Output)>) -> Self {
        Self::Accept { out: out.into_iter().map(|(name, output)| (name.into(), output)).collect() }
    }

    /// A rejection for one reason, without outputs.
    #[must_use]
    pub fn reject(code: &str) -> Self {
        Self::Reject { codes: BTreeSet::from([code.to_owned()]), out: BTreeMap::new() }
    }
}

/// One output.
#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    /// JSON text.
    Doc(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Plain JSON.
    Value(serde_json::Value),
}

impl Output {
    /// How it travels.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Doc(_) => Kind::Doc,
            Self::Bytes(_) => Kind::Bytes,
            Self::Value(_) => Kind::Value,
        }
    }
}

/// An implementation under test.
pub trait Testee {
    /// Answers one question.
    fn answer(&mut self, request: &Request) -> Answer;
}
