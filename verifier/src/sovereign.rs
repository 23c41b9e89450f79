//! The sovereign system: capability decisions, and the comparison of two recorded runs.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1; rulings SV-1 to SV-28 and those of the comparator's behaviour
//! (NUM, JSN, STR, EQ, FILE, TOP, TURN, TRN, DEC, ISS, REP, LAW, SCH, STG and RES).
//!
//! One module a law, named like its slug. [`compare()`] judges by the text, [`reference::compare`] repeats the sealed
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
mod breach;
mod bundle;
mod canonical_parity;
mod compare;
pub mod contract;
mod correspondence;
mod decision_id;
mod deny_precedence;
mod float_ban;
mod issue_detail_parity;
mod issue_multiplicity;
pub(crate) mod operations;
mod path_selection;
pub mod reference;
mod registry_lock;
pub mod report;
mod report_identity;
mod report_ordering;
mod safe_boundary;
mod single_emission;
mod surface_list;
mod turn;

use std::fmt;

use crate::json::{JsonError, JsonPointer};
use crate::schema::ShapeBreach;

pub use audit::{Profiles, audit};
pub use compare::compare;
pub use decision_id::decision_id;
pub use deny_precedence::{PRECEDENCE, deny_code};
pub use path_selection::select_path;
pub use registry_lock::registry_digest;
pub use report_identity::report_id;
pub use report_ordering::order;

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

/// An input outside an operation's domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// The place at fault.
    pub pointer: JsonPointer,
    /// What the operation takes there.
    pub message: String,
}

impl InputError {
    pub(crate) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: JsonPointer::from_text(pointer), message: message.into() }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_root() {
            write!(f, "{}", self.message)
        } else {
            write!(f, "{}: {}", self.pointer, self.message)
        }
    }
}

/// Why an operation rejects its input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejection {
    /// A document is not JSON, or exceeds a limit.
    Json(JsonError),
    /// An input is outside the operation's domain.
    Input(InputError),
    /// A value has no canonical form.
    Uncanonical,
    /// A document breaks its contract, at these places.
    Schema(Vec<ShapeBreach>),
    /// No path of a turn entry can be read.
    InputMissing,
}

impl Rejection {
    /// The code by which operations name the rejection (ruling OP).
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Json(error) if error.kind.is_limit() => "A_LIMIT",
            Self::Json(_) => "A_JSON",
            Self::Input(_) => "A_INPUT",
            Self::Uncanonical => report::reason::CANONICALIZATION,
            Self::Schema(_) => "A_SCHEMA",
            Self::InputMissing => report::reason::INPUT_MISSING,
        }
    }

    /// The place at fault.
    #[must_use]
    pub fn pointer(&self) -> JsonPointer {
        match self {
            Self::Json(error) => error.pointer.clone(),
            Self::Input(error) => error.pointer.clone(),
            Self::Schema(found) => found.first().map(|breach| breach.pointer.clone()).unwrap_or_default(),
            Self::Uncanonical | Self::InputMissing => JsonPointer::root(),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "{error}: {}", error.kind.help()),
            Self::Input(error) => error.fmt(f),
            Self::Uncanonical => write!(f, "a value has no canonical form: run `assize canon` to see where"),
            Self::Schema(found) => match found.first() {
                Some(first) => write!(f, "{}: {} ({} in all)", first.pointer, first.message, found.len()),
                None => write!(f, "the document breaks its contract"),
            },
            Self::InputMissing => write!(f, "none of the paths can be read"),
        }
    }
}

impl std::error::Error for Rejection {}

impl From<JsonError> for Rejection {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

impl From<InputError> for Rejection {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}
