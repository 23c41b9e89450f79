//! Canonical bytes are their own canonical form, in every profile, and no text makes the writer panic.
//!
//! One exception, an erratum (CN-1): `episode` writes a double from 2^53 to 10^21 as an integer, which it would not read. It is granted
//! for the doubles that stand in the text, and for nothing else that looks like one.

use assize::minimise::input::Question;
use assize_verifier::canon::{CanonRefusalKind, Profile, canonicalize};

use crate::documents::{DocumentError, Documents};
use crate::oracles::spelling::numbers;
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct CanonIdempotent;

/// Canonical bytes, or why there are none; without a reason where the text is not JSON.
pub type Written = Result<Vec<u8>, Option<CanonRefusalKind>>;

impl CanonIdempotent {
    /// Judges what writes canonical bytes: the verifier, or a writer that is wrong on purpose.
    ///
    /// # Errors
    /// The first form that is not its own.
    pub fn judge(text: &[u8], write: impl Fn(Profile, &[u8]) -> Written) -> Result<(), String> {
        for profile in Profile::ALL {
            let Ok(once) = write(profile, text) else { continue };
            let again = write(profile, &once);
            let excused = again == Err(Some(CanonRefusalKind::UnsafeInteger))
                && profile == Profile::Episode
                && unsafe_integers(&once) == unsafe_doubles(text);
            if again.as_ref() != Ok(&once) && !excused {
                return Err(format!("{}: {} became {again:?}", profile.name(), once.escape_ascii()));
            }
        }
        Ok(())
    }
}

/// Ruling CN-1: `1e16` is a double, its canonical spelling an integer that is refused.
fn unsafe_doubles(text: &[u8]) -> Vec<u64> {
    let doubles = numbers(text).into_iter().filter(|token| token.contains(['.', 'e', 'E']));
    sorted(doubles.filter(|token| token.parse().is_ok_and(|double: f64| (UNSAFE..SPELLED_OUT).contains(&double.abs()))))
}

/// Integers that the form has and would refuse.
fn unsafe_integers(form: &[u8]) -> Vec<u64> {
    let integers = numbers(form).into_iter().filter(|token| !token.contains(['.', 'e', 'E']));
    sorted(integers.filter(|token| token.parse().is_ok_and(|double: f64| double.abs() >= UNSAFE)))
}

/// 2^53, from which on integers are refused, and 10^21, from which on doubles have an exponent.
const UNSAFE: f64 = 9_007_199_254_740_992.0;
const SPELLED_OUT: f64 = 1e21;

/// The doubles that tokens stand for, as bits and by size: members may have moved.
fn sorted(tokens: impl Iterator<Item = String>) -> Vec<u64> {
    let mut doubles: Vec<u64> = tokens.filter_map(|token| token.parse().ok().map(f64::to_bits)).collect();
    doubles.sort_unstable();
    doubles
}

impl Target for CanonIdempotent {
    const NAME: &'static str = "canon_idempotent";
    const KIND: Kind = Kind::Property;
    const LAW: &'static str = "`canon/*`: canonical bytes are their own canonical form, in every profile (of `episode` but for doubles from 2^53 on, which it spells as integers)";
    type Input = Vec<u8>;

    fn decode(octets: &[u8]) -> Option<Vec<u8>> {
        Some(octets.to_vec())
    }

    fn documents(text: &Vec<u8>) -> Documents {
        Documents::default().with("text", text)
    }

    fn input(documents: &Documents) -> Result<Vec<u8>, DocumentError> {
        documents.octets("text")
    }

    fn asks(_text: &Vec<u8>) -> Vec<Question> {
        vec![Question::of("canon.bytes").arg("profile", "episode").doc("doc", "text")]
    }

    fn check(text: &Vec<u8>) -> Result<(), String> {
        Self::judge(text, |profile, text| {
            canonicalize(profile, text).map(|form| form.as_slice().to_vec()).map_err(|error| error.refusal())
        })
    }
}
