//! Where it is written what a case expects, and with what right its parts bind.
//!
//! The places themselves are registered in `contracts/specs` and `contracts/rulings`.

use serde_json::{Value, json};

/// One place of a specification, or a ruling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A section of the RCE Profile v0.1.
    Profile(&'static str),
    /// A section of the Constitutional Receipt Standard v0.1.
    Standard(&'static str),
    /// A section of RFC 8785.
    Rfc8785(&'static str),
    /// A numbered ruling of the system.
    Ruling(u8),
    /// The ruling on operations.
    Operations,
}

impl Place {
    /// What `spec` says of it.
    pub(crate) fn spec(self) -> Value {
        let (document, section) = match self {
            Self::Profile(section) => ("RCE Profile v0.1", section.to_owned()),
            Self::Standard(section) => ("Constitutional Receipt Standard v0.1", section.to_owned()),
            Self::Rfc8785(section) => ("RFC 8785", section.to_owned()),
            Self::Ruling(number) => ("Assize rulings", format!("EP-{number}")),
            Self::Operations => ("Assize rulings", "OP".to_owned()),
        };
        json!({"document": document, "section": section})
    }
    /// With what right the verdict of a case binds that rests on it.
    pub(crate) fn force(self) -> Force {
        match self {
            Self::Ruling(number) => Force::Ruling(number),
            Self::Operations => Force::Operations,
            Self::Profile(_) | Self::Standard(_) | Self::Rfc8785(_) => Force::Spec,
        }
    }
}

/// With what right a part of an expectation binds: `vectors/README.md`, "Force".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// The text says it, where the case's own place is.
    Spec,
    /// A numbered ruling of the system decides it.
    Ruling(u8),
    /// The ruling on operations decides it.
    Operations,
}

impl Force {
    /// What `force` says of it.
    pub(crate) fn kind(self) -> String {
        match self {
            Self::Spec => "spec".to_owned(),
            Self::Ruling(number) => format!("ruling EP-{number}"),
            Self::Operations => "ruling OP".to_owned(),
        }
    }
}
