//! The mutation score of the corpus: what became of mutants of the verifier, as `contracts/mutation-score.json` records it.
//!
//! The record is gathered by `conformance/dev/mutation_score/mutation_score.py` from runs of cargo-mutants that only the corpus
//! judged. A kill shows that a vector tells the verifier from one mutant of it, and no more than that.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use assize_corpus::store::Store;
use assize_verifier::digest::Digest;
use serde::{Deserialize, Serialize};

use crate::catalogue::{self, CatalogueError};

/// Where the record stands.
pub const PATH: &str = "contracts/mutation-score.json";

/// How many mutants there are, by what became of them, and the scores that follow.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Counts {
    /// Mutants on which a vector fails.
    pub killed: usize,
    /// Mutants on which every vector passes, the argued ones among them.
    pub survived: usize,
    /// Mutants on which every vector passes, and another test of the corpus crate fails.
    pub tested: usize,
    /// Mutants that a limit of time ended.
    pub timeout: usize,
    /// Mutants that crashed before a vector could fail.
    pub crashed: usize,
    /// Survivors for which it is argued that no vector can kill them.
    pub argued: usize,
    /// Mutants that do not build.
    pub unviable: usize,
    /// Killed, tested, crashed and timed out, in percent of what builds and is not argued; cut to one decimal.
    pub score: Option<f64>,
    /// The score without the tested ones: what the vectors catch by themselves.
    pub by_vectors: Option<f64>,
}

/// The whole record; as JSON without the list of mutants, which is there for later runs to be held to.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MutationScore {
    /// All mutants.
    #[serde(flatten)]
    pub total: Counts,
    /// Survivors of a part of the corpus; none in a published record.
    pub candidate: usize,
    /// Mutants that no run has judged; no score counts them.
    pub unjudged: usize,
    /// Cases of the corpus that judged.
    pub cases: usize,
    /// Digest of their ids; see [`MutationScore::judged_by`].
    pub case_ids: Option<String>,
    /// Version of the tool that made the mutants.
    pub cargo_mutants: String,
    /// How the outcomes were obtained.
    pub method: String,
    /// Patterns of mutants that are left out: text for people.
    pub excluded: Vec<String>,
    /// Digest of each file as it was when its mutants were judged.
    pub sources: BTreeMap<String, String>,
    /// One row for each module.
    pub modules: Vec<ModuleRow>,
    /// One row for each law, in published order.
    pub laws: Vec<LawRow>,
    /// Every survivor.
    pub survivors: Vec<Survivor>,
    /// Every other mutant by its file.
    #[serde(skip_serializing)]
    pub mutants: BTreeMap<String, Vec<Judged>>,
}

/// The mutants of one module of the verifier.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ModuleRow {
    /// Its name.
    pub module: String,
    /// Its mutants.
    #[serde(flatten)]
    pub counts: Counts,
}

/// What the vectors of one law kill.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LawRow {
    /// System and law.
    pub law: String,
    /// Mutants on which at least one of its vectors fails.
    pub kills: usize,
    /// Those of them on which no other law's vector fails.
    pub alone: usize,
}

/// A change of the verifier, named without its line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mutant {
    /// The changed file.
    pub file: String,
    /// The function with its type; empty outside of functions.
    pub function: String,
    /// What is replaced, and by what.
    pub replacement: String,
    /// Which one it is of those that the first three name, in source order.
    pub ordinal: usize,
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.replacement)?;
        if !self.function.is_empty() {
            write!(f, " in {}", self.function)?;
        }
        if self.ordinal > 1 {
            write!(f, " ({})", self.ordinal)?;
        }
        Ok(())
    }
}

/// A mutant on which no vector fails.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Survivor {
    /// The changed file.
    pub file: String,
    /// As in [`Mutant`].
    pub function: String,
    /// As in [`Mutant`].
    pub replacement: String,
    /// As in [`Mutant`].
    pub ordinal: usize,
    /// How much is known about it.
    pub state: State,
    /// The argument that no vector can kill it, or why it is still open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<String>,
}

impl Survivor {
    /// Its name.
    #[must_use]
    pub fn mutant(&self) -> Mutant {
        let Self { file, function, replacement, ordinal, .. } = self.clone();
        Mutant { file, function, replacement, ordinal }
    }
}

/// What is known about a survivor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Only a part of the corpus has judged it.
    Candidate,
    /// No vector kills it yet.
    Open,
    /// Argued: no input tells it from the verifier.
    Equivalent,
    /// Argued: only text for people changes, which no agreement compares.
    Words,
    /// Argued: only inputs to which the documents give no answer tell it from the verifier.
    OutsideDomain,
}

impl State {
    /// Whether it is argued that no vector can kill it.
    #[must_use]
    pub fn is_argued(self) -> bool {
        matches!(self, Self::Equivalent | Self::Words | Self::OutsideDomain)
    }

    /// As the record spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Open => "open",
            Self::Equivalent => "equivalent",
            Self::Words => "words",
            Self::OutsideDomain => "outside-domain",
        }
    }
}

/// A mutant that is not known to survive: function, replacement, ordinal, what became of it, and the laws that kill it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Judged(pub String, pub String, pub usize, pub End, pub Rows);

/// What became of a mutant that is not known to survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// A vector failed.
    Killed,
    /// Every vector passes, and another test of the corpus crate fails.
    Tested,
    /// A limit of time ended it.
    Timeout,
    /// It crashed before a vector could fail.
    Crashed,
    /// It does not build.
    Unviable,
    /// Nothing is known: no run has judged it.
    Unjudged,
}

/// Places in the list of laws, ascending; written as ranges: `0-2 5`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Rows(Vec<usize>);

impl Rows {
    /// The places.
    #[must_use]
    pub fn as_slice(&self) -> &[usize] {
        &self.0
    }
}

impl TryFrom<String> for Rows {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = |digits: &str| digits.parse::<u16>().ok().map(usize::from);
        let mut rows = Vec::new();
        for part in text.split_terminator(' ') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let bounds = number(first)
                .zip(number(last))
                .filter(|(first, last)| first <= last && rows.last().is_none_or(|before| before < first));
            let Some((first, last)) = bounds else {
                return Err(format!("{text:?} is not a list of ascending ranges like \"0-2 5\""));
            };
            rows.extend(first..=last);
        }
        Ok(Self(rows))
    }
}

impl MutationScore {
    /// The record of a store.
    ///
    /// # Errors
    /// There is none, or it has another shape.
    pub fn read(store: &Store) -> Result<Self, CatalogueError> {
        catalogue::read(store, PATH)
    }

    /// Whether these are the cases that judged last.
    #[must_use]
    pub fn judged_by(&self, ids: &BTreeSet<&str>) -> bool {
        let lines: String = ids.iter().flat_map(|id| [id, "\n"]).collect();
        self.case_ids.as_deref() == Some(Digest::of(lines.as_bytes()).to_hex().as_str())
    }

    /// The mutants that the vectors of one law kill and those of no other.
    #[must_use]
    pub fn alone(&self, law: &str) -> Vec<Mutant> {
        let place = self.laws.iter().position(|row| row.law == law);
        let of_file = |(file, judged): (&String, &Vec<Judged>)| {
            let alone = judged.iter().filter(|Judged(.., rows)| match rows.as_slice() {
                [only] => Some(*only) == place,
                _ => false,
            });
            let named = alone.map(|Judged(function, replacement, ordinal, ..)| Mutant {
                file: file.clone(),
                function: function.clone(),
                replacement: replacement.clone(),
                ordinal: *ordinal,
            });
            named.collect::<Vec<_>>()
        };
        self.mutants.iter().flat_map(of_file).collect()
    }
}

#[cfg(test)]
mod tests {
    use assize_corpus::store;

    use super::*;

    #[test]
    fn ranges_are_read() {
        for (text, rows) in [("", Some(&[][..])), ("3", Some(&[3])), ("0-2 5", Some(&[0, 1, 2, 5]))] {
            assert_eq!(Rows::try_from(text.to_owned()).ok().as_ref().map(Rows::as_slice), rows, "{text:?}");
        }
        for text in [" ", "1  2", "2 1", "1 1", "2-1", "0-2 2", "-1", "1-", "a", "1,2", "99999"] {
            assert!(Rows::try_from(text.to_owned()).unwrap_err().contains("ascending"), "{text:?}");
        }
    }

    #[test]
    fn a_broken_record_is_named() {
        let read =
            |text: String| MutationScore::read(&Store::memory([(PATH, text)])).map_err(|error| error.to_string());
        assert!(read("{}".to_owned()).unwrap_err().starts_with("contracts/mutation-score.json: missing field"));
        let whole: serde_json::Value = serde_json::from_slice(store::embedded(PATH).unwrap()).unwrap();
        assert!(read(whole.to_string()).is_ok());
        for place in ["", "/modules/0"] {
            let mut changed = whole.clone();
            changed.pointer_mut(place).unwrap()["surplus"] = 32.into();
            assert!(read(changed.to_string()).unwrap_err().contains("unknown field `surplus`"), "{place}");
            let mut changed = whole.clone();
            changed.pointer_mut(place).unwrap().as_object_mut().unwrap().remove("killed").unwrap();
            assert!(read(changed.to_string()).unwrap_err().contains("missing field `killed`"), "{place}");
        }
    }

    #[test]
    fn mutants_have_names() {
        let mut mutant =
            Mutant { file: "a.rs".into(), function: "f".into(), replacement: "delete !".into(), ordinal: 2 };
        assert_eq!(mutant.to_string(), "a.rs: delete ! in f (2)");
        mutant.function.clear();
        mutant.ordinal = 1;
        assert_eq!(mutant.to_string(), "a.rs: delete !");
    }
}
