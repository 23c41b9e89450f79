//! What is told of a tool attempt beside its conditions, and what its record says.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.3, capability-decision-record.schema.json; ruling SV-25.

use crate::tables;

/// What the runtime tells of an attempt beside its conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) resolved: bool,
    pub(crate) skipped: bool,
    pub(crate) reason: Option<String>,
    /// Canonical text.
    pub(crate) provenance: Option<Vec<u8>>,
}

/// The outcome of an attempt, with what its record alone carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The provenance as canonical text, which an attempt may lack.
    Allowed(Option<Vec<u8>>),
    /// The deny code.
    Denied(&'static str),
    /// The reason, which may be null.
    Skipped(Option<String>),
    Unresolved,
}

impl Outcome {
    /// The deny code of a record whose capability is not resolved.
    pub(crate) const UNRESOLVED: &'static str = tables::SOVEREIGN_UNRESOLVED;

    /// The info code of a record of a skip.
    pub(crate) const SKIPPED: &'static str = tables::SOVEREIGN_SKIPPED;
}
