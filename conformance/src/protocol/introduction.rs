//! What a testee says about itself.

use serde::{Deserialize, Serialize};

use super::declaration::Declaration;

/// A name and a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
}

/// What a testee says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introduction {
    /// The implementation.
    pub testee: Named,
    /// Its language.
    pub lang: Option<String>,
    /// What stands in front of it.
    pub shim: Option<Named>,
    /// What it declares: this binds.
    pub ops: Declaration,
    /// How many cases may be outstanding.
    pub in_flight: usize,
}

impl Introduction {
    /// The built-in verifier.
    #[must_use]
    pub fn built_in() -> Self {
        Self {
            testee: Named { name: "assize".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            lang: Some("rust".to_owned()),
            shim: None,
            ops: Declaration::built_in(),
            in_flight: 1,
        }
    }
}
