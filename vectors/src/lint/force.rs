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
        Case, Expect, Force, Spec,
        ruling::{Documents, Stands},
    },
};

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
            rests(linter, &known, &file, place, force, Some(case));
        }
        let answers: Vec<Node> = case.answers().map(Expect::node).collect();
        for (place, _) in case.force.places.iter() {
            if !answers.iter().any(|answer| place.is_in(answer)) {
                let message = format!("no answer of the case has the place {}", place.text);
                linter.find(&file, "/force", message, "name a place of `expect` or `any_of`, or leave it out");
            }
        }
    }
    let asked: BTreeSet<&str> = corpus.cases.values().map(|case| case.op.as_str()).collect();
    for operation in linter.table.operations.clone().iter().filter(|operation| asked.contains(operation.name.as_str()))
    {
        general(linter, &known, operation);
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

/// A convention condemns nobody, except in the rooms that check what the protocol fixes; and a rejection that a specification has
/// no code for cannot bind by its code.
fn verdict(linter: &mut Linter<'_>, file: &str, case: &Case) {
    let law = linter.corpus.laws.get(case.law());
    if case.force.verdict == Force::Interface && law.is_some_and(|law| !law.is_interface()) {
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

/// What a force rests on exists, and says what it has to say. `spec` is the place of what has no other.
fn rests(linter: &mut Linter<'_>, known: &Known, file: &str, place: &str, force: &Force, case: Option<&Case>) {
    let names = |spec: &Spec| known.get(&spec.document).is_some_and(|sections| sections.contains(&spec.section));
    let (message, remedy) = match (force, case) {
        (Force::Spec(None), None) => {
            (format!("{place} binds by the place of no case"), "name document and section of a specification")
        }
        (Force::Spec(elsewhere), case) => {
            let Some(spec) = elsewhere.as_ref().or(case.map(|case| &case.spec)).filter(|spec| !names(spec)) else {
                return;
            };
            let message =
                format!("{place} binds by {}, {}, which contracts/specs does not list", spec.document, spec.section);
            (message, "name a place of a specification, or the ruling that decides it")
        }
        (Force::Permitted, case) if case.is_none_or(|case| case.any_of.is_empty()) => {
            (format!("{place} is permitted, and only one answer is given"), "add every other lawful answer to `any_of`")
        }
        (Force::Ruling(id), _) => match linter.rulings.iter().find(|(_, ruling)| ruling.id == *id) {
            None => {
                (format!("{place} binds by {id}, and there is no such ruling"), "name a ruling of contracts/rulings")
            }
            Some((_, ruling)) if ruling.stands == Stands::Says => (
                format!("{place} binds by {id}, and the text itself says it"),
                "write spec, and name the place of the text in `spec`",
            ),
            Some(_) => return,
        },
        (Force::Permitted | Force::Interface, _) => return,
    };
    linter.find(file, "/force", message, remedy);
}

/// What an operation says of all its cases names outputs that it has.
fn general(linter: &mut Linter<'_>, known: &Known, operation: &Operation) {
    let file = format!("{}{}.json", crate::operation::FOLDER, operation.system);
    let outputs: BTreeSet<&str> =
        operation.accept.iter().chain(&operation.reject.out).map(|out| out.name.as_str()).collect();
    for (place, force) in operation.force.iter() {
        rests(linter, known, &file, &place.text, force, None);
    }
    let places = operation.force.iter().map(|(place, _)| place).chain(operation.closed.iter().map(|(place, _)| place));
    for place in places {
        let output = place.text.strip_prefix("/out/").and_then(|rest| rest.split('/').next());
        if output.is_none_or(|name| !outputs.contains(name)) {
            let message = format!("{} has no output at {}", operation.name, place.text);
            linter.find(&file, "/operations", message, "name a place below /out that the operation has");
        }
    }
}
