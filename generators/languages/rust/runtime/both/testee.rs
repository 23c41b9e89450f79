//! An implementation with everything that suite and shim ask of it, and what it may answer.

use std::fmt;

use crate::{declaration::Declaration, operations::Implementation, question::Outputs};

/// An implementation with everything that suite and shim ask of it.
pub struct Testee {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What is answered. It binds: what is declared has to be right, and nothing else is asked.
    pub declares: Declaration,
    /// What can be asked beside operations, a JSON object as the protocol's page has it; what is absent has no limit.
    pub capabilities: &'static str,
    /// Has a method for each operation that is declared.
    pub implementation: &'static dyn Implementation,
}

/// What an operation comes to.
pub type Answered<T> = Result<T, Refusal>;

/// Why there is no acceptance. Every error of another type turns into a fault, so that `?` never makes it a judgement.
pub enum Refusal {
    /// A judgement: the implementation refuses its input.
    Rejected(Rejection),
    /// Nothing is implemented. From a declared operation it is a broken promise.
    Unsupported,
    /// The implementation broke: it judged nothing.
    Fault(String),
}

/// A judgement.
pub struct Rejection {
    /// A set.
    pub codes: Vec<String>,
    /// The outputs that a rejection of the operation carries.
    pub out: Outputs,
}

impl Refusal {
    /// A rejection without outputs.
    #[must_use]
    pub fn reject<C: Into<String>>(codes: impl IntoIterator<Item = C>) -> Self {
        Self::with(codes, Outputs::default())
    }

    /// A rejection with outputs.
    #[must_use]
    pub fn with<C: Into<String>>(codes: impl IntoIterator<Item = C>, out: Outputs) -> Self {
        Self::Rejected(Rejection { codes: codes.into_iter().map(Into::into).collect(), out })
    }
}

impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Fault(error.to_string())
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(Rejection { codes, .. }) => write!(to, "rejected: {}", codes.join(", ")),
            Self::Unsupported => to.write_str("not implemented"),
            Self::Fault(message) => write!(to, "fault: {message}"),
        }
    }
}
