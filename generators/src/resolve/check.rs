//! An expectation as a list of checks on the answer.
//!
//! Contract: `vectors/README.md`, Agreement and Force. What `exact`, `located` and `verdict` mean is applied here: an exact
//! output is one check of the whole value, a located one a check for each listed leaf, and the verdict alone is one
//! check. An exact value whose parts bind with different force is taken apart, so that each check has one.

use assize_corpus::{
    agreement::is_registered,
    node::{Node, push},
    operation::{Kind, Table},
    vector::{Agreement, Bound, Case, Expect, Expected, Force, Verdict},
};
use serde::Serialize;

use super::{ResolveError, encoded};

/// One demand on one place of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// JSON Pointer into `{is, codes, out}`; below an output that is a document it goes on inside the document.
    pub pointer: String,
    /// What is demanded there.
    #[serde(flatten)]
    pub demand: Demand,
    /// With what right: `spec`, `interface`, or `ruling` with its id.
    pub force: String,
}

/// What is demanded of a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Demand {
    /// The value of this JSON text; numbers by their token.
    Canonical(String),
    /// This set of codes.
    Codes(Vec<String>),
    /// This set of those codes that a specification registers: without those that begin with `A_`, hold a `/`, or are `ABORT`.
    Registered(Vec<String>),
    /// Exactly these bytes.
    Base64(String),
    /// Exactly this text of a document.
    Text(String),
    /// A document whose text is the canonical text of its own value.
    Spelled(bool),
    /// An array of so many items.
    Length(usize),
    /// An object, whatever is in it.
    Object(bool),
    /// An object with no other names than these.
    Within(Vec<String>),
}

/// The checks of one answer that conforms.
pub(super) fn checks(case: &Case, expect: &Expect, table: &Table) -> Result<Vec<Check>, ResolveError> {
    let broken = |message: String, remedy| ResolveError { case: case.id.clone(), message, remedy };
    let Some(operation) = table.find(&case.op) else {
        let message = format!("the operation {:?} is not in the table", case.op);
        return Err(broken(message, "add it to contracts/interface/operations, or correct the case"));
    };
    let accepts = expect.is == Verdict::Accept;
    let word = if accepts { "accept" } else { "reject" };
    let mut found = List { bound: Bound::new(&case.force, Some(&operation.force)), checks: Vec::new() };
    found.add("/is", Demand::Canonical(format!("{word:?}")));
    if case.agreement == Agreement::Verdict {
        return Ok(found.checks);
    }
    if !accepts {
        found.codes(expect);
    }
    for (name, expected) in &expect.out {
        let Some(kind) = operation.kind(accepts, name) else {
            let message = format!("the table has no output {name:?} of {} here", case.op);
            return Err(broken(message, "add it to contracts/interface/operations, or correct the case"));
        };
        if found.output(name, kind, expected, case.agreement).is_none() {
            let message = format!("the output {name:?} is bytes and is not spelled so");
            return Err(broken(message, "write them as text or base64"));
        }
    }
    if case.agreement == Agreement::Exact {
        found.add_as("/out", found.of_others("/out"), Demand::Within(expect.out.keys().cloned().collect()));
    }
    Ok(found.checks)
}

struct List<'c> {
    bound: Bound<'c>,
    checks: Vec<Check>,
}

/// The name of a check's force. Where several answers are permitted, one that equals none of them is against the specification.
fn named(force: &Force) -> String {
    match force {
        Force::Spec(_) | Force::Permitted => "spec".to_owned(),
        Force::Ruling(id) => format!("ruling {id}"),
        Force::Interface => "interface".to_owned(),
    }
}

impl<'c> List<'c> {
    fn add(&mut self, pointer: &str, demand: Demand) {
        self.add_as(pointer, self.bound.at(pointer), demand);
    }

    fn add_as(&mut self, pointer: &str, force: &Force, demand: Demand) {
        self.checks.push(Check { pointer: pointer.to_owned(), demand, force: named(force) });
    }

    /// The force of a member or an item that the expectation does not have.
    fn of_others(&self, pointer: &str) -> &'c Force {
        // No member of a case has this name, so that only a place with `*` can mean it.
        self.bound.at(&format!("{pointer}/~1"))
    }

    /// Registered codes bind as the verdict does; all codes together are a convention.
    fn codes(&mut self, expect: &Expect) {
        let registered: Vec<String> = expect.codes.iter().filter(|code| is_registered(code)).cloned().collect();
        if !registered.is_empty() {
            self.add_as("/codes", self.bound.at("/is"), Demand::Registered(registered));
        }
        self.add_as("/codes", &Force::Interface, Demand::Codes(expect.codes.iter().cloned().collect()));
    }

    fn output(&mut self, name: &str, kind: Kind, expected: &Expected, agreement: Agreement) -> Option<()> {
        let mut pointer = "/out".to_owned();
        push(&mut pointer, name);
        match (kind, agreement) {
            (Kind::Bytes, _) => self.add(&pointer, Demand::Base64(encoded(&expected.bytes()?))),
            (Kind::Doc, Agreement::Exact) if self.bound.is_uniform(&pointer) => {
                self.add(&pointer, Demand::Text(expected.node.canonical()));
            }
            (Kind::Doc, Agreement::Exact) => {
                self.add(&pointer, Demand::Spelled(true));
                self.exact(&expected.node, &mut pointer);
            }
            (Kind::Value, Agreement::Exact) => self.exact(&expected.node, &mut pointer),
            (_, _) => self.located(&expected.node, &mut pointer),
        }
        Some(())
    }

    /// The whole value, taken apart as far as its parts differ in force.
    fn exact(&mut self, node: &Node, pointer: &mut String) {
        let length = pointer.len();
        match node {
            Node::Object(members) if !self.bound.is_uniform(pointer) => {
                self.add(pointer, Demand::Object(true));
                let names = members.keys().cloned().collect();
                self.add_as(pointer, self.of_others(pointer), Demand::Within(names));
                for (name, member) in members {
                    push(pointer, name);
                    self.exact(member, pointer);
                    pointer.truncate(length);
                }
            }
            Node::Array(items) if !self.bound.is_uniform(pointer) => {
                self.length(items.len(), pointer);
                for (index, item) in items.iter().enumerate() {
                    push(pointer, &index.to_string());
                    self.exact(item, pointer);
                    pointer.truncate(length);
                }
            }
            whole => self.add(pointer, Demand::Canonical(whole.canonical())),
        }
    }

    /// How many items there are: what is missing fails by its own checks too, so that one too many or too few weighs as an item
    /// does of which nothing is known.
    fn length(&mut self, length: usize, pointer: &str) {
        self.add_as(pointer, self.of_others(pointer), Demand::Length(length));
    }

    /// The listed members alone; arrays by position and of equal length.
    fn located(&mut self, node: &Node, pointer: &mut String) {
        let length = pointer.len();
        match node {
            Node::Object(members) => {
                // A pointer cannot tell an object's "0" from an array's first item, nor an empty object from anything else.
                if members.keys().all(|name| name.bytes().all(|byte| byte.is_ascii_digit())) {
                    self.add(pointer, Demand::Object(true));
                }
                for (name, member) in members {
                    push(pointer, name);
                    self.located(member, pointer);
                    pointer.truncate(length);
                }
            }
            Node::Array(items) => {
                self.length(items.len(), pointer);
                for (index, item) in items.iter().enumerate() {
                    push(pointer, &index.to_string());
                    self.located(item, pointer);
                    pointer.truncate(length);
                }
            }
            leaf => self.add(pointer, Demand::Canonical(leaf.canonical())),
        }
    }
}
