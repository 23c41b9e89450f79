//! The frames of the testee.

use std::{collections::BTreeMap, io};

use assize_corpus::testee::{Answer, Output};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::{Map, Value};

use super::frame::{Chain, VERSION, declared};

/// Cases that may wait for their answers; enough that neither side ever has to wait.
const IN_FLIGHT: u64 = 64;

/// Everything that is sent; members in the order of the protocol's examples.
#[derive(Serialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub(super) enum Reply<'a> {
    Hello { proto: u64, testee: Name, ops: Map<String, Value>, in_flight: u64 },
    Refuse { why: &'a str, supported: [u64; 1] },
    Answer(Judged<'a>),
    Unsupported { id: &'a str, feature: &'a str },
    Fault { id: &'a str, kind: &'a str, message: &'a str },
    Pong { n: i64 },
    Bye { served: u64, chain: &'a str },
}

/// Who speaks.
#[derive(Serialize)]
pub(super) struct Name {
    name: &'static str,
    version: &'static str,
    lang: &'static str,
}

/// A judgement with its receipt.
#[derive(Serialize)]
pub(super) struct Judged<'a> {
    id: &'a str,
    seen: &'a BTreeMap<String, String>,
    is: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    codes: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Outs::is_empty")]
    out: Outs<'a>,
}

/// Outputs: documents as text, bytes as base64, values as they are.
struct Outs<'a>(&'a BTreeMap<String, Output>);

impl Outs<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Outs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, output) in self.0 {
            match output {
                Output::Doc(text) => map.serialize_entry(name, text)?,
                Output::Bytes(bytes) => map.serialize_entry(name, &STANDARD.encode(bytes))?,
                Output::Value(value) => map.serialize_entry(name, value)?,
            }
        }
        map.end()
    }
}

/// Outputs as they travel, for code that shows an answer.
#[must_use]
pub fn outputs(out: &BTreeMap<String, Output>) -> Value {
    serde_json::to_value(Outs(out)).unwrap_or_default()
}

impl Reply<'_> {
    /// The declaration.
    pub(super) fn hello() -> Self {
        let testee = Name { name: "assize", version: env!("CARGO_PKG_VERSION"), lang: "rust" };
        Self::Hello { proto: VERSION, testee, ops: declared(), in_flight: IN_FLIGHT }
    }

    /// The end of a session.
    pub(super) fn bye(chain: &Chain) -> Reply<'_> {
        Reply::Bye { served: chain.served(), chain: chain.link() }
    }

    /// Writes the frame with its line feed into a buffer, which is cleared first.
    pub(super) fn write(&self, line: &mut Vec<u8>) -> io::Result<()> {
        line.clear();
        serde_json::to_writer(&mut *line, self)?;
        line.push(b'\n');
        Ok(())
    }
}

/// An answer as it travels, without receipts and without a line feed.
///
/// # Errors
/// None is known.
pub fn line(id: &str, said: &Answer) -> io::Result<Vec<u8>> {
    let (seen, mut line) = (BTreeMap::new(), Vec::new());
    let (frame, _) = answer(id, &seen, said);
    frame.write(&mut line)?;
    line.pop();
    Ok(line)
}

/// The frame for an answer, and the verdict that goes into the chain, if it is one.
pub(super) fn answer<'a>(
    id: &'a str,
    seen: &'a BTreeMap<String, String>,
    answer: &'a Answer,
) -> (Reply<'a>, Option<&'static str>) {
    let judged = |is, codes, out| (Reply::Answer(Judged { id, seen, is, codes, out: Outs(out) }), Some(is));
    match answer {
        Answer::Accept { out } => judged("accept", None, out),
        Answer::Reject { codes, out } => judged("reject", Some(codes.iter().map(String::as_str).collect()), out),
        Answer::Unsupported { feature } => (Reply::Unsupported { id, feature }, None),
        Answer::Fault { kind, message } => (Reply::Fault { id, kind, message }, None),
    }
}
