//! The authority oracle against its neighbours: hashes of the public kernel, the corpus, and the verifier on what the
//! targets judge.
//!
//! Spec: Kernel Contract 0.1.0; rulings AU-1 to AU-46.

mod differential;
mod sheet;
mod vectors;

use assize_corpus::node::Node;
use assize_corpus::testee::{Answer, Output, Request};
use assize_fuzzing::oracles::authority;

/// What the oracle says to a request.
fn oracle(request: &Request) -> Answer {
    authority::oracle(request).expect("the oracle works")
}

fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

fn number(token: impl ToString) -> Node {
    Node::Number(token.to_string())
}

fn object<const N: usize>(members: [(&str, Node); N]) -> Node {
    Node::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
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
