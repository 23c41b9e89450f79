//! How outcomes relate to a file of known failures, and where file and run differ.

use serde::{Deserialize, Serialize};

/// How an outcome relates to the expectations file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// A failure that an entry names, of the class that it names.
    Expected,
    /// A failure that no entry names, or of another class.
    Unexpected,
    /// A pass of a case that an entry says to fail.
    Stale,
}

/// The expectations file and what it came to.
#[derive(Debug, Clone, Serialize)]
pub struct ExpectationsInfo {
    /// Digest of the file.
    pub sha256: String,
    /// Entries in it.
    pub entries: usize,
    /// Failures that it expects.
    pub expected: usize,
    /// Where the file and the run differ; any of these turns the run red.
    #[serde(rename = "troubles")]
    pub drifts: Vec<ExpectationDrift>,
}

/// Where an expectations file and a run differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExpectationDrift {
    /// How.
    pub kind: DriftKind,
    /// Line of the entry, from 1.
    pub line: usize,
    /// The id or pattern of the entry.
    pub pattern: String,
    /// The case that shows it, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// What to do about it.
    pub message: String,
}

/// How an expectations file and a run differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DriftKind {
    /// A case that is expected to fail passes, while others of its pattern fail.
    UnexpectedPass,
    /// The pattern names no case of the corpus.
    Unmatched,
    /// A case fails in another class.
    ChangedClass,
    /// Nothing that the pattern names fails any more.
    Stale,
}
