//! Who answers a law alike: groups of those who gave the same answer to every case that divides them, and what divides the groups.
//!
//! Nobody is right here: an expected answer is one answer among others. Those are compared that were asked the same corpus, and what
//! a challenge asked is left out, since each run makes its own.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use assize_corpus::{
    agreement::Mismatch,
    challenge::is_challenge,
    vector::{Force, Weight},
};
use serde::Serialize;

use super::{
    entry::{Entry, Name},
    stored::Asked,
};
use crate::{
    clean::clean,
    report::{Failure, html::card::short, view::listed},
    selection::names,
    suite::{Suite, SuiteInfo},
};

/// Ids of cases that are listed for one division.
const LISTED: usize = 12;

/// Those who were asked a law, by what they answer.
#[derive(Serialize)]
pub(super) struct Alike {
    /// How many are compared.
    versions: usize,
    /// How many are not, since another corpus was put to them.
    others: usize,
    /// Cases that divide them.
    cases: usize,
    groups: Vec<Group>,
    divisions: Vec<Division>,
}

/// Those who answer alike.
#[derive(Serialize)]
struct Group {
    /// From 1, the largest first.
    number: usize,
    members: Vec<Name>,
    /// How many of the cases that divide were put to them.
    asked: usize,
    /// How many of these they answer as expected.
    expected: usize,
}

/// Cases that divide the groups in one way.
#[derive(Serialize)]
struct Division {
    count: usize,
    /// The one that the answers are shown of.
    first: String,
    /// Some of the others.
    more: String,
    answers: Vec<Answer>,
}

/// What some groups make of these cases.
#[derive(Serialize)]
struct Answer {
    said: &'static str,
    /// How the answer to the first case differs from the expected one.
    difference: String,
    groups: Vec<usize>,
}

/// One who is compared, with what is not as expected.
struct Side<'e> {
    entry: &'e Entry<'e>,
    failed: BTreeMap<&'e str, &'e Failure>,
    unasked: BTreeSet<&'e str>,
}

/// What somebody makes of a case, as a number: the same for the same.
type Said = usize;
const EXPECTED: Said = 0;
const UNASKED: Said = 1;

impl Alike {
    /// Nothing where there are not two to compare.
    pub(super) fn of(law: &str, entries: &[Entry<'_>], suite: &Suite) -> Option<Self> {
        let (sides, others) = sides(law, entries, suite);
        if sides.len() < 2 {
            return None;
        }
        let ids: BTreeSet<&str> = sides.iter().flat_map(|side| side.failed.keys().copied()).collect();
        let (mut cases, mut columns) = (Vec::new(), Vec::new());
        for id in ids {
            let column = column(&sides, id, suite);
            let asked: BTreeSet<Said> = column.iter().copied().filter(|said| *said != UNASKED).collect();
            if asked.len() > 1 {
                cases.push(id);
                columns.push(column);
            }
        }
        let mut alike: BTreeMap<Vec<Said>, Vec<usize>> = BTreeMap::new();
        for side in 0..sides.len() {
            let answers = columns.iter().filter_map(|column| column.get(side).copied()).collect();
            alike.entry(answers).or_default().push(side);
        }
        let mut alike: Vec<(Vec<Said>, Vec<usize>)> = alike.into_iter().collect();
        alike.sort_by_key(|(_, members)| (Reverse(members.len()), members.first().copied()));
        let group = |(place, (answers, members)): (usize, &(Vec<Said>, Vec<usize>))| Group {
            number: place + 1,
            members: members.iter().filter_map(|side| Some(sides.get(*side)?.entry.name())).collect(),
            asked: answers.iter().filter(|said| **said != UNASKED).count(),
            expected: answers.iter().filter(|said| **said == EXPECTED).count(),
        };
        Some(Self {
            versions: sides.len(),
            others,
            cases: cases.len(),
            groups: alike.iter().enumerate().map(group).collect(),
            divisions: divisions(&cases, &alike, &sides),
        })
    }
}

/// Those who were asked one corpus, the one that most were asked, and how many were asked others.
fn sides<'e>(law: &str, entries: &'e [Entry<'e>], suite: &Suite) -> (Vec<Side<'e>>, usize) {
    let mut corpora: BTreeMap<[&str; 3], Vec<Side<'e>>> = BTreeMap::new();
    for entry in entries {
        let Some(asked) = entry.asked.as_ref().filter(|asked| asked.usable()) else { continue };
        if asked.law(law).is_some_and(|law| law.counts.pass.saturating_add(law.counts.fail) > 0) {
            let SuiteInfo { sha256, cases: _, laws_sha256, operations_sha256 } = &asked.result.suite;
            corpora.entry([sha256, laws_sha256, operations_sha256]).or_default().push(Side::of(law, entry, asked));
        }
    }
    let all: usize = corpora.values().map(Vec::len).sum();
    let of_this = |sides: &[Side<'_>]| {
        sides.first().and_then(|side| side.entry.asked.as_ref()).is_some_and(|asked| asked.is_of(suite))
    };
    let most = corpora.into_values().max_by_key(|sides| (sides.len(), of_this(sides))).unwrap_or_default();
    let others = all - most.len();
    (most, others)
}

impl<'e> Side<'e> {
    fn of(law: &str, entry: &'e Entry<'e>, asked: &'e Asked) -> Self {
        let failed = asked.failures.iter().filter(|failure| failure.law == law && !is_challenge(&failure.id));
        Self {
            entry,
            failed: failed.map(|failure| (failure.id.as_str(), failure)).collect(),
            unasked: asked.result.unrun.iter().map(|case| case.id.as_str()).collect(),
        }
    }

    fn was_asked(&self, id: &str, suite: &Suite) -> bool {
        let filters = &self.entry.kept.asked;
        !self.unasked.contains(id)
            && (filters.is_empty() || filters.iter().any(|filter| names(filter, id, &suite.corpus)))
    }
}

/// What each makes of a case.
fn column(sides: &[Side<'_>], id: &str, suite: &Suite) -> Vec<Said> {
    let mut known: BTreeMap<String, Said> = BTreeMap::new();
    let said = |side: &Side<'_>| match side.failed.get(id) {
        Some(failure) => {
            let next = UNASKED + 1 + known.len();
            *known.entry(answer(failure)).or_insert(next)
        }
        None if side.was_asked(id, suite) => EXPECTED,
        None => UNASKED,
    };
    sides.iter().map(said).collect()
}

/// All of an answer that is not as expected. Codes are words of the harness's own: a refusal is a refusal.
fn answer(failure: &Failure) -> String {
    let weighs = |mismatch: &&Mismatch| mismatch.force.as_ref().map(Force::weight) != Some(Weight::Interface);
    let places = failure.mismatches.iter().filter(weighs);
    let parts = places.map(|mismatch| {
        let actual = mismatch.actual.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("\n{}\n{actual}", mismatch.pointer)
    });
    [failure.outcome.name().to_owned()].into_iter().chain(parts).collect()
}

/// The cases by how they divide the groups: the ways that most cases have first.
fn divisions(cases: &[&str], groups: &[(Vec<Said>, Vec<usize>)], sides: &[Side<'_>]) -> Vec<Division> {
    let mut ways: BTreeMap<Vec<Said>, Vec<usize>> = BTreeMap::new();
    for case in 0..cases.len() {
        // Numbered as they come, so that it only matters who parts from whom.
        let mut seen = BTreeMap::from([(EXPECTED, EXPECTED), (UNASKED, UNASKED)]);
        let way = groups.iter().filter_map(|(answers, _)| answers.get(case)).map(|said| {
            let next = seen.len();
            *seen.entry(*said).or_insert(next)
        });
        ways.entry(way.collect()).or_default().push(case);
    }
    let mut ways: Vec<(Vec<Said>, Vec<usize>)> = ways.into_iter().collect();
    ways.sort_by_key(|(_, alike)| (Reverse(alike.len()), alike.first().copied()));
    let division = |(way, alike): &(Vec<Said>, Vec<usize>)| {
        let ids: Vec<&str> = alike.iter().filter_map(|case| cases.get(*case).copied()).collect();
        let (first, more) = ids.split_first()?;
        let mut answers: BTreeMap<Said, Answer> = BTreeMap::new();
        for (place, said) in way.iter().enumerate() {
            let answer = answers.entry(*said).or_insert_with(|| {
                let speaker = groups.get(place).and_then(|(_, members)| sides.get(*members.first()?));
                Answer {
                    said: match *said {
                        EXPECTED => "as expected",
                        UNASKED => "not asked",
                        _ => "otherwise",
                    },
                    difference: speaker
                        .and_then(|side| side.failed.get(first))
                        .map_or_else(String::new, |failure| shown(failure)),
                    groups: Vec::new(),
                }
            });
            answer.groups.push(place + 1);
        }
        Some(Division {
            count: alike.len(),
            first: clean(first).into_owned(),
            more: listed(more.iter().copied(), LISTED),
            answers: answers.into_values().collect(),
        })
    };
    ways.iter().filter_map(division).collect()
}

/// How an answer differs, in a line.
fn shown(failure: &Failure) -> String {
    let weighs = |mismatch: &&Mismatch| mismatch.force.as_ref().map(Force::weight) == Some(failure.force);
    let heaviest = failure.mismatches.iter().find(weighs).or(failure.mismatches.first());
    short(&clean(&heaviest.map_or_else(|| failure.outcome.name().to_owned(), ToString::to_string)))
}
