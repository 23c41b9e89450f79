//! The judge of an emitted suite, in a few lines: the checks of a resolved case, and nothing that the corpus knows.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    agreement::Outcome,
    node::Node,
    operation::{Kind, Operation},
    testee::{Answer, Output},
    vector::Weight,
};
use assize_generators::resolve::{Check, Demand, Resolved};
use base64::{Engine as _, engine::general_purpose::STANDARD};

/// What an answer comes to: its strongest failing check, and its outcome.
pub(super) type Verdict = (Option<Weight>, Outcome);

/// Of several alternatives the lightest, then the nearest.
pub(super) fn judge(case: &Resolved, operation: &Operation, answer: &Answer) -> Verdict {
    let view = View::new(operation, answer);
    case.expect.iter().map(|checks| view.verdict(checks)).min().unwrap()
}

/// What stands at a place of an answer.
enum Found<'a> {
    Nothing,
    Node(&'a Node),
    /// An output without a value: bytes, text that is not a document, or what its operation has in another form.
    Opaque,
}

/// An answer, with the value of each output that has one.
struct View<'a> {
    is: Node,
    codes: BTreeSet<String>,
    values: BTreeMap<&'a str, Option<Node>>,
    out: &'a BTreeMap<String, Output>,
}

impl<'a> View<'a> {
    fn new(operation: &Operation, answer: &'a Answer) -> Self {
        let (accepts, codes, out) = match answer {
            Answer::Accept { out } => (true, BTreeSet::new(), out),
            Answer::Reject { codes, out } => (false, codes.clone(), out),
            other => panic!("{other:?}"),
        };
        let value = |name: &str, output: &Output| match (operation.kind(accepts, name)?, output) {
            (Kind::Doc, Output::Doc(text)) => Node::parse(text).ok(),
            (Kind::Value, Output::Value(value)) => Some(Node::parse(&value.to_string()).unwrap()),
            _ => None,
        };
        Self {
            is: Node::Text(if accepts { "accept" } else { "reject" }.to_owned()),
            codes,
            values: out.iter().map(|(name, output)| (name.as_str(), value(name, output))).collect(),
            out,
        }
    }

    fn verdict(&self, checks: &[Check]) -> Verdict {
        let failing: Vec<&Check> = checks.iter().filter(|check| !self.holds(check)).collect();
        if let Some(check) = failing.iter().find(|check| check.pointer == "/is") {
            return (Some(weight(check)), Outcome::WrongVerdict);
        }
        let outcome = match failing.as_slice() {
            [] => Outcome::Pass,
            failing if failing.iter().any(|check| check.pointer == "/codes") => Outcome::WrongCode,
            _ => Outcome::WrongOutput,
        };
        (failing.into_iter().map(weight).max(), outcome)
    }

    fn holds(&self, check: &Check) -> bool {
        let output = check.pointer.strip_prefix("/out/").and_then(|name| self.out.get(name));
        match (&check.demand, self.at(&check.pointer)) {
            (Demand::Codes(codes), _) => self.codes.iter().eq(codes),
            (Demand::Registered(codes), _) => {
                let counts = |code: &&String| !code.starts_with("A_") && !code.contains('/') && *code != "ABORT";
                self.codes.iter().filter(counts).eq(codes)
            }
            (Demand::Base64(text), _) => {
                matches!(output, Some(Output::Bytes(bytes)) if STANDARD.encode(bytes) == *text)
            }
            (Demand::Text(text), _) => matches!(output, Some(Output::Doc(doc)) if doc == text),
            (Demand::Spelled(_), Found::Node(node)) => {
                matches!(output, Some(Output::Doc(doc)) if node.canonical() == *doc)
            }
            (Demand::Canonical(text), Found::Node(node)) => node.canonical() == *text,
            (Demand::Object(_), Found::Node(node)) => matches!(node, Node::Object(_)),
            (Demand::Array(_), Found::Node(node)) => matches!(node, Node::Array(_)),
            (Demand::Within(names), _) if check.pointer == "/out" => self.out.keys().all(|name| names.contains(name)),
            (Demand::Within(names), Found::Node(Node::Object(members))) => {
                members.keys().all(|name| names.contains(name))
            }
            (Demand::Filled(names), Found::Node(Node::Object(members))) => {
                members.iter().all(|(name, member)| names.contains(name) || holds_nothing(member))
            }
            (Demand::Most(most), Found::Node(Node::Array(items))) => items.len() <= *most,
            // That one has to stand there is another check's business.
            (Demand::Within(_) | Demand::Filled(_) | Demand::Most(_), _) => true,
            (Demand::Empty(_), Found::Node(node)) => holds_nothing(node),
            (Demand::Empty(_), _) => true,
            (Demand::Absent(_), found) => matches!(found, Found::Nothing),
            _ => false,
        }
    }

    fn at(&self, pointer: &str) -> Found<'_> {
        let mut steps = pointer.split('/').skip(1).map(|name| name.replace("~1", "/").replace("~0", "~"));
        let mut node = match (steps.next().as_deref(), steps.next()) {
            (Some("is"), None) => &self.is,
            (Some("out"), Some(name)) => match self.values.get(name.as_str()) {
                Some(Some(node)) => node,
                Some(None) if steps.next().is_none() => return Found::Opaque,
                _ => return Found::Nothing,
            },
            _ => return Found::Opaque,
        };
        for name in steps {
            let below = match node {
                Node::Object(members) => members.get(&name),
                Node::Array(items) => name.parse().ok().and_then(|index: usize| items.get(index)),
                _ => None,
            };
            match below {
                Some(below) => node = below,
                None => return Found::Nothing,
            }
        }
        Found::Node(node)
    }
}

fn holds_nothing(node: &Node) -> bool {
    matches!(node.canonical().as_str(), "[]" | "{}")
}

fn weight(check: &Check) -> Weight {
    match check.force.as_str() {
        "spec" => Weight::Spec,
        "interface" => Weight::Interface,
        ruling => {
            assert!(ruling.starts_with("ruling "), "{ruling}");
            Weight::Ruling
        }
    }
}
