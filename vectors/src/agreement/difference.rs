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
    vector::{Expected, Force, Weight},
};

/// How many of those places are told one by one where nothing was expected: an answer may have millions of them.
const TOLD: usize = 1000;

/// The places that were found.
pub(super) struct Found<'w> {
    /// Each of them, but for what there is too much of.
    pub(super) mismatches: Vec<Mismatch>,
    /// How many more there are.
    pub(super) untold: usize,
    /// How many of those that are told stand where nothing was expected.
    surplus: usize,
    /// What one at a pointer weighs where nothing was expected; nothing if it does not count.
    weight: &'w dyn Fn(&str) -> Option<Weight>,
    /// The most that any of these weighs, once there are too many.
    heaviest: Option<Weight>,
    /// Whether there may be too many of the others too: what is expected is a stranger's as well.
    unbounded: bool,
}

impl<'w> Found<'w> {
    /// Nothing yet.
    pub(super) fn new(weight: &'w dyn Fn(&str) -> Option<Weight>) -> Self {
        Self { mismatches: Vec::new(), untold: 0, surplus: 0, weight, heaviest: None, unbounded: false }
    }

    /// Nothing yet, between two answers.
    pub(super) fn between() -> Self {
        Self { unbounded: true, ..Self::new(&|_| None) }
    }

    /// A place where something was expected. There are as many as an expectation has.
    pub(super) fn add(&mut self, pointer: impl Into<String>, expected: Node, actual: Option<Node>) {
        if self.unbounded && self.mismatches.len() >= TOLD {
            self.untold += 1;
            return;
        }
        self.mismatches.push(Mismatch::new(pointer, Some(expected), actual));
    }

    /// A place where nothing was. Of too many one is told only if it weighs more than all before.
    pub(super) fn surplus(&mut self, pointer: &str, actual: impl FnOnce() -> Node) {
        let tell = self.surplus < TOLD || {
            let Some(weight) = (self.weight)(pointer) else { return };
            // Once: it is something from here on.
            if self.heaviest.is_none() {
                let told = self.mismatches.iter().filter(|mismatch| mismatch.expected.is_none());
                self.heaviest = told.filter_map(|mismatch| (self.weight)(&mismatch.pointer)).max();
            }
            let heavier = Some(weight) > self.heaviest;
            self.heaviest = self.heaviest.max(Some(weight));
            heavier
        };
        if tell {
            self.surplus += 1;
            self.mismatches.push(Mismatch::new(pointer, None, Some(actual())));
        } else {
            self.untold += 1;
        }
    }
}

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
pub(super) fn nodes(expected: &Node, actual: &Node, extent: Extent<'_>, pointer: &mut String, found: &mut Found<'_>) {
    match (expected, actual) {
        (Node::Object(wanted), Node::Object(given)) => {
            for (name, want) in wanted {
                let length = push(pointer, name);
                match given.get(name) {
                    Some(give) => nodes(want, give, extent, pointer, found),
                    None => found.add(pointer.clone(), want.clone(), None),
                }
                pointer.truncate(length);
            }
            for (name, give) in given.iter().filter(|(name, _)| !wanted.contains_key(*name)) {
                if !extent.counts(pointer, give) {
                    continue;
                }
                let length = push(pointer, name);
                found.surplus(pointer, || give.clone());
                pointer.truncate(length);
            }
        }
        (Node::Array(wanted), Node::Array(given)) => {
            for index in 0..wanted.len().max(given.len()) {
                let length = push(pointer, &index.to_string());
                match (wanted.get(index), given.get(index)) {
                    (Some(want), Some(give)) => nodes(want, give, extent, pointer, found),
                    (Some(want), None) => found.add(pointer.clone(), want.clone(), None),
                    (None, Some(give)) => found.surplus(pointer, || give.clone()),
                    (None, None) => {}
                }
                pointer.truncate(length);
            }
        }
        _ if expected == actual => {}
        _ => found.add(pointer.clone(), expected.clone(), Some(actual.clone())),
    }
}

/// Compares a document. As a whole, its text must be the canonical text of what is expected.
pub(super) fn document(expected: &Node, text: &str, extent: Extent<'_>, mut pointer: String, found: &mut Found<'_>) {
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
                found.mismatches.push(Mismatch { force, ..Mismatch::new(pointer, expected, actual) });
            }
        }
        Err(error) => {
            let said = Node::Text(format!("no JSON document, {error}: {text}"));
            found.add(pointer, expected.clone(), Some(said));
        }
    }
}

/// Compares bytes.
pub(super) fn bytes(expected: &Expected, actual: &[u8], pointer: String, found: &mut Found<'_>) {
    if expected.bytes().as_deref() == Some(actual) {
        return;
    }
    let same_spelling = expected.node.member("text").and(std::str::from_utf8(actual).ok());
    let actual = same_spelling.map_or_else(|| encoded(actual), |text| spelled("text", text.to_owned()));
    found.add(pointer, expected.node.clone(), Some(actual));
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
