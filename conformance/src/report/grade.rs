//! What a law, a level and a run come to: from the weights of differences to one word.
//!
//! Contract: `contracts/interface/protocol.md`, Grades. Only what was asked counts. A law has a grade when a case that it accepts and
//! one that it refuses were asked, both with parts that a specification orders, and the testee earned credit; one that a testee
//! breaks is violated however little was asked.

use std::collections::BTreeSet;

use assize_corpus::{
    agreement::{Judgement, Outcome},
    lint::refusing,
    node::Node,
    operation,
    vector::{Case, Expect, Force, Weight},
};
use serde::{Deserialize, Serialize};

/// How far something conforms: the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Too little was asked.
    NotAsked,
    /// Specifications and rulings hold.
    ConformsStrictly,
    /// The specifications hold.
    Conforms,
    /// A specification is broken.
    Violates,
}

impl Grade {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotAsked => "not asked",
            Self::ConformsStrictly => "conforms strictly",
            Self::Conforms => "conforms",
            Self::Violates => "violates",
        }
    }

    /// What holds, if anything does: it can be certified.
    #[must_use]
    pub fn holds(self) -> bool {
        matches!(self, Self::ConformsStrictly | Self::Conforms)
    }
}

/// What the cases of one law, or those of it that belong to a level, came to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weighed {
    accepting: bool,
    refusing: bool,
    credit: bool,
    worst: Option<Weight>,
    /// A ruling that was left out would have bound here.
    relaxed: bool,
}

/// What a case that was answered says to a grade, whatever the answer was.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answered {
    accepting: bool,
    refusing: bool,
    relaxed: bool,
}

impl Answered {
    /// Of a case and what came of it; nothing where it was not answered.
    pub(super) fn new(case: &Case, judgement: &Judgement, without: &BTreeSet<String>) -> Option<Self> {
        if matches!(judgement.outcome, Outcome::NotApplicable | Outcome::NotRun) {
            return None;
        }
        let binds = binds_by_specification(case);
        let refusing = refusing(case);
        let relaxed = !without.is_empty() && rulings(case).any(|id| without.contains(id));
        Some(Self { accepting: binds && !refusing, refusing: binds && refusing, relaxed })
    }
}

impl Weighed {
    /// Counts a case that was answered.
    pub(super) fn add(&mut self, answered: Answered, judgement: &Judgement, credited: bool) {
        self.accepting |= answered.accepting;
        self.refusing |= answered.refusing;
        self.credit |= credited;
        self.worst = self.worst.max(judgement.force);
        self.relaxed |= answered.relaxed;
    }

    /// What keeps them from a grade; nothing where they have one.
    pub(super) fn lacks(self) -> Option<&'static str> {
        match self {
            _ if self.grade() != Grade::NotAsked => None,
            Self { accepting: false, refusing: false, .. } => Some("no case that a specification decides was asked"),
            Self { accepting: false, .. } => Some("no case that it accepts by a specification was asked"),
            Self { refusing: false, .. } => Some("no case that it refuses by a specification was asked"),
            _ => Some("whatever passed is passed by a testee that looks at nothing, too"),
        }
    }

    /// What they come to.
    pub(super) fn grade(self) -> Grade {
        match self.worst {
            Some(Weight::Spec) => Grade::Violates,
            _ if !(self.accepting && self.refusing && self.credit) => Grade::NotAsked,
            Some(Weight::Ruling) => Grade::Conforms,
            _ if self.relaxed => Grade::Conforms,
            _ => Grade::ConformsStrictly,
        }
    }
}

/// The forces by which parts of a case bind: its own, and those of its operation for places that it has.
fn forces(case: &Case) -> impl Iterator<Item = &Force> {
    let general: Vec<_> = operation::table().find(&case.op).into_iter().flat_map(|known| known.force.iter()).collect();
    let answers: Vec<Node> = if general.is_empty() { Vec::new() } else { case.answers().map(Expect::node).collect() };
    let general = general.into_iter().filter(move |(place, _)| answers.iter().any(|answer| place.is_in(answer)));
    case.force.iter().chain(general.map(|(_, force)| force))
}

/// Whether some part of a case is ordered by a specification.
fn binds_by_specification(case: &Case) -> bool {
    forces(case).any(|force| matches!(force, Force::Spec(_)))
}

/// The rulings by which parts of a case bind.
pub(super) fn rulings(case: &Case) -> impl Iterator<Item = &String> {
    forces(case).filter_map(|force| match force {
        Force::Ruling(id) => Some(id),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use assize_corpus::{
        agreement::{Terms, judge},
        store::Store,
        testee::Testee as _,
    };

    use super::{
        super::{LevelState, fixture, sum::sum},
        *,
    };
    use crate::{
        runner::{
            CaseResult,
            null::{self, Null},
        },
        suite::Suite,
    };

    fn case(force: &str, refusing: bool) -> Case {
        let expect = if refusing { r#"{"is":"reject","codes":["A_VALUE"]}"# } else { r#"{"is":"accept"}"# };
        let text = format!(
            r#"{{"id":"canon/sovereign/a","op":"canon.bytes","spec":{{"document":"d","section":"s"}},"force":{force},"rationale":"r",
                "provenance":"hand","expect":{expect},"agreement":"verdict"}}"#
        );
        Case::parse("a.json", text.as_bytes()).unwrap()
    }

    fn fails(weight: Weight) -> Judgement {
        Judgement { force: Some(weight), ..Judgement::noted(Outcome::WrongCode, "") }
    }

    fn grade(cases: &[(Case, Judgement, bool)], without: &[&str]) -> Grade {
        let without = without.iter().map(|id| (*id).to_owned()).collect();
        let mut weighed = Weighed::default();
        for (case, judgement, credited) in cases {
            if let Some(answered) = Answered::new(case, judgement, &without) {
                weighed.add(answered, judgement, *credited);
            }
        }
        weighed.grade()
    }

    #[test]
    fn a_law_has_a_grade_when_both_sides_were_asked_and_something_was_earned() {
        let accepting = || (case(r#""spec""#, false), Judgement::pass(), true);
        let refusing = || (case(r#""spec""#, true), Judgement::pass(), false);
        assert_eq!(grade(&[accepting(), refusing()], &[]), Grade::ConformsStrictly);
        assert_eq!(grade(&[accepting()], &[]), Grade::NotAsked);
        assert_eq!(grade(&[refusing()], &[]), Grade::NotAsked);
        let lacks = |accepting, refusing| Weighed { accepting, refusing, ..Weighed::default() }.lacks().unwrap();
        assert!(lacks(true, false).contains("it refuses") && lacks(false, true).contains("it accepts"));
        assert!(lacks(false, false).contains("decides") && lacks(true, true).contains("looks at nothing"));
        assert_eq!(Weighed { accepting: true, refusing: true, credit: true, ..Weighed::default() }.lacks(), None);
        let without_credit = (case(r#""spec""#, false), Judgement::pass(), false);
        assert_eq!(grade(&[without_credit, refusing()], &[]), Grade::NotAsked);
        let by_ruling = (case(r#""ruling EP-26""#, false), Judgement::pass(), true);
        assert_eq!(grade(&[by_ruling, refusing()], &[]), Grade::NotAsked);
        let not_run = (case(r#""spec""#, false), Judgement::noted(Outcome::NotApplicable, ""), true);
        assert_eq!(grade(&[not_run, refusing()], &[]), Grade::NotAsked);
    }

    #[test]
    fn the_heaviest_failure_decides() {
        let lawful = || {
            [(case(r#""spec""#, false), Judgement::pass(), true), (case(r#""spec""#, true), Judgement::pass(), true)]
        };
        let with = |weight| {
            let [accepting, refusing] = lawful();
            grade(&[accepting, refusing, (case(r#""ruling EP-26""#, true), fails(weight), false)], &[])
        };
        assert_eq!(with(Weight::Interface), Grade::ConformsStrictly);
        assert_eq!(with(Weight::Ruling), Grade::Conforms);
        assert_eq!(with(Weight::Spec), Grade::Violates);
        assert_eq!(grade(&[(case(r#""spec""#, true), fails(Weight::Spec), false)], &[]), Grade::Violates);
    }

    #[test]
    fn what_leaves_a_ruling_out_conforms_at_most() {
        let lawful =
            [(case(r#""spec""#, false), Judgement::pass(), true), (case(r#""spec""#, true), Judgement::pass(), true)];
        let ruled = (case(r#""ruling EP-26""#, true), Judgement::pass(), true);
        let [accepting, refusing] = lawful;
        let cases = [accepting, refusing, ruled];
        assert_eq!(grade(&cases, &["EP-26"]), Grade::Conforms);
        assert_eq!(grade(&cases, &["EP-27"]), Grade::ConformsStrictly);
    }

    #[test]
    fn a_testee_that_looks_at_nothing_conforms_in_no_law() {
        let suite = Suite::load(&Store::embedded()).unwrap();
        let operations = suite.corpus.cases.values().map(|case| case.op.as_str()).collect();
        for mut null in Null::all(&suite.corpus, &operations) {
            let results = suite.corpus.cases.values().map(|case| CaseResult {
                id: case.id.clone(),
                judgement: judge(case, &null.answer(&case.request(None)), &Terms::default()),
                rationale: String::new(),
                took: None,
            });
            let results: Vec<CaseResult> = results.collect();
            let tally = null::weigh(&suite.corpus, &results, &Terms::default());
            let report = sum(fixture::found_of(&suite, results, tally));
            let conforming: Vec<_> =
                report.result.laws.iter().filter(|law| law.grade.holds()).map(|law| law.slug.as_str()).collect();
            assert!(conforming.is_empty(), "{}: {conforming:?}", null.name());
            assert!(report.result.levels.iter().all(|level| level.state != LevelState::Held), "{}", null.name());
        }
    }
}
