//! One failure or remark on the page: everything known of it while there is room, else one line.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::Mismatch,
    node::Node,
    vector::{Case, Force, Weight},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;

use super::{
    super::{
        Failure, Report,
        basis::{Basis, bases},
        diff::{Line, diff},
        view,
    },
    input::{self, Budget, Question},
};
use crate::{
    clean::{clean, lines, steers},
    suite::Suite,
    testee::Evidence,
};

/// Failures that are shown with everything known of them; the others are rows.
pub(super) const MOST: usize = 200;
/// Mismatches of one failure that are shown.
const MISMATCHES: usize = 50;
/// Letters of the one line that tells how a row differs.
const LINE: usize = 160;

/// Makes cards as long as there is room, then rows.
pub(crate) struct Cards<'r> {
    suite: &'r Suite,
    /// Whether the cases of the suite are those that were asked.
    asked: bool,
    evidence: &'r BTreeMap<String, Evidence>,
    /// The command that runs a case alone.
    alone: Box<dyn Fn(&str) -> String + 'r>,
    budget: Budget,
    made: usize,
}

impl<'r> Cards<'r> {
    pub(super) fn new(report: &'r Report, suite: &'r Suite) -> Self {
        Self::of(suite, true, &report.run.evidence, move |id| view::alone(report, id))
    }

    /// Those of a report that is there as a file alone.
    pub(crate) fn of(
        suite: &'r Suite,
        asked: bool,
        evidence: &'r BTreeMap<String, Evidence>,
        alone: impl Fn(&str) -> String + 'r,
    ) -> Self {
        Self { suite, asked, evidence, alone: Box::new(alone), budget: Budget::default(), made: 0 }
    }

    /// How many cards were asked for that are rows.
    pub(super) fn left_out(&self) -> usize {
        self.made.saturating_sub(MOST)
    }

    /// A failure with everything known of it, while there is room.
    pub(crate) fn card(&mut self, failure: &Failure) -> Card {
        self.made += 1;
        if self.made > MOST {
            return self.row(failure);
        }
        let case = self.suite.corpus.cases.get(&failure.id);
        let question = case.filter(|_| self.asked).map(|case| Question::of(case, &mut self.budget));
        let (evidence, alone) = (self.evidence.get(&failure.id), (self.alone)(&failure.id));
        Card { whole: Some(Whole::of(failure, case, evidence, question, alone)), ..self.row(failure) }
    }

    /// A failure in one line.
    pub(crate) fn row(&self, failure: &Failure) -> Card {
        let weighs = |mismatch: &&Mismatch| weight(mismatch) == Some(failure.force);
        let differs = failure.mismatches.iter().find(weighs).or(failure.mismatches.first()).map(ToString::to_string);
        Card {
            id: clean(&failure.id).into_owned(),
            former: self.suite.corpus.former_ids(&failure.id).map(str::to_owned).collect(),
            outcome: failure.outcome.name(),
            force: failure.force.name(),
            known: view::is_expected(failure),
            rationale: clean(&failure.rationale).into_owned(),
            differs: short(&clean(&differs.or_else(|| failure.note.clone()).unwrap_or_default())),
            whole: None,
        }
    }
}

/// A failure in one line.
#[derive(Serialize)]
pub(crate) struct Card {
    id: String,
    /// Ids that the case had before: links to them still lead here.
    former: Vec<String>,
    outcome: &'static str,
    force: &'static str,
    known: bool,
    rationale: String,
    /// Its heaviest difference, or what there was in place of an answer.
    differs: String,
    whole: Option<Whole>,
}

/// Everything else that is known of it.
#[derive(Serialize)]
struct Whole {
    bases: Vec<Basis>,
    note: Option<String>,
    observed: Option<String>,
    stderr: String,
    mismatches: Vec<Part>,
    left_out: usize,
    question: Option<Question>,
    alone: String,
    explain: String,
}

/// One place where answer and expectation part.
#[derive(Serialize)]
struct Part {
    pointer: String,
    /// With what right the expectation binds there, where that is another one than the place of the case.
    force: Option<String>,
    /// Only a convention of the protocol.
    light: bool,
    lines: Vec<Line>,
    cut: bool,
    unexpected: bool,
    missing: bool,
}

impl Whole {
    fn of(
        failure: &Failure,
        case: Option<&Case>,
        evidence: Option<&Evidence>,
        question: Option<Question>,
        alone: String,
    ) -> Self {
        let observed = evidence.map(|evidence| evidence.message.as_str());
        Self {
            bases: bases(failure, case),
            note: failure.note.as_deref().map(|note| clean(note).into_owned()),
            observed: observed
                .filter(|said| failure.note.as_deref() != Some(said))
                .map(|said| clean(said).into_owned()),
            stderr: evidence.map(|evidence| lines(&evidence.stderr).collect::<Vec<_>>().join("\n")).unwrap_or_default(),
            mismatches: failure.mismatches.iter().take(MISMATCHES).map(Part::of).collect(),
            left_out: failure.mismatches.len().saturating_sub(MISMATCHES),
            question,
            alone,
            explain: input::explain(&failure.id),
        }
    }
}

impl Part {
    fn of(mismatch: &Mismatch) -> Self {
        let raw = (mismatch.expected.clone(), mismatch.actual.clone());
        let read = (raw.0.clone().map(readable), raw.1.clone().map(readable));
        // Where only the spelling of bytes differs, that is what a reader has to see.
        let (expected, actual) = if read.0 == read.1 { raw } else { read };
        let (lines, cut) = diff(expected.as_ref(), actual.as_ref());
        Self {
            pointer: clean(&mismatch.pointer).into_owned(),
            force: mismatch.force.as_ref().and_then(words).map(|words| clean(&words).into_owned()),
            light: weight(mismatch) == Some(Weight::Interface),
            lines,
            cut,
            unexpected: mismatch.expected.is_none(),
            missing: mismatch.actual.is_none(),
        }
    }
}

fn weight(mismatch: &Mismatch) -> Option<Weight> {
    mismatch.force.as_ref().map(Force::weight)
}

/// With what right the expectation binds; nothing where that is the place of the case itself.
fn words(force: &Force) -> Option<String> {
    match force {
        Force::Spec(None) => None,
        Force::Spec(Some(spec)) => Some(format!("{}, {}", spec.document, spec.section)),
        Force::Permitted => Some("the specification, of several permitted answers".to_owned()),
        Force::Ruling(id) => Some(format!("ruling {id}")),
        Force::Interface => Some("a convention of the protocol".to_owned()),
    }
}

/// Bytes as text, where a page gives them back unchanged: a reader has no eyes for base64.
fn readable(node: Node) -> Node {
    match node {
        Node::Object(members) => {
            let alone = match members.get("base64") {
                Some(Node::Text(coded)) if members.len() == 1 => STANDARD.decode(coded).ok(),
                _ => None,
            };
            match alone.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|text| !text.contains(steers)) {
                Some(text) => Node::Object([("text".to_owned(), Node::Text(text))].into()),
                None => Node::Object(members.into_iter().map(|(name, member)| (name, readable(member))).collect()),
            }
        }
        Node::Array(items) => Node::Array(items.into_iter().map(readable).collect()),
        other => other,
    }
}

pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(LINE) {
        Some((cut, _)) => format!("{}...", text.get(..cut).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(node: &str, shown: &str) {
        assert_eq!(readable(Node::parse(node).unwrap()).canonical(), shown);
    }

    #[test]
    fn bytes_that_are_text_are_read() {
        check(r#"{"bytes":{"base64":"MQ=="},"n":[{"base64":"w7w="}]}"#, r#"{"bytes":{"text":"1"},"n":[{"text":"ü"}]}"#);
        // Not UTF-8, not base64, a carriage return, a member beside it.
        for kept in [r#"{"base64":"Iv8i"}"#, r#"{"base64":"?"}"#, r#"{"base64":"YQ0="}"#, r#"{"a":1,"base64":"MQ=="}"#]
        {
            check(kept, kept);
        }
    }

    #[test]
    fn where_the_spelling_of_bytes_differs_the_spelling_is_shown() {
        let node = |text: &str| Some(Node::parse(text).unwrap());
        let lines = |expected, actual| Part::of(&Mismatch::new("/out", node(expected), node(actual))).lines;
        let spelled = lines(r#"{"text":"1"}"#, r#"{"base64":"MQ=="}"#);
        assert!(spelled.iter().any(|line| line.parts.contains("base64")), "{spelled:?}");
        let read = lines(r#"{"text":"2"}"#, r#"{"base64":"MQ=="}"#);
        assert!(!read.is_empty() && read.iter().all(|line| !line.before.contains("base64")), "{read:?}");
    }
}
