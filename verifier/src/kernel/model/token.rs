//! Names that a home is made of: stems of triplets, runs, and turns of runs.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 3 and Law 2. Which texts are such names is the law kernel/path-safety: its
//! module alone makes these values.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// The logical name of a triplet: parts between slashes, none of which can lead anywhere else. Its clones share the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stem(pub(crate) Arc<str>);

impl Stem {
    /// The normal form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Stems compare like their texts.
impl Borrow<str> for Stem {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Stem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a run: any text but the empty one, none that holds NUL, and none that is too long for the name of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub(crate) String);

impl RunId {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of a turn in its run, spelled `turn-` and four decimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnId(pub(crate) u16);

impl TurnId {
    /// What stands for the last promoted turn of a run that has none.
    pub const NONE: Self = Self(0);

    /// The number.
    #[must_use]
    pub fn number(self) -> u16 {
        self.0
    }
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn-{:04}", self.0)
    }
}

/// One turn of one run: what every staging belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// The run.
    pub run: RunId,
    /// The turn.
    pub id: TurnId,
}
