//! The episode system: replay-constrained episodes, and the verdict on their proof packs.
//!
//! Spec: RCE Profile v0.1; Constitutional Receipt Standard v0.1; rulings EP-1 to EP-47.
//!
//! One module a law, named like its slug. [`verify`] runs the four phases, each of which takes the proof of the one before
//! by value; [`verify_pack`] judges a container without an episode; [`contract()`], [`hashes`] and [`receipt`] answer for a
//! single document.
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

mod canonical;
mod completeness;
mod contract_shape;
mod derived_hashes;
mod dispute;
mod environment_fingerprint;
mod exit_codes;
mod identity_view;
mod inquiry;
pub mod limits;
mod member;
pub(crate) mod operations;
mod output_schema;
mod pack_integrity;
mod path_safety;
mod receipt_chain;
mod receipt_envelope;
mod replay_comparison;
mod replay_result;
mod script_graph;
mod status_propagation;
mod time;
mod verdict_precedence;

pub use crate::rejection::Rejection;
pub use contract_shape::contract;
pub use dispute::Divergence;
pub use exit_codes::PackLabel;
pub use identity_view::{ContractHashes, hashes};
pub use inquiry::PackFinding;
pub use pack_integrity::{PackVerification, verify_pack};
pub use path_safety::{UnsafePath, input_file, trace_file};
pub use receipt_envelope::{ReceiptReport, SignatureState, receipt};
pub use status_propagation::StepStatus;
pub use verdict_precedence::{Phase, StepState, Verdict, Verification, verify};

use crate::canon::Rules;
use crate::digest::Digest;
use crate::threads::Threads;

/// How numbers are written when a value is hashed (ruling EP-25).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// RFC 8785; integers beyond 2^53-1 are refused.
    #[default]
    Rfc8785,
    /// "Assay JCS Profile v1": exponents as `1E21`, integers in full.
    Assay,
}

impl Numbers {
    /// Both forms.
    pub const ALL: [Self; 2] = [Self::Rfc8785, Self::Assay];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rfc8785 => "rfc8785",
            Self::Assay => "assay",
        }
    }

    /// The rules by which values are written in this form.
    #[must_use]
    pub fn rules(self) -> Rules {
        match self {
            Self::Rfc8785 => Rules::EPISODE,
            Self::Assay => Rules::ASSAY,
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Rfc8785 => Self::Assay,
            Self::Assay => Self::Rfc8785,
        }
    }
}

/// How a pack is to be judged.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The caller's time, RFC 3339: runs the future-time guard and dates the replay result. None: no guard.
    pub now: Option<&'a str>,
    /// Number form.
    pub numbers: Numbers,
    /// SHA-256 of the public key that must have signed the pack: 64 lower-case hexadecimal digits. None: any key.
    pub signer: Option<&'a str>,
    /// Name of the platform, for `verifier_env_hash`.
    pub platform: &'a str,
    /// Whether files may be judged in parallel.
    pub threads: Threads,
}

impl<'a> Options<'a> {
    /// RFC 8785 numbers, any signer, no guard, one thread.
    #[must_use]
    pub fn new(platform: &'a str) -> Self {
        Self { now: None, numbers: Numbers::Rfc8785, signer: None, platform, threads: Threads::Caller }
    }

    /// Refuses options outside their domain, before any pack is looked at.
    ///
    /// # Errors
    /// If `now` or `signer` is misspelled.
    pub fn check(&self) -> Result<(), Rejection> {
        if self.now.is_some_and(|now| time::rfc_3339(now).is_none()) {
            return Err(Rejection::Input("`now` is a time of RFC 3339, for instance 2026-01-31T12:00:00Z".to_owned()));
        }
        if self.signer.is_some_and(|signer| !Digest::is_spelled(signer.as_bytes())) {
            let message = "a signer is the SHA-256 of a public key: 64 lower-case hexadecimal digits";
            return Err(Rejection::Input(message.to_owned()));
        }
        Ok(())
    }
}
