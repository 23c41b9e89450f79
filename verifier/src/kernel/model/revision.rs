//! Revisions of a registry of codes.
//!
//! Spec: Kernel v1 Requirements Pack, Error Codes; ruling KE-58.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::json::JsonStr;
use crate::version::Version;

/// One revision: its version, and what its codes mean.
#[derive(Debug)]
pub(crate) struct Revision<'d> {
    pub(crate) version: Version,
    /// Meanings by code.
    pub(crate) codes: BTreeMap<JsonStr<'d>, JsonStr<'d>>,
}

/// A finding about a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionFinding {
    /// The finding itself; no specification registers a code for its law.
    pub finding: Finding,
    /// The code of the judged registry that is at fault, where one is.
    pub code: Option<String>,
}
