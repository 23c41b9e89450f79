//! What shows that a run could have failed: altered answers, and testees that look at nothing.
//!
//! A run that passes proves little unless the same harness, on the same cases, catches wrong answers. An altered answer
//! counts as caught only when the outcome of that very case changes; a case that a null testee passes earns credit only
//! together with its twin.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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
    /// Passes that show the difference to the null testees.
    pub credit: usize,
}

/// What shows that the run could have failed.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Controls {
    /// Altered answers over all laws.
    pub altered: Altered,
    /// The same by kind of alteration.
    pub kinds: BTreeMap<&'static str, Altered>,
    /// Alterations that the harness did not catch: each is a bug of it.
    pub missed: Vec<Missed>,
    /// What testees that look at nothing would pass.
    pub null_testees: Vec<NullRow>,
}

impl Controls {
    /// Counts an altered answer.
    pub fn count(&mut self, kind: &'static str, caught: bool) {
        for altered in [&mut self.altered, self.kinds.entry(kind).or_default()] {
            altered.planted += 1;
            altered.caught += usize::from(caught);
        }
    }
}

/// Answers altered on their way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Altered {
    /// How many.
    pub planted: usize,
    /// For how many of them the outcome of that very case changed.
    pub caught: usize,
}

/// An alteration that went through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// The case.
    pub id: String,
    /// The alteration.
    pub kind: &'static str,
}

/// One null testee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NullRow {
    /// Its name.
    pub name: &'static str,
    /// Cases that it was asked.
    pub cases: usize,
    /// How many it passes.
    pub pass: usize,
}
