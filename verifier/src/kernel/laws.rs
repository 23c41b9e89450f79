//! One module a law of this system, named like its slug: predicate, code and message together.

pub(crate) mod canonical_form;
pub(crate) mod capability;
pub(crate) mod code_registry;
pub(crate) mod crash_recovery;
pub(crate) mod deletion;
pub(crate) mod event_format;
pub(crate) mod fortress;
pub(crate) mod issue_order;
pub(crate) mod ledger;
pub(crate) mod link_of_record;
pub(crate) mod link_visibility;
pub(crate) mod multisource;
pub(crate) mod object_digest;
pub(crate) mod path_safety;
pub(crate) mod promotion;
pub(crate) mod promotion_atomicity;
pub(crate) mod promotion_sequence;
pub(crate) mod pruning;
pub(crate) mod record_shape;
pub(crate) mod run_comparison;
pub(crate) mod shadowing;
pub(crate) mod sort_order;
pub(crate) mod source_of_record;
pub(crate) mod stage_pipeline;
pub(crate) mod staging;
