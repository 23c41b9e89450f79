//! What shows that a run could have failed: altered answers, and testees that look at nothing.
//!
//! A run that passes proves little unless the same harness, on the same cases, catches wrong answers. An altered answer
//! counts as caught only when the outcome of that very case changes; a case that a null testee passes earns credit only
//! together with its twin.

pub mod alter;
pub mod null;

use std::collections::BTreeMap;

use crate::report::{Altered, Controls};

/// What the controls came to.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Over all laws.
    pub controls: Controls,
    /// By law.
    pub laws: BTreeMap<String, LawTally>,
}

/// What the controls came to for one law.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LawTally {
    /// Altered answers.
    pub altered: Altered,
    /// Cases that a null testee passes.
    pub null_passes: usize,
    /// Passes that tell the testee from the null testees.
    pub credit: usize,
}
