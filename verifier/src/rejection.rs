//! Why an operation on a single document refuses it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::finding::Finding;
use crate::json::{JsonError, JsonPointer};

/// Why an operation rejects its input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejection {
    /// Not JSON, or over a limit.
    Json(JsonError),
    /// JSON without a canonical form: the place, and what is wrong there.
    Value(JsonPointer, String),
    /// Breaks the contract's schema, at these places.
    Schema(Vec<ShapeBreach>),
    /// Breaks laws that no schema states.
    Laws(Vec<Finding>),
    /// Exceeds a stated limit other than those of the JSON reader.
    Limit(String),
    /// Outside the operation's domain.
    Input(String),
    /// Outside the operation's domain: the place, and what is taken there.
    InputAt(JsonPointer, String),
    /// Refused with a code that the specification registers.
    Coded(&'static str, String),
}

/// A place at which a document breaks its contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeBreach {
    /// An absent member is named as if it were there.
    pub pointer: JsonPointer,
    /// What is wrong.
    pub message: Arc<str>,
}

impl Rejection {
    /// Outside the operation's domain at a place, which is the root for the document as a whole.
    pub(crate) fn input_at(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self::InputAt(JsonPointer::from_text(pointer), message.into())
    }

    /// The codes by which operations name the rejection (`contracts/interface/operations`), sorted, each once.
    #[must_use]
    pub fn codes(&self) -> Vec<&'static str> {
        match self {
            Self::Json(error) if error.kind.is_limit() => vec!["A_LIMIT"],
            Self::Json(_) => vec!["A_JSON"],
            Self::Value(..) => vec!["A_VALUE"],
            Self::Schema(_) => vec!["A_SCHEMA"],
            Self::Laws(found) => {
                let codes: BTreeSet<_> = found.iter().map(|finding| finding.law.slug()).collect();
                codes.into_iter().collect()
            }
            Self::Limit(_) => vec!["A_LIMIT"],
            Self::Input(_) | Self::InputAt(..) => vec!["A_INPUT"],
            Self::Coded(code, _) => vec![code],
        }
    }

    /// The first of the codes: all there is unless laws are broken.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.codes().first().copied().unwrap_or("A_INPUT")
    }

    /// The place at fault; the whole document where there is no better one.
    #[must_use]
    pub fn pointer(&self) -> JsonPointer {
        match self {
            Self::Json(error) => error.pointer.clone(),
            Self::Value(pointer, _) | Self::InputAt(pointer, _) => pointer.clone(),
            Self::Schema(found) => found.first().map(|breach| breach.pointer.clone()).unwrap_or_default(),
            Self::Laws(found) => found.first().map(|finding| finding.pointer.clone()).unwrap_or_default(),
            Self::Limit(_) | Self::Input(_) | Self::Coded(..) => JsonPointer::root(),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "{error}: {}", error.kind.help()),
            Self::InputAt(pointer, message) if !pointer.is_root() => write!(f, "{pointer}: {message}"),
            Self::Value(_, message)
            | Self::Limit(message)
            | Self::Input(message)
            | Self::InputAt(_, message)
            | Self::Coded(_, message) => f.write_str(message),
            Self::Schema(found) => match found.first() {
                Some(first) => write!(f, "{}: {} ({} in all)", first.pointer, first.message, found.len()),
                None => write!(f, "the document breaks its contract"),
            },
            Self::Laws(found) => match found.first() {
                Some(first) => write!(f, "{}: {} ({} in all)", first.pointer, first.message, found.len()),
                None => write!(f, "the document breaks a law"),
            },
        }
    }
}

impl std::error::Error for Rejection {}

impl From<JsonError> for Rejection {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}
