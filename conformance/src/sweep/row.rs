//! A row of results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::manifest::{Entry, Refused};
use crate::exit::Exit;

/// The verdict on what cannot be judged: a line of the manifest, or an artefact.
pub const UNREADABLE: &str = "unreadable";

/// What became of one line of the manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its place among the artefacts of the manifest, from 1.
    pub row: u64,
    /// The line of the manifest, from 1.
    pub line: u64,
    /// SHA-256 of the line.
    pub id: String,
    /// What kind of artefact it is; none where the line does not say.
    pub kind: Option<String>,
    /// Where it is, as given.
    pub paths: Vec<String>,
    /// How it was to be judged, as given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,
    /// What came of it.
    #[serde(flatten)]
    pub judged: Judged,
    /// Whether an earlier sweep judged it, and this one took its row over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub earlier: bool,
    /// Milliseconds that it took: beside `earlier` the only member in which two sweeps of the same files differ.
    pub ms: u64,
}

/// What a judge says of an artefact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The verdict in the words of the verb.
    pub verdict: String,
    /// The exit code of the verb.
    pub exit_code: u8,
    /// The first finding that decided.
    pub first: Option<First>,
    /// Findings that decided, of whatever law.
    pub findings: u64,
    /// Findings that decided nothing.
    pub warnings: u64,
    /// How many findings break which law. What differs between two lawful runs breaks none.
    pub laws: BTreeMap<String, u64>,
    /// What was read, by digest.
    pub digests: BTreeMap<String, String>,
    /// Why there is no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What to do about that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A finding, where it is the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct First {
    /// The law that is broken, where one is.
    pub law: Option<String>,
    /// The registered code, where there is one.
    pub code: Option<String>,
    /// Where.
    pub place: String,
    /// What is wrong, for people.
    pub message: String,
}

impl Judged {
    /// A verdict without any finding yet.
    #[must_use]
    pub fn new(verdict: impl Into<String>, exit: Exit) -> Self {
        Self { verdict: verdict.into(), exit_code: exit.code(), ..Self::default() }
    }

    /// No verdict.
    #[must_use]
    pub fn refused(exit: Exit, why: Refused) -> Self {
        let verdict = if exit == Exit::Bug { "bug" } else { UNREADABLE };
        Self { error: Some(why.message), help: Some(why.help), ..Self::new(verdict, exit) }
    }

    /// Counts a finding that decided.
    pub fn add(&mut self, finding: First) {
        self.findings += 1;
        if let Some(law) = &finding.law {
            *self.laws.entry(law.clone()).or_default() += 1;
        }
        self.first.get_or_insert(finding);
    }
}

impl Row {
    /// The row of an entry.
    #[must_use]
    pub fn of(entry: &Entry, judged: Judged, ms: u64) -> Self {
        let asked = entry.asked.as_ref().ok();
        Self {
            row: entry.row,
            line: entry.line,
            id: entry.id.to_hex(),
            kind: asked.map(|asked| asked.kind.clone()),
            paths: asked.map(|asked| asked.paths.clone()).unwrap_or_default(),
            options: asked.map(|asked| asked.options.clone()).unwrap_or_default(),
            judged,
            earlier: false,
            ms,
        }
    }
}
