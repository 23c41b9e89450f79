//! The laws of the sovereign system, a module each: predicate, value, code and message stand together there.

pub(crate) mod canonical_parity;
pub(crate) mod contract_decision_record;
pub(crate) mod contract_error_codes;
pub(crate) mod contract_replay_bundle;
pub(crate) mod contract_replay_report;
pub(crate) mod contract_stage_order;
pub(crate) mod contract_turn_result;
pub(crate) mod correspondence;
pub(crate) mod deny_precedence;
pub(crate) mod float_ban;
pub(crate) mod issue_detail_parity;
pub(crate) mod issue_multiplicity;
pub(crate) mod path_selection;
pub(crate) mod registry_lock;
pub(crate) mod report_identity;
pub(crate) mod report_ordering;
pub(crate) mod safe_boundary;
pub(crate) mod single_emission;
pub(crate) mod surface_list;
