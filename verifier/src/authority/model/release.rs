//! Releases of a kernel, as far as change control sees them.
//!
//! Spec: Kernel Contract 0.1.0, 5; ruling AU-48.

use std::collections::{BTreeMap, BTreeSet};

use crate::version::Version;

/// One release: what it is called, and what it promises.
#[derive(Debug)]
pub(crate) struct Release {
    pub(crate) version: Version,
    /// Golden fixtures by name, each with the canonical text of its members.
    pub(crate) goldens: BTreeMap<String, BTreeMap<&'static str, Vec<u8>>>,
    pub(crate) fields: BTreeMap<String, Fields>,
}

/// The fields of an artefact.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) hashed: BTreeSet<String>,
    pub(crate) excluded: BTreeSet<String>,
}
