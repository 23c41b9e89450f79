//! Reference mode against the sealed comparator, over pairs of bundles with turn files in memory.
//!
//! Nesting of 201 to 19,999 levels is not in the input: the comparator's own limit lies there and moves with its caller.

use std::sync::OnceLock;

use assize::minimise::input::Question;
use assize_inputs::Pair;
use assize_oracle::Comparator;

use crate::documents::{DocumentError, Documents};
use crate::oracles::{comparator, pairs};
use crate::target::{Kind, Target};

static COMPARATOR: OnceLock<Comparator> = OnceLock::new();

/// See the module.
#[derive(Debug)]
pub struct CompareVsComparator;

impl CompareVsComparator {
    /// Has this process ask a copy with a planted bug in place of the sealed comparator; the source is the copy's.
    ///
    /// # Errors
    /// The copy does not compile, or a comparator was asked before.
    pub fn ask_copy(source: &str) -> Result<(), String> {
        let copy = Comparator::of(source).map_err(|error| error.to_string())?;
        COMPARATOR.set(copy).map_err(|_| "a comparator has been asked already".to_owned())
    }
}

impl Target for CompareVsComparator {
    const NAME: &'static str = "compare_vs_comparator";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str =
        "`sovereign/*`, reference mode: report bytes or abort class of the sealed Python comparator";
    type Input = Pair;

    fn decode(octets: &[u8]) -> Option<Pair> {
        Some(Pair::from_bytes(octets))
    }

    fn documents(pair: &Pair) -> Documents {
        pairs::with_pair(Documents::default(), "", pair)
    }

    fn input(documents: &Documents) -> Result<Pair, DocumentError> {
        pairs::pair_of(documents, "")
    }

    fn asks(_pair: &Pair) -> Vec<Question> {
        vec![pairs::question("", "reference")]
    }

    fn check(pair: &Pair) -> Result<(), String> {
        let asked = match COMPARATOR.get() {
            Some(asked) => asked,
            None => {
                let sealed = Comparator::sealed().map_err(|error| error.to_string())?;
                COMPARATOR.get_or_init(|| sealed)
            }
        };
        comparator::agree(asked, pair)
    }
}
