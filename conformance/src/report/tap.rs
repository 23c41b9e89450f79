//! The report as TAP 14: a test point for each case, one for each thing that is wrong with the run, and never red where the
//! exit code is not.

use std::fmt::Write as _;

use assize_corpus::{agreement::Outcome, vector::Weight};

use super::{Failure, Report, view};
use crate::{
    clean::{clean, steers},
    expectations::Expectation,
};

/// The whole document.
#[must_use]
pub fn write(report: &Report) -> String {
    let result = &report.result;
    let flaws = view::flaws(report);
    let mut text = format!("TAP version 14\n1..{}\n", result.cases.len() + flaws.len());
    for (name, value) in [
        ("testee", view::who(report)),
        ("suite", result.suite.sha256.clone()),
        ("result", report.digest.clone()),
        ("seed", result.seed.to_string()),
    ] {
        let _ = writeln!(text, "# {name} {value}");
    }
    if let Some(challenges) = &result.challenges {
        let _ = writeln!(text, "# challenges {}", clean(&challenges.to_string()));
    }
    // Rows, failures and reasons are all sorted by id.
    let (mut failures, mut unrun) = (result.failures.iter().peekable(), result.unrun.iter().peekable());
    let mut remarks = result.remarks.iter().peekable();
    for (place, case) in result.cases.iter().enumerate() {
        let point = format!("{} - {}", place + 1, escape(&case.id));
        let failure = failures.next_if(|failure| failure.id == case.id);
        let reason = unrun.next_if(|unrun| unrun.id == case.id).map(|unrun| unrun.reason.as_str()).unwrap_or_default();
        match (failure, case.outcome, case.expectation) {
            (Some(failure), outcome, Some(Expectation::Expected)) => {
                let _ = writeln!(text, "not ok {point} # TODO expected to fail: {outcome}");
                diagnose(report, failure, &mut text);
            }
            (Some(failure), outcome, _) if !result.fail_on.counts(failure.force) => {
                let _ = writeln!(text, "not ok {point} # TODO against a ruling alone: {outcome}");
                diagnose(report, failure, &mut text);
            }
            (Some(failure), ..) => {
                let _ = writeln!(text, "not ok {point}");
                diagnose(report, failure, &mut text);
            }
            (None, Outcome::NotApplicable, _) => {
                let _ = writeln!(text, "ok {point} # SKIP {}", escape(reason));
            }
            (None, Outcome::Pass, Some(Expectation::Stale)) => {
                let _ = writeln!(text, "not ok {point}");
                block(&[("message", "passes, though the expectations file says that it fails")], &[], &mut text);
            }
            (None, _, _) if case.force == Some(Weight::Interface) => {
                let counts =
                    result.fail_on.counts(Weight::Interface) && case.expectation != Some(Expectation::Expected);
                let _ = writeln!(text, "{} {point}", if counts { "not ok" } else { "ok" });
                if let Some(remark) = remarks.next_if(|remark| remark.id == case.id) {
                    diagnose(report, remark, &mut text);
                }
            }
            (None, Outcome::Pass, _) => {
                let _ = writeln!(text, "ok {point}");
            }
            (None, outcome, _) => {
                let _ = writeln!(text, "not ok {point}");
                block(&[("outcome", outcome.name()), ("message", reason)], &[], &mut text);
            }
        }
    }
    for (place, flaw) in flaws.iter().enumerate() {
        let about = if flaw.about.is_empty() { String::new() } else { format!(": {}", escape(&flaw.about)) };
        let _ = writeln!(text, "not ok {} - run: {}{about}", result.cases.len() + place + 1, flaw.kind);
        block(&[("message", &flaw.message)], &[("detail", flaw.detail.clone())], &mut text);
    }
    text
}

fn diagnose(report: &Report, failure: &Failure, text: &mut String) {
    let alone = view::alone(report, &failure.id);
    let mut scalars = vec![
        ("outcome", failure.outcome.name()),
        ("force", failure.force.name()),
        ("rationale", &failure.rationale),
        ("alone", &alone),
    ];
    scalars.extend(failure.note.as_deref().map(|note| ("note", note)));
    let mut lists = vec![("mismatches", failure.mismatches.iter().map(ToString::to_string).collect())];
    if let Some(evidence) = report.run.evidence.get(&failure.id) {
        scalars.push(("observed", &evidence.message));
        lists.push(("stderr", evidence.stderr.lines().map(str::to_owned).collect()));
    }
    block(&scalars, &lists, text);
}

/// A YAML block: names with texts, then names with lists of texts; an empty list is left out.
fn block(scalars: &[(&str, &str)], lists: &[(&str, Vec<String>)], text: &mut String) {
    text.push_str("  ---\n");
    for (name, value) in scalars {
        let _ = writeln!(text, "  {name}: {}", quote(value));
    }
    for (name, values) in lists.iter().filter(|(_, values)| !values.is_empty()) {
        let _ = writeln!(text, "  {name}:");
        for value in values {
            let _ = writeln!(text, "    - {}", quote(value));
        }
    }
    text.push_str("  ...\n");
}

/// A description or a reason: `#` would start a directive.
fn escape(text: &str) -> String {
    clean(text).replace('\\', "\\\\").replace('#', "\\#")
}

/// A JSON string, which is a YAML string too, without control characters.
fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    for letter in serde_json::Value::from(text).to_string().chars() {
        if steers(letter) {
            // All of them lie in the first plane.
            let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
        } else {
            quoted.push(letter);
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};
    use crate::exit::Exit;

    /// Test points in their order: number, whether it is red, and the line.
    fn points(text: &str) -> Vec<(usize, bool, &str)> {
        let points = text.lines().filter(|line| line.starts_with("ok ") || line.starts_with("not ok "));
        points
            .map(|line| {
                let rest = line.trim_start_matches("not ").trim_start_matches("ok ");
                let number = rest.split(' ').next().unwrap().parse().unwrap();
                (number, line.starts_with("not ") && !line.contains(" # TODO "), line)
            })
            .collect()
    }

    #[test]
    fn the_plan_counts_and_red_means_red() {
        for (name, report, _) in fixture::all() {
            let text = write(&report);
            let points = points(&text);
            let plan = format!("1..{}", points.len());
            assert_eq!(text.lines().nth(1), Some(plan.as_str()), "{name}");
            assert!(points.iter().enumerate().all(|(place, point)| place + 1 == point.0), "{name}");
            assert_eq!(points.iter().any(|point| point.1), report.exit != Exit::Conforms, "{name}");
        }
    }

    #[test]
    fn every_line_is_one_that_the_format_knows() {
        let text = write(&fixture::hostile().0);
        let mut inside = false;
        for line in text.lines() {
            assert!(!line.contains(steers), "{line:?}");
            match line {
                "  ---" => assert!(!std::mem::replace(&mut inside, true)),
                "  ..." => assert!(std::mem::replace(&mut inside, false)),
                line if inside => {
                    let value = line.trim_start().trim_start_matches("- ");
                    let value = value.split_once(": ").filter(|_| !value.starts_with('"')).map_or(value, |at| at.1);
                    let list = value.ends_with(':') && !value.starts_with('"');
                    assert!(list || serde_json::from_str::<String>(value).is_ok(), "{line:?}");
                }
                line => assert!(["TAP ", "1..", "# ", "ok ", "not ok "].iter().any(|start| line.starts_with(start))),
            }
        }
        let skipped = text.lines().find(|line| line.contains("canon/sovereign/away")).unwrap();
        assert!(skipped.starts_with("ok ") && skipped.contains(" # SKIP </script>"), "{skipped}");
        assert_eq!(skipped.matches(" # ").count(), 1, "a directive of the testee's own: {skipped}");
    }

    #[test]
    fn what_is_known_is_to_do() {
        let text = write(&fixture::known().0);
        assert!(
            text.contains("not ok 2 - canon/episode/wrong-code # TODO expected to fail: WRONG-CODE\n  ---\n"),
            "{text}"
        );
        let stale = write(&fixture::stale().0);
        assert!(stale.contains("not ok 2 - canon/episode/pass\n"), "{stale}");
    }
}
