//! The authority oracle against its three neighbours: the fact sheet, the corpus and the verifier.
//!
//! Spec: Kernel Contract 0.1.0, with the readings of `facts/authority.md`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test code stops at the first surprise"
)]

mod differential;
mod generate;
mod sheet;
mod spelling;
mod tamper;
mod vectors;

use assize_corpus::node::Node;
use assize_corpus::operation::{self, Kind};
use assize_corpus::testee::{Answer, Output, Request};
use assize_oracle::authority::{self, Provenance};
use serde_json::Value;

/// What the oracle says to a request, in the corpus's terms.
fn oracle(request: &Request) -> Answer {
    let document = |name: &str| request.docs.get(name).expect("the operation's document").as_slice();
    let argument = |name: &str| request.args.get(name);
    let answer = match request.op.as_str() {
        "authority.chain" => authority::chain(document("records")),
        "authority.run" => authority::run(document("inputs")),
        "authority.dag" => {
            authority::dag(argument("run_id").and_then(Value::as_str).expect("a run id"), document("ops"))
        }
        "authority.replay" => {
            let confidence = argument("confidence").map_or_else(|| "null".to_owned(), Value::to_string);
            let source = argument("source").and_then(Value::as_str).unwrap_or("heuristic");
            authority::replay(document("records"), Provenance { source, confidence: &confidence })
        }
        other => panic!("{other} is no operation of the oracle"),
    };
    match answer.expect("the oracle works") {
        authority::Answer::Reject(codes) => Answer::Reject { codes, out: Default::default() },
        authority::Answer::Accept(outputs) => {
            let table = operation::table().find(&request.op).expect("an operation of the table");
            Answer::accept(outputs.into_iter().map(|(name, text)| {
                let output = match table.kind(true, &name) {
                    Some(Kind::Doc) => Output::Doc(text),
                    Some(Kind::Value) => Output::Value(serde_json::from_str(&text).expect("plain JSON")),
                    other => panic!("{name} is of kind {other:?}"),
                };
                (name, output)
            }))
        }
    }
}

/// A request with one document.
fn request(op: &str, document: &str, text: impl Into<Vec<u8>>) -> Request {
    let docs = [(document.to_owned(), text.into())].into();
    Request { op: op.to_owned(), args: Default::default(), docs, root: None }
}

/// The outputs of what has to be an acceptance.
fn accepted(answer: Answer) -> impl Fn(&str) -> Node {
    let Answer::Accept { out } = answer else { panic!("{answer:?}") };
    move |name| match out.get(name).unwrap_or_else(|| panic!("no {name}")) {
        Output::Doc(text) => Node::parse(text).expect("a document"),
        Output::Value(value) => Node::from(value),
        Output::Bytes(_) => panic!("{name} is bytes"),
    }
}
