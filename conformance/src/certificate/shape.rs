//! The schemas of statement and report, as the first judge of what is read: what breaks them is named by its member.

use std::sync::LazyLock;

use assize_corpus::{
    node::{Node, NodeError},
    store,
};
use jsonschema::Validator;
use thiserror::Error;

/// A contract that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contract {
    /// `certificate.schema.json`.
    Certificate,
    /// `report.schema.json`.
    Report,
}

/// A text that is not of its contract.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// Not UTF-8.
    #[error("not UTF-8: {0}")]
    Encoding(#[from] std::str::Utf8Error),
    /// Not JSON, or a name twice in one object.
    #[error(transparent)]
    Json(#[from] NodeError),
    /// A member breaks the schema, or is none of the contract's.
    #[error("{}: {message}", if .member.is_empty() { "the whole" } else { .member })]
    Member {
        /// JSON Pointer of it, or of where it should be.
        member: String,
        /// What is wrong.
        message: String,
    },
    /// The schema that is built in cannot be used: only a bug of ours could do that.
    #[error("{0}")]
    Schema(String),
}

/// Breaches that are named beside the first: one mistake may break several rules.
const MORE: usize = 3;

static CERTIFICATE: LazyLock<Result<Validator, String>> =
    LazyLock::new(|| validator("contracts/interface/certificate.schema.json"));
static REPORT: LazyLock<Result<Validator, String>> =
    LazyLock::new(|| validator("contracts/interface/report.schema.json"));

fn validator(path: &str) -> Result<Validator, String> {
    let bytes = store::embedded(path).ok_or_else(|| format!("{path} is not built in"))?;
    let schema = serde_json::from_slice(bytes).map_err(|error| format!("{path}: {error}"))?;
    jsonschema::validator_for(&schema).map_err(|error| format!("{path}: {error}"))
}

impl Contract {
    /// Reads a text, with every token as it stands. Whether it is of the contract, [`Contract::judge`] says.
    pub(super) fn read(bytes: &[u8]) -> Result<(&str, Node), ShapeError> {
        let text = std::str::from_utf8(bytes)?;
        // Serde would keep the last of two members of one name.
        Ok((text, Node::parse(text)?))
    }

    /// Holds a text to the schema.
    pub(super) fn judge(self, text: &str) -> Result<(), ShapeError> {
        let schema = match self {
            Self::Certificate => &CERTIFICATE,
            Self::Report => &REPORT,
        };
        let schema = schema.as_ref().map_err(|why| ShapeError::Schema(why.clone()))?;
        let value = serde_json::from_str(text)
            .map_err(|error| ShapeError::Member { member: String::new(), message: error.to_string() })?;
        let mut errors = schema.iter_errors(&value);
        let Some(first) = errors.next() else { return Ok(()) };
        // The value at fault may be the whole document, and is not shown.
        let mut message = first.masked().to_string();
        for error in errors.take(MORE) {
            message.push_str(&format!("; {}: {}", error.instance_path(), error.masked()));
        }
        Err(ShapeError::Member { member: first.instance_path().to_string(), message })
    }
}
