//! Canonical bytes are their own canonical form, in every profile, and no text makes the writer panic.
//!
//! One exception, by a ruling: `jcs` writes a double from 2^53 to 10^21 as an integer, which it would not read.

use assize_verifier::canon::{Profile, TroubleKind, canonicalize};

use crate::documents::{DocumentError, Documents};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct CanonIdempotent;

impl Target for CanonIdempotent {
    const NAME: &'static str = "canon_idempotent";
    const KIND: Kind = Kind::Property;
    const LAW: &'static str = "`canon/*`: canonical bytes are their own canonical form, in every profile (of `jcs` but for doubles from 2^53 on, which it spells as integers)";
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

    fn check(text: &Vec<u8>) -> Result<(), String> {
        for profile in Profile::ALL {
            if let Ok(once) = canonicalize(profile, text) {
                let again = canonicalize(profile, once.as_slice());
                // Ruling 26 of the episode sheet: 1e16 is a double, its canonical spelling an integer that is refused.
                let doubled = |trouble| profile == Profile::Jcs && trouble == Some(TroubleKind::UnsafeInteger);
                if again.as_ref() != Ok(&once) && !again.as_ref().is_err_and(|error| doubled(error.trouble())) {
                    return Err(format!("{}: {} became {again:?}", profile.name(), once.as_slice().escape_ascii()));
                }
            }
        }
        Ok(())
    }
}
