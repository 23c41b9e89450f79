//! The report as one page that needs nothing else: it makes no request, and it works without its script.
//!
//! The policy of the page allows its own style and its own script by their digests, and nothing else: if a word of the
//! testee ever became markup, a browser would not run it.

pub(crate) mod card;
mod input;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use assize_corpus::{agreement::Outcome, vector::Weight};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use minijinja::{
    AutoEscape, Environment, Error, UndefinedBehavior,
    syntax::SyntaxConfig,
    value::{Serde, Value},
};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::{
    Failure, LawRow, LevelRow, LevelState, Report, Results, Run, Totals,
    cluster::clusters,
    view::{self, Verdict},
};
use crate::{clean::clean, exit::Exit, expectations::ExpectationsInfo, suite::Suite};
use card::{Card, Cards};

const PAGE: &str = include_str!("html/page.html");
const CASES: &str = include_str!("html/cases.html");
const CARD: &str = include_str!("html/card.html");
const FRAME: &str = include_str!("html/frame.html");
const LIMITS: &str = include_str!("html/limits.html");
const MACROS: &str = include_str!("html/macros.html");
const TILES: &str = include_str!("html/tiles.html");
const TOOLS: &str = include_str!("html/tools.html");
pub(crate) const STYLE: &str = include_str!("html/style.css");
pub(crate) const SCRIPT: &str = include_str!("html/script.js");

/// What a run without controls proves even less.
const UNCONTROLLED: &str = "That the harness would have noticed a wrong answer: this run made no controls.";

/// The whole page. The suite gives the exact input of what failed.
///
/// # Errors
/// The template names something that is not there: a bug.
pub fn write(report: &Report, suite: &Suite) -> Result<String, Error> {
    let mut environment = environment()?;
    environment.add_template("page.html", PAGE)?;
    let page = Page::of(report, suite);
    let title = format!("{}: {} - Assize certification report", page.who, page.word);
    environment.get_template("page.html")?.render(minijinja::context! {
        page => Value::from(Serde(page)),
        title,
        policy => policy(STYLE, SCRIPT),
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
    })
}

/// What pages are rendered by: everything is escaped, nothing may be missing, and failures are shown in the same way on all.
pub(crate) fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment
        .set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?);
    for (name, template) in [
        ("frame.html", FRAME),
        ("macros.html", MACROS),
        ("tiles.html", TILES),
        ("limits.html", LIMITS),
        ("cases.html", CASES),
        ("card.html", CARD),
        ("tools.html", TOOLS),
    ] {
        environment.add_template(name, template)?;
    }
    Ok(environment)
}

/// Nothing may be loaded; one style and one script may run.
pub(crate) fn policy(style: &str, script: &str) -> String {
    let digest = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        digest(style),
        digest(script)
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
    /// Whether what answered is the implementation at all: else nothing counts against it, and laws and levels say nothing.
    usable: bool,
    worth: Option<String>,
    containment: String,
    command: Option<String>,
    declared: String,
    when: Option<String>,
    totals: Totals,
    asked: usize,
    levels: Vec<&'r LevelRow>,
    laws: Vec<Law<'r>>,
    null_passes: usize,
    credit: usize,
    expectations: Option<&'r ExpectationsInfo>,
    flaws: Vec<Wrong>,
    pills: Vec<Pills>,
    causes: Vec<Cause>,
    remarks: Vec<Cause>,
    /// Failures that are rows for want of room.
    rows: usize,
    not_run: Vec<Group>,
    aside: Aside<'r>,
    not_proven: Vec<&'static str>,
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
    reason: String,
    count: usize,
    ids: String,
}

/// What was not asked because it does not apply: one folded line.
#[derive(Serialize)]
struct Aside<'r> {
    groups: Vec<Group>,
    laws: Vec<&'r LawRow>,
    levels: Vec<&'r LevelRow>,
}

/// A law of which something was asked.
#[derive(Serialize)]
struct Law<'r> {
    #[serde(flatten)]
    row: &'r LawRow,
    word: &'static str,
    asked: usize,
    /// The place of its first cause on the page, from 1.
    cause: Option<usize>,
}

/// Buttons of which one is pressed.
#[derive(Serialize)]
pub(crate) struct Pills {
    name: &'static str,
    label: &'static str,
    /// Value, words, how many.
    choices: Vec<(&'static str, &'static str, usize)>,
}

/// Failures or remarks that look like one.
#[derive(Serialize)]
pub(crate) struct Cause {
    pub(crate) law: String,
    force: &'static str,
    outcome: &'static str,
    place: String,
    difference: String,
    flags: String,
    known: bool,
    count: usize,
    /// Ids of some that are like the one shown.
    like: String,
    shown: Card,
    others: Vec<Card>,
}

impl<'r> Page<'r> {
    fn of(report: &'r Report, suite: &Suite) -> Self {
        let result = &report.result;
        let wrong = |flaw: view::Flaw| Wrong {
            kind: flaw.kind,
            about: clean(&flaw.about).into_owned(),
            message: clean(&flaw.message).into_owned(),
            detail: flaw.detail.iter().map(|line| clean(line)).collect::<Vec<_>>().join("\n"),
        };
        let group = |group: view::Group<'_>| Group {
            reason: clean(group.reason).into_owned(),
            count: group.ids.len(),
            ids: view::listed(group.ids.into_iter(), 5),
        };
        let (not_run, aside): (Vec<_>, Vec<_>) =
            view::groups(report).into_iter().partition(|group| group.outcome == Outcome::NotRun);
        let (undeclared, levels): (Vec<_>, Vec<_>) =
            view::levels(report).partition(|level| level.state == LevelState::Undeclared);
        let mut cards = Cards::new(report, suite);
        let causes = Cause::failures(view::causes(&result.clusters, &result.failures), &mut cards);
        let like = clusters(suite, &result.remarks);
        let remarks = view::causes(&like, &result.remarks).into_iter();
        let uncontrolled = result.controls.is_none().then_some(UNCONTROLLED);
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
            usable: report.exit != Exit::Testee,
            worth: view::worth(report),
            containment: view::containment(report),
            command: view::command(report),
            declared: view::declared(report),
            when: view::when(report),
            totals: result.totals,
            asked: view::asked(report),
            levels,
            laws: view::laws(report).into_iter().map(|law| Law::of(law, &causes)).collect(),
            null_passes: result.laws.iter().map(|law| law.null_passes).sum(),
            credit: result.laws.iter().map(|law| law.credit).sum(),
            expectations: result.expectations.as_ref(),
            flaws: view::flaws(report).into_iter().map(wrong).collect(),
            pills: pills(result.totals, &result.failures),
            remarks: remarks.map(|cause| Cause::remark(&cause, &cards)).collect(),
            causes,
            rows: cards.left_out(),
            not_run: not_run.into_iter().map(group).collect(),
            aside: Aside {
                groups: aside.into_iter().map(group).collect(),
                laws: result.laws.iter().filter(|law| view::is_untouched(law)).collect(),
                levels: undeclared,
            },
            not_proven: view::NOT_PROVEN.into_iter().chain(uncontrolled).collect(),
        }
    }
}

impl<'r> Law<'r> {
    fn of(row: &'r LawRow, causes: &[Cause]) -> Self {
        let cause = causes.iter().position(|cause| cause.law == row.slug);
        let asked = row.counts.pass + row.counts.fail;
        Self { row, word: row.grade.name(), asked, cause: cause.map(|place| place + 1) }
    }
}

impl Cause {
    /// What is shown of each cause gets its room before anything that is like it.
    fn failures(causes: Vec<view::Cause<'_>>, cards: &mut Cards<'_>) -> Vec<Self> {
        let shown: Vec<Card> = causes.iter().map(|cause| cards.card(cause.shown)).collect();
        let of = |(cause, shown): (&view::Cause<'_>, Card)| {
            let others = cause.others.iter().map(|failure| cards.card(failure)).collect();
            Self::of(cause, shown, others)
        };
        causes.iter().zip(shown).map(of).collect()
    }

    /// What is shown of each cause gets its room; what is like it is in lines.
    pub(crate) fn shortly(causes: &[view::Cause<'_>], cards: &mut Cards<'_>) -> Vec<Self> {
        let of = |cause: &view::Cause<'_>| {
            let shown = cards.card(cause.shown);
            Self::of(cause, shown, cause.others.iter().map(|failure| cards.row(failure)).collect())
        };
        causes.iter().map(of).collect()
    }

    pub(crate) fn remark(cause: &view::Cause<'_>, cards: &Cards<'_>) -> Self {
        Self::of(cause, cards.row(cause.shown), cause.others.iter().map(|failure| cards.row(failure)).collect())
    }

    fn of(cause: &view::Cause<'_>, shown: Card, others: Vec<Card>) -> Self {
        let cluster = cause.cluster;
        Self {
            law: cluster.law.clone(),
            force: cluster.force.name(),
            outcome: cluster.outcome.name(),
            place: clean(&cluster.place).into_owned(),
            difference: clean(&cluster.difference).into_owned(),
            flags: cluster.flags.join(", "),
            known: view::is_expected(cause.shown),
            count: others.len() + 1,
            like: view::listed(cause.others.iter().map(|failure| failure.id.as_str()), 3),
            shown,
            others,
        }
    }
}

/// What failures can be told apart by: only what there is more than one of.
pub(crate) fn pills(totals: Totals, failures: &[Failure]) -> Vec<Pills> {
    let mut outcomes: BTreeMap<Outcome, usize> = BTreeMap::new();
    for failure in failures {
        *outcomes.entry(failure.outcome).or_default() += 1;
    }
    let forces =
        [(Weight::Spec, "Against a specification", totals.spec), (Weight::Ruling, "Against a ruling", totals.ruling)];
    let pills = [
        Pills {
            name: "force",
            label: "Show by weight",
            choices: forces.map(|(weight, words, count)| (weight.name(), words, count)).into(),
        },
        Pills {
            name: "outcome",
            label: "Show by outcome",
            choices: outcomes.into_iter().map(|(outcome, count)| (outcome.name(), outcome.name(), count)).collect(),
        },
        Pills {
            name: "known",
            label: "Show by expectation",
            choices: vec![("no", "Unexpected", totals.fail - totals.expected), ("yes", "Expected", totals.expected)],
        },
    ];
    let there = |mut pills: Pills| {
        pills.choices.retain(|(_, _, count)| *count > 0);
        (pills.choices.len() > 1).then_some(pills)
    };
    pills.into_iter().filter_map(there).collect()
}
