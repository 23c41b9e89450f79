//! kernel/pruning: promotion takes every source of the stems that it promotes or deletes out of the reference records, and
//! no other.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 5; ruling KE-40. A record without sources stays.

use crate::kernel::model::record::RefRecord;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/pruning");

/// Takes the sources of the stems that a promotion `takes` out of a record, and tells whether there were any.
pub(crate) fn prune(record: &mut RefRecord, takes: impl Fn(&str) -> bool) -> bool {
    let before = record.sources.len();
    record.sources.retain(|source| !takes(&source.stem));
    record.sources.len() != before
}
