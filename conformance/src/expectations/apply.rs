//! Lays a file of known failures over the outcomes of a run.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map},
    ops::Bound,
};

use assize_corpus::agreement::Outcome;

use super::{DriftKind, Entry, Expectation, ExpectationDrift, Expectations, ExpectationsInfo, Pattern};
use crate::{
    config::ConfigError,
    runner::CaseResult,
    selection::{fits, head},
    suggest,
    suite::Suite,
};

impl Expectations {
    /// How the outcome of each case relates to the file, and where file and run differ. Drifts are sorted by line, kind
    /// and case. A case that was not selected, is not applicable or was not run says nothing about the file.
    ///
    /// # Errors
    /// Two entries name one case of the suite, whether it was asked or not.
    pub fn apply(
        &self,
        suite: &Suite,
        results: &[CaseResult],
    ) -> Result<(BTreeMap<String, Expectation>, ExpectationsInfo), ConfigError> {
        let ids = ids(suite);
        let outcomes: BTreeMap<&str, Outcome> =
            results.iter().map(|result| (result.id.as_str(), result.judgement.outcome)).collect();
        let mut claims = Claims { file: &self.name, by: BTreeMap::new() };
        let (mut drifts, mut unmatched) = (Vec::new(), Vec::new());
        for entry in &self.entries {
            for pattern in &entry.cases {
                let named = named(suite, &ids, &pattern.text);
                let claimed = claims.add(entry, pattern, &named)?;
                if named.is_empty() {
                    unmatched.push(pattern);
                }
                drifts.extend(parting(entry, pattern, &named, &claimed, &outcomes));
            }
        }
        drifts.extend(unmatched.into_iter().zip(0..).map(|(pattern, nth)| nothing(pattern, nth, &ids, suite)));
        drifts.sort_by(|a, b| (a.line, a.kind, &a.case).cmp(&(b.line, b.kind, &b.case)));
        let status = |(id, outcome): (&&str, &Outcome)| {
            let class = claims.by.get(id).map(|(entry, _)| entry.outcome);
            // What was made of a case that is known to fail fails as it does, or not at all.
            let known = suite.bases.get(*id).is_some_and(|base| claims.by.contains_key(base.as_str()));
            let class = if known && was_asked(*outcome) && *outcome != Outcome::Pass { Some(*outcome) } else { class };
            status(*outcome, class).map(|status| ((*id).to_owned(), status))
        };
        let statuses: BTreeMap<_, _> = outcomes.iter().filter_map(status).collect();
        let info = ExpectationsInfo {
            sha256: self.sha256.to_hex(),
            entries: self.entries.len(),
            expected: statuses.values().filter(|status| **status == Expectation::Expected).count(),
            drifts,
        };
        Ok((statuses, info))
    }

    /// Every case of the suite that an entry names, with that entry.
    ///
    /// # Errors
    /// Two entries name one case.
    pub fn entries_by_case<'e>(&'e self, suite: &'e Suite) -> Result<BTreeMap<&'e str, &'e Entry>, ConfigError> {
        let ids = ids(suite);
        let mut claims = Claims { file: &self.name, by: BTreeMap::new() };
        for entry in &self.entries {
            for pattern in &entry.cases {
                claims.add(entry, pattern, &named(suite, &ids, &pattern.text))?;
            }
        }
        Ok(claims.by.into_iter().map(|(id, (entry, _))| (id, entry)).collect())
    }
}

/// The id of every case of the corpus, loaded or not: a file outlives the challenges of one run, and does not name them.
fn ids(suite: &Suite) -> BTreeSet<&str> {
    let ids = suite.corpus.cases.keys().chain(suite.broken.keys()).map(String::as_str);
    ids.filter(|id| !suite.bases.contains_key(*id)).collect()
}

/// Which entry and pattern named a case first.
struct Claims<'e> {
    file: &'e str,
    by: BTreeMap<&'e str, (&'e Entry, &'e Pattern)>,
}

impl<'e> Claims<'e> {
    /// Notes what a pattern names, and gives back what no pattern before it named. Patterns of one entry may overlap: they
    /// say the same.
    fn add(&mut self, entry: &'e Entry, pattern: &'e Pattern, named: &[&'e str]) -> Result<Vec<&'e str>, ConfigError> {
        let mut claimed = Vec::new();
        for id in named {
            match self.by.entry(id) {
                btree_map::Entry::Vacant(place) => {
                    place.insert((entry, pattern));
                    claimed.push(*id);
                }
                btree_map::Entry::Occupied(place) => {
                    let (owner, first) = *place.get();
                    if !std::ptr::eq(owner, entry) {
                        let Pattern { text, line, column } = pattern;
                        let message =
                            format!("{text:?} names {id}, and so does {:?} in line {}", first.text, first.line);
                        let help = "leave the case to one entry: it can fail in one class only";
                        return Err(ConfigError::new(self.file, (*line, *column), message, help));
                    }
                }
            }
        }
        Ok(claimed)
    }
}

/// The ids that a pattern names. Only those that begin as it does are looked at, and former ids that do, which lead to the ids of today.
fn named<'i>(suite: &'i Suite, ids: &BTreeSet<&'i str>, pattern: &str) -> Vec<&'i str> {
    let head = head(pattern);
    let from = ids.range::<str, _>((Bound::Included(head), Bound::Unbounded)).copied();
    let mut named: BTreeSet<&str> = from.take_while(|id| id.starts_with(head)).filter(|id| fits(pattern, id)).collect();
    for law in suite.corpus.laws.values() {
        let former = law.renamed.range::<str, _>((Bound::Included(head), Bound::Unbounded));
        let fitting = former.take_while(|(id, _)| id.starts_with(head)).filter(|(id, _)| fits(pattern, id));
        named.extend(fitting.map(|(_, now)| now.as_str()).filter(|now| ids.contains(now)));
    }
    named.into_iter().collect()
}

/// Whether an outcome says that the case was asked and judged.
fn was_asked(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::NotApplicable | Outcome::NotRun)
}

/// How an outcome relates to the class that an entry names for it.
fn status(outcome: Outcome, class: Option<Outcome>) -> Option<Expectation> {
    match (outcome, class) {
        (Outcome::NotApplicable | Outcome::NotRun, _) | (Outcome::Pass, None) => None,
        (Outcome::Pass, Some(_)) => Some(Expectation::Stale),
        (outcome, class) if class == Some(outcome) => Some(Expectation::Expected),
        _ => Some(Expectation::Unexpected),
    }
}

/// Where a pattern and the outcomes of its cases differ; `claimed` are those that no earlier pattern has named.
fn parting(
    entry: &Entry,
    pattern: &Pattern,
    named: &[&str],
    claimed: &[&str],
    outcomes: &BTreeMap<&str, Outcome>,
) -> Vec<ExpectationDrift> {
    let outcome_of = |id: &str| outcomes.get(id).copied().filter(|outcome| was_asked(*outcome));
    let asked = named.iter().filter(|id| outcome_of(id).is_some()).count();
    let passed = named.iter().filter(|id| outcome_of(id) == Some(Outcome::Pass)).count();
    if asked > 0 && passed == asked {
        let message = if asked == named.len() {
            format!("all that it names passes: remove it ({})", entry.link)
        } else {
            let all = named.len();
            format!("all that was asked of it passes, {asked} of {all} cases: remove it ({})", entry.link)
        };
        return vec![drift(DriftKind::Stale, pattern, None, message)];
    }
    let one = |id: &&str| match outcome_of(id)? {
        Outcome::Pass => {
            let message = format!("{id} passes: name only those of its cases that fail ({})", entry.link);
            Some(drift(DriftKind::UnexpectedPass, pattern, Some(id), message))
        }
        outcome if outcome != entry.outcome => {
            let message = format!(
                "{id} is expected to be {} and is {outcome}: find out why, then correct testee or entry ({})",
                entry.outcome, entry.link
            );
            Some(drift(DriftKind::ChangedClass, pattern, Some(id), message))
        }
        _ => None,
    };
    claimed.iter().filter_map(one).collect()
}

/// A pattern that names no case at all.
fn nothing(pattern: &Pattern, nth: usize, ids: &BTreeSet<&str>, suite: &Suite) -> ExpectationDrift {
    /// Only this many patterns get suggestions: each is compared with every id, which is slow, and more help nobody.
    const HINTS: usize = 10;
    let text = &pattern.text;
    let retired = suite.corpus.laws.values().any(|law| law.retired.contains(text));
    // A misspelt id is not longer than this: ids have at most 120 characters.
    let near = if retired || nth >= HINTS || text.len() > 200 {
        Vec::new()
    } else {
        suggest::matches(text, ids.iter().copied(), 3)
    };
    let message = match near.as_slice() {
        _ if retired => "this case was retired: remove it".to_owned(),
        [] => "names no case of the corpus: correct or remove it".to_owned(),
        near => format!("names no case of the corpus; did you mean {}?", near.join(", ")),
    };
    drift(DriftKind::Unmatched, pattern, None, message)
}

fn drift(kind: DriftKind, pattern: &Pattern, case: Option<&str>, message: String) -> ExpectationDrift {
    ExpectationDrift { kind, line: pattern.line, pattern: pattern.text.clone(), case: case.map(str::to_owned), message }
}

#[cfg(test)]
mod tests;
