//! Where two values part: every place, not the first.
//!
//! Values are compared by number token. A document that must have its canonical bytes is compared member by member
//! first, so that a report says which member differs and not only that some byte does.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::Mismatch;
use crate::{
    closed::ClosedPlaces,
    node::{Node, push},
    testee::Output,
    vector::{Expected, Force},
};

/// How much of an answer is compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent<'a> {
    /// Whether members that were not expected count everywhere, and documents have to be spelled canonically.
    pub(super) whole: bool,
    /// Where they count all the same.
    pub(super) closed: Option<&'a ClosedPlaces>,
}

impl Extent<'_> {
    /// Everything.
    pub(super) const WHOLE: Self = Self { whole: true, closed: None };

    /// Whether a member counts that was not expected in the object at a pointer.
    fn counts(self, pointer: &str, member: &Node) -> bool {
        let closed = self.closed.and_then(|closed| closed.at(pointer));
        self.whole || closed.is_some_and(|closed| closed.forbids(member))
    }
}

/// Compares two nodes.
pub(super) fn nodes(
    expected: &Node,
    actual: &Node,
    extent: Extent<'_>,
    pointer: &mut String,
    found: &mut Vec<Mismatch>,
) {
    match (expected, actual) {
        (Node::Object(wanted), Node::Object(given)) => {
            for (name, want) in wanted {
                let length = push(pointer, name);
                match given.get(name) {
                    Some(give) => nodes(want, give, extent, pointer, found),
                    None => {
                        found.push(Mismatch::new(pointer.clone(), Some(want.clone()), None));
                    }
                }
                pointer.truncate(length);
            }
            for (name, give) in given.iter().filter(|(name, _)| !wanted.contains_key(*name)) {
                if !extent.counts(pointer, give) {
                    continue;
                }
                let length = push(pointer, name);
                found.push(Mismatch::new(pointer.clone(), None, Some(give.clone())));
                pointer.truncate(length);
            }
        }
        (Node::Array(wanted), Node::Array(given)) => {
            for index in 0..wanted.len().max(given.len()) {
                let length = push(pointer, &index.to_string());
                match (wanted.get(index), given.get(index)) {
                    (Some(want), Some(give)) => nodes(want, give, extent, pointer, found),
                    (want, give) => found.push(Mismatch::new(pointer.clone(), want.cloned(), give.cloned())),
                }
                pointer.truncate(length);
            }
        }
        _ if expected == actual => {}
        _ => {
            let (expected, actual) = (Some(expected.clone()), Some(actual.clone()));
            found.push(Mismatch::new(pointer.clone(), expected, actual));
        }
    }
}

/// Compares a document. As a whole, its text must be the canonical text of what is expected.
pub(super) fn document(
    expected: &Node,
    text: &str,
    extent: Extent<'_>,
    mut pointer: String,
    found: &mut Vec<Mismatch>,
) {
    if extent.whole && expected.canonical() == text {
        return;
    }
    match Node::parse(text) {
        Ok(actual) => {
            nodes(expected, &actual, extent, &mut pointer, found);
            // White space, member order, escapes: another spelling than the document's own value has. It is a difference of its own,
            // so that one member of no weight does not hide it; no text says how an answer is spelled.
            let canonical = actual.canonical();
            if extent.whole && canonical != text {
                let (expected, actual) = (Some(Node::Text(canonical)), Some(Node::Text(text.to_owned())));
                let force = Some(Force::Interface);
                found.push(Mismatch { force, ..Mismatch::new(pointer, expected, actual) });
            }
        }
        Err(error) => {
            let said = Node::Text(format!("no JSON document, {error}: {text}"));
            found.push(Mismatch::new(pointer, Some(expected.clone()), Some(said)));
        }
    }
}

/// Compares bytes.
pub(super) fn bytes(expected: &Expected, actual: &[u8], pointer: String, found: &mut Vec<Mismatch>) {
    if expected.bytes().as_deref() == Some(actual) {
        return;
    }
    let same_spelling = expected.node.member("text").and(std::str::from_utf8(actual).ok());
    let actual = same_spelling.map_or_else(|| encoded(actual), |text| spelled("text", text.to_owned()));
    found.push(Mismatch::new(pointer, Some(expected.node.clone()), Some(actual)));
}

/// An output that nobody expected, as a node.
pub(super) fn shown(output: &Output) -> Node {
    match output {
        Output::Doc(text) => Node::Text(text.clone()),
        Output::Bytes(bytes) => encoded(bytes),
        Output::Value(value) => Node::from(value),
    }
}

fn encoded(bytes: &[u8]) -> Node {
    spelled("base64", STANDARD.encode(bytes))
}

fn spelled(name: &str, text: String) -> Node {
    Node::Object([(name.to_owned(), Node::Text(text))].into())
}
