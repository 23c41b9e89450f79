//! The JSON reader takes the texts that Python takes, and makes the same values of them.

use assize::minimise::input::Question;
use assize_inputs::texts::text_of;

use crate::documents::{DocumentError, Documents};
use crate::oracles::json_reader;
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct JsonReaderVsPython;

impl Target for JsonReaderVsPython {
    const NAME: &'static str = "json_reader_vs_python";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str =
        "what is JSON in each dialect, and which value: Python's `json`, and `serde_json` for RFC 8259";
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
        vec![Question::of("canon.bytes").arg("profile", "authority").doc("doc", "text")]
    }

    fn check(text: &Vec<u8>) -> Result<(), String> {
        json_reader::check(text)
    }
}
