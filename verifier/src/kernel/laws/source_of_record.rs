//! kernel/source-of-record: every committed source belongs to a committed record.
//!
//! Spec: Kernel v1 Requirements Pack, Law 5 and Spec-002, 5; ruling KE-49. The record is that of the source's stem, its
//! links have the source's digest, and they hold the reference at the source's location with its relationship.

use crate::finding::Finding;
use crate::kernel::model::layout::location;
use crate::kernel::model::references::References;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/source-of-record");

/// Reference records with a source that no readable record accounts for.
pub(crate) fn check(ends: &References) -> impl Iterator<Item = Finding> {
    ends.sources_without_link().map(|record| {
        let message = "one of its sources belongs to no committed record whose links hold that reference there";
        Finding::error(LAW, location(record), message)
    })
}
