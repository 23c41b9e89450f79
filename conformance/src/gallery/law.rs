//! The page of a law: who fails it, who passes it, and by which cases.

use std::collections::BTreeMap;

use assize_corpus::vector::Weight;
use serde::Serialize;

use super::{
    alike::Alike,
    entry::{Entry, Name},
};
use crate::{
    clean::{clean, word},
    report::{
        Failure, Grade, Totals,
        basis::{Basis, bases},
    },
    suite::Suite,
};

/// The path of the page of a law.
pub(super) fn path(law: &str) -> String {
    format!("laws/{law}.html")
}

/// Its name for people: of the suite, or of a report where the suite has no such law.
pub(super) fn title(law: &str, entries: &[Entry<'_>], suite: &Suite) -> String {
    let told = || entries.iter().find_map(|entry| Some(entry.asked.as_ref()?.law(law)?.title.clone()));
    let known = suite.corpus.laws.get(law).map(|known| known.title.clone());
    clean(&known.or_else(told).unwrap_or_default()).into_owned()
}

/// Everything on the page.
#[derive(Serialize)]
pub(super) struct Page {
    slug: String,
    title: String,
    statement: Option<String>,
    place: Option<Basis>,
    command: String,
    fails: Vec<Row>,
    differs: Vec<Row>,
    holds: Vec<Row>,
    ungraded: Vec<Row>,
    cases: Vec<Failed>,
    alike: Option<Alike>,
}

/// What the law came to for one implementation.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    name: Name,
    grade: &'static str,
    grade_class: String,
    asked: usize,
    #[serde(flatten)]
    counts: Totals,
}

/// A case that somebody fails.
#[derive(Serialize)]
struct Failed {
    id: String,
    rationale: String,
    force: &'static str,
    bases: Vec<Basis>,
    by: Vec<Name>,
}

impl Page {
    pub(super) fn of(law: &str, entries: &[Entry<'_>], suite: &Suite) -> Self {
        let declared = suite.corpus.laws.get(law);
        let rows = |wanted: fn(Grade) -> bool, bound: &[bool]| -> Vec<Row> {
            let those = entries.iter().filter(|entry| bound.contains(&entry.kept.implementation.bound));
            let graded = those.filter_map(|entry| Some((entry, entry.grade(law)?)));
            let row = |(entry, grade): (&Entry<'_>, Grade)| {
                let counts = entry.asked.as_ref().and_then(|asked| Some(asked.law(law)?.counts)).unwrap_or_default();
                Row {
                    name: entry.name(),
                    grade: entry.said(grade.name()),
                    grade_class: entry.said(grade.name()).replace(' ', "-"),
                    asked: counts.pass.saturating_add(counts.fail),
                    counts,
                }
            };
            graded.filter(|(_, grade)| wanted(*grade)).map(row).collect()
        };
        Self {
            slug: law.to_owned(),
            title: title(law, entries, suite),
            statement: declared.map(|law| clean(&law.statement).into_owned()),
            place: declared.map(|law| Basis::of(&law.spec.document, &law.spec.section)),
            command: format!("assize laws {}", word(law)),
            fails: rows(|grade| grade == Grade::Violates, &[true]),
            differs: rows(|grade| grade == Grade::Violates, &[false]),
            holds: rows(Grade::holds, &[true, false]),
            ungraded: rows(|grade| grade == Grade::NotAsked, &[true, false]),
            cases: failed(law, entries, suite),
            alike: Alike::of(law, entries, suite),
        }
    }
}

/// The cases that somebody fails: those that most do first.
fn failed(law: &str, entries: &[Entry<'_>], suite: &Suite) -> Vec<Failed> {
    let mut cases: BTreeMap<&str, (&Failure, Vec<Name>)> = BTreeMap::new();
    for entry in entries {
        let asked = entry.asked.as_ref().filter(|asked| asked.usable());
        for failure in asked.into_iter().flat_map(|asked| &asked.failures).filter(|failure| failure.law == law) {
            let (heaviest, by) = cases.entry(&failure.id).or_insert((failure, Vec::new()));
            if failure.force > heaviest.force {
                *heaviest = failure;
            }
            by.push(entry.name());
        }
    }
    let case = |(id, (failure, by)): (&str, (&Failure, Vec<Name>))| Failed {
        id: clean(id).into_owned(),
        rationale: clean(&failure.rationale).into_owned(),
        force: failure.force.name(),
        bases: bases(failure, suite.corpus.cases.get(id)),
        by,
    };
    let mut cases: Vec<Failed> = cases.into_iter().map(case).collect();
    cases.sort_by_key(|case| (case.force != Weight::Spec.name(), std::cmp::Reverse(case.by.len())));
    cases
}
