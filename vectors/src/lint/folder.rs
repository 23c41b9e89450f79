//! Folders of vectors, declared laws and declared systems are one and the same set.
//!
//! Contract: `vectors/README.md`, How to add a law. A law has one slug, and what lists laws derives from the declarations.

use std::collections::{BTreeMap, BTreeSet};

use super::Desk;
use crate::vector::{Law, System, is_case};

/// Below this, a law says why it has so few cases.
const ENOUGH: usize = 25;

pub(super) fn check(desk: &mut Desk<'_>) {
    let corpus = desk.corpus;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for id in corpus.cases.keys() {
        if let Some((folder, _)) = id.rsplit_once('/') {
            *counts.entry(folder).or_default() += 1;
        }
    }
    for error in corpus.errors.iter().filter(|error| is_case(&error.file)) {
        // A case that does not load is still a file of the folder.
        let below = error.file.strip_prefix("vectors/").unwrap_or_default();
        if let Some((folder, _)) = below.rsplit_once('/') {
            *counts.entry(folder).or_default() += 1;
        }
    }
    for folder in counts.keys().filter(|folder| !corpus.laws.contains_key(**folder)) {
        let remedy = "declare the law, or move the cases to theirs";
        desk.find(
            &Law::path(folder),
            "",
            format!("vectors/{folder} holds cases of a law that is not declared"),
            remedy,
        );
    }
    for (slug, law) in &corpus.laws {
        declaration(desk, slug, law);
        cases(desk, slug, law, counts.get(slug.as_str()).copied().unwrap_or(0));
    }
    systems(desk);
    for case in corpus.cases.values() {
        let Some(law) = corpus.laws.get(case.law()) else {
            continue;
        };
        if !law.operations.contains(&case.op) {
            let message = format!("{} does not test {}", case.op, case.law());
            desk.find(
                &case.path(),
                "/op",
                message,
                "move the case, or list the operation with the law in contracts/laws",
            );
        }
    }
}

/// What a declaration says by itself.
fn declaration(desk: &mut Desk<'_>, slug: &str, law: &Law) {
    let file = Law::path(slug);
    if law.slug != slug {
        desk.find(&file, "/slug", format!("the slug is {:?}", law.slug), &format!("make it {slug:?}"));
    }
    let system = slug.split('/').next().unwrap_or_default();
    if !desk.systems.iter().any(|known| known.name == system) {
        let remedy = format!("declare it in contracts/{system}/system.json");
        desk.find(&file, "/slug", format!("no system {system} is declared"), &remedy);
    }
    for (index, op) in law.operations.iter().enumerate() {
        if desk.table.find(op).is_none() {
            let remedy = "correct it, or add the operation to contracts/interface/operations";
            desk.find(&file, &format!("/operations/{index}"), format!("no operation {op}"), remedy);
        }
    }
    for (index, id) in law.retired.iter().enumerate() {
        let pointer = format!("/retired/{index}");
        if desk.corpus.cases.contains_key(id) {
            desk.find(&file, &pointer, format!("{id} is retired and in use"), "give the new case another id");
        }
        if !id.starts_with(&format!("{slug}/")) {
            desk.find(&file, &pointer, format!("{id} is not an id of this law"), "list it with its own law");
        }
    }
}

/// What a declaration says of the law's cases.
fn cases(desk: &mut Desk<'_>, slug: &str, law: &Law, count: usize) {
    let file = Law::path(slug);
    if !law.is_judged() {
        if count > 0 {
            let remedy = format!("remove vectors/{slug}, or name the law's operations");
            desk.find(&file, "/unjudged", "says that no operation can judge this law, and it has cases", &remedy);
        }
        return;
    }
    if count == 0 {
        let remedy = format!("add its cases as vectors/{slug}, or say under `unjudged` why there can be none");
        return desk.find(&file, "", format!("{slug} has no folder of vectors"), &remedy);
    }
    match &law.fewer {
        None if count < ENOUGH => {
            let message = format!("{count} cases, fewer than {ENOUGH}");
            desk.find(&file, "", message, "add cases, or the reason as `fewer`");
        }
        Some(_) if count >= ENOUGH => {
            desk.find(&file, "/fewer", format!("{count} cases are no longer few"), "remove `fewer`");
        }
        _ => {}
    }
}

/// A system is called as its folder, and no two share what the ids of their rulings begin with.
fn systems(desk: &mut Desk<'_>) {
    let declared: Vec<_> = System::paths(desk.store).collect();
    let named: BTreeSet<String> =
        desk.systems.iter().map(|system| format!("contracts/{}/system.json", system.name)).collect();
    for path in declared.into_iter().filter(|path| !named.contains(*path)) {
        desk.find(path, "/name", "the system is not called as its folder", "correct the name, or move the file");
    }
    let mut families: BTreeMap<String, String> = BTreeMap::new();
    for system in desk.systems.clone() {
        for family in system.rulings {
            if let Some(other) = families.insert(family.clone(), system.name.clone()) {
                let file = format!("contracts/{}/system.json", system.name);
                let message = format!("rulings of {other} are called {family} too");
                desk.find(&file, "/rulings", message, "call the rulings of one system otherwise");
            }
        }
    }
}
