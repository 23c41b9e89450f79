//! One module a law, named like its slug: predicate, value, code and message.

pub(crate) mod artifact_hashes;
pub(crate) mod canonical_form;
pub(crate) mod commit_source;
pub(crate) mod cost_and_collapse;
pub(crate) mod dag_ids;
pub(crate) mod dag_invariants;
pub(crate) mod goldens;
pub(crate) mod ledger_integrity;
pub(crate) mod parent_linkage;
pub(crate) mod policy_bounds;
pub(crate) mod proposal_boundary;
pub(crate) mod record_shape;
pub(crate) mod refusal;
pub(crate) mod replay;
pub(crate) mod run_records;
pub(crate) mod summary_hash;
