//! A field of an answer at which two sides differ, without its index.

use std::{collections::BTreeMap, fmt};

use assize_corpus::{
    agreement::Mismatch,
    node::Node,
    testee::{Answer, Output},
};

/// Members whose values say which law, code or verdict: they are part of the place.
const NAMED: [&str; 13] = [
    "law",
    "code",
    "reason_code",
    "surface",
    "kind",
    "status",
    "verdict",
    "outcome",
    "exception",
    "error",
    "deny_code",
    "claim_check",
    "receipt_integrity",
];
/// Members that name an element of an array.
const LABELS: [&str; 5] = ["law", "reason_code", "code", "surface", "kind"];
/// Members that follow from others of the same answer.
const DERIVED: [&str; 8] = [
    "report_id",
    "sha256",
    "exit_code",
    "record_hash",
    "prev_hash",
    "ledger_last_hash",
    "summary_hash",
    "dag_root_hash",
];
/// A longer text names nothing.
const WORD: usize = 64;

/// One field of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// JSON Pointer into the answer; an index is `*`, with what names the element in brackets.
    pub pointer: String,
    /// What the verifier has there: a word where the field names one, otherwise the kind of its value.
    pub ours: String,
    /// What the testee has there.
    pub theirs: String,
}

impl Place {
    /// Every word that the place names.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let labels = self.pointer.split(['(', ')']).skip(1).step_by(2).flat_map(|label| label.split(' '));
        [self.ours.as_str(), self.theirs.as_str()].into_iter().chain(labels)
    }

    fn derived(&self) -> bool {
        self.pointer.rsplit('/').next().is_some_and(|last| DERIVED.contains(&last))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} against {}", self.pointer, self.ours, self.theirs)
    }
}

/// The places of these mismatches, each once.
pub(super) fn of(ours: &Answer, theirs: &Answer, mismatches: &[Mismatch]) -> Vec<Place> {
    let (ours, theirs) = (whole(ours), whole(theirs));
    let mut places: Vec<Place> = Vec::new();
    for mismatch in mismatches {
        for place in Walk::new(&ours, &theirs).places(mismatch) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    if places.iter().any(|place| !place.derived()) {
        places.retain(|place| !place.derived());
    }
    places
}

/// An answer as one value, as far as pointers lead through it.
fn whole(answer: &Answer) -> Node {
    let (Answer::Accept { out } | Answer::Reject { out, .. }) = answer else { return Node::Null };
    let outputs = out.iter().map(|(name, output)| {
        let node = match output {
            Output::Value(value) => Node::from(value),
            Output::Doc(text) => Node::parse(text).unwrap_or(Node::Null),
            Output::Bytes(_) => Node::Null,
        };
        (name.clone(), node)
    });
    Node::Object(BTreeMap::from([("out".to_owned(), Node::Object(outputs.collect()))]))
}

/// A way through both answers along one pointer.
struct Walk<'n> {
    ours: Option<&'n Node>,
    theirs: Option<&'n Node>,
    pointer: String,
}

impl<'n> Walk<'n> {
    fn new(ours: &'n Node, theirs: &'n Node) -> Self {
        Self { ours: Some(ours), theirs: Some(theirs), pointer: String::new() }
    }

    fn places(mut self, mismatch: &Mismatch) -> Vec<Place> {
        let mut last = "";
        for segment in mismatch.pointer.split('/').skip(1) {
            last = segment;
            if let (Some(Node::Array(ours)), Some(Node::Array(theirs))) = (self.ours, self.theirs)
                && ours.len() != theirs.len()
            {
                // By position everything after a missing element would differ.
                return self.unpaired(ours, theirs);
            }
            self.enter(segment);
        }
        let ours = shown(last, mismatch.expected.as_ref());
        let theirs = shown(last, mismatch.actual.as_ref());
        vec![Place { pointer: self.pointer, ours, theirs }]
    }

    fn enter(&mut self, segment: &str) {
        let index = matches!(self.ours.or(self.theirs), Some(Node::Array(_)));
        (self.ours, self.theirs) = (step(self.ours, segment), step(self.theirs, segment));
        self.pointer.push('/');
        match self.ours.or(self.theirs) {
            Some(element) if index => self.pointer.push_str(&label(element)),
            _ if index => self.pointer.push('*'),
            _ => self.pointer.push_str(segment),
        }
    }

    /// The elements that only one side has.
    fn unpaired(&self, ours: &[Node], theirs: &[Node]) -> Vec<Place> {
        let place = |element: &Node, ours: &str, theirs: &str| Place {
            pointer: format!("{}/{}", self.pointer, label(element)),
            ours: ours.to_owned(),
            theirs: theirs.to_owned(),
        };
        let mut places: Vec<Place> =
            left(ours, theirs).into_iter().map(|element| place(element, "present", "absent")).collect();
        places.extend(left(theirs, ours).into_iter().map(|element| place(element, "absent", "present")));
        places
    }
}

/// What is left of `these` when an equal element is removed for each of `those`.
fn left<'n>(these: &'n [Node], those: &[Node]) -> Vec<&'n Node> {
    let mut those: Vec<&Node> = those.iter().collect();
    let mut left = Vec::new();
    for element in these {
        match those.iter().position(|other| *other == element) {
            Some(place) => drop(those.swap_remove(place)),
            None => left.push(element),
        }
    }
    left
}

fn step<'n>(node: Option<&'n Node>, segment: &str) -> Option<&'n Node> {
    match node? {
        Node::Object(members) => members.get(&segment.replace("~1", "/").replace("~0", "~")),
        Node::Array(items) => items.get(segment.parse::<usize>().ok()?),
        _ => None,
    }
}

/// `*`, and in brackets what names the element.
fn label(element: &Node) -> String {
    let own = LABELS.iter().filter_map(|name| word(element.member(name)?));
    let diagnosed = element.member("diagnostic").and_then(|diagnostic| word(diagnostic.member("law")?));
    let words: Vec<&str> = own.chain(diagnosed).collect();
    if words.is_empty() { "*".to_owned() } else { format!("*({})", words.join(" ")) }
}

fn word(node: &Node) -> Option<&str> {
    node.text().filter(|text| !text.is_empty() && text.len() <= WORD && !text.contains(['(', ')', ' ']))
}

fn shown(name: &str, node: Option<&Node>) -> String {
    let kind = match node {
        None => "absent",
        Some(node) if NAMED.contains(&name) && word(node).is_some() => word(node).unwrap_or_default(),
        Some(Node::Null) => "null",
        Some(Node::Bool(true)) => "true",
        Some(Node::Bool(false)) => "false",
        Some(Node::Number(_)) => "a number",
        Some(Node::Text(_)) => "a string",
        Some(Node::Array(_)) => "an array",
        Some(Node::Object(_)) => "an object",
    };
    kind.to_owned()
}
