//! The kernel system: a local sovereign index that stages by turn, validates links, and promotes all or nothing.
//!
//! Spec: Kernel v1 Requirements Pack: Kernel API, Kernel Law, Spec-002, Spec-003, Error Codes; rulings KE-1 to KE-50.
//!
//! One module a law, named like its slug. What an operation says about a home is a list of typed [`Issue`]s in one order;
//! what is wrong with a home that somebody else wrote is a list of findings.

mod audit;
mod canonical_form;
mod capability;
mod code_registry;
mod crash_recovery;
mod damage;
mod deletion;
mod event_format;
mod execute_turn;
mod finish_run;
mod fortress;
mod home;
mod index;
mod issue;
mod issue_order;
pub mod layout;
mod ledger;
mod link_of_record;
mod link_visibility;
mod member;
mod memory;
mod multisource;
mod object_digest;
pub(crate) mod operations;
pub mod path_safety;
mod promotion;
mod promotion_atomicity;
mod promotion_sequence;
mod pruning;
pub mod record_shape;
mod reference;
mod run_comparison;
mod scenario;
mod shadowing;
mod snapshot;
mod sort_order;
mod source_of_record;
mod stage_pipeline;
mod staging;
mod turn_result;
mod view;

pub use crate::rejection::Rejection;
pub use audit::{Ran, audit};
pub use capability::{Authorization, Verdict, authorize_tool_call};
pub use code_registry::origin;
pub use crash_recovery::CrashPoint;
pub use event_format::Event;
pub use finish_run::{Ending, Summary};
pub use home::{HomeTrouble, Stop};
pub use index::Index;
pub use issue::{Details, Issue, Issues, Level, Outcome, Stage};
pub use issue_order::issue_order;
pub use ledger::Ledger;
pub use member::Misfit;
pub use memory::MemoryHome;
pub use promotion::Promoted;
pub use reference::Reference;
pub use run_comparison::{RunComparison, compare_runs};
pub use scenario::{Report, Scenario, Step};
pub use snapshot::{Entry, Snapshot, Unrecorded};
pub use stage_pipeline::{Candidate, validate_triplet};
pub use staging::Triplet;
pub use turn_result::TurnResult;
