//! kernel/link-of-record: every reference in the links of a committed record has its source.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 5; rulings KE-32, KE-49. The source stands in the reference record of
//! its type and id, and says what the links say: stem, location, relationship and the digest of the links.

use crate::finding::Finding;
use crate::kernel::model::layout::location;
use crate::kernel::model::references::References;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/link-of-record");

/// Records with a reference that has no source, where the record of its target can be read.
pub(crate) fn check(ends: &References) -> impl Iterator<Item = Finding> {
    ends.links_without_source().map(|record| {
        let message = "a reference in its links has no source in the reference record of its type and id";
        Finding::error(LAW, location(record), message)
    })
}
