//! The recorder: what a runtime writes of a turn and of a run.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Single-Emission Decision Record Law, Deny Precedence Law and
//! Correspondence Law; rulings SV-25.

mod turn;

pub use turn::record;
