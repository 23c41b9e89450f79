//! Small worlds of inputs that were searched whole: how far, by which second source, and what lies outside.
//!
//! Contract: `contracts/worlds.json`. A development crate holds the worlds and searches them; here they are only told of, and
//! [`crate::catalogue::worlds`] reads them.

use serde::{Deserialize, Serialize};

/// Where they are declared.
pub const PATH: &str = "contracts/worlds.json";

/// A world, and what a search of it has found.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    /// Its name.
    pub name: String,
    /// The laws that decide its answers.
    pub laws: Vec<String>,
    /// What its inputs are made of.
    pub alphabet: String,
    /// What the bound counts.
    pub unit: String,
    /// From where on not everything is searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partly: Option<Partly>,
    /// Who answers beside the verifier.
    pub second: String,
    /// What is not searched.
    pub outside: String,
    /// How far it was searched, and what was found.
    pub searched: Searched,
}

/// What is searched beyond a bound.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Partly {
    /// The bound.
    pub beyond: u64,
    /// What is searched of what is longer.
    pub those: String,
}

/// A search to its end.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Searched {
    /// The bound.
    pub bound: u64,
    /// Inputs that were asked about.
    pub cases: u64,
    /// Those of which both sides said that they are lawful.
    pub lawful: u64,
    /// Those of which they said different things.
    pub differing: u64,
}

impl World {
    /// The bound with what it counts, and with what is left out beyond it.
    #[must_use]
    pub fn reach(&self) -> String {
        let bound = self.searched.bound;
        match self.partly.as_ref().filter(|partly| bound > partly.beyond) {
            Some(partly) => format!("{bound} {}; {}", self.unit, partly.those),
            None => format!("{bound} {}", self.unit),
        }
    }

    /// What was found, in words.
    #[must_use]
    pub fn found(&self) -> String {
        let Searched { cases, lawful, differing, .. } = self.searched;
        format!("{cases} inputs, {lawful} of them lawful, {differing} judged otherwise than by {}", self.second)
    }
}

/// The file that declares them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) worlds: Vec<World>,
}

#[cfg(test)]
mod tests {
    use assize_corpus::store::Store;

    use super::*;
    use crate::catalogue::worlds;

    #[test]
    fn a_world_says_how_far_it_goes() {
        let worlds = worlds(&Store::embedded()).unwrap();
        let mut texts = worlds.into_iter().find(|world| world.name == "texts").unwrap();
        texts.searched.bound = 6;
        assert_eq!(texts.reach(), "6 symbols");
        texts.searched.bound = 7;
        assert!(texts.reach().starts_with("7 symbols; of longer texts"));
        assert!(crate::catalogue::worlds(&Store::memory([("vectors/a/b/c.json", "{}")])).unwrap().is_empty());
        assert!(crate::catalogue::worlds(&Store::memory([(PATH, "{}")])).is_err());
    }
}
