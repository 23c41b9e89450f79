//! From an answer to a frame.

use std::collections::BTreeMap;

use assize_verifier::operation::{Answer, Output};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Serialize, Serializer, ser::SerializeMap as _};

use crate::tree::Change;

/// The files that an operation changed.
type Changes<'a> = BTreeMap<&'a str, Change<'a>>;

/// Everything that is answered.
#[derive(Serialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum Reply<'a> {
    /// A judgement.
    Answer {
        /// `accept` or `reject`.
        is: &'static str,
        /// Why it rejects.
        #[serde(skip_serializing_if = "Option::is_none")]
        codes: Option<Vec<&'a str>>,
        /// Outputs by name.
        #[serde(skip_serializing_if = "Outs::is_empty")]
        out: Outs<'a>,
        /// What the operation changed of its files, by path.
        #[serde(skip_serializing_if = "Option::is_none")]
        files: Option<&'a Changes<'a>>,
    },
    /// The operation is not known.
    Unsupported {
        /// Its name.
        feature: &'a str,
    },
    /// The verifier broke.
    Fault {
        /// How.
        kind: &'a str,
        /// For people.
        message: &'a str,
    },
    /// No question within the limits.
    Error {
        /// `size`, `depth` or `frame`.
        kind: &'static str,
        /// For people.
        message: String,
    },
}

impl<'a> Reply<'a> {
    pub(crate) fn of(answer: &'a Answer, changes: Option<&'a Changes<'a>>) -> Self {
        let files = changes.filter(|changes| !changes.is_empty());
        match answer {
            Answer::Accept { out } => Self::Answer { is: "accept", codes: None, out: Outs(out), files },
            Answer::Reject { codes, out } => {
                let codes = codes.iter().map(String::as_str).collect();
                Self::Answer { is: "reject", codes: Some(codes), out: Outs(out), files }
            }
            Answer::Unsupported { feature } => Self::Unsupported { feature },
            Answer::Fault { kind, message } => Self::Fault { kind, message },
        }
    }

    /// The line that says it.
    #[must_use]
    #[inline(never)]
    pub fn line(&self) -> Vec<u8> {
        // Nothing in it can fail to be written: keys are text, and so is every string.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// Outputs: documents as text, bytes as base64, values as they are.
pub struct Outs<'a>(&'a BTreeMap<String, Output>);

impl<'a> Outs<'a> {
    /// Each with its name.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a Output)> {
        self.0.iter().map(|(name, output)| (name.as_str(), output))
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Outs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, output) in self.0 {
            match output {
                Output::Doc(text) => map.serialize_entry(name, text)?,
                Output::Bytes(bytes) => map.serialize_entry(name, &STANDARD.encode(bytes))?,
                Output::Value(value) => map.serialize_entry(name, value)?,
            }
        }
        map.end()
    }
}

impl Serialize for Change<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (member, value) = match self {
            Self::File(bytes) => ("b64", STANDARD.encode(bytes)),
            Self::Folder => ("kind", "directory".to_owned()),
            Self::Gone => return serializer.serialize_unit(),
        };
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(member, &value)?;
        map.end()
    }
}
