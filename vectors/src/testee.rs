//! What is asked, what is answered, and who answers.
//!
//! `seen` and framing are the process testee's business; here a question is a value and so is its answer. An [`Answer`]
//! is what the testee said, and no judgement of it: that is [`crate::agreement`].

use std::{collections::BTreeMap, path::PathBuf};

pub use assize_verifier::operation::{Answer, Output};

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

/// An implementation under test.
pub trait Testee {
    /// Answers one question.
    fn answer(&mut self, request: &Request) -> Answer;
}
