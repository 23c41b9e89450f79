//! kernel/multisource: more than one source for an identity is worth a word, and no failure.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 6 and Law 7; rulings KE-16, KE-40. Two sources of one stem count, as
//! the law's text has it.

use std::collections::BTreeSet;

use crate::canon::compose;
use crate::json::JsonPointer;
use crate::kernel::model::issue::{Details, Issue, Stage};
use crate::kernel::model::record::RefRecord;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/multisource");

/// The information about a record that a promotion wrote.
pub(crate) fn information(record: &RefRecord) -> Option<Issue> {
    if record.sources.len() < 2 {
        return None;
    }
    let stems: BTreeSet<_> = record.sources.iter().map(|source| source.stem.as_str()).collect();
    let details = Details::of(&[
        ("type", compose::string(&record.kind)),
        ("id", compose::string(&record.id)),
        ("stems", compose::array(stems.into_iter().map(compose::string))),
    ]);
    let place = JsonPointer::from_text("/index/refs/by_id").member(&record.kind).member(&record.id);
    Some(Issue::info(Stage::Promotion, "I_REF_MULTISOURCE", place).with_details(details))
}
