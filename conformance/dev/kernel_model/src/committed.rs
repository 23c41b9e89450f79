//! What committed holds, without a word about files.

use std::collections::{BTreeMap, BTreeSet};

/// A turn of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The run.
    pub run: u8,
    /// The turn, from 1 on.
    pub turn: u8,
}

/// The committed state.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Committed {
    /// Each stem with the turn that it came from.
    pub triplets: BTreeMap<u8, Version>,
    /// Every source of the one thing that all triplets refer to: its stem, and the turn that its links came from.
    pub sources: Vec<(u8, Version)>,
    /// The last promoted turn of each run.
    pub ledger: BTreeMap<u8, u8>,
}

impl Committed {
    /// The turn of a run that comes next.
    #[must_use]
    pub fn next(&self, run: u8) -> Version {
        Version { run, turn: self.ledger.get(&run).copied().unwrap_or(0) + 1 }
    }

    /// What is committed once a turn is promoted that has staged these stems, and deleted those.
    #[must_use]
    pub fn promoted(&self, turn: Version, staged: &BTreeSet<u8>, deleted: &BTreeSet<u8>) -> Self {
        let mut after = self.clone();
        for stem in deleted {
            after.triplets.remove(stem);
        }
        for stem in staged {
            after.triplets.insert(*stem, turn);
        }
        after.sources = after.triplets.iter().map(|(stem, version)| (*stem, *version)).collect();
        after.ledger.insert(turn.run, turn.turn);
        after
    }

    /// Whether each triplet has its one source, and no source is of anything else.
    #[must_use]
    pub fn keeps_sources(&self) -> bool {
        self.sources.iter().copied().eq(self.triplets.iter().map(|(stem, version)| (*stem, *version)))
    }
}
