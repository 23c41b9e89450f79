//! The four types of a reply, with their spellings.
//!
//! Spec: Canonical Reply System Architecture (Final), 3 and 9; ruling RE-4.

/// What a reply means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReplyType {
    /// Success: the operation was completed.
    S,
    /// Invalid: the caller made a mistake.
    I,
    /// Denied: policy refused.
    D,
    /// Error: the system broke.
    E,
}

impl ReplyType {
    /// All four.
    pub const ALL: [Self; 4] = [Self::S, Self::I, Self::D, Self::E];

    /// The letter.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::I => "I",
            Self::D => "D",
            Self::E => "E",
        }
    }

    /// The name in lower case: method of the builder, canonical status (ruling RE-4).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::S => "success",
            Self::I => "invalid",
            Self::D => "denied",
            Self::E => "error",
        }
    }

    /// Whether its construction freezes the builder (10, Terminal Semantics).
    #[must_use]
    pub fn is_terminal(self) -> bool {
        self != Self::S
    }

    /// The type of this name, in lower case.
    #[must_use]
    pub fn from_name(text: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().as_bytes() == text)
    }
}
