//! The tables of the reference profile: types, keys of links, relationships, raw-id tokens.
//!
//! Spec: ruling KE-3: the key table, the relationships, the raw-id tokens, which `contracts/kernel/tables` states.

use crate::tables::kernel::link_keys;
pub(crate) use crate::tables::kernel::link_keys::Row as KeyRule;
pub(crate) use crate::tables::kernel::raw_ids::TOKEN as RAW_IDS;
pub(crate) use crate::tables::kernel::relationships::{ROWS as RELATIONSHIPS, Row as Relationship};

kernel_dto_types_type! {
    /// A type of triplet that the profile knows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum DtoType
}

impl DtoType {
    pub(crate) fn name(self) -> &'static str {
        self.row().r#type
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::of_spelling(name.as_bytes())
    }

    /// The keys that its links may have.
    pub(crate) fn keys(self) -> impl Iterator<Item = &'static KeyRule> {
        link_keys::ROWS.iter().filter(move |rule| rule.types.contains(&self.name()))
    }

    /// Whether a relationship may lead from it.
    pub(crate) fn may_be_source_of(self, relationship: &Relationship) -> bool {
        relationship.sources.contains(&self.name())
    }
}
