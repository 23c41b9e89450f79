//! What is answered.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// What was answered, which is not a judgement of the answer.
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
    /// Whoever was asked does not do this.
    Unsupported {
        /// What it does not do.
        feature: String,
    },
    /// Whoever was asked broke: no judgement.
    Fault {
        /// `panic`, `io`, or the word of whoever was asked.
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
    Value(Value),
}
