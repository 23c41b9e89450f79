//! The verifier's JSON reader by Python's: which texts it takes in each dialect, and what it makes of them.
//!
//! Spec: RFC 8259; rulings NUM-07, NUM-08, NUM-14, JSN-01 to JSN-06, STR-11, RES-01, RES-02, AU-44 and AU-46. The
//! strict dialect is RFC 8259 as well, for which `serde_json` speaks beside Python. Offsets of errors are not compared.

mod transcript;

use assize_oracle::{AbortClass, OracleError, Reading, read};
use assize_verifier::json::{Dialect, Document, Reader, Skip};

use super::spelling::{Spelling, nesting};

pub use transcript::{Transcript, Way};

/// What a dialect takes, as the specifications say it and not as the verifier does.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The verifier's dialect.
    pub dialect: Dialect,
    /// `NaN`, `Infinity` and `-Infinity` are read.
    constants: bool,
    depth: usize,
    digits: usize,
}

/// CPython 3.11 without a hook in its way: NUM-07, NUM-14, RES-01.
pub const PYTHON: Rules = Rules { dialect: Dialect::PYTHON, constants: true, depth: 990, digits: 4_300 };
/// RFC 8259 within the suggested limit of RES-02 (ruling OP).
pub const STRICT: Rules = Rules { dialect: Dialect::STRICT, constants: false, depth: 256, digits: usize::MAX };
/// Every dialect: law mode reads constants to name them, episodes are deeper, and the authority system has no limit on
/// digits (ruling AU-43).
pub const ALL: [Rules; 5] = [
    PYTHON,
    STRICT,
    Rules { dialect: Dialect::LAW, constants: true, ..STRICT },
    Rules { dialect: Dialect::EPISODE, depth: 512, ..STRICT },
    Rules { dialect: Dialect::AUTHORITY, depth: 994, digits: usize::MAX, ..PYTHON },
];

/// Levels after which Python's own answer moves with its caller (ruling AU-44).
const PORTABLE_DEPTH: usize = 900;
/// Levels that `serde_json` follows.
const SERDE_DEPTH: usize = 127;

/// A text and what Python's reader made of it, once for all dialects.
#[derive(Debug)]
pub struct SecondSource<'t> {
    text: &'t [u8],
    reading: Reading,
    /// Facts of the spelling, if Python could read it.
    spelling: Option<Spelling>,
}

impl<'t> SecondSource<'t> {
    /// Asks Python to read the text.
    ///
    /// # Errors
    /// When the oracle itself fails.
    pub fn read(text: &'t [u8]) -> Result<Self, OracleError> {
        let reading = read(text)?;
        let spelling = reading.spelling.as_ref().ok().map(|lines| Spelling::of(lines));
        Ok(Self { text, reading, spelling })
    }

    /// Whether a dialect takes the text; `None` where Python gave up on depth that the dialect may still follow.
    #[must_use]
    pub fn takes(&self, rules: &Rules) -> Option<bool> {
        match (&self.spelling, &self.reading.spelling) {
            (Some(found), _) => Some(
                found.depth <= rules.depth
                    && found.digits <= rules.digits
                    && (rules.constants || !found.has_constants()),
            ),
            (None, Err(AbortClass::RecursionError)) if nesting(self.text) <= rules.depth => None,
            (None, _) => Some(false),
        }
    }

    /// Demands that an answer is Python's.
    ///
    /// # Errors
    /// Both answers, if they differ; and what is wrong with the second source, if it contradicts itself.
    pub fn judge(&self, rules: &Rules, answer: &Transcript) -> Result<(), String> {
        let differ = |what: &str, verifier: &dyn std::fmt::Debug, second: &dyn std::fmt::Debug| {
            Err(format!(
                "{} as {}, {what}: verifier {verifier:?}, second source {second:?}\ntext: {}",
                rules.dialect.name,
                answer.way,
                self.text.escape_ascii()
            ))
        };
        let accepted = answer.spelling.is_ok();
        match self.takes(rules) {
            Some(expected) if expected != accepted => return differ("verdict", &answer.spelling, &expected),
            _ => {}
        }
        if let (Ok(verifier), Ok(python)) = (&answer.spelling, &self.reading.spelling)
            && verifier != python
        {
            return differ("spelling", verifier, python);
        }
        if let (Some(verifier), Ok(python)) = (&answer.value, &self.reading.value)
            && verifier != python
        {
            return differ("value", verifier, python);
        }
        Ok(())
    }

    /// Demands that the second sources agree among themselves: Python with its hooks and without, and `serde_json`.
    ///
    /// # Errors
    /// What they disagree about.
    pub fn is_consistent(&self) -> Result<(), String> {
        let (value, spelling) = (&self.reading.value, &self.reading.spelling);
        let long = self.spelling.as_ref().is_some_and(|found| found.digits > PYTHON.digits);
        // Near the recursion limit a hook costs a level more than none.
        let portable = nesting(self.text) <= PORTABLE_DEPTH;
        if portable && value.as_ref().err() != spelling.as_ref().err() && !long {
            return Err(format!("Python with hooks {spelling:?}, without {value:?}"));
        }
        if long && value.is_ok() {
            return Err("Python reads an integer of more than 4,300 digits".to_owned());
        }
        if nesting(self.text) > SERDE_DEPTH {
            return Ok(());
        }
        let serde = std::str::from_utf8(self.text)
            .is_ok_and(|text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok());
        match self.takes(&STRICT) {
            Some(strict) if strict != serde => {
                Err(format!("strict JSON: Python {strict}, serde_json {serde}\ntext: {}", self.text.escape_ascii()))
            }
            _ => Ok(()),
        }
    }
}

/// Everything: the second sources agree, and the verifier agrees with them in every dialect and every way of reading.
///
/// # Errors
/// The first disagreement.
pub fn check(text: &[u8]) -> Result<(), String> {
    let second = SecondSource::read(text).map_err(|error| format!("the oracle broke: {error}"))?;
    second.is_consistent()?;
    for rules in &ALL {
        for way in Way::ALL {
            second.judge(rules, &Transcript::by_verifier(way, text, &rules.dialect))?;
        }
        // The check that keeps nothing.
        let skipped = Reader::new(text, &rules.dialect).and_then(|mut reader| reader.document(&mut Skip));
        if skipped.is_ok() != Document::parse(text, &rules.dialect).is_ok() {
            return Err(format!("{}: checked {skipped:?}, and parsed another way", rules.dialect.name));
        }
    }
    Ok(())
}
