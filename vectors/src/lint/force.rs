//! Whether every expectation says with what right it binds, in words that the one who is judged can read.
//!
//! Contract: `vectors/README.md`, Force. A place of a specification is one that `contracts/specs` lists; a ruling binds where the
//! text is silent or contradicts itself, and never where the text says it.

use std::collections::{BTreeMap, BTreeSet};

use super::Linter;
use crate::{
    agreement::is_registered,
    node::Node,
    operation::Operation,
    vector::{
        Case, Expect, Force, Spec, Verdict,
        ruling::{Documents, Stands},
    },
};

/// The origin of a law that states what the protocol fixes, and no specification.
const INTERFACE: &str = "interface";

pub(super) fn check(linter: &mut Linter<'_>) {
    let known = match Documents::load(linter.store) {
        Ok(systems) => places(systems),
        Err(error) => return linter.find(&error.file, &error.place, error.message, &error.remedy),
    };
    let corpus = linter.corpus;
    for (id, case) in &corpus.cases {
        let file = format!("vectors/{id}.json");
        verdict(linter, &file, case);
        let forces = std::iter::once(("/is", &case.force.verdict));
        let forces = forces.chain(case.force.places.iter().map(|(place, force)| (place.text.as_str(), force)));
        for (place, force) in forces {
            rests(linter, &known, &file, place, force, case);
        }
        let answers: Vec<Node> = case.answers().map(whole).collect();
        for (place, _) in case.force.places.iter() {
            if !answers.iter().any(|answer| place.is_in(answer)) {
                let message = format!("no answer of the case has the place {}", place.text);
                linter.find(&file, "/force", message, "name a place of `expect` or `any_of`, or leave it out");
            }
        }
    }
    for operation in linter.table.operations.clone() {
        conventions(linter, &operation);
    }
}

type Known = BTreeMap<String, BTreeSet<String>>;

fn places(systems: Vec<Documents>) -> Known {
    let mut known = Known::new();
    for document in systems.into_iter().flat_map(|system| system.documents) {
        known.entry(document.title).or_default().extend(document.places.into_iter().map(|place| place.section));
    }
    known
}

/// An answer as the object that places point into.
fn whole(expect: &Expect) -> Node {
    let text = |text: &str| Node::Text(text.to_owned());
    let accepts = expect.is == Verdict::Accept;
    let mut answer = BTreeMap::from([("is".to_owned(), text(if accepts { "accept" } else { "reject" }))]);
    if !accepts {
        answer.insert("codes".to_owned(), Node::Array(expect.codes.iter().map(|code| text(code)).collect()));
    }
    let out = expect.out.iter().map(|(name, expected)| (name.clone(), expected.node.clone()));
    answer.insert("out".to_owned(), Node::Object(out.collect()));
    Node::Object(answer)
}

/// A convention condemns nobody, except in the rooms that check what the protocol fixes; and a rejection that a specification has
/// no code for cannot bind by its code.
fn verdict(linter: &mut Linter<'_>, file: &str, case: &Case) {
    let law = linter.corpus.laws.get(case.law());
    if case.force.verdict == Force::Interface && law.is_some_and(|law| law.origin != INTERFACE) {
        let message = "the verdict binds as a convention alone";
        linter.find(
            file,
            "/force",
            message,
            "say which text or ruling it rests on, or move the case to a law of origin interface",
        );
    }
    let codes: BTreeSet<&str> = case.answers().flat_map(|expect| &expect.codes).map(String::as_str).collect();
    let written = case.force.places.iter().find(|(place, _)| place.text.starts_with("/codes"));
    if let Some((place, _)) = written
        && !codes.iter().any(|code| is_registered(code))
    {
        let message = format!("{} has a force, and no code of the case is registered by a specification", place.text);
        linter.find(file, "/force", message, "leave it out: such codes are conventions");
    }
}

/// What a force rests on exists, and says what it has to say.
fn rests(linter: &mut Linter<'_>, known: &Known, file: &str, place: &str, force: &Force, case: &Case) {
    let names = |spec: &Spec| known.get(&spec.document).is_some_and(|sections| sections.contains(&spec.section));
    let (message, remedy) = match force {
        Force::Spec(elsewhere) => {
            let spec = elsewhere.as_ref().unwrap_or(&case.spec);
            if names(spec) {
                return;
            }
            let message =
                format!("{place} binds by {}, {}, which contracts/specs does not list", spec.document, spec.section);
            (message, "name a place of a specification, or the ruling that decides it")
        }
        Force::Permitted if case.any_of.is_empty() => {
            (format!("{place} is permitted, and only one answer is given"), "add every other lawful answer to `any_of`")
        }
        Force::Ruling(id) => match linter.rulings.iter().find(|(_, ruling)| ruling.id == *id) {
            None => {
                (format!("{place} binds by {id}, and there is no such ruling"), "name a ruling of contracts/rulings")
            }
            Some((_, ruling)) if ruling.stands == Stands::Says => (
                format!("{place} binds by {id}, and the text itself says it"),
                "write spec, and name the place of the text in `spec`",
            ),
            Some(_) => return,
        },
        Force::Permitted | Force::Interface => return,
    };
    linter.find(file, "/force", message, remedy);
}

/// What an operation says of all its cases names outputs that it has, and rests on no place of one case.
fn conventions(linter: &mut Linter<'_>, operation: &Operation) {
    let file = format!("{}{}.json", crate::operation::FOLDER, operation.system);
    let outputs: BTreeSet<&str> =
        operation.accept.iter().chain(&operation.reject.out).map(|out| out.name.as_str()).collect();
    for (place, force) in operation.force.iter() {
        let output = place.text.strip_prefix("/out/").and_then(|rest| rest.split('/').next());
        let message = match (output, force) {
            (Some(name), Force::Interface) if outputs.contains(name) || name == "*" => continue,
            (Some(name), Force::Interface) => format!("{} has no output {name}", operation.name),
            _ => format!("{}: {} binds as {force}", operation.name, place.text),
        };
        linter.find(
            &file,
            "/operations",
            message,
            "say here what always is a convention; the rest is said by the cases",
        );
    }
}
