//! Texts that several writers share: the verdict, what is wrong with the run as a whole, how to run a case alone.

use std::collections::BTreeMap;

use assize_corpus::agreement::Outcome;

use super::{Failure, LevelState, Report};
use crate::{
    clean::{clean, word},
    exit::Exit,
    expectations::{DriftKind, Expectation},
    runner::UnstableWhere,
};

/// What a reader takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Everything that was asked conforms.
    Conforms,
    /// Something does not, known or not.
    Violates,
    /// No verdict can rest on this run.
    Incomplete,
}

impl Verdict {
    pub(super) fn of(report: &Report) -> Self {
        match report.exit {
            Exit::Conforms if report.result.totals.fail == 0 => Self::Conforms,
            Exit::Conforms | Exit::Violates | Exit::Integrity => Self::Violates,
            Exit::NoAnswer | Exit::Testee | Exit::Usage | Exit::Bug => Self::Incomplete,
        }
    }

    /// For style sheets, badges and machines.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Conforms => "conforms",
            Self::Violates => "violates",
            Self::Incomplete => "incomplete",
        }
    }
}

/// The verdict in two or three words: with only known failures, the run goes as expected and the testee still violates.
pub(super) fn word_of(report: &Report) -> &'static str {
    match report.exit {
        Exit::Conforms if report.result.totals.fail > 0 => "violates as expected",
        Exit::Conforms => "conforms",
        Exit::Violates => "violates",
        Exit::Integrity => "expectations do not hold",
        Exit::NoAnswer => "no answer",
        Exit::Testee => "testee unusable",
        Exit::Usage | Exit::Bug => "harness at fault",
    }
}

/// What that rests on, in one line.
pub(super) fn reason(report: &Report) -> String {
    let totals = report.result.totals;
    let known = if totals.expected > 0 { format!(", {} of them known", totals.expected) } else { String::new() };
    match report.exit {
        Exit::Conforms if totals.fail == 0 => {
            format!("{} of {} cases pass{}", totals.pass, totals.cases, beside(report))
        }
        Exit::Conforms => {
            format!("{} of {} cases fail, all of them known{}", totals.fail, totals.cases, beside(report))
        }
        Exit::Violates if totals.fail > totals.expected => {
            format!("{} of {} cases fail{known}{}", totals.fail, totals.cases, beside(report))
        }
        Exit::Violates => "every answer is as expected, but the run was not sound".to_owned(),
        Exit::Integrity => {
            let drifts = report.result.expectations.as_ref().map_or(0, |info| info.drifts.len());
            format!("{drifts} {} of the expectations file", plural(drifts, "trouble", "troubles"))
        }
        Exit::NoAnswer if totals.cases == 0 => format!(
            "the selection takes none of the {} cases; `assize laws` lists what there is",
            report.result.suite.cases
        ),
        Exit::NoAnswer if totals.pass + totals.fail == 0 && totals.not_run == 0 => {
            format!("none of the {} cases could be asked", totals.cases)
        }
        Exit::NoAnswer => {
            format!("the run is incomplete: {} cases not run, {} of {} fail", totals.not_run, totals.fail, totals.cases)
        }
        Exit::Testee => "the testee cannot be used".to_owned(),
        Exit::Usage | Exit::Bug => "the harness did not catch an alteration of its own, or broke: report it".to_owned(),
    }
}

/// What else there is to know about the cases that passed and failed.
fn beside(report: &Report) -> String {
    match report.result.totals.not_applicable {
        0 => String::new(),
        count => format!("; {count} not applicable"),
    }
}

/// The name and version of the testee, clean.
pub(super) fn who(report: &Report) -> String {
    let testee = &report.result.testee;
    let who = format!("{} {}", testee.name, testee.version);
    clean(who.trim_end()).into_owned()
}

pub(super) fn plural<'w>(count: usize, one: &'w str, more: &'w str) -> &'w str {
    if count == 1 { one } else { more }
}

/// The command that runs one case alone, for a shell.
pub(super) fn alone(report: &Report, id: &str) -> String {
    let mut line = format!("assize certify --filter {}", word(id));
    if let Some(command) = &report.run.command {
        line.push_str(" --");
        for argument in &command.argv {
            line.push(' ');
            line.push_str(&word(argument));
        }
        if let Some(directory) = &command.directory {
            line = format!("cd {} && {line}", word(directory));
        }
    }
    line
}

/// Unexpected failures, by id.
pub(super) fn unexpected(report: &Report) -> impl Iterator<Item = &Failure> {
    report.result.failures.iter().filter(|failure| !is_expected(failure))
}

pub(super) fn is_expected(failure: &Failure) -> bool {
    failure.expectation == Some(Expectation::Expected)
}

/// How many expected failures there are of each outcome.
pub(super) fn expected(report: &Report) -> BTreeMap<Outcome, usize> {
    let mut counts = BTreeMap::new();
    for failure in report.result.failures.iter().filter(|failure| is_expected(failure)) {
        *counts.entry(failure.outcome).or_default() += 1;
    }
    counts
}

/// Cases without an answer for one reason.
#[derive(Debug)]
pub(super) struct Group<'r> {
    pub(super) outcome: Outcome,
    pub(super) reason: &'r str,
    pub(super) ids: Vec<&'r str>,
}

/// Cases without an answer by reason: what was not run first, then the largest groups.
pub(super) fn groups(report: &Report) -> Vec<Group<'_>> {
    let mut ids: BTreeMap<(Outcome, &str), Vec<&str>> = BTreeMap::new();
    for case in &report.result.unrun {
        ids.entry((case.outcome, &case.reason)).or_default().push(&case.id);
    }
    let mut groups: Vec<_> = ids.into_iter().map(|((outcome, reason), ids)| Group { outcome, reason, ids }).collect();
    groups.sort_by_key(|group| (group.outcome != Outcome::NotRun, std::cmp::Reverse(group.ids.len())));
    groups
}

/// One thing that is wrong with the run and is not a case's outcome.
#[derive(Debug)]
pub(super) struct Flaw {
    /// What kind of thing.
    pub(super) kind: &'static str,
    /// What it is about: a case, a line of a file, a number.
    pub(super) about: String,
    /// What is wrong, and what to do about it where there is something to do.
    pub(super) message: String,
    /// Lines that tell more.
    pub(super) detail: Vec<String>,
}

/// Everything that is wrong with the run as a whole: together with the outcomes of the cases, it accounts for the exit code.
pub(super) fn flaws(report: &Report) -> Vec<Flaw> {
    let (result, run) = (&report.result, &report.run);
    let mut flaws = Vec::new();
    let mut add = |kind, about: &str, message: &str, detail| {
        flaws.push(Flaw { kind, about: about.to_owned(), message: message.to_owned(), detail });
    };
    for fault in &result.faults {
        add("fault", "", fault, Vec::new());
    }
    if result.totals.pass + result.totals.fail == 0 {
        add("no answer", "", "no case was answered, so nothing is shown", Vec::new());
    } else if !result.complete && result.totals.not_run == 0 && result.faults.is_empty() {
        add("broken off", "", "the run ended before every check was made", Vec::new());
    }
    for missed in result.controls.iter().flat_map(|controls| &controls.missed) {
        let message = format!("an answer altered by {} went through: this is a bug of assize, report it", missed.kind);
        add("missed control", &missed.id, &message, Vec::new());
    }
    for fault in &run.session_faults {
        let mut detail = Vec::new();
        if !fault.cases.is_empty() {
            detail.push(format!("in flight: {}", listed(fault.cases.iter().map(String::as_str), 5)));
        }
        detail.extend(fault.stderr.lines().map(|line| format!("stderr: {line}")));
        add("session fault", fault.kind, &fault.message, detail);
    }
    for receipt in &run.receipts {
        add("receipt", receipt.id.as_deref().unwrap_or_default(), &receipt.message, Vec::new());
    }
    for orphan in &run.orphans {
        add("orphan", "", &format!("outlived the testee and was ended: {orphan}"), Vec::new());
    }
    for case in &result.unstable {
        let message = match case.place {
            UnstableWhere::Orders => "the two orders gave different answers: state leaks from case to case",
            UnstableWhere::Controls => "it passed before, and no longer did when its answer was to be altered",
            UnstableWhere::FreshProcess => "a fresh process gave another answer: state leaks from case to case",
        };
        add("unstable", &case.id, message, Vec::new());
    }
    for drift in result.expectations.iter().flat_map(|info| &info.drifts) {
        let about = format!("line {}: {}", drift.line, drift.pattern);
        let case = drift.case.iter().map(|case| format!("case: {case}")).collect();
        add(kind(drift.kind), &about, &drift.message, case);
    }
    flaws
}

fn kind(kind: DriftKind) -> &'static str {
    match kind {
        DriftKind::UnexpectedPass => "unexpected pass",
        DriftKind::Unmatched => "unmatched expectation",
        DriftKind::ChangedClass => "changed class",
        DriftKind::Stale => "stale expectation",
    }
}

/// A few names, and how many more there are.
pub(super) fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>, most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown: Vec<_> = names.take(most).map(clean).collect();
    let shown = shown.join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// How far the testee was contained.
pub(super) fn containment(report: &Report) -> &'static str {
    report.run.containment.as_ref().map_or("none needed: built in", |containment| containment.level)
}

/// Levels that the corpus has cases for.
pub(super) fn levels(report: &Report) -> impl Iterator<Item = &super::LevelRow> {
    report.result.levels.iter().filter(|level| level.state != LevelState::Empty)
}

/// How many levels are held.
pub(super) fn held(report: &Report) -> usize {
    report.result.levels.iter().filter(|level| level.state == LevelState::Held).count()
}

/// What no run of cases can show, in the words of every report that has room for it.
pub(super) const NOT_PROVEN: [&str; 5] = [
    "That the testee conforms on inputs that are no case of this suite. A suite is a sample, however large.",
    "That the laws are right. The suite holds an implementation to the specifications and to the rulings in the errata.",
    "Anything about operations that the testee did not declare, or about cases that are not applicable or not run.",
    "That the program behaves the same elsewhere: under other load, on another machine, or when it is not being tested.",
    "That the testee is safe to run. Containment here limits accidents; it is no defence against a hostile program.",
];

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};
    use crate::testee::CommandInfo;

    #[test]
    fn a_case_runs_alone_with_the_same_command() {
        let (mut report, _) = fixture::passing();
        assert_eq!(alone(&report, "canon/jcs/a"), "assize certify --filter canon/jcs/a");
        let argv = ["./my testee", "--mode", "it's"].map(str::to_owned).to_vec();
        report.run.command = Some(CommandInfo { argv, ..CommandInfo::default() });
        assert_eq!(
            alone(&report, "canon/jcs/a"),
            r"assize certify --filter canon/jcs/a -- './my testee' --mode 'it'\''s'"
        );
    }

    #[test]
    fn reasons_are_grouped_and_the_largest_comes_first() {
        let (report, _) = fixture::failing();
        let groups = groups(&report);
        let seen: Vec<_> = groups.iter().map(|group| (group.outcome, group.ids.len())).collect();
        assert_eq!(seen[0].0, Outcome::NotRun);
        assert!(seen[1..].is_sorted_by(|a, b| a.1 >= b.1));
        assert_eq!(seen.iter().map(|group| group.1).sum::<usize>(), report.result.unrun.len());
    }

    #[test]
    fn the_verdict_is_that_of_the_exit_code() {
        for (report, verdict, word) in [
            (fixture::passing().0, Verdict::Conforms, "conforms"),
            (fixture::failing().0, Verdict::Incomplete, "no answer"),
            (fixture::hostile().0, Verdict::Violates, "violates"),
            (fixture::known().0, Verdict::Violates, "violates as expected"),
            (fixture::stale().0, Verdict::Violates, "expectations do not hold"),
            (fixture::nothing().0, Verdict::Incomplete, "no answer"),
            (fixture::unusable().0, Verdict::Incomplete, "testee unusable"),
        ] {
            assert_eq!((Verdict::of(&report), word_of(&report)), (verdict, word));
        }
    }
}
