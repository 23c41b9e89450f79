//! What a run makes of one case.

use std::time::Duration;

use assize_corpus::agreement::Judgement;
use serde::Serialize;

use crate::catalogue::law_of;

/// What became of one case.
#[derive(Debug, Clone)]
pub struct CaseResult {
    /// Its id.
    pub id: String,
    /// The outcome with everything that explains it.
    pub judgement: Judgement,
    /// The case's rationale.
    pub rationale: String,
    /// How long it took the first time, if it was asked: what counted against its limit.
    pub took: Option<Duration>,
}

impl CaseResult {
    /// Law of the case.
    #[must_use]
    pub fn law(&self) -> &str {
        law_of(&self.id)
    }
}

/// A case whose answers were not the same each time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unstable {
    /// Its id.
    pub id: String,
    /// Where they differ.
    #[serde(rename = "where")]
    pub place: UnstableWhere,
}

/// Where two answers to one case differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnstableWhere {
    /// Between the two orders in one process.
    Orders,
    /// Between a busy process and a fresh one.
    FreshProcess,
    /// Between what passed before and what was to be altered in the controls.
    Controls,
}
