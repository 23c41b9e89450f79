//! The report as one page that needs nothing else: it makes no request, and it works without its script.
//!
//! The policy of the page allows its own style and its own script by their digests, and nothing else: if a word of the
//! testee ever became markup, a browser would not run it.

mod input;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use assize_corpus::agreement::{Mismatch, Outcome};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use minijinja::{
    AutoEscape, Environment, Error, UndefinedBehavior,
    syntax::SyntaxConfig,
    value::{Serde, Value},
};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::{
    Failure, LawRow, LevelRow, Report, Results, Run, Totals,
    diff::{Line, diff},
    view::{self, Verdict},
};
use crate::{
    clean::{clean, lines},
    expectations::ExpectationsInfo,
    suite::Suite,
};
use input::{Budget, Question};

const PAGE: &str = include_str!("html/page.html");
const FAILURES: &str = include_str!("html/failures.html");
const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// Failures that are shown with everything known about them; the others are rows.
const MOST: usize = 200;
/// Mismatches of one failure that are shown.
const MISMATCHES: usize = 50;

/// The whole page. The suite gives the exact input of what failed.
///
/// # Errors
/// The template names something that is not there: a bug.
pub fn write(report: &Report, suite: &Suite) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment
        .set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?);
    environment.add_template("page.html", PAGE)?;
    environment.add_template("failures.html", FAILURES)?;
    let page = Value::from(Serde(Page::of(report, suite)));
    environment.get_template("page.html")?.render(minijinja::context! {
        page,
        policy => policy(),
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
    })
}

/// Nothing may be loaded; one style and one script may run.
fn policy() -> String {
    let digest = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(SCRIPT)
    )
}

#[derive(Serialize)]
struct Page<'r> {
    result: &'r Results,
    run: &'r Run,
    digest: &'r str,
    who: String,
    lang: Option<String>,
    shim: Option<String>,
    verdict: &'static str,
    word: &'static str,
    reason: String,
    containment: &'static str,
    command: Option<String>,
    totals: Totals,
    levels: Vec<&'r LevelRow>,
    laws: &'r [LawRow],
    null_passes: usize,
    credit: usize,
    expectations: Option<&'r ExpectationsInfo>,
    flaws: Vec<Wrong>,
    outcomes: Vec<(&'static str, usize)>,
    failures: Vec<Shown>,
    rest: Vec<Row<'r>>,
    groups: Vec<Group>,
    not_proven: [&'static str; 5],
}

/// Something that is wrong with the run.
#[derive(Serialize)]
struct Wrong {
    kind: &'static str,
    about: String,
    message: String,
    detail: String,
}

/// Cases without an answer, for one reason.
#[derive(Serialize)]
struct Group {
    outcome: &'static str,
    reason: String,
    count: usize,
    ids: String,
}

/// A failure in one line.
#[derive(Serialize)]
struct Row<'r> {
    id: String,
    law: &'r str,
    outcome: &'static str,
    known: bool,
}

/// A failure with everything known about it.
#[derive(Serialize)]
struct Shown {
    id: String,
    outcome: &'static str,
    known: bool,
    rationale: String,
    note: Option<String>,
    observed: Option<String>,
    stderr: String,
    mismatches: Vec<Part>,
    left_out: usize,
    question: Option<Question>,
    alone: String,
    explain: String,
}

/// One place where answer and expectation differ.
#[derive(Serialize)]
struct Part {
    pointer: String,
    lines: Vec<Line>,
    cut: bool,
    unexpected: bool,
    missing: bool,
}

impl<'r> Page<'r> {
    fn of(report: &'r Report, suite: &Suite) -> Self {
        let result = &report.result;
        let (known, unexpected): (Vec<_>, Vec<_>) =
            result.failures.iter().partition(|failure| view::is_expected(failure));
        let ordered: Vec<&Failure> = unexpected.into_iter().chain(known).collect();
        let (first, rest) = ordered.split_at(ordered.len().min(MOST));
        let mut budget = Budget::default();
        let mut outcomes: BTreeMap<Outcome, usize> = BTreeMap::new();
        for failure in &result.failures {
            *outcomes.entry(failure.outcome).or_default() += 1;
        }
        let wrong = |flaw: view::Flaw| Wrong {
            kind: flaw.kind,
            about: clean(&flaw.about).into_owned(),
            message: clean(&flaw.message).into_owned(),
            detail: flaw.detail.iter().map(|line| clean(line)).collect::<Vec<_>>().join("\n"),
        };
        let group = |group: view::Group<'_>| Group {
            outcome: group.outcome.name(),
            reason: clean(group.reason).into_owned(),
            count: group.ids.len(),
            ids: view::listed(group.ids.into_iter(), 5),
        };
        let command = |command: &crate::testee::CommandInfo| {
            command.argv.iter().map(|argument| crate::clean::word(argument)).collect::<Vec<_>>().join(" ")
        };
        Self {
            result,
            run: &report.run,
            digest: &report.digest,
            who: view::who(report),
            lang: result.testee.lang.as_deref().map(|lang| clean(lang).into_owned()),
            shim: result
                .testee
                .shim
                .as_ref()
                .map(|shim| clean(&format!("{} {}", shim.name, shim.version)).into_owned()),
            verdict: Verdict::of(report).name(),
            word: view::word_of(report),
            reason: view::reason(report),
            containment: view::containment(report),
            command: report.run.command.as_ref().map(command),
            totals: result.totals,
            levels: view::levels(report).collect(),
            laws: &result.laws,
            null_passes: result.laws.iter().map(|law| law.null_passes).sum(),
            credit: result.laws.iter().map(|law| law.credit).sum(),
            expectations: result.expectations.as_ref(),
            flaws: view::flaws(report).into_iter().map(wrong).collect(),
            outcomes: outcomes.into_iter().map(|(outcome, count)| (outcome.name(), count)).collect(),
            failures: first.iter().map(|failure| Shown::of(report, suite, failure, &mut budget)).collect(),
            rest: rest.iter().map(|failure| Row::of(failure)).collect(),
            groups: view::groups(report).into_iter().map(group).collect(),
            not_proven: view::NOT_PROVEN,
        }
    }
}

impl<'r> Row<'r> {
    fn of(failure: &'r Failure) -> Self {
        Self {
            id: clean(&failure.id).into_owned(),
            law: &failure.law,
            outcome: failure.outcome.name(),
            known: view::is_expected(failure),
        }
    }
}

impl Shown {
    fn of(report: &Report, suite: &Suite, failure: &Failure, budget: &mut Budget) -> Self {
        let evidence = report.run.evidence.get(&failure.id);
        let observed = evidence.map(|evidence| evidence.message.as_str());
        let case = suite.corpus.cases.get(&failure.id);
        Self {
            id: clean(&failure.id).into_owned(),
            outcome: failure.outcome.name(),
            known: view::is_expected(failure),
            rationale: clean(&failure.rationale).into_owned(),
            note: failure.note.as_deref().map(|note| clean(note).into_owned()),
            observed: observed
                .filter(|said| failure.note.as_deref() != Some(said))
                .map(|said| clean(said).into_owned()),
            stderr: evidence.map(|evidence| lines(&evidence.stderr).collect::<Vec<_>>().join("\n")).unwrap_or_default(),
            mismatches: failure.mismatches.iter().take(MISMATCHES).map(Part::of).collect(),
            left_out: failure.mismatches.len().saturating_sub(MISMATCHES),
            question: case.map(|case| Question::of(case, budget)),
            alone: view::alone(report, &failure.id),
            explain: input::explain(&failure.id),
        }
    }
}

impl Part {
    fn of(mismatch: &Mismatch) -> Self {
        let (lines, cut) = diff(mismatch.expected.as_ref(), mismatch.actual.as_ref());
        Self {
            pointer: clean(&mismatch.pointer).into_owned(),
            lines,
            cut,
            unexpected: mismatch.expected.is_none(),
            missing: mismatch.actual.is_none(),
        }
    }
}
