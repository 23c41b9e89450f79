//! A case taken apart, so that a relation can change question and expectation together.
//!
//! Whatever can be rewritten without another byte moving stands as a tree; all else stands as it is, and a relation that
//! would have to change it does not apply.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{json, value::RawValue};

use super::tree::Tree;
use crate::{
    node::Node,
    testee::{Answer, Output},
    vector::{Case, Document, Entry, Expect, Expected, Verdict},
};

/// Where a tree of a draft stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seat {
    /// A document of the question.
    Document(String),
    /// A file of the case's folder.
    File(String),
    /// An argument.
    Argument(String),
    /// An output of the first answer that conforms, or of a further one.
    Output(usize, String),
}

impl Seat {
    /// Whether it belongs to what is asked, not to what is expected.
    pub(super) fn is_asked(&self) -> bool {
        !matches!(self, Self::Output(..))
    }
}

/// A case taken apart.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// What can be rewritten.
    pub(super) trees: BTreeMap<Seat, Tree>,
    /// Documents that are not a plain tree.
    pub(super) raw_documents: Vec<Vec<u8>>,
    /// Files that are not a tree of exactly their bytes.
    pub(super) raw_files: BTreeMap<String, Entry>,
}

impl Draft {
    /// Takes a case apart; nothing where an expectation cannot be read.
    pub(super) fn of(case: &Case) -> Option<Self> {
        let mut draft = Self { trees: BTreeMap::new(), raw_documents: Vec::new(), raw_files: BTreeMap::new() };
        for (name, document) in &case.inputs {
            match tree(document) {
                Some(tree) => drop(draft.trees.insert(Seat::Document(name.clone()), tree)),
                None => draft.raw_documents.push(document.bytes()),
            }
        }
        for (path, entry) in &case.files {
            let tree = match entry {
                Entry::File(document) => tree(document).filter(|tree| tree.print().into_bytes() == document.bytes()),
                _ => None,
            };
            match tree {
                Some(tree) => drop(draft.trees.insert(Seat::File(path.clone()), tree)),
                None => drop(draft.raw_files.insert(path.clone(), entry.clone())),
            }
        }
        for (name, value) in &case.args {
            draft.trees.insert(Seat::Argument(name.clone()), Tree::parse(&value.to_string())?);
        }
        for (index, expect) in case.answers().enumerate() {
            for (name, expected) in &expect.out {
                draft.trees.insert(Seat::Output(index, name.clone()), Tree::parse(expected.raw.get())?);
            }
        }
        Some(draft)
    }

    /// The tree of a document.
    pub(super) fn document(&mut self, name: &str) -> Option<&mut Tree> {
        self.trees.get_mut(&Seat::Document(name.to_owned()))
    }

    /// The case with what the draft says in the place of what it said.
    pub(super) fn case(&self, base: &Case) -> Option<Case> {
        let mut case = base.clone();
        case.files = self.raw_files.clone();
        case.root = None;
        let (first, further) = (&mut case.expect, &mut case.any_of);
        for (seat, tree) in &self.trees {
            let text = tree.print();
            match seat {
                Seat::Document(name) => drop(case.inputs.insert(name.clone(), Document::Text(text))),
                Seat::File(path) => drop(case.files.insert(path.clone(), Entry::File(Document::Text(text)))),
                Seat::Argument(name) => drop(case.args.insert(name.clone(), serde_json::from_str(&text).ok()?)),
                Seat::Output(0, name) => drop(first.out.insert(name.clone(), expected(text)?)),
                Seat::Output(index, name) => {
                    let expect = further.get_mut(index - 1)?;
                    expect.out.insert(name.clone(), expected(text)?);
                }
            }
        }
        Some(case)
    }
}

/// The tree of a document, if it has one.
pub(super) fn tree(document: &Document) -> Option<Tree> {
    Tree::parse(std::str::from_utf8(&document.bytes()).ok()?)
}

/// An expected output of this text.
pub(super) fn expected(text: String) -> Option<Expected> {
    let node = Node::parse(&text).ok()?;
    Some(Expected { raw: RawValue::from_string(text).ok()?, node })
}

/// An acceptance with these outputs.
pub(super) fn accepts(outputs: impl IntoIterator<Item = (&'static str, String)>) -> Option<Expect> {
    let out = outputs.into_iter().map(|(name, text)| Some((name.to_owned(), expected(text)?)));
    Some(Expect { is: Verdict::Accept, codes: Default::default(), out: out.collect::<Option<_>>()? })
}

/// What an answer says, as an expectation without the texts that are for people: what a relation has to be told of one of two answers
/// to say what the other is. Nothing for an answer that does not judge.
#[must_use]
pub fn answered(answer: &Answer) -> Option<Expect> {
    let (is, codes, out) = match answer {
        Answer::Accept { out } => (Verdict::Accept, BTreeSet::new(), out),
        Answer::Reject { codes, out } => (Verdict::Reject, codes.clone(), out),
        _ => return None,
    };
    let said = |(name, output): (&String, &Output)| {
        let text = match output {
            Output::Doc(text) => text.clone(),
            Output::Value(value) => value.to_string(),
            Output::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => json!({ "text": text }).to_string(),
                Err(_) => json!({ "base64": STANDARD.encode(bytes) }).to_string(),
            },
        };
        let mut tree = Tree::parse(&text)?;
        tree.each_mut("", &mut |_, value| silence(value));
        Some((name.clone(), expected(tree.print())?))
    };
    Some(Expect { is, codes, out: out.iter().map(said).collect::<Option<_>>()? })
}

/// Takes out of a finding, an advice, an issue or a row of a report what it tells people.
fn silence(value: &mut Tree) {
    let told = ["law", "stage", "surface"].into_iter().any(|name| value.member(name).is_some());
    if let Tree::Object(members) = value
        && told
    {
        members.retain(|(name, _)| !matches!(name.says(), "message" | "diagnostic" | "text"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_expected_without_what_it_tells_people() {
        let findings = json!([{"law": "a/b", "message": "m", "text": "t", "pointer": "/text"}]);
        let answer = Answer::accept([
            ("findings", Output::Value(findings)),
            ("bytes", Output::Bytes(b"\xff".to_vec())),
            ("text", Output::Value("t".into())),
        ]);
        let node = answered(&answer).unwrap().node().canonical();
        let told = r#"{"bytes":{"base64":"/w=="},"findings":[{"law":"a/b","pointer":"/text"}],"text":"t"}"#;
        assert_eq!(node, format!(r#"{{"is":"accept","out":{told}}}"#));
        let codes = answered(&Answer::reject("A_JSON")).unwrap().codes;
        assert_eq!(codes, ["A_JSON".to_owned()].into());
        assert!(answered(&Answer::Unsupported { feature: "f".to_owned() }).is_none());
    }
}
