//! The kernel system: a local sovereign index that stages by turn, validates links, and promotes all or nothing.
//!
//! Spec: Kernel v1 Requirements Pack: Kernel API, Kernel Law, Spec-002, Spec-003, Error Codes; rulings KE-1 to KE-58.
//!
//! `model` holds the types, `laws` one module a law, and the modules beside them call the laws in their order: for a turn,
//! for its promotion, for the end of a run, for a scenario of operations, for the audit of a home, and for a registry of codes. What an operation
//! says about a home is a list of typed [`Issue`]s in one order; what is wrong with a home that somebody else wrote is a
//! list of findings.

mod audit;
mod execute_turn;
mod finish_run;
mod index;
pub(crate) mod laws;
mod model;
pub(crate) mod operations;
mod promote;
mod registry;
mod replay_run;
mod scenario;
mod validation;

pub use crate::files::MemoryHome;
pub use crate::rejection::Rejection;
pub use audit::audit;
pub use execute_turn::TurnResult;
pub use finish_run::{Ending, Summary};
pub use index::Index;
pub use laws::capability::{Authorization, Verdict, authorize_tool_call};
pub use laws::code_registry::origin;
pub use laws::event_format::Event;
pub use laws::issue_order::issue_order;
pub use laws::run_comparison::{RunComparison, compare_runs};
pub use laws::stage_pipeline::{Candidate, validate_triplet};
pub use laws::staging::Triplet;
pub use model::crash_point::CrashPoint;
pub use model::home::{HomeFailure, Stop};
pub use model::issue::{Details, Issue, Issues, Level, Outcome, Stage};
pub use model::layout;
pub use model::ledger::Ledger;
pub use model::member::Misfit;
pub use model::reference::Reference;
pub use model::revision::RevisionFinding;
pub use model::snapshot::{Entry, Ran, Snapshot, Unrecorded};
pub use promote::Promoted;
pub use registry::registry;
pub use scenario::{Report, Scenario, Step, scenario_operations};

/// Names of triplets, runs and turns.
pub mod path_safety {
    pub use super::laws::path_safety::escape;
    pub use super::model::token::{RunId, Stem, Turn, TurnId};
}

/// Records of triplets and of what points at them.
pub mod record_shape {
    pub use super::model::record::{RefRecord, Source, TripletRecord};
}
