//! A turn file as law mode reads it: what can be compared, and every breach.

use std::collections::{BTreeMap, BTreeSet};

use super::breach::Breach;
use super::issue::IssueSpans;
use crate::canon::Canonicalizer;
use crate::json::NodeRef;

/// A decision record that can be compared.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The ordinal's token.
    pub(crate) ordinal: String,
    /// The canonical record, in [`Turn::canonical`].
    pub(crate) span: (usize, usize),
}

/// A turn file that has been read.
#[derive(Default)]
pub(crate) struct Turn<'d> {
    pub(crate) breaches: Vec<Breach>,
    /// Transition members that are parity inputs: a digest, or null.
    pub(crate) transition: BTreeMap<String, Option<String>>,
    /// What can be compared at all.
    pub(crate) usable: Usable,
    /// Transition members that cannot be compared.
    pub(crate) unusable_transition: BTreeSet<String>,
    /// Records in order of ordinals.
    pub(crate) records: Vec<Record>,
    /// Ordinals that cannot be compared.
    pub(crate) unusable_ordinals: BTreeSet<String>,
    pub(crate) issues: Vec<IssueSpans<'d>>,
    /// Canonical bytes of records and issues.
    pub(crate) canonical: Vec<u8>,
}

/// Which of the three containers of surfaces are there to be compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usable {
    pub(crate) transition: bool,
    pub(crate) decisions: bool,
    pub(crate) issues: bool,
}

/// Appends canonical bytes and returns their span, if there is a canonical form.
pub(crate) fn append(
    node: NodeRef<'_>,
    canonicalizer: &mut Canonicalizer,
    out: &mut Vec<u8>,
) -> Option<(usize, usize)> {
    let start = out.len();
    let refusal = canonicalizer.append_node(node, out).ok()?;
    refusal.is_none().then_some((start, out.len()))
}
