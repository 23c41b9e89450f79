//! What is declared of the worlds: which laws decide their answers, what lies outside, and how far each was searched.
//!
//! Contract: `contracts/worlds.json`, which the pages of the laws and the book show as well. It is compiled in, and a test holds it to the
//! worlds.

use std::sync::LazyLock;

use serde::Deserialize;

/// The file as it was when this was built.
const FILE: &str = include_str!("../../../../contracts/worlds.json");

/// What is declared of one world.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declared {
    /// One word, by which it is called.
    pub name: String,
    /// The laws that decide its answers.
    pub laws: Vec<String>,
    /// What its inputs are made of.
    pub alphabet: String,
    /// What the bound counts.
    pub unit: String,
    /// From where on not everything is searched.
    pub partly: Option<Partly>,
    /// Who answers beside the verifier.
    pub second: String,
    /// What is not searched.
    pub outside: String,
    /// How far it was searched, and what was found.
    pub searched: Searched,
}

/// What is searched beyond a bound.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partly {
    /// The bound.
    pub beyond: usize,
    /// What is searched of what is longer.
    pub those: String,
}

/// A search to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searched {
    /// The bound.
    pub bound: usize,
    /// Cases that were asked.
    pub cases: u64,
    /// Cases of which both sides said that they are lawful.
    pub lawful: u64,
    /// Cases of which they said different things.
    pub differing: u64,
}

impl Declared {
    /// A bound with what it counts, and with what is left out beyond it.
    #[must_use]
    pub fn reach(&self, bound: usize) -> String {
        match self.partly.as_ref().filter(|partly| bound > partly.beyond) {
            Some(partly) => format!("{bound} {}; {}", self.unit, partly.those),
            None => format!("{bound} {}", self.unit),
        }
    }
}

/// Every world that is declared, in the order of the file.
///
/// # Errors
/// The file has another shape.
pub fn declared() -> Result<&'static [Declared], &'static str> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        worlds: Vec<Declared>,
    }
    static WORLDS: LazyLock<Result<Vec<Declared>, String>> =
        LazyLock::new(|| serde_json::from_str::<File>(FILE).map(|file| file.worlds).map_err(|error| error.to_string()));
    WORLDS.as_ref().map(Vec::as_slice).map_err(String::as_str)
}

/// What is declared of the world of a name.
///
/// # Errors
/// The file has another shape, or nothing is declared of it.
pub fn of(name: &str) -> Result<&'static Declared, String> {
    let found = declared()?.iter().find(|declared| declared.name == name);
    found.ok_or_else(|| format!("contracts/worlds.json declares no world {name}"))
}
