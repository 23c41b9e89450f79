//! The verdict of a run in a word, and what it rests on in a line.

use super::{asked, broken_rulings, held};
use crate::{
    clean::clean,
    exit::Exit,
    report::{Report, RunGrade},
    words::{counted, plural},
};

/// What a reader takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The specifications hold in everything that was asked, and perhaps the rulings too.
    Conforms,
    /// Something does not, known or not.
    Violates,
    /// No verdict can rest on this run.
    Incomplete,
}

impl Verdict {
    pub(in crate::report) fn of(report: &Report) -> Self {
        Self::from(report.result.grade)
    }

    /// For style sheets, badges and machines.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Conforms => "conforms",
            Self::Violates => "violates",
            Self::Incomplete => "incomplete",
        }
    }
}

impl From<RunGrade> for Verdict {
    fn from(grade: RunGrade) -> Self {
        match grade {
            RunGrade::ConformsStrictly | RunGrade::Conforms => Self::Conforms,
            RunGrade::Violates => Self::Violates,
            RunGrade::Incomplete => Self::Incomplete,
        }
    }
}

/// The grade in a word or two, or why there is none.
pub(in crate::report) fn word_of(report: &Report) -> &'static str {
    let whole = report.result.complete && answered(report) && report.result.faults.is_empty();
    word(report.exit, report.result.grade, whole)
}

/// The same of a run that ended so; `whole` where every case was answered and nothing was wrong with the corpus.
pub(crate) fn word(exit: Exit, grade: RunGrade, whole: bool) -> &'static str {
    match exit {
        Exit::Conforms | Exit::Violates | Exit::Integrity => grade.name(),
        Exit::NoAnswer if whole => "nothing judged",
        Exit::NoAnswer => "incomplete",
        Exit::Testee => "testee unusable",
        Exit::Usage | Exit::Bug => "harness at fault",
    }
}

fn answered(report: &Report) -> bool {
    report.result.totals.pass + report.result.totals.fail > 0
}

/// What that rests on, in one line.
pub(in crate::report) fn reason(report: &Report) -> String {
    let (result, totals) = (&report.result, report.result.totals);
    match report.exit {
        Exit::Conforms | Exit::Violates | Exit::Integrity => {
            let mut parts = match result.grade {
                RunGrade::Violates => vec![violations(report)],
                _ => {
                    let held = held(report);
                    let mut parts = vec![counted(held, "level", "levels")];
                    parts.push(format!("{} of {} asked", asked(report), totals.cases));
                    parts.extend(some(totals.ruling, "ruling failure", "ruling failures").map(|counted| {
                        let ids = broken_rulings(report);
                        if ids.is_empty() { counted } else { format!("{counted} ({})", ids.join(", ")) }
                    }));
                    parts
                }
            };
            parts.extend(some(totals.remarks, "remark", "remarks"));
            let declared = result.testee.capabilities.to_string();
            if !declared.is_empty() {
                parts.push(format!("declared {declared}"));
            }
            if !result.rulings.left_out.is_empty() {
                parts.push(format!("without {}", result.rulings.left_out.join(", ")));
            }
            match (report.exit, &result.expectations) {
                (Exit::Integrity, Some(info)) => {
                    let drifts = info.drifts.len();
                    parts.push(format!("stale: {} of the expectations file", counted(drifts, "trouble", "troubles")));
                }
                (Exit::Violates, _) if result.grade != RunGrade::Violates && totals.fail + totals.remarks == 0 => {
                    parts.push("but the run was not sound".to_owned());
                }
                _ => {}
            }
            parts.join(", ")
        }
        Exit::NoAnswer if totals.cases == 0 => {
            format!(
                "the selection takes none of the {}; `assize laws` lists what there is",
                counted(result.suite.cases, "case", "cases")
            )
        }
        Exit::NoAnswer if !answered(report) && totals.not_run == 0 => {
            format!("none of the {} could be asked", counted(totals.cases, "case", "cases"))
        }
        Exit::NoAnswer if word_of(report) == "nothing judged" => format!(
            "{} of {} {}; a law has a grade once a case that it accepts and one that it refuses were asked{}",
            totals.pass,
            totals.cases,
            plural(totals.cases, "case passes", "cases pass"),
            lacking(report)
        ),
        // Everything was answered, and what is missing is told by name.
        Exit::NoAnswer if totals.not_run == 0 && !result.faults.is_empty() => {
            result.faults.last().map_or_else(String::new, |fault| in_a_line(fault))
        }
        Exit::NoAnswer => {
            let cases = plural(totals.not_run, "case", "cases");
            let why = result.faults.last().filter(|_| !answered(report)).map(|fault| format!(": {}", in_a_line(fault)));
            let why = why.unwrap_or_default();
            format!("{} {cases} not run, {} of {} fail{why}", totals.not_run, totals.fail, totals.cases)
        }
        Exit::Testee => {
            result.faults.last().map_or_else(|| "the testee cannot be used".to_owned(), |fault| in_a_line(fault))
        }
        Exit::Usage | Exit::Bug => "the harness did not catch an alteration of its own, or broke: report it".to_owned(),
    }
}

/// Of the laws that were asked the first few, each with what keeps it from a grade.
fn lacking(report: &Report) -> String {
    const MOST: usize = 3;
    let asked = report.result.laws.iter().filter(|law| law.counts.pass + law.counts.fail > 0);
    let lacking: Vec<_> = asked.filter_map(|law| Some(format!("of {} {}", clean(&law.slug), law.lacks?))).collect();
    let rest = match lacking.len().saturating_sub(MOST) {
        0 => String::new(),
        rest => format!("; so it is with {rest} more"),
    };
    let shown: Vec<_> = lacking.into_iter().take(MOST).collect();
    if shown.is_empty() { String::new() } else { format!("; {}{rest}", shown.join(", ")) }
}

/// Whether the testee answered nothing at all, so that there is nothing to show but the reason.
pub(crate) fn unusable(report: &Report) -> bool {
    report.exit == Exit::Testee && report.result.totals.not_run == report.result.totals.cases
}

/// `29 spec failures in 4 laws`, and how many of all failures are known.
fn violations(report: &Report) -> String {
    let (totals, laws) = (report.result.totals, &report.result.laws);
    if totals.expected > 0 && totals.expected == totals.fail {
        return counted(totals.fail, "known failure", "known failures");
    }
    let broken = laws.iter().filter(|law| law.counts.spec > 0).count();
    let mut said = format!(
        "{} spec {} in {broken} {}",
        totals.spec,
        plural(totals.spec, "failure", "failures"),
        plural(broken, "law", "laws")
    );
    if let Some(more) = some(totals.ruling, "ruling failure", "ruling failures") {
        said = format!("{said}, {more}");
    }
    if totals.expected > 0 { format!("{said}, {} of all known", totals.expected) } else { said }
}

pub(super) fn some(count: usize, one: &str, more: &str) -> Option<String> {
    (count > 0).then(|| counted(count, one, more))
}

/// A fault in one line. What a testee wrote to standard error often tells only near its end what went wrong: a traceback begins with
/// where, and other runtimes end in their own name. Where the first line names an error itself, nothing is added.
fn in_a_line(fault: &str) -> String {
    let names_an_error = |line: &str| ["Error", "error:", "Exception", "panic:"].iter().any(|word| line.contains(word));
    let mut lines = fault.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("note: "));
    let first = clean(lines.next().unwrap_or_default()).into_owned();
    let wrote = first.rsplit("it wrote: ").next().unwrap_or_default();
    let more: Vec<&str> = lines.filter(|line| !line.starts_with(char::is_whitespace)).collect();
    match more.iter().rfind(|line| names_an_error(line)).or(more.last()) {
        Some(telling) if !names_an_error(wrote) => format!("{first} ... {}", clean(telling.trim())),
        _ => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn a_testee_that_cannot_be_used_says_why() {
        assert_eq!(reason(&fixture::unusable().0), "no such program: check the path");
    }

    #[test]
    fn a_run_whose_controls_show_nothing_says_which() {
        let mut report = fixture::passing().0;
        report.exit = Exit::NoAnswer;
        report.result.complete = false;
        report.result.faults = vec!["1 control showed nothing: late of canon/x: TIMEOUT".to_owned()];
        assert_eq!((word_of(&report), reason(&report)), ("incomplete", report.result.faults[0].clone()));
    }

    /// What begins a traceback says nothing, and what ends it may say only who wrote it.
    #[test]
    fn of_many_lines_the_telling_one_is_shown() {
        for (fault, line) in [
            ("no such program", "no such program"),
            (
                "it wrote: Traceback (last):\n  File \"a.py\"\n    error()\nModuleNotFoundError: none\n",
                "it wrote: Traceback (last): ... ModuleNotFoundError: none",
            ),
            (
                "it wrote: esm:283\n    throw\n\nError [NOT_FOUND]: x.mjs\n    at error (b)\n\nNode.js v20\n",
                "it wrote: esm:283 ... Error [NOT_FOUND]: x.mjs",
            ),
            (
                "it wrote: thread 'main' panicked at a.rs:1:2:\nno library here\nnote: run with `RUST_BACKTRACE=1`\n",
                "it wrote: thread 'main' panicked at a.rs:1:2: ... no library here",
            ),
            (
                "it wrote: Exception in thread \"main\" a.B: c\n\tat D.main\nCaused by: e\n\t... 1 more\n",
                "it wrote: Exception in thread \"main\" a.B: c",
            ),
            ("it wrote: panic: none\n\ngoroutine 1:\n\tmain.go:3\nexit status 2\n", "it wrote: panic: none"),
        ] {
            assert_eq!(in_a_line(fault), line);
        }
    }

    #[test]
    fn the_verdict_is_that_of_the_exit_code() {
        for (report, verdict, word) in [
            (fixture::passing().0, Verdict::Conforms, "conforms strictly"),
            (fixture::failing().0, Verdict::Incomplete, "incomplete"),
            (fixture::hostile().0, Verdict::Violates, "violates"),
            (fixture::known().0, Verdict::Violates, "violates"),
            (fixture::stale().0, Verdict::Conforms, "conforms strictly"),
            (fixture::nothing().0, Verdict::Incomplete, "incomplete"),
            (fixture::unusable().0, Verdict::Incomplete, "testee unusable"),
        ] {
            assert_eq!((Verdict::of(&report), word_of(&report)), (verdict, word));
        }
    }
}
