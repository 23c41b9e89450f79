//! The sovereign system: capability decisions, and the comparison of two recorded runs.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1; rulings SV-1 to SV-28 and those of the comparator's behaviour
//! (NUM, JSN, STR, EQ, FILE, TOP, TURN, TRN, DEC, ISS, REP, LAW, SCH, STG and RES).
//!
//! Each law has its room in `laws`, named like its slug; what knows no law is in `model`; the other modules walk an
//! artefact and call the laws in their order. [`compare()`] judges by the text, [`reference::compare`] repeats the sealed
//! Python comparator; where the two part, the errata register says so.
//!
//! ```
//! use assize_verifier::files::{Files, Unreadable};
//! use assize_verifier::sovereign::{Inputs, compare, report::Status};
//! use assize_verifier::threads::Threads;
//!
//! struct NoFiles;
//! impl Files for NoFiles {
//!     fn read(&self, _: &[u8], _: &mut Vec<u8>) -> Result<(), Unreadable> {
//!         Err(Unreadable { reason: "there are none" })
//!     }
//! }
//!
//! let digest = "0".repeat(64);
//! let bundle = format!(
//!     r#"{{"contract_version":"replay_bundle/v1","run_envelope":{{"run_id":"r","workflow_id":"w"}},
//!         "registry_digest":"e972895604cb3d52eba871f38ba6b39aec1215f461b0de8e25d62d8f0d112d09",
//!         "digests":{{"policy_digest":"{digest}","runtime_profile_digest":"{digest}",
//!         "contract_registry_snapshot_digest":"{digest}"}},"turn_results":[]}}"#
//! );
//! let inputs = Inputs::of(bundle.as_bytes(), bundle.as_bytes());
//! let report = compare(&inputs, &NoFiles, &NoFiles, Threads::Caller);
//! assert_eq!(report.status, Status::Equivalent);
//!
//! let report = compare(&Inputs::of(bundle.as_bytes(), b"{"), &NoFiles, &NoFiles, Threads::Caller);
//! assert_eq!(report.status, Status::Error);
//! ```

mod audit;
mod bundle;
mod compare;
pub mod contract;
mod fast;
pub(crate) mod laws;
mod model;
pub(crate) mod operations;
mod recorder;
pub mod reference;
mod scan;
mod turn;

pub use crate::rejection::Rejection;
pub use audit::{Profiles, audit};
pub use compare::compare;
#[doc(hidden)]
pub use compare::compare_counting;
pub use laws::contract_decision_record::decision_id;
pub use laws::deny_precedence::{PRECEDENCE, deny_code};
pub use laws::path_selection::select_path;
pub use laws::registry_lock::registry_digest;
pub use laws::report_identity::report_id;
pub use laws::report_ordering::order;
pub use model::report;
pub use recorder::{Bundling, Recording, Run, bundle, record};

/// What a comparison is given beside its turn files, as exact bytes.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The bundle of the expected run.
    pub bundle_a: &'a [u8],
    /// The bundle of the actual run.
    pub bundle_b: &'a [u8],
    /// The local error-codes file; the sealed one if absent. Law mode alone looks at it.
    pub registry: Option<&'a [u8]>,
    /// The stage order file; the sealed one if absent.
    pub stage_order: Option<&'a [u8]>,
}

impl<'a> Inputs<'a> {
    /// Two bundles under the sealed registry and stage order.
    #[must_use]
    pub fn of(bundle_a: &'a [u8], bundle_b: &'a [u8]) -> Self {
        Self { bundle_a, bundle_b, registry: None, stage_order: None }
    }
}
