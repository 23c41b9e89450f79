//! The questions beside the corpus: what a report says about them.

use std::fmt;

use assize_corpus::challenge::is_challenge;
use serde::{Deserialize, Serialize};

use crate::suite::Suite;

/// The challenges of a run: what it takes to make them again, and how many of them were answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Challenged {
    /// The seed that they were made from.
    pub seed: String,
    /// How many for each law; nothing for a fifth of its cases and at least 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<usize>,
    /// How many there are for the laws that the selection reaches, selected or not.
    pub cases: usize,
    /// How many of them were answered: those that count among the passes and the failures.
    pub answered: usize,
}

impl Challenged {
    /// Those that were added to a suite, if any were.
    pub(super) fn of(suite: &Suite, answered: usize) -> Option<Self> {
        let added = suite.challenges.as_ref()?;
        Some(Self { seed: added.seed.clone(), each: added.each, cases: added.cases, answered })
    }

    /// The flags that make a challenge of this run again. A set begins as every smaller one of its seed does.
    #[must_use]
    pub fn again(&self, id: &str) -> Option<String> {
        let (_, number) = id.rsplit_once('-').filter(|_| is_challenge(id))?;
        Some(format!(" --challenges {number} --seed {}", self.seed))
    }
}

impl fmt::Display for Challenged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} answered, made from seed {}", self.answered, self.cases, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_made_again_by_its_number() {
        let challenges = Challenged { seed: "7".to_owned(), each: None, cases: 1, answered: 1 };
        let again = challenges.again("canon/episode/challenge-made-document-12");
        assert_eq!(again.as_deref(), Some(" --challenges 12 --seed 7"));
        assert_eq!(challenges.again("canon/episode/array-one-2"), None);
    }
}
