//! A missing member is a gap of the implementation, never a doubt about meaning.
//!
//! Spec: Canonical Reply System Architecture (Final), 8, Separation Rule; ruling RE-25.

use crate::json::NodeRef;

/// What kind of trouble a breach is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A member is missing.
    Gap,
    /// A member is of the wrong JSON kind, or has a value that it cannot have.
    Form,
    /// Members contradict each other, or a law of types and codes is broken.
    Meaning,
}

impl Class {
    /// The spelling in findings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gap => "gap",
            Self::Form => "form",
            Self::Meaning => "meaning",
        }
    }

    /// The class of a member that is not as it has to be.
    pub(super) fn of(member: Option<NodeRef<'_>>) -> Self {
        match member {
            None => Self::Gap,
            Some(_) => Self::Form,
        }
    }
}
