//! Canonical bytes, and what has none, are the second sources' in every profile.

use assize::minimise::input::Question;
use assize_inputs::texts::text_of;
use assize_verifier::canon::Profile;

use crate::documents::{DocumentError, Documents};
use crate::oracles::canonical_forms::{Form, SecondSource};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct CanonVsPython;

impl Target for CanonVsPython {
    const NAME: &'static str = "canon_vs_python";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str =
        "`canon/*`: Python's `json` writes `sovereign` and `authority`, an RFC 8785 crate `rfc8785` and `episode`";
    type Input = Vec<u8>;

    fn decode(octets: &[u8]) -> Option<Vec<u8>> {
        Some(text_of(octets))
    }

    fn documents(text: &Vec<u8>) -> Documents {
        Documents::default().with("text", text)
    }

    fn input(documents: &Documents) -> Result<Vec<u8>, DocumentError> {
        documents.octets("text")
    }

    fn asks(_text: &Vec<u8>) -> Vec<Question> {
        vec![Question::of("canon.bytes").arg("profile", "sovereign").doc("doc", "text")]
    }

    fn check(text: &Vec<u8>) -> Result<(), String> {
        let second = SecondSource::read(text).map_err(|error| format!("the oracle broke: {error}"))?;
        Profile::ALL.into_iter().try_for_each(|profile| second.judge(profile, &Form::of_verifier(profile, text)))
    }
}
