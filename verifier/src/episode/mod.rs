//! The episode system: replay-constrained episodes, and the verdict on their proof packs.
//!
//! Spec: RCE Profile v0.1; Constitutional Receipt Standard v0.1; rulings EP-1 to EP-49.
//!
//! [`verify`] runs the four phases, each of which takes the proof of the one before by value; [`verify_pack`] judges a
//! container without an episode; [`contract()`], [`hashes`] and [`receipt`] answer for a single document; a
//! [`Maker`] makes packs. A law is a module
//! of `laws`, named like its slug; `model` holds types and readers; the other modules call the laws in their order.
//!
//! ```
//! use assize_verifier::episode::{Options, Phase, Verdict, verify};
//! use assize_verifier::files::{PackFileError, PackFiles};
//!
//! struct Empty;
//! impl PackFiles for Empty {
//!     fn read(&self, _: &str, _: u64, _: &mut Vec<u8>) -> Result<(), PackFileError> {
//!         Err(PackFileError::Absent)
//!     }
//!     fn exists(&self, _: &str) -> bool {
//!         false
//!     }
//!     fn entries(&self) -> Result<Vec<String>, PackFileError> {
//!         Ok(Vec::new())
//!     }
//! }
//!
//! let verification = verify(&Empty, &Options::new("linux"))?;
//! assert_eq!((verification.verdict, verification.phase), (Verdict::IntegrityFail, Phase::Script));
//! assert_eq!(verification.exit_code(), 2);
//! # Ok::<(), assize_verifier::episode::Rejection>(())
//! ```

mod contract;
pub(crate) mod laws;
mod make;
mod model;
pub(crate) mod operations;
mod pack;
mod verify;

pub use crate::rejection::Rejection;
pub use contract::{contract, hashes};
pub use laws::exit_codes::PackLabel;
pub use laws::path_safety::{UnsafePath, input_file, trace_file};
pub use laws::receipt_envelope::{ReceiptReport, SignatureState, receipt};
pub use make::{MadePack, Maker, Recording};
pub use model::contract::ContractHashes;
pub use model::findings::PackFinding;
pub use model::limits;
pub use model::options::{Numbers, Options};
pub use model::payload::StepStatus;
pub use model::proof::Divergence;
pub use model::verdict::{Phase, StepState, Verdict, Verification};
pub use pack::{PackVerification, verify_pack};
pub use verify::verify;
