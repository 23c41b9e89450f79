//! A signed statement of what a run found out, which somebody else can check.
//!
//! Spec: DSSE v1, in-toto Statement v1 with the test-result predicate v0.1, Ed25519 (RFC 8032). Made of a report: [`statement`];
//! signed apart from the run, with a key of [`keys`]: [`sign`]; checked: [`open`], which gives the statement only when a
//! signature over it holds, [`possible`] and [`Policy`]; made again from its report: [`report_differences`], and from another run:
//! [`replay_plan`] and [`replay_differences`].
//!
//! A certificate proves who signed, and that nothing was changed since. What it does not prove it lists itself:
//! [`DOES_NOT_PROVE`].

mod claim;
mod contradiction;
mod difference;
mod dsse;
mod issue;
pub mod keys;
mod policy;
mod rebuild;
mod replay;
mod shape;
mod statement;
pub(crate) mod stored;
mod tables;

pub use claim::{
    CONTRACT, Claim, CommandClaim, ContainmentClaim, ControlsClaim, DOES_NOT_PROVE, ExpectationsClaim, FileClaim,
    HarnessInfo, Identity, LawClaim, NOT_SEALED, NullClaim, READABLE, RuntimeClaim, SessionClaim, SubjectClaim,
    TesteeClaim, UNDIGESTED, does_not_prove,
};
pub use contradiction::Contradiction;
pub use difference::Difference;
pub use dsse::{DsseError, Envelope, PAYLOAD_TYPE, pae};
pub use issue::{Reason, Refusal, statement};
pub use policy::{Age, AgeError, Contained, Policy};
pub use rebuild::Grounds;
pub use replay::{
    DigestPair, ReplayPlan, ReportFile, Seed, digest_pairs, replay_differences, replay_plan, report_differences,
};
pub use shape::ShapeError;
pub use statement::{
    DigestSet, PREDICATE_TYPE, Predicate, Resource, STATEMENT_TYPE, Statement, StatementError, TestResult,
};
pub use tables::{SKEW, Tables};

use jiff::Timestamp;
use keys::{PrivateKey, PublicKey};
use thiserror::Error;

/// The largest certificate that is taken in, in bytes.
pub const MOST: usize = 64 << 20;

/// A statement that cannot be signed: only a bug of ours could do that.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SignError {
    /// The public half of the key cannot be written.
    #[error("the key has no public half: {0}")]
    Key(#[from] ed25519_dalek::pkcs8::spki::Error),
    /// The statement cannot be written.
    #[error("the certificate cannot be written: {0}")]
    Write(#[from] serde_json::Error),
}

/// A statement as a certificate: an envelope as indented JSON with a final line feed. The same statement and key give the same
/// bytes. Whether it may be one is decided where the statement is made, and where it is opened.
///
/// # Errors
/// The key has no public half, or the statement cannot be written: only a bug of ours could do either.
pub fn sign(statement: &Statement, key: &PrivateKey) -> Result<Vec<u8>, SignError> {
    let payload = serde_json::to_vec(statement)?;
    let envelope = Envelope::seal(&payload, key, key.public()?.id());
    let mut bytes = serde_json::to_vec_pretty(&envelope)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// A statement that at least one of the keys signed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Certified {
    /// The statement.
    pub statement: Statement,
    /// Ids of the keys whose signatures hold.
    pub signers: Vec<String>,
}

impl Certified {
    /// What is certified.
    #[must_use]
    pub fn claim(&self) -> &Claim {
        &self.statement.predicate.assize
    }
}

/// A file that certifies nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// More bytes than any certificate has.
    #[error("larger than the limit of {MOST} bytes")]
    Large,
    /// The envelope.
    #[error(transparent)]
    Envelope(#[from] DsseError),
    /// What it holds, which is signed.
    #[error(transparent)]
    Statement(#[from] StatementError),
}

impl OpenError {
    /// Whether the file can be read, and nothing vouches for it.
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        matches!(self, Self::Envelope(error) if error.is_invalid())
    }

    /// Whether somebody vouches for what cannot be true.
    #[must_use]
    pub fn is_impossible(&self) -> bool {
        matches!(self, Self::Statement(error) if error.is_impossible())
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Large => "name a file that `assize sign` wrote",
            Self::Envelope(error) => error.help(),
            Self::Statement(error) => error.help(),
        }
    }
}

/// Opens a certificate with the keys that are trusted: one of them must have signed it.
///
/// # Errors
/// It is not a certificate, or none of the keys signed it.
pub fn open(bytes: &[u8], keys: &[PublicKey]) -> Result<Certified, OpenError> {
    if bytes.len() > MOST {
        return Err(OpenError::Large);
    }
    let envelope = Envelope::parse(bytes)?;
    let (payload, signers) = envelope.open(keys)?;
    let statement = Statement::parse(&payload)?;
    Ok(Certified { statement, signers: signers.into_iter().map(|key| key.id().to_owned()).collect() })
}

/// Holds a statement to the tables and the clock of whoever checks it.
///
/// # Errors
/// It says what cannot be, of a suite that is known here or at this time.
pub fn possible(statement: &Statement, tables: &Tables, now: Timestamp) -> Result<(), Contradiction> {
    tables.check(&statement.predicate.assize, now)
}
