//! Folders of vectors, declared laws and declared systems are one and the same set.
//!
//! Contract: `vectors/README.md`, How to add a law. A law has one slug, and what lists laws derives from the declarations.

use std::collections::{BTreeMap, BTreeSet};

use super::Linter;
use crate::vector::{DeclaredLaw, System, is_case};

/// Below this, a law says why it has so few cases.
const ENOUGH: usize = 25;

pub(super) fn check(linter: &mut Linter<'_>) {
    let corpus = linter.corpus;
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
        linter.find(
            &DeclaredLaw::path(folder),
            "",
            format!("vectors/{folder} holds cases of a law that is not declared"),
            remedy,
        );
    }
    for (slug, law) in &corpus.laws {
        declaration(linter, slug, law);
        renamed(linter, slug, law);
        cases(linter, slug, law, counts.get(slug.as_str()).copied().unwrap_or(0));
    }
    systems(linter);
    for case in corpus.cases.values() {
        let Some(law) = corpus.laws.get(case.law()) else {
            continue;
        };
        if !law.operations.contains(&case.op) {
            let message = format!("{} does not test {}", case.op, case.law());
            linter.find(
                &case.path(),
                "/op",
                message,
                "move the case, or list the operation with the law in contracts/laws",
            );
        }
    }
}

/// What a declaration says by itself.
fn declaration(linter: &mut Linter<'_>, slug: &str, law: &DeclaredLaw) {
    let file = DeclaredLaw::path(slug);
    if law.slug != slug {
        linter.find(&file, "/slug", format!("the slug is {:?}", law.slug), &format!("make it {slug:?}"));
    }
    let system = slug.split('/').next().unwrap_or_default();
    if !linter.systems.iter().any(|known| known.name == system) {
        let remedy = format!("declare it in contracts/{system}/system.json");
        linter.find(&file, "/slug", format!("no system {system} is declared"), &remedy);
    }
    for (index, op) in law.operations.iter().enumerate() {
        if linter.table.find(op).is_none() {
            let remedy = "correct it, or add the operation to contracts/interface/operations";
            linter.find(&file, &format!("/operations/{index}"), format!("no operation {op}"), remedy);
        }
    }
    for (index, id) in law.retired.iter().enumerate() {
        let pointer = format!("/retired/{index}");
        if linter.corpus.cases.contains_key(id) {
            linter.find(&file, &pointer, format!("{id} is retired and in use"), "give the new case another id");
        }
        if !id.starts_with(&format!("{slug}/")) {
            linter.find(&file, &pointer, format!("{id} is not an id of this law"), "list it with its own law");
        }
    }
}

/// What a declaration says of former ids: each leads to a case of the law, and names nothing else, in this law or in another.
fn renamed(linter: &mut Linter<'_>, slug: &str, law: &DeclaredLaw) {
    let (file, corpus) = (DeclaredLaw::path(slug), linter.corpus);
    for (former, now) in &law.renamed {
        let elsewhere = |other: &&DeclaredLaw| other.slug != law.slug && other.renamed.contains_key(former);
        let message = if corpus.cases.contains_key(former) {
            format!("{former} is a former id and in use")
        } else if corpus.laws.values().any(|other| other.retired.contains(former)) {
            format!("{former} is retired, and leads to a case")
        } else if let Some(other) = corpus.laws.values().find(elsewhere) {
            format!("{former} is a former id of {} too", other.slug)
        } else if !now.starts_with(&format!("{slug}/")) {
            format!("{now} is not an id of this law")
        } else if !corpus.cases.contains_key(now) {
            format!("{former} leads to {now}, and no case is called so")
        } else {
            continue;
        };
        let remedy = "let each former id lead to the one case that had it, in the declaration of that case's law";
        linter.find(&file, "/renamed", message, remedy);
    }
}

/// What a declaration says of the law's cases.
fn cases(linter: &mut Linter<'_>, slug: &str, law: &DeclaredLaw, count: usize) {
    let file = DeclaredLaw::path(slug);
    if !law.is_judged() {
        if count > 0 {
            let remedy = format!("remove vectors/{slug}, or name the law's operations");
            linter.find(&file, "/unjudged", "says that no operation can judge this law, and it has cases", &remedy);
        }
        return;
    }
    if count == 0 {
        let remedy = format!("add its cases as vectors/{slug}, or say under `unjudged` why there can be none");
        return linter.find(&file, "", format!("{slug} has no folder of vectors"), &remedy);
    }
    match &law.fewer {
        None if count < ENOUGH => {
            let message = format!("{count} cases, fewer than {ENOUGH}");
            linter.find(&file, "", message, "add cases, or the reason as `fewer`");
        }
        Some(_) if count >= ENOUGH => {
            linter.find(&file, "/fewer", format!("{count} cases are no longer few"), "remove `fewer`");
        }
        _ => {}
    }
}

/// A system is called as its folder, and no two share what the ids of their rulings begin with.
fn systems(linter: &mut Linter<'_>) {
    let declared: Vec<_> = System::paths(linter.store).collect();
    let named: BTreeSet<String> =
        linter.systems.iter().map(|system| format!("contracts/{}/system.json", system.name)).collect();
    for path in declared.into_iter().filter(|path| !named.contains(*path)) {
        linter.find(path, "/name", "the system is not called as its folder", "correct the name, or move the file");
    }
    let mut families: BTreeMap<String, String> = BTreeMap::new();
    for system in linter.systems.clone() {
        for family in system.rulings {
            if let Some(other) = families.insert(family.clone(), system.name.clone()) {
                let file = format!("contracts/{}/system.json", system.name);
                let message = format!("rulings of {other} are called {family} too");
                linter.find(&file, "/rulings", message, "call the rulings of one system otherwise");
            }
        }
    }
}
