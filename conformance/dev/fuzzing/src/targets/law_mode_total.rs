//! Law mode reports on any pair what its second source in Python reports, and it hangs on nothing that the laws leave out.
//!
//! Of every report: what [`law_report`](crate::oracles::law_report) demands. Of two: a pair with its sides exchanged gives the
//! mirrored report (REP-07); and a pair without breach, rewritten with other messages, events and orders, gives the same
//! bytes (Safe Boundary Law; TURN-03, DEC-01, ISS-02, JSN-09). A pair that is lawful by its making has no breach. And the
//! walk that looks for what is surely lawful changes no byte: the exact walk alone reports the same.

use assize::minimise::input::Question;
use assize_inputs::{EquivalentPair, Pair};

use crate::documents::{DocumentError, Documents};
use crate::oracles::law_mode;
use crate::oracles::law_report::Report;
use crate::oracles::pairs::{pair_of, question, with_pair};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct LawModeTotal;

/// Names the document that is there for pairs that are lawful by their making.
const LAWFUL: &str = "lawful";
const EQUIVALENT: &str = "retold/";

impl LawModeTotal {
    /// Judges an input by what `compare` reports on pairs: the verifier, or one that is wrong on purpose.
    ///
    /// # Errors
    /// The first demand that does not hold.
    pub fn judge(both: &EquivalentPair, compare: impl Fn(&Pair) -> String) -> Result<(), String> {
        let read = |text: &str| Report::read(text).map_err(|why| format!("{why}\n{text}"));
        let text = compare(&both.pair);
        let report = read(&text)?;
        if both.lawful && report.status == "ERROR" {
            return Err(format!("a lawful pair is an ERROR\n{text}"));
        }
        let swapped = Pair {
            bundle_a: both.pair.bundle_b.clone(),
            bundle_b: both.pair.bundle_a.clone(),
            files: both.pair.files.clone(),
        };
        let swapped_text = compare(&swapped);
        if report.mirrored()? != read(&swapped_text)?.unmirrored()? {
            return Err(format!("not symmetric\nA against B: {text}\nB against A: {swapped_text}"));
        }
        // A breach is told by its place in the document, which may move.
        if let Some(again) = &both.equivalent
            && report.status != "ERROR"
        {
            let again = compare(again);
            if again != text {
                return Err(format!("what no law looks at changes the report\nbefore: {text}\nafter:  {again}"));
            }
        }
        Ok(())
    }

    /// The verifier's report on a pair.
    #[must_use]
    pub fn report(pair: &Pair) -> String {
        law_mode::verifier(pair, None)
    }
}

impl Target for LawModeTotal {
    const NAME: &'static str = "law_mode_total";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str = "`sovereign/*`, law mode: always a lawful report, that of a second source in Python, the same from either side and in \
                               any order";
    type Input = EquivalentPair;

    fn decode(octets: &[u8]) -> Option<EquivalentPair> {
        Some(EquivalentPair::from_bytes(octets))
    }

    fn documents(both: &EquivalentPair) -> Documents {
        let pair = with_pair(Documents::default(), "", &both.pair);
        let documents = match &both.equivalent {
            Some(again) => with_pair(pair, EQUIVALENT, again),
            None => pair,
        };
        if both.lawful { documents.with(LAWFUL, b"by its making") } else { documents }
    }

    fn input(documents: &Documents) -> Result<EquivalentPair, DocumentError> {
        let equivalent = match pair_of(documents, EQUIVALENT) {
            Err(DocumentError::Absent(_)) => None,
            found => Some(found?),
        };
        Ok(EquivalentPair { pair: pair_of(documents, "")?, equivalent, lawful: documents.octets(LAWFUL).is_ok() })
    }

    fn asks(both: &EquivalentPair) -> Vec<Question> {
        let (told, retold) = (question("", "law").part("told"), question(EQUIVALENT, "law").part("retold"));
        if both.equivalent.is_some() { vec![told, retold] } else { vec![told] }
    }

    fn check(both: &EquivalentPair) -> Result<(), String> {
        Self::judge(both, Self::report)?;
        for pair in both.equivalent.iter().chain([&both.pair]) {
            law_mode::pair_walks_agree(pair, None)?;
        }
        law_mode::agree(&both.pair, None).map(|_| ())
    }
}
