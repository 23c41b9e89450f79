//! The recorder: what a runtime writes of a turn and of a run.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Single-Emission Decision Record Law, Deny Precedence Law and
//! Correspondence Law, Deterministic Path Selection Law and Safe Boundary Law; rulings SV-25, SV-26.

mod bundle;
mod turn;

pub use bundle::{Bundling, Run, bundle};
pub use turn::{Recording, record};
