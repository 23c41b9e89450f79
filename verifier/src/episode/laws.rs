//! The laws of episodes, a module each: what the law demands, its code and what is said of a breach.

pub(crate) mod completeness;
pub(crate) mod contract_shape;
pub(crate) mod derived_hashes;
pub(crate) mod dispute;
pub(crate) mod environment_fingerprint;
pub(crate) mod exit_codes;
pub(crate) mod identity_view;
pub(crate) mod pack_integrity;
pub(crate) mod path_safety;
pub(crate) mod receipt_chain;
pub(crate) mod receipt_envelope;
pub(crate) mod replay_comparison;
pub(crate) mod replay_result;
pub(crate) mod script_graph;
pub(crate) mod status_propagation;
pub(crate) mod verdict_precedence;
