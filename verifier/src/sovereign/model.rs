//! What the sovereign system judges, as types and readers that know no law.

pub(crate) mod banned;
pub(crate) mod breach;
pub(crate) mod bundle;
pub(crate) mod issue;
pub(crate) mod member;
pub(crate) mod outcome;
pub mod python;
pub(crate) mod registry;
pub mod report;
pub(crate) mod shape;
pub(crate) mod stage_order;
pub(crate) mod turn;
pub(crate) mod view;
