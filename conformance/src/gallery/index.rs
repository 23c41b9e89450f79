//! The index: every implementation in a row, with its grade and those of the laws.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    entry::{Entry, Name},
    law,
};
use crate::{
    bench::State,
    clean::clean,
    report::{Grade, view::NOT_PROVEN},
    suite::Suite,
};

/// Everything on the page.
#[derive(Serialize)]
pub(super) struct Index {
    laws: Vec<Law>,
    groups: Vec<Group>,
    /// Those of which there is nothing to say.
    short: Vec<Short>,
    names: usize,
    versions: usize,
    /// Grades that there are, with their numbers, for the filter.
    words: Vec<(&'static str, usize)>,
    revisions: Vec<Revision>,
    not_proven: [&'static str; 5],
}

/// A law as a column, and as a row of its own.
#[derive(Serialize)]
struct Law {
    slug: String,
    title: String,
    page: String,
    fails: usize,
    differs: usize,
    holds: usize,
    ungraded: usize,
}

/// The versions of one name.
#[derive(Serialize)]
struct Group {
    name: String,
    /// Libraries of two languages may have one name.
    language: String,
    rows: Vec<Row>,
}

/// One version.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    name: Name,
    marks: Vec<Mark>,
    asked: usize,
    suite: String,
    /// Whether it was asked from the suite of this gallery.
    current: bool,
}

/// What a law comes to.
#[derive(Serialize)]
struct Mark {
    word: &'static str,
    class: String,
    spec: usize,
    ruling: usize,
}

/// An implementation that was not judged.
#[derive(Serialize)]
struct Short {
    #[serde(flatten)]
    name: Name,
    why: String,
}

/// A corpus from which some were asked.
#[derive(Serialize)]
struct Revision {
    suite: String,
    cases: usize,
    versions: usize,
    current: bool,
    /// Whether only laws and operations are others than those of this gallery.
    relaid: bool,
}

impl Index {
    pub(super) fn of(entries: &[Entry<'_>], suite: &Suite) -> Self {
        let slugs = slugs(entries, suite);
        let judged = || entries.iter().filter(|entry| entry.kept.state == State::Judged);
        let mut groups: Vec<Group> = Vec::new();
        for entry in judged() {
            let row = Row::of(entry, &slugs, suite);
            match groups
                .last_mut()
                .filter(|group| (&group.name, &group.language) == (&row.name.name, &row.name.language))
            {
                Some(group) => group.rows.push(row),
                None => groups.push(Group {
                    name: row.name.name.clone(),
                    language: row.name.language.clone(),
                    rows: vec![row],
                }),
            }
        }
        let short = entries.iter().filter(|entry| entry.kept.state != State::Judged);
        let short = short.map(|entry| Short {
            name: entry.name(),
            why: clean(entry.kept.why.as_deref().unwrap_or("no reason was kept")).into_owned(),
        });
        let mut words: BTreeMap<&'static str, usize> = BTreeMap::new();
        for entry in judged() {
            *words.entry(entry.word()).or_default() += 1;
        }
        Self {
            laws: slugs.iter().map(|slug| Law::of(slug, entries, suite)).collect(),
            names: groups.len(),
            versions: judged().count(),
            groups,
            short: short.collect(),
            words: words.into_iter().collect(),
            revisions: revisions(entries, suite),
            not_proven: NOT_PROVEN,
        }
    }

    /// The laws that have a page.
    pub(super) fn laws(&self) -> impl Iterator<Item = &str> {
        self.laws.iter().map(|law| law.slug.as_str())
    }
}

impl Law {
    fn of(slug: &str, entries: &[Entry<'_>], suite: &Suite) -> Self {
        let grades: Vec<(Grade, bool)> =
            entries.iter().filter_map(|entry| Some((entry.grade(slug)?, entry.kept.implementation.bound))).collect();
        let holds = grades.iter().filter(|(grade, _)| grade.holds()).count();
        let broken = |bound: bool| grades.iter().filter(|grade| **grade == (Grade::Violates, bound)).count();
        let (fails, differs) = (broken(true), broken(false));
        Self {
            slug: slug.to_owned(),
            title: law::title(slug, entries, suite),
            page: law::path(slug),
            fails,
            differs,
            holds,
            ungraded: grades.len() - holds - fails - differs,
        }
    }
}

impl Row {
    fn of(entry: &Entry<'_>, laws: &[&str], suite: &Suite) -> Self {
        let mark = |law: &&str| {
            let grade = entry.grade(law);
            let counts = entry.asked.as_ref().and_then(|asked| Some(asked.law(law)?.counts)).unwrap_or_default();
            let word = entry.said(grade.map_or("no grade", Grade::name));
            Mark { word, class: word.replace(' ', "-"), spec: counts.spec, ruling: counts.ruling }
        };
        Self {
            name: entry.name(),
            marks: laws.iter().map(mark).collect(),
            asked: entry.asked.as_ref().map_or(0, super::stored::Asked::asked),
            suite: entry.asked.as_ref().map(|asked| short(&asked.result.suite.sha256)).unwrap_or_default(),
            current: entry.asked.as_ref().is_some_and(|asked| asked.is_of(suite)),
        }
    }
}

/// The laws that somebody was asked, in published order; what this suite does not know comes last.
fn slugs<'e>(entries: &'e [Entry<'_>], suite: &Suite) -> Vec<&'e str> {
    let results = entries.iter().filter_map(|entry| entry.asked.as_ref()).map(|asked| &asked.result);
    let all: BTreeSet<&str> = results.flat_map(|result| &result.laws).map(|law| law.slug.as_str()).collect();
    let place = |slug: &&str| suite.laws.iter().position(|(known, _)| known == slug).unwrap_or(usize::MAX);
    let mut all: Vec<&str> = all.into_iter().collect();
    all.sort_by_key(place);
    all
}

/// The corpora from which they were asked: the one of this gallery first.
fn revisions(entries: &[Entry<'_>], suite: &Suite) -> Vec<Revision> {
    let mut all: BTreeMap<(bool, &str), (usize, usize)> = BTreeMap::new();
    for asked in entries.iter().filter_map(|entry| entry.asked.as_ref()) {
        let info = &asked.result.suite;
        let (cases, versions) = all.entry((!asked.is_of(suite), &info.sha256)).or_insert((info.cases, 0));
        *cases = info.cases;
        *versions += 1;
    }
    let revision = |((other, digest), (cases, versions)): ((bool, &str), (usize, usize))| Revision {
        suite: short(digest),
        cases,
        versions,
        current: !other,
        relaid: other && digest == suite.sha256.to_hex(),
    };
    all.into_iter().map(revision).collect()
}

/// So much of a digest tells corpora apart.
fn short(digest: &str) -> String {
    clean(digest).chars().take(8).collect()
}
