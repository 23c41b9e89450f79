//! The frames of the harness, the declaration, and the chain of receipts.

use std::{borrow::Cow, collections::BTreeMap};

use assize_corpus::operation;
use assize_verifier::digest::Digest;
use assize_verifier::operation::names;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The version that is spoken here.
pub const VERSION: u64 = 1;

/// What every frame has. Other members are looked at once its kind is known.
#[derive(Deserialize)]
pub(super) struct Head<'l> {
    #[serde(borrow)]
    pub(super) t: Cow<'l, str>,
}

/// The head of a line, which must be one object: serde would accept an array as well.
pub(super) fn head(line: &str) -> Result<Head<'_>, serde_json::Error> {
    if line.trim_ascii_start().starts_with('[') {
        return Err(serde::de::Error::custom("an array, where an object is expected"));
    }
    serde_json::from_str(line)
}

/// The first frame.
#[derive(Deserialize)]
pub(super) struct Hello {
    pub(super) proto: [u64; 2],
    #[serde(default)]
    pub(super) limits: Limits,
}

/// What the harness allows.
#[derive(Default, Deserialize)]
pub(super) struct Limits {
    pub(super) line: Option<usize>,
}

/// One question.
#[derive(Deserialize)]
pub(super) struct Question<'l> {
    pub(super) id: String,
    pub(super) op: String,
    pub(super) args: Map<String, Value>,
    #[serde(borrow, rename = "in")]
    pub(super) docs: BTreeMap<String, Parcel<'l>>,
    pub(super) root: Option<String>,
}

/// A document on its way.
#[derive(Deserialize)]
pub(super) struct Parcel<'l> {
    #[serde(borrow)]
    pub(super) b64: Cow<'l, str>,
    #[serde(borrow)]
    pub(super) sha256: Cow<'l, str>,
}

/// Asks whether the testee is still there.
#[derive(Deserialize)]
pub(super) struct Ping {
    pub(super) n: i64,
}

/// The operations that the verifier answers, each with the argument values that it supports.
#[must_use]
pub fn declared() -> Map<String, Value> {
    let table = operation::table();
    let mut declared = Map::new();
    for name in names() {
        let arguments = table.find(name).into_iter().flat_map(|operation| &operation.args);
        let choices = arguments.filter_map(|argument| {
            let values = argument.values.clone()?;
            Some((argument.name.clone(), Value::Array(values)))
        });
        declared.insert(name.to_owned(), Value::Object(choices.collect()));
    }
    declared
}

/// The receipt of a whole session: how many answers were written, and which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    served: u64,
    link: String,
}

impl Default for Chain {
    fn default() -> Self {
        Self { served: 0, link: "0".repeat(64) }
    }
}

impl Chain {
    /// Adds an answer: SHA-256 of chain, id and verdict with a line feed between the three.
    pub fn add(&mut self, id: &str, is: &str) {
        let parts = [self.link.as_str(), "\n", id, "\n", is];
        self.link = Digest::of_parts(parts.map(str::as_bytes)).to_hex();
        self.served += 1;
    }

    /// Number of answers.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.served
    }

    /// The last link, as 64 hexadecimal digits.
    #[must_use]
    pub fn link(&self) -> &str {
        &self.link
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declares_every_handler() {
        let declared = declared();
        assert_eq!(declared.len(), names().count());
        assert_eq!(declared["sovereign.compare"]["mode"], serde_json::json!(["law", "reference"]));
        assert_eq!(declared["canon.bytes"]["profile"], serde_json::json!(["sovereign", "jcs", "authority"]));
        assert_eq!(declared["sovereign.deny_code"], serde_json::json!({}));
    }

    /// The digests were computed with Python's hashlib.
    #[test]
    fn chains_answers() {
        let mut chain = Chain::default();
        assert_eq!((chain.served(), chain.link()), (0, "0".repeat(64).as_str()));
        chain.add("k-1", "accept");
        assert_eq!(chain.link(), CHAIN_ONE);
        chain.add("k-2", "reject");
        assert_eq!((chain.served(), chain.link()), (2, CHAIN_TWO));
    }

    const CHAIN_ONE: &str = "0d3ced27ff4b7118feb72e8b958d4fc6d20f6d2616667312ff0c282f81eec79d";
    const CHAIN_TWO: &str = "35ddd4f8b3d3918f4de0f1d55cb12e1c2f570be15cb16d2ab6c16ff93bc521b0";
}
