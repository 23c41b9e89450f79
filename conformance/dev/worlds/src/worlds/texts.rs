//! All JSON texts of a few symbols, and their canonical forms in every profile.
//!
//! Spec: RFC 8259; RFC 8785; the operation table `canon.bytes`.

use std::ops::Range;

use assize_oracle::texts::{Form, forms};
use assize_verifier::canon::{CanonError, CanonRefusalKind, Profile, canonicalize};

use crate::{
    ask::differ,
    prefix::may_begin,
    search::{Facts, Tally, World},
    sequences,
};

/// Texts over an alphabet.
#[derive(Debug)]
pub(crate) struct Texts {
    name: &'static str,
    symbols: &'static [&'static [u8]],
    /// The longest texts that are searched whole; of longer ones those whose beginning may begin a valid text.
    whole: usize,
    bounds: [usize; 2],
}

/// Characters: everything that the grammar gives a meaning to, and some that it does not.
pub(crate) const CHARACTERS: Texts = Texts {
    name: "texts",
    symbols: &[
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"\"",
        b"\\",
        b"-",
        b"+",
        b".",
        b"0",
        b"1",
        b"e",
        b" ",
        b"\n",
        b"n",
        b"null",
        "é".as_bytes(),
        b"\x80",
    ],
    whole: 6,
    bounds: [3, 7],
};

/// Whole tokens, of which a few make an object with a repeated name, a number at a border, or half a surrogate pair.
pub(crate) const TOKENS: Texts = Texts {
    name: "tokens",
    symbols: &[
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"\"a\"",
        b"\"b\"",
        b"\"\\u0061\"",
        b"\"\\ud800\"",
        "\"\u{ff61}\"".as_bytes(),
        "\"\u{1f600}\"".as_bytes(),
        b"\"\\u000a\\/\"",
        b"-0",
        b"1",
        b"1.0",
        b"-0.0",
        b"1e400",
        b"9007199254740992",
        b"-9007199254740991",
        b"1E21",
        b"NaN",
        b"-Infinity",
        b"true",
        b" ",
    ],
    whole: 5,
    bounds: [3, 7],
};

/// The order in which the second source answers.
const PROFILES: [Profile; 4] = [Profile::Rfc8785, Profile::Episode, Profile::Sovereign, Profile::Authority];

impl Texts {
    fn text(&self, sequence: &[usize]) -> Vec<u8> {
        sequence
            .iter()
            .filter_map(|symbol| self.symbols.get(*symbol))
            .flat_map(|symbol| symbol.iter().copied())
            .collect()
    }

    /// Adds what grows from a beginning by so many symbols, each of which may still become a valid text before the last one.
    fn grow(&self, text: &[u8], more: usize, texts: &mut Vec<Vec<u8>>) {
        if !may_begin(text) {
            return;
        }
        for symbol in self.symbols {
            let longer = [text, symbol].concat();
            if more > 1 {
                self.grow(&longer, more - 1, texts);
            } else {
                texts.push(longer);
            }
        }
    }
}

impl World for Texts {
    fn facts(&self) -> Facts {
        let shown = |symbol: &&[u8]| match *symbol {
            b" " => "space".to_owned(),
            b"\x80" => "byte 80".to_owned(),
            b"\n" => "line feed".to_owned(),
            symbol => format!("`{}`", String::from_utf8_lossy(symbol)),
        };
        Facts {
            name: self.name,
            alphabet: format!(
                "{}: {}",
                self.symbols.len(),
                self.symbols.iter().map(shown).collect::<Vec<_>>().join(" ")
            ),
            bounds: self.bounds,
        }
    }

    fn size(&self, bound: usize) -> u64 {
        let more = bound.saturating_sub(self.whole);
        // One place for each longest beginning and each number of symbols that it grows by.
        sequences::count(self.symbols.len(), bound.min(self.whole))
            + sequences::power(self.symbols.len(), self.whole) * more as u64
    }

    fn batch(&self) -> u64 {
        4_000
    }

    fn check(&self, _bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String> {
        let symbols = self.symbols.len();
        let whole = sequences::count(symbols, self.whole);
        let beginnings = sequences::power(symbols, self.whole);
        let (mut texts, mut begins) = (Vec::new(), Vec::new());
        for place in places {
            if place < whole {
                texts.push(self.text(&sequences::at(symbols, place)));
            } else {
                let (more, beginning) = ((place - whole) / beginnings, (place - whole) % beginnings);
                let text = self.text(&sequences::of_length(symbols, self.whole, beginning));
                self.grow(&text, usize::try_from(more).unwrap_or_default() + 1, &mut texts);
            }
            begins.resize(texts.len(), place);
        }
        let told = forms(&texts).map_err(|error| error.to_string())?;
        let mut told = told.iter().peekable();
        for (index, (text, place)) in texts.iter().zip(&begins).enumerate() {
            let expected = told.next_if(|(of, _)| *of == index).map(|(_, forms)| forms);
            tally.judge(*place, judge(text, expected));
        }
        Ok(())
    }
}

/// Whether some profile takes the text; or the first profile that the two differ in.
fn judge(text: &[u8], expected: Option<&[Form; 4]>) -> Result<bool, String> {
    let mut accepted = false;
    for (index, profile) in PROFILES.into_iter().enumerate() {
        let found = canonicalize(profile, text);
        let same = match (&found, expected.and_then(|forms| forms.get(index))) {
            (Err(CanonError::Json(_)), None) => true,
            (Err(CanonError::Json(_)), Some(Form::Refused(reason))) => reason == "unreadable",
            (Err(CanonError::Value { refusal, .. }), Some(Form::Refused(reason))) => *reason == word(refusal.kind),
            (Ok(octets), Some(Form::Bytes(expected))) => octets.as_slice() == expected,
            _ => false,
        };
        if !same {
            let found = found.map(|octets| octets.as_slice().escape_ascii().to_string());
            let expected = expected.and_then(|forms| forms.get(index)).map(|form| match form {
                Form::Bytes(octets) => octets.escape_ascii().to_string(),
                Form::Refused(reason) => format!("refused: {reason}"),
            });
            return Err(differ(&format!("canon.bytes, {}", profile.name()), text, &expected, &found));
        }
        accepted |= found.is_ok();
    }
    Ok(accepted)
}

/// The second source's word for a reason.
fn word(kind: CanonRefusalKind) -> &'static str {
    match kind {
        CanonRefusalKind::Float => "float",
        CanonRefusalKind::NegativeZero => "negative zero",
        CanonRefusalKind::NonFinite => "non-finite",
        CanonRefusalKind::UnsafeInteger => "unsafe integer",
        CanonRefusalKind::LoneSurrogate => "lone surrogate",
        CanonRefusalKind::Duplicate => "repeated name",
        CanonRefusalKind::Depth => "depth",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_source_that_is_wrong_is_noticed() {
        let forms = forms(&[b"[1e0]"]).unwrap().remove(0).1;
        assert_eq!(judge(b"[1e0]", Some(&forms)), Ok(true));
        for index in 0..4 {
            let mut wrong = forms.clone();
            wrong[index] = Form::Bytes(b"[1 ]".to_vec());
            assert!(judge(b"[1e0]", Some(&wrong)).is_err(), "{index}");
        }
        assert!(judge(b"[1e0]", None).is_err());
        assert_eq!(judge(b"[1e]", None), Ok(false));
        assert!(judge(b"[1e]", Some(&forms)).is_err());
    }

    /// What the filter of long texts leaves out cannot become valid: nothing valid of a length that is searched whole begins with it.
    #[test]
    fn every_beginning_of_a_valid_text_may_begin_one() {
        for world in [&CHARACTERS, &TOKENS] {
            let symbols = world.symbols.len();
            let texts: Vec<_> = (0..sequences::count(symbols, 3)).map(|place| sequences::at(symbols, place)).collect();
            let valid = forms(&texts.iter().map(|sequence| world.text(sequence)).collect::<Vec<_>>()).unwrap();
            assert!(valid.len() > 50, "{}", valid.len());
            for (index, _) in valid {
                for length in 0..=texts[index].len() {
                    let beginning = world.text(&texts[index][..length]);
                    assert!(may_begin(&beginning), "{}", beginning.escape_ascii());
                }
            }
        }
    }
}
