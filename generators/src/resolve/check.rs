//! An expectation as a list of checks on the answer.
//!
//! Contract: `vectors/README.md`, Agreement. What `exact`, `located` and `verdict` mean is applied here: an exact
//! output is one check of the whole value, a located one a check for each listed leaf, and the verdict alone is one
//! check.

use assize_corpus::{
    node::{Node, push},
    operation::{Kind, Table},
    vector::{Agreement, Case, Expect, Expected, Verdict},
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
}

/// What is demanded of a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Demand {
    /// The value of this JSON text; numbers by their token.
    Canonical(String),
    /// This set of codes.
    Codes(Vec<String>),
    /// Exactly these bytes.
    Base64(String),
    /// Exactly this text of a document.
    Text(String),
    /// An array of so many items.
    Length(usize),
    /// An object, whatever is in it.
    Object(bool),
    /// An object with exactly these names.
    Names(Vec<String>),
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
    let mut found = List::default();
    found.add("/is", Demand::Canonical(format!("{word:?}")));
    if case.agreement == Agreement::Verdict {
        return Ok(found.checks);
    }
    if !accepts {
        found.add("/codes", Demand::Codes(expect.codes.iter().cloned().collect()));
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
        found.add("/out", Demand::Names(expect.out.keys().cloned().collect()));
    }
    Ok(found.checks)
}

#[derive(Default)]
struct List {
    checks: Vec<Check>,
}

impl List {
    fn add(&mut self, pointer: &str, demand: Demand) {
        self.checks.push(Check { pointer: pointer.to_owned(), demand });
    }

    fn output(&mut self, name: &str, kind: Kind, expected: &Expected, agreement: Agreement) -> Option<()> {
        let mut pointer = "/out".to_owned();
        push(&mut pointer, name);
        match (kind, agreement) {
            (Kind::Bytes, _) => self.add(&pointer, Demand::Base64(encoded(&expected.bytes()?))),
            (Kind::Doc, Agreement::Exact) => self.add(&pointer, Demand::Text(expected.node.canonical())),
            (Kind::Value, Agreement::Exact) => self.add(&pointer, Demand::Canonical(expected.node.canonical())),
            (_, _) => self.located(&expected.node, &mut pointer),
        }
        Some(())
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
                self.add(pointer, Demand::Length(items.len()));
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
