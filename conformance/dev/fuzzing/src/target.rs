//! What a fuzz target is, whatever engine drives it.

use std::fmt;

use assize::minimise::input::Question;

use crate::documents::{DocumentError, Documents};
use crate::find::Find;

/// Where a target's idea of right comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A second source answers the same question.
    Differential,
    /// A law between answers, or between an answer and what was done to the input.
    Property,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Differential => "differential",
            Self::Property => "property",
        })
    }
}

/// One kind of input and the oracle that judges what the verifier makes of it.
pub trait Target {
    /// The name of the program below `fuzz/fuzz_targets`, and of the folders of seeds and regressions.
    const NAME: &'static str;
    /// Where its idea of right comes from.
    const KIND: Kind;
    /// What it decides, for the table of `fuzz/README.md`: the laws and the property in one line.
    const LAW: &'static str;
    /// What is judged.
    type Input;

    /// The input that a string of bytes stands for; `None` if it stands for none.
    fn decode(octets: &[u8]) -> Option<Self::Input>;

    /// The input as documents: all that the oracle looks at, and nothing else.
    fn documents(input: &Self::Input) -> Documents;

    /// The input that documents stand for: the reverse of [`documents`](Self::documents).
    ///
    /// # Errors
    /// A document is missing or cannot be read.
    fn input(documents: &Documents) -> Result<Self::Input, DocumentError>;

    /// What an implementation can be asked about an input, the usual question first: nothing if Assize itself is judged.
    fn asks(_input: &Self::Input) -> Vec<Question> {
        Vec::new()
    }

    /// Judges an input.
    ///
    /// # Errors
    /// What disagrees, told from both sides. A fault of the second source is an error as well.
    fn check(input: &Self::Input) -> Result<(), String>;
}

/// Hands a string of bytes to a target, as libFuzzer does.
///
/// # Panics
/// With the disagreement and the find, ready to be stored, if the target fails: that is how libFuzzer hears of it.
#[expect(clippy::panic, reason = "libFuzzer takes a panic for a find")]
pub fn fuzz<T: Target>(octets: &[u8]) {
    let Some(input) = T::decode(octets) else { return };
    if let Err(disagreement) = T::check(&input) {
        panic!("{disagreement}\nto store below fuzz/regressions/{}:\n{}", T::NAME, find_of::<T>(&input).text());
    }
}

/// An input as a find, to which a person adds the note.
fn find_of<T: Target>(input: &T::Input) -> Find {
    let (asks, documents) = (T::asks(input), T::documents(input));
    Find { target: T::NAME.to_owned(), note: String::new(), asks, documents }
}

/// A target with its types forgotten, for the tests and tools that treat all alike.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// See [`Target::NAME`].
    pub name: &'static str,
    /// See [`Target::KIND`].
    pub kind: Kind,
    /// See [`Target::LAW`].
    pub law: &'static str,
    /// Judges what a string of bytes stands for; `Ok(false)` if it stands for nothing.
    pub try_octets: fn(&[u8]) -> Result<bool, String>,
    /// Judges documents.
    pub replay: fn(&Documents) -> Result<(), String>,
    /// What a string of bytes stands for, as a find without its note.
    pub decode: fn(&[u8]) -> Option<Find>,
    /// The find that documents make, without its note.
    pub find: fn(&Documents) -> Result<Find, DocumentError>,
}

impl Entry {
    /// The entry of a target.
    #[must_use]
    pub const fn of<T: Target>() -> Self {
        Self {
            name: T::NAME,
            kind: T::KIND,
            law: T::LAW,
            try_octets: |octets| match T::decode(octets) {
                Some(input) => T::check(&input).map(|()| true),
                None => Ok(false),
            },
            replay: |documents| T::check(&T::input(documents).map_err(|error| error.to_string())?),
            decode: |octets| T::decode(octets).map(|input| find_of::<T>(&input)),
            find: |documents| T::input(documents).map(|input| find_of::<T>(&input)),
        }
    }
}
