//! Failures that look like one: what a reader has to understand once.
//!
//! Failures are put together when they are of one law and weight, part first at the same place (whatever the index) and in the same
//! way, and their input plants the same class of bug; where there was no answer, when the same came in its place. That they have one
//! cause is likely and not shown.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use assize_corpus::{
    agreement::{Mismatch, Outcome},
    node::Node,
    vector::{Case, Weight},
};

use super::{Cluster, Failure};
use crate::suite::Suite;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'f> {
    law: &'f str,
    force: Weight,
    outcome: Outcome,
    place: String,
    difference: String,
    flags: BTreeSet<&'f str>,
}

/// Puts failures together: the heaviest first, then the most cases, then by law.
pub(crate) fn clusters(suite: &Suite, failures: &[Failure]) -> Vec<Cluster> {
    let mut groups: BTreeMap<Key<'_>, Vec<&Failure>> = BTreeMap::new();
    for failure in failures {
        let case = suite.corpus.cases.get(&failure.id);
        let first = heaviest(failure);
        let key = Key {
            law: &failure.law,
            force: failure.force,
            outcome: failure.outcome,
            place: first.map(|mismatch| general(&mismatch.pointer)).unwrap_or_default(),
            difference: first.map_or_else(|| instead(failure), difference),
            // What gave no answer says nothing about its input.
            flags: case
                .filter(|_| first.is_some())
                .into_iter()
                .flat_map(|case| &case.flags)
                .map(String::as_str)
                .collect(),
        };
        groups.entry(key).or_default().push(failure);
    }
    let size = |failure: &&Failure| (suite.corpus.cases.get(&failure.id).map_or(usize::MAX, size), failure.id.clone());
    let cluster = |(key, failures): (Key<'_>, Vec<&Failure>)| Cluster {
        law: key.law.to_owned(),
        force: key.force,
        outcome: key.outcome,
        place: key.place,
        difference: key.difference,
        flags: key.flags.into_iter().map(str::to_owned).collect(),
        smallest: failures.iter().copied().min_by_key(size).map(|failure| failure.id.clone()).unwrap_or_default(),
        cases: failures.into_iter().map(|failure| failure.id.clone()).collect(),
    };
    let mut clusters: Vec<Cluster> = groups.into_iter().map(cluster).collect();
    clusters.sort_by(|a, b| {
        let rank = |cluster: &Cluster| (Reverse(cluster.force), Reverse(cluster.cases.len()));
        rank(a).cmp(&rank(b)).then_with(|| a.law.cmp(&b.law)).then_with(|| a.smallest.cmp(&b.smallest))
    });
    clusters
}

/// The first difference that weighs as much as the whole failure.
fn heaviest(failure: &Failure) -> Option<&Mismatch> {
    let weighs = |mismatch: &&Mismatch| mismatch.force.as_ref().is_some_and(|force| force.weight() == failure.force);
    failure.mismatches.iter().find(weighs).or(failure.mismatches.first())
}

/// The start of what came in place of an answer.
fn instead(failure: &Failure) -> String {
    const MOST: usize = 200;
    failure.note.as_deref().unwrap_or_default().lines().next().unwrap_or_default().chars().take(MOST).collect()
}

/// A pointer that fits every item of an array.
fn general(pointer: &str) -> String {
    let segment = |segment: &str| {
        let is_index = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
        if is_index { "*".to_owned() } else { segment.to_owned() }
    };
    pointer.split('/').map(segment).collect::<Vec<_>>().join("/")
}

/// Where and how a failure parts first, in words; empty where there was no answer.
pub(super) fn how(failure: &Failure) -> String {
    heaviest(failure)
        .map(|mismatch| format!("{}: {}", general(&mismatch.pointer), difference(mismatch)))
        .unwrap_or_default()
}

/// What was owed and what came: words and codes as they are, everything else by its kind.
fn difference(mismatch: &Mismatch) -> String {
    let as_it_is = matches!(mismatch.pointer.as_str(), "/is" | "/codes");
    let shown = |node: &Option<Node>| match node {
        None => "nothing".to_owned(),
        Some(node) if as_it_is => node.canonical(),
        Some(Node::Null) => "null".to_owned(),
        Some(Node::Bool(value)) => value.to_string(),
        Some(Node::Number(_)) => "a number".to_owned(),
        Some(Node::Text(_)) => "a text".to_owned(),
        Some(Node::Array(_)) => "an array".to_owned(),
        Some(Node::Object(members))
            if members.len() == 1 && members.keys().all(|name| name == "text" || name == "base64") =>
        {
            "bytes".to_owned()
        }
        Some(Node::Object(_)) => "an object".to_owned(),
    };
    match (shown(&mismatch.expected), shown(&mismatch.actual)) {
        (expected, actual) if expected == actual && expected == "bytes" => "other bytes".to_owned(),
        (expected, actual) if expected == actual => {
            format!("another {}", expected.trim_start_matches("an ").trim_start_matches("a "))
        }
        (expected, actual) => format!("expected {expected}, got {actual}"),
    }
}

fn size(case: &Case) -> usize {
    use assize_corpus::vector::Entry;
    let files = case.files.values().map(|entry| match entry {
        Entry::File(document) => document.bytes().len(),
        Entry::Symlink { to: text } | Entry::Unreadable { text } => text.len(),
        Entry::Directory => 0,
    });
    case.inputs.values().map(|document| document.bytes().len()).chain(files).sum()
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};

    #[test]
    fn what_parts_alike_is_one_line_with_its_smallest_case() {
        let (report, _) = fixture::many(145);
        let clusters = &report.result.clusters;
        assert_eq!(clusters.len(), 1, "{clusters:?}");
        assert_eq!((clusters[0].cases.len(), clusters[0].place.as_str()), (145, "/out/bytes"));
        assert_eq!(clusters[0].difference, "another object");
    }

    #[test]
    fn every_failure_is_in_one_cluster() {
        for (name, report, suite) in fixture::all() {
            let result = &report.result;
            let mut ids: Vec<_> = result.clusters.iter().flat_map(|cluster| &cluster.cases).collect();
            ids.sort();
            assert_eq!(ids, result.failures.iter().map(|failure| &failure.id).collect::<Vec<_>>(), "{name}");
            for cluster in &result.clusters {
                assert!(cluster.cases.contains(&cluster.smallest), "{name}");
                let sizes = cluster.cases.iter().filter_map(|id| suite.corpus.cases.get(id)).map(size);
                let smallest = suite.corpus.cases.get(&cluster.smallest).map(size);
                assert_eq!(sizes.min(), smallest, "{name}");
            }
        }
    }

    #[test]
    fn a_difference_is_told_in_words() {
        let node = |text: &str| (!text.is_empty()).then(|| Node::parse(text).unwrap());
        for (pointer, expected, actual, said) in [
            ("/is", r#""accept""#, r#""reject""#, r#"expected "accept", got "reject""#),
            ("/out/bytes", r#"{"text":"1"}"#, r#"{"base64":"/w=="}"#, "other bytes"),
            ("/out/bytes", r#"{"text":"1"}"#, "", "expected bytes, got nothing"),
            ("/out/r", r#"{"text":"1","n":1}"#, r#"{"text":"1"}"#, "expected an object, got bytes"),
            ("/out/r", "[1]", "[2]", "another array"),
        ] {
            assert_eq!(difference(&Mismatch::new(pointer, node(expected), node(actual))), said);
        }
    }

    #[test]
    fn one_silence_has_one_cause_whatever_was_asked() {
        let suite = fixture::passing().1;
        let silent = |id: &String, note: &str| Failure {
            id: id.clone(),
            law: "canon/episode".to_owned(),
            outcome: Outcome::Fault,
            force: Weight::Spec,
            expectation: None,
            mismatches: Vec::new(),
            note: Some(note.to_owned()),
            rationale: String::new(),
        };
        let mut failures: Vec<_> = suite.corpus.cases.keys().map(|id| silent(id, "no module\nat line 3")).collect();
        failures.truncate(100);
        failures[7].note = Some("no memory".to_owned());
        let flags: BTreeSet<_> = failures.iter().map(|failure| &suite.corpus.cases[&failure.id].flags).collect();
        assert!(flags.len() > 1);
        let seen: Vec<_> =
            clusters(&suite, &failures).into_iter().map(|cluster| (cluster.cases.len(), cluster.difference)).collect();
        assert_eq!(seen, [(99, "no module".to_owned()), (1, "no memory".to_owned())]);
    }

    #[test]
    fn an_index_is_any_index() {
        assert_eq!(general("/out/report/mismatches/12/path"), "/out/report/mismatches/*/path");
        assert_eq!(general(""), "");
        assert_eq!(general("/out/a1"), "/out/a1");
    }
}
