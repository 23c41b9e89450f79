//! An expectation as a list of checks on the answer.
//!
//! Contract: `vectors/README.md`, Agreement and Force. What `exact`, `located` and `verdict` mean is applied here: an exact
//! output is one check of the whole value, a located one a check for each listed leaf and one for each object that its operation
//! closes, and the verdict alone is one check. An exact value whose parts bind with different force is taken apart, so that each check
//! has one.
//!
//! Whatever an answer is, its strongest failing check weighs what the harness says it weighs. So no check says two things that could
//! weigh differently: that an array stands there is one, that it has no more items another, and an item that is missing fails its own.

use std::collections::BTreeSet;

use assize_corpus::{
    agreement::is_registered,
    closed::{Closed, ClosedPlaces},
    node::{Node, push},
    operation::{Kind, Table},
    vector::{Agreement, Bound, Case, Expect, Expected, Force, Verdict, Weight},
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

impl Check {
    /// Where several answers are permitted, one that equals none of them is against the specification.
    fn new(pointer: &str, force: &Force, demand: Demand) -> Self {
        let force = match force {
            Force::Spec(_) | Force::Permitted => "spec".to_owned(),
            Force::Ruling(id) => format!("ruling {id}"),
            Force::Interface => "interface".to_owned(),
        };
        Self { pointer: pointer.to_owned(), demand, force }
    }
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
    /// An object, whatever is in it.
    Object(bool),
    /// Where an object stands, no other names than these.
    Within(Vec<String>),
    /// Where an object stands, under no other names than these more than an empty array or object.
    Filled(Vec<String>),
    /// An array, whatever is in it.
    Array(bool),
    /// Where an array stands, no more items than so many.
    Most(usize),
    /// Nothing.
    Absent(bool),
    /// Nothing, or an array or object that holds nothing.
    Empty(bool),
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
    let bound = Bound::new(&case.force, Some(&operation.force));
    let mut found = List { bound, closed: &operation.closed, checks: Vec::new() };
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
        found.no_other_names(expect.out.keys(), Closed::All, "/out");
    }
    Ok(found.checks)
}

struct List<'c> {
    bound: Bound<'c>,
    closed: &'c ClosedPlaces,
    checks: Vec<Check>,
}

impl List<'_> {
    fn add(&mut self, pointer: &str, demand: Demand) {
        self.add_as(pointer, self.bound.at(pointer), demand);
    }

    fn add_as(&mut self, pointer: &str, force: &Force, demand: Demand) {
        self.checks.push(Check::new(pointer, force, demand));
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
        let whole = agreement == Agreement::Exact;
        match kind {
            Kind::Bytes => self.add(&pointer, Demand::Base64(encoded(&expected.bytes()?))),
            // How a document is spelled is a convention, so that it is a check of its own where what it says is more.
            Kind::Doc if whole && self.bound.is_uniform(&pointer) && *self.bound.at(&pointer) == Force::Interface => {
                self.add(&pointer, Demand::Text(expected.node.canonical()));
            }
            Kind::Doc | Kind::Value => {
                if whole && kind == Kind::Doc {
                    self.add_as(&pointer, &Force::Interface, Demand::Spelled(true));
                }
                self.value(&expected.node, whole, &mut pointer);
            }
        }
        Some(())
    }

    /// The listed members of a value, and its items by position; `whole`: and no others. What is whole and has one force throughout
    /// is one check. The result is what its checks weigh where nothing stands there: an absent value weighs as the strongest of what
    /// is expected at its place or below.
    fn value(&mut self, node: &Node, whole: bool, pointer: &mut String) -> Weight {
        let own = self.bound.at(pointer).weight();
        let together = whole && self.bound.is_uniform(pointer);
        let (first, length) = (self.checks.len(), pointer.len());
        match node {
            Node::Object(members) if !together => {
                let mut parts = None;
                for (name, member) in members {
                    push(pointer, name);
                    parts = parts.max(Some(self.value(member, whole, pointer)));
                    pointer.truncate(length);
                }
                // A pointer cannot tell an object's "0" from an array's first item, nor an empty object from anything else.
                let unclear = members.keys().all(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
                if unclear || parts < Some(own) {
                    self.checks.insert(first, Check::new(pointer, self.bound.at(pointer), Demand::Object(true)));
                }
                match self.closed.at(pointer) {
                    _ if whole => self.no_other_names(members.keys(), Closed::All, pointer),
                    Some(closed) => self.no_other_names(members.keys(), closed, pointer),
                    None => {}
                }
                parts.map_or(own, |parts| parts.max(own))
            }
            Node::Array(items) if !together => {
                self.add(pointer, Demand::Array(true));
                self.no_more_items(items.len(), pointer);
                let mut weight = own;
                for (index, item) in items.iter().enumerate() {
                    push(pointer, &index.to_string());
                    weight = weight.max(self.value(item, whole, pointer));
                    pointer.truncate(length);
                }
                weight
            }
            all => {
                self.add(pointer, Demand::Canonical(all.canonical()));
                own
            }
        }
    }

    /// No member but these, or none that holds something. What is there and not expected weighs as its own place does: a name that some
    /// place mentions may weigh otherwise than all the rest.
    fn no_other_names<'n>(&mut self, names: impl Iterator<Item = &'n String>, closed: Closed, pointer: &str) {
        let bound = self.bound;
        let others = bound.others(pointer);
        let mut names: BTreeSet<String> = names.cloned().collect();
        for name in bound.named(pointer) {
            let place = child(pointer, name);
            if !names.contains(name) && bound.at(&place).weight() != others.weight() {
                self.add(&place, if closed == Closed::All { Demand::Absent(true) } else { Demand::Empty(true) });
                names.insert(name.to_owned());
            }
        }
        let names = names.into_iter().collect();
        let demand = if closed == Closed::All { Demand::Within(names) } else { Demand::Filled(names) };
        self.add_as(pointer, others, demand);
    }

    /// No item after the first so many; each of those has checks of its own, which say when there are fewer.
    fn no_more_items(&mut self, count: usize, pointer: &str) {
        let bound = self.bound;
        let others = bound.others(pointer);
        let mut most = count;
        while bound.at(&child(pointer, &most.to_string())).weight() < others.weight() {
            self.add(&child(pointer, &most.to_string()), Demand::Absent(true));
            most += 1;
        }
        for index in bound.named(pointer) {
            let place = child(pointer, index);
            let is_more = index.parse().is_ok_and(|at: usize| at >= most);
            if is_more && bound.at(&place).weight() > others.weight() {
                self.add(&place, Demand::Absent(true));
            }
        }
        self.add_as(pointer, others, Demand::Most(most));
    }
}

fn child(pointer: &str, name: &str) -> String {
    let mut place = pointer.to_owned();
    push(&mut place, name);
    place
}
