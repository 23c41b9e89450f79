//! Texts that several writers share: the verdict, what is wrong with the run as a whole, how to run a case alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use assize_corpus::{agreement::Outcome, vector::Force};

use super::{Cluster, Failure, LawRow, LevelState, Report};
use crate::{
    clean::{clean, word},
    expectations::{DriftKind, Expectation},
    runner::UnstableWhere,
    words::{counted, plural},
};

mod verdict;

use verdict::some;
pub(crate) use verdict::{Verdict, word as grade_word};
pub(super) use verdict::{reason, unusable, word_of};

/// How many cases were put to the testee.
pub(super) fn asked(report: &Report) -> usize {
    let totals = report.result.totals;
    totals.pass + totals.fail
}

/// The rulings that failures are against.
pub(super) fn broken_rulings(report: &Report) -> Vec<String> {
    let mismatches = report.result.failures.iter().flat_map(|failure| &failure.mismatches);
    let ids = mismatches.filter_map(|mismatch| match &mismatch.force {
        Some(Force::Ruling(id)) => Some(id.clone()),
        _ => None,
    });
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The name and version of the testee, clean.
pub(super) fn who(report: &Report) -> String {
    let testee = &report.result.testee;
    let who = format!("{} {}", testee.name, testee.version);
    clean(who.trim_end()).into_owned()
}

/// The command that runs one case alone, for a shell.
pub(super) fn alone(report: &Report, id: &str) -> String {
    let again = report.result.challenges.as_ref().and_then(|challenges| challenges.again(id)).unwrap_or_default();
    let mut line = format!("assize certify --filter {}{again}", word(id));
    for path in report.run.containment.iter().flat_map(|contained| &contained.readable) {
        let _ = write!(line, " --readable {}", word(path));
    }
    line.extend(command(report).map(|words| format!(" -- {words}")));
    match report.run.command.as_ref().and_then(|command| command.directory.as_deref()) {
        Some(directory) => format!("cd {} && {line}", word(directory)),
        None => line,
    }
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
    for probe in result.probes.iter().filter(|probe| probe.message.is_some()) {
        let about = format!("{}, {}, profile {}", probe.capability, probe.at, probe.profile);
        add("untrue declaration", &about, probe.message.as_deref().unwrap_or_default(), Vec::new());
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
pub(crate) fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>, most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown: Vec<_> = names.take(most).map(clean).collect();
    let shown = shown.join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// How far the testee was contained.
pub(super) fn containment(report: &Report) -> String {
    report.run.containment.as_ref().map_or_else(|| "none needed: built in".to_owned(), ToString::to_string)
}

/// Levels that the corpus has cases for.
pub(super) fn levels(report: &Report) -> impl Iterator<Item = &super::LevelRow> {
    report.result.levels.iter().filter(|level| level.state != LevelState::Empty)
}

/// How many levels are held.
pub(super) fn held(report: &Report) -> usize {
    report.result.levels.iter().filter(|level| level.state == LevelState::Held).count()
}

/// What was declared, in one line: a verdict holds for no more.
pub(super) fn declared(report: &Report) -> String {
    let testee = &report.result.testee;
    let operations = testee.ops.operations().count();
    let less = testee.capabilities.to_string();
    let what = if less.is_empty() { "no limits".to_owned() } else { clean(&less).into_owned() };
    format!("{}, {what}", counted(operations, "operation", "operations"))
}

/// When the run began, to the second, and how long it took; nothing where no run began.
pub(super) fn when(report: &Report) -> Option<String> {
    let (started, seconds) = (&report.run.started, report.run.seconds);
    let start = started.split(['.', 'Z']).next().filter(|start| !start.is_empty())?;
    let lasted = if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{:.0} min {:.0} s", (seconds / 60.0).floor(), (seconds % 60.0).floor())
    };
    Some(format!("{} UTC, in {lasted}", start.replace('T', " ")))
}

/// The line of the command that started the testee, for a shell; nothing for the built-in verifier.
pub(super) fn command(report: &Report) -> Option<String> {
    let command = report.run.command.as_ref()?;
    Some(command.argv.iter().map(|argument| word(argument)).collect::<Vec<_>>().join(" "))
}

/// Laws with failures first, the most against a specification before the others; those of which nothing applied are not rows.
pub(super) fn laws(report: &Report) -> Vec<&LawRow> {
    let mut laws: Vec<_> = report.result.laws.iter().filter(|law| !is_untouched(law)).collect();
    laws.sort_by_key(|law| std::cmp::Reverse((law.counts.spec, law.counts.ruling)));
    laws
}

/// Whether no case of the law applied.
pub(super) fn is_untouched(law: &LawRow) -> bool {
    law.counts.cases == law.counts.not_applicable
}

/// One cause: failures that look like one, and the one of them that is shown.
pub(crate) struct Cause<'r> {
    pub(crate) cluster: &'r Cluster,
    /// The smallest that nobody expects, where there is one.
    pub(crate) shown: &'r Failure,
    /// The others: those that nobody expects first.
    pub(crate) others: Vec<&'r Failure>,
}

/// Every cluster with its failures; those that are known as a whole come last.
pub(crate) fn causes<'r>(clusters: &'r [Cluster], failures: &'r [Failure]) -> Vec<Cause<'r>> {
    let by_id: BTreeMap<&str, &Failure> = failures.iter().map(|failure| (failure.id.as_str(), failure)).collect();
    let cause = |cluster: &'r Cluster| {
        let mut others: Vec<&Failure> = cluster.cases.iter().filter_map(|id| by_id.get(id.as_str()).copied()).collect();
        others.sort_by_key(|failure| (is_expected(failure), failure.id != cluster.smallest));
        let shown = *others.first()?;
        others.remove(0);
        Some(Cause { cluster, shown, others })
    };
    let mut causes: Vec<_> = clusters.iter().filter_map(cause).collect();
    causes.sort_by_key(|cause| is_expected(cause.shown));
    causes
}

/// Which passes say something: those that a testee which looks at nothing does not get too.
pub(super) fn worth(report: &Report) -> Option<String> {
    let (totals, result) = (report.result.totals, &report.result);
    if totals.pass == 0 {
        return None;
    }
    let credit: usize = result.laws.iter().map(|law| law.credit).sum();
    let mut said = format!(
        "{credit} of {} {} credit: no testee that looks at nothing gets there",
        some(totals.pass, "pass", "passes").unwrap_or_default(),
        plural(totals.pass, "earns", "earn")
    );
    let nulls = result.controls.iter().flat_map(|controls| &controls.null_testees);
    if let Some(null) = nulls.into_iter().find(|null| null.name == "reject-all") {
        let _ = write!(said, "; one that refuses everything would pass {} of the {} asked", null.pass, null.cases);
    }
    Some(said)
}

/// What no run of cases can show, in the words of every report that has room for it.
pub(crate) const NOT_PROVEN: [&str; 5] = [
    "That the testee conforms on inputs that are no case of this suite. A suite is a sample, however large.",
    "That the laws are right. The suite holds an implementation to the specifications and to the rulings in the errata.",
    "Anything about operations that the testee did not declare, or about cases that are not applicable or not run.",
    "That the program behaves the same elsewhere: under other load, on another machine, or when it is not being tested.",
    "That the testee is safe to run. Containment is as far as it is said to be, and the kernel's to keep.",
];

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};
    use crate::testee::{CommandInfo, Containment};

    #[test]
    fn a_case_runs_alone_with_the_same_command() {
        let (mut report, _) = fixture::passing();
        assert_eq!(alone(&report, "canon/episode/a"), "assize certify --filter canon/episode/a");
        let argv = ["./my testee", "--mode", "it's"].map(str::to_owned).to_vec();
        report.run.command = Some(CommandInfo { argv, ..CommandInfo::default() });
        assert_eq!(
            alone(&report, "canon/episode/a"),
            r"assize certify --filter canon/episode/a -- './my testee' --mode 'it'\''s'"
        );
        report.run.containment = Some(Containment { readable: vec!["/my data".to_owned()], ..Containment::default() });
        assert!(alone(&report, "a").starts_with("assize certify --filter a --readable '/my data' -- './my testee'"));
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
    fn what_is_declared_and_when_are_a_line_each() {
        let (mut report, _) = fixture::passing();
        let operations = report.result.testee.ops.operations().count();
        assert_eq!(declared(&report), format!("{operations} operations, no limits"));
        report.result.testee.capabilities.max_depth = Some(64);
        assert_eq!(declared(&report), format!("{operations} operations, max_depth 64"));
        assert_eq!(when(&report).as_deref(), Some("2026-01-02 03:04:05 UTC, in 1.2 s"));
        (report.run.started, report.run.seconds) = ("2026-01-02T03:04:05.678Z".to_owned(), 125.7);
        assert_eq!(when(&report).as_deref(), Some("2026-01-02 03:04:05 UTC, in 2 min 5 s"));
        report.run.started.clear();
        assert_eq!(when(&report), None);
    }

    #[test]
    fn what_is_known_as_a_whole_comes_last() {
        let (mut report, _) = fixture::weighed();
        let shown = |report: &Report| {
            let causes = causes(&report.result.clusters, &report.result.failures);
            let names = causes.iter().map(|cause| (cause.shown.id.clone(), cause.others.len()));
            names.collect::<Vec<_>>()
        };
        let (timeout, output, code) =
            ("canon/episode/timeout", "canon/episode/wrong-output", "canon/episode/wrong-code");
        assert_eq!(shown(&report), [(timeout.to_owned(), 1), (code.to_owned(), 0)]);
        let expect = |report: &mut Report, id: &str| {
            let failure = report.result.failures.iter_mut().find(|failure| failure.id == id);
            failure.unwrap().expectation = Some(Expectation::Expected);
        };
        expect(&mut report, timeout);
        assert_eq!(shown(&report), [(output.to_owned(), 1), (code.to_owned(), 0)]);
        expect(&mut report, output);
        assert_eq!(shown(&report), [(code.to_owned(), 0), (timeout.to_owned(), 1)]);
    }
}
