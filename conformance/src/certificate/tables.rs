//! A claim held to the tables and the clock of whoever checks it.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    operation,
    store::Store,
    vector::{LoadError, ruling::Rulings},
};
use jiff::{SignedDuration, Timestamp};

use super::{
    claim::Claim,
    contradiction::{Checked, must},
};
use crate::{
    catalogue::{SYSTEMS, law_of},
    config::MODES,
    suite::{Added, Suite, SuiteInfo},
    testee::{SEALED, finds_orphans},
};

/// How far the clock of a signer may be ahead.
pub const SKEW: SignedDuration = SignedDuration::from_mins(5);

/// How far a testee can be said to be contained.
const CONTAINED: [&str; 3] = ["none", "partly", SEALED];

/// What a checker knows by itself.
#[derive(Debug)]
pub struct Tables {
    suite: SuiteInfo,
    challenges: Option<Added>,
    laws: Vec<String>,
    sizes: BTreeMap<String, usize>,
    rulings: BTreeSet<String>,
}

impl Tables {
    /// The tables of a suite; rulings are read from the store.
    ///
    /// # Errors
    /// The rulings cannot be read.
    pub fn new(suite: &Suite, store: &Store) -> Result<Self, LoadError> {
        let mut sizes = BTreeMap::new();
        for id in suite.corpus.cases.keys().chain(suite.broken.keys()) {
            *sizes.entry(law_of(id).to_owned()).or_insert(0) += 1;
        }
        Ok(Self {
            suite: suite.info(),
            challenges: suite.challenges.clone(),
            laws: suite.laws.iter().map(|(slug, _)| slug.clone()).collect(),
            sizes,
            rulings: Rulings::load(store)?.iter().map(|(_, ruling)| ruling.id.clone()).collect(),
        })
    }

    /// What the suite is.
    #[must_use]
    pub fn suite(&self) -> &SuiteInfo {
        &self.suite
    }

    /// What a claim cannot say at this time, and of a suite that is known here.
    pub(super) fn check(&self, claim: &Claim, now: Timestamp) -> Checked {
        let started = instant(&claim.started);
        must(started.is_some(), "/started", "no time in UTC as RFC 3339 has it")?;
        must(started.is_some_and(|started| started <= now + SKEW), "/started", "a time in the future")?;
        if let Some(contained) = &claim.containment {
            let known = CONTAINED.contains(&contained.level.as_str());
            must(known, "/containment/level", "nobody is contained like that")?;
            let found = finds_orphans(&contained.measures);
            must(found, "/containment/measures", "processes that were left behind could not have been found")?;
            let paths = contained.readable.is_sorted_by(|a, b| a < b) && !contained.readable.contains(&String::new());
            must(paths, "/containment/readable", "not sorted, one stands there twice, or one is empty")?;
        }
        let all = |names: &[String], known: &dyn Fn(&str) -> bool| names.iter().all(|name| known(name));
        let selection = &claim.selection;
        must(all(&selection.systems, &|name| SYSTEMS.contains(&name)), "/selection/systems", "an unknown system")?;
        must(all(&selection.modes, &|name| MODES.contains(&name)), "/selection/modes", "an unknown mode")?;
        // What another suite has, nobody knows here; that it is another, is for the policy to say.
        if claim.suite.operations_sha256 == self.suite.operations_sha256 {
            self.levels(claim)?;
        }
        if claim.suite.laws_sha256 == self.suite.laws_sha256 {
            self.laws(claim)?;
        }
        Ok(())
    }

    fn levels(&self, claim: &Claim) -> Checked {
        let table = &operation::table().levels;
        let known = |name: &str| table.iter().any(|level| level.name == name);
        let selected = claim.selection.levels.iter().all(|name| known(name));
        must(selected, "/selection/levels", "an unknown level")?;
        for (index, row) in claim.levels.iter().enumerate() {
            let level = table.iter().find(|level| level.name == row.name);
            must(level.is_some(), &format!("/levels/{index}/name"), "an unknown level")?;
            let titled = level.is_some_and(|level| row.title.starts_with(&level.title));
            must(titled, &format!("/levels/{index}/title"), "the level has another title")?;
        }
        let rows = claim.levels.iter().map(|row| &row.name);
        must(rows.eq(table.iter().map(|level| &level.name)), "/levels", "not every level has its row, in their order")
    }

    /// The set is that of its seed: here it has been made again.
    fn challenges(&self, claim: &Claim) -> Checked {
        let (Some(stated), Some(made)) = (&claim.challenges, &self.challenges) else {
            let same = claim.challenges.is_none() && self.challenges.is_none();
            return must(same, "/challenges", "it is there, and no set is made; or the other way round");
        };
        must(stated.seed == made.seed, "/challenges/seed", "another set was made")?;
        must(stated.each == made.each, "/challenges/each", "another set was made")?;
        must(stated.cases == made.cases, "/challenges/cases", "the set of this seed has another number")
    }

    fn laws(&self, claim: &Claim) -> Checked {
        let mut places = Vec::new();
        for (index, law) in claim.laws.iter().enumerate() {
            let place = self.laws.iter().position(|slug| *slug == law.slug);
            must(place.is_some(), &format!("/laws/{index}/slug"), "an unknown law")?;
            places.extend(place);
            if claim.suite.sha256 == self.suite.sha256 {
                let size = self.sizes.get(&law.slug).copied().unwrap_or_default();
                must(law.in_suite == size, &format!("/laws/{index}/in_suite"), "the suite has another number")?;
            }
        }
        must(places.is_sorted(), "/laws", "not in published order")?;
        if claim.suite.sha256 == self.suite.sha256 {
            must(claim.suite.cases == self.suite.cases, "/suite/cases", "the suite has another number")?;
            self.challenges(claim)?;
        }
        let rulings = &claim.rulings;
        let known = |ids: &[String]| ids.iter().all(|id| self.rulings.contains(id));
        must(known(&rulings.rests_on), "/rulings/rests_on", "an unknown ruling")?;
        must(known(&rulings.left_out), "/rulings/left_out", "an unknown ruling")
    }
}

/// A time in UTC, as reports have it.
pub(super) fn instant(text: &str) -> Option<Timestamp> {
    text.strip_suffix('Z').and_then(|_| text.parse().ok())
}
