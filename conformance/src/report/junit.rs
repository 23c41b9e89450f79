//! The report as JUnit XML: a suite for each law and one for the run itself, red exactly where the exit code is.

use std::time::Duration;

use assize_corpus::{agreement::Outcome, vector::Weight};
use quick_junit::{NonSuccessKind, Report as Document, SerializeError, TestCase, TestCaseStatus, TestSuite, XmlString};

use super::{CaseRow, Failure, Report, view};
use crate::{
    catalogue::law_of,
    clean::{clean, lines},
    expectations::Expectation,
};

/// The whole document.
///
/// # Errors
/// None is known: everything is written into memory, and without what XML cannot hold.
pub fn write(report: &Report) -> Result<String, SerializeError> {
    let mut document = Document::new("assize");
    if let Ok(time) = Duration::try_from_secs_f64(report.run.seconds) {
        document.set_time(time);
    }
    document.add_test_suite(run(report));
    let result = &report.result;
    // Rows, failures and reasons are all sorted by id.
    let (mut failures, mut unrun) = (result.failures.iter().peekable(), result.unrun.iter().peekable());
    let mut remarks = result.remarks.iter().peekable();
    let mut suites: Vec<_> =
        result.laws.iter().map(|law| (law.slug.as_str(), TestSuite::new(xml(&law.slug)))).collect();
    for case in &result.cases {
        let failure = failures.next_if(|failure| failure.id == case.id);
        let reason = unrun.next_if(|unrun| unrun.id == case.id).map(|unrun| unrun.reason.as_str());
        let remark = remarks.next_if(|remark| remark.id == case.id);
        let counting = remark.filter(|remark| result.fail_on.counts(remark.force));
        let mut test = test(report, case, failure.or(counting), reason.unwrap_or_default());
        if let Some(remark) = remark {
            test.add_property(("remark", first(report, remark).as_str()));
        }
        // Every case has a row for its law.
        if let Some((_, suite)) = suites.iter_mut().find(|(slug, _)| *slug == law_of(&case.id)) {
            suite.add_test_case(test);
        }
    }
    document.add_test_suites(suites.into_iter().map(|(_, mut suite)| {
        suite.set_time(suite.test_cases.iter().filter_map(|case| case.time).sum());
        suite
    }));
    document.to_string()
}

/// The suite of the run: its properties, and a case for each thing that is wrong with it.
fn run(report: &Report) -> TestSuite {
    let result = &report.result;
    let mut suite = TestSuite::new("assize.run");
    for (name, value) in [
        ("testee", view::who(report)),
        ("verdict", view::word_of(report).to_owned()),
        ("exit_code", result.exit_code.to_string()),
        ("digest", report.digest.clone()),
        ("suite", result.suite.sha256.clone()),
        ("laws", result.suite.laws_sha256.clone()),
        ("operations", result.suite.operations_sha256.clone()),
        ("seed", result.seed.to_string()),
        ("assize", result.assize.to_owned()),
        ("containment", view::containment(report)),
    ] {
        suite.add_property((name, value.as_str()));
    }
    if let Some(challenges) = &result.challenges {
        suite.add_property(("challenges", challenges.to_string().as_str()));
    }
    if !report.run.started.is_empty() {
        suite.extra.insert(XmlString::new("timestamp"), xml(&report.run.started));
    }
    for (place, flaw) in view::flaws(report).iter().enumerate() {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type(flaw.kind).set_message(xml(&flaw.message));
        let transcript: Vec<_> = flaw.detail.iter().map(|line| clean(line)).collect();
        status.set_description(transcript.join("\n"));
        let about = if flaw.about.is_empty() { String::new() } else { format!(": {}", clean(&flaw.about)) };
        let mut case = TestCase::new(format!("{} {}{about}", place + 1, flaw.kind), status);
        case.set_classname("assize.run");
        suite.add_test_case(case);
    }
    suite
}

fn test(report: &Report, case: &CaseRow, failure: Option<&Failure>, reason: &str) -> TestCase {
    let known = case.expectation == Some(Expectation::Expected);
    let status = match (failure, case.outcome) {
        (Some(failure), outcome) if known => {
            let mut status = TestCaseStatus::skipped();
            status.set_type(outcome.name()).set_message(format!("expected to fail: {outcome}"));
            status.set_description(transcript(report, failure));
            status
        }
        (Some(failure), outcome) if !report.result.fail_on.counts(failure.force) => {
            let mut status = TestCaseStatus::skipped();
            status.set_type("RULING").set_message(xml(&format!("against a ruling alone: {outcome}")));
            status.set_description(transcript(report, failure));
            status
        }
        (Some(failure), outcome) => {
            let mut status = TestCaseStatus::non_success(kind(outcome));
            status.set_type(outcome.name()).set_message(first(report, failure));
            status.set_description(transcript(report, failure));
            status
        }
        (None, Outcome::NotApplicable) => {
            let mut status = TestCaseStatus::skipped();
            status.set_type(case.outcome.name()).set_message(xml(reason));
            status
        }
        (None, Outcome::Pass) if case.expectation == Some(Expectation::Stale) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("STALE").set_message("passes, though the expectations file says that it fails");
            status
        }
        (None, _) if case.force.is_none_or(|force| force == Weight::Interface) && case.outcome != Outcome::NotRun => {
            TestCaseStatus::success()
        }
        (None, outcome) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_type(outcome.name()).set_message(xml(reason));
            status
        }
    };
    let law = law_of(&case.id);
    let name = case.id.strip_prefix(law).map_or(case.id.as_str(), |rest| rest.trim_start_matches('/'));
    let mut test = TestCase::new(xml(name), status);
    test.set_classname(xml(&law.replace('/', ".")));
    if let Some(took) = report.run.took.get(&case.id) {
        test.set_time(*took);
    }
    if let Some(evidence) = report.run.evidence.get(&case.id).filter(|evidence| !evidence.stderr.is_empty()) {
        test.set_system_err(lines(&evidence.stderr).collect::<Vec<_>>().join("\n"));
    }
    test
}

/// A wrong answer is a failure; no answer is an error.
fn kind(outcome: Outcome) -> NonSuccessKind {
    match outcome {
        Outcome::Crash | Outcome::Timeout | Outcome::Protocol | Outcome::Fault | Outcome::NotRun => {
            NonSuccessKind::Error
        }
        Outcome::Pass
        | Outcome::WrongOutput
        | Outcome::WrongCode
        | Outcome::WrongVerdict
        | Outcome::BrokenPromise
        | Outcome::NotApplicable => NonSuccessKind::Failure,
    }
}

/// The first thing to say about a failure.
fn first(report: &Report, failure: &Failure) -> XmlString {
    let said = failure.note.clone().or_else(|| failure.mismatches.first().map(ToString::to_string));
    let seen = || report.run.evidence.get(&failure.id).map(|evidence| evidence.message.clone());
    xml(&said.or_else(seen).unwrap_or_default())
}

fn transcript(report: &Report, failure: &Failure) -> String {
    let mut transcript = vec![clean(&failure.rationale).into_owned()];
    transcript.extend(failure.note.iter().map(|note| clean(note).into_owned()));
    transcript.extend(failure.mismatches.iter().map(|mismatch| clean(&mismatch.to_string()).into_owned()));
    if let Some(evidence) = report.run.evidence.get(&failure.id) {
        transcript.push(clean(&evidence.message).into_owned());
    }
    transcript.push(format!("alone: {}", view::alone(report, &failure.id)));
    transcript.join("\n")
}

/// What the testee said, visibly escaped: the crate itself would drop what XML cannot hold.
fn xml(text: &str) -> XmlString {
    XmlString::new(clean(text))
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};
    use crate::{clean::steers, exit::Exit};

    fn check(report: &Report) -> (String, Document) {
        let text = write(report).unwrap();
        let document = Document::deserialize_from_str(&text).unwrap();
        assert_eq!(document.tests, report.result.cases.len() + view::flaws(report).len());
        (text, document)
    }

    #[test]
    fn it_parses_and_red_means_red() {
        for (name, report, _) in fixture::all() {
            let (_, document) = check(&report);
            assert_eq!(document.failures + document.errors > 0, report.exit != Exit::Conforms, "{name}");
            let totals = report.result.totals;
            // A ruling alone is below what ends these runs with an error.
            let unknown = |failure: &&Failure| !view::is_expected(failure) && failure.force == Weight::Ruling;
            let ruled = report.result.failures.iter().filter(unknown).count();
            assert_eq!(document.skipped, totals.not_applicable + totals.expected + ruled, "{name}");
        }
    }

    #[test]
    fn no_answer_is_an_error_and_a_wrong_one_a_failure() {
        let (_, document) = check(&fixture::failing().0);
        for (outcome, errs) in [
            ("WRONG-VERDICT", false),
            ("WRONG-CODE", false),
            ("WRONG-OUTPUT", false),
            ("BROKEN-PROMISE", false),
            ("FAULT", true),
            ("CRASH", true),
            ("TIMEOUT", true),
            ("PROTOCOL", true),
            ("NOT-RUN", true),
        ] {
            let seen =
                document.test_suites.iter().flat_map(|suite| &suite.test_cases).find_map(|case| match &case.status {
                    TestCaseStatus::NonSuccess { kind, ty: Some(ty), .. } if ty.as_str() == outcome => Some(*kind),
                    _ => None,
                });
            assert_eq!(seen, Some(if errs { NonSuccessKind::Error } else { NonSuccessKind::Failure }), "{outcome}");
        }
    }

    /// Whoever looks for slow cases finds a time at each that was asked, and none at the others.
    #[test]
    fn cases_that_were_asked_have_a_time() {
        for (name, report, _) in fixture::all() {
            let (_, document) = check(&report);
            let timed = document.test_suites.iter().flat_map(|suite| &suite.test_cases);
            let timed = timed.filter(|case| case.time.is_some()).count();
            let totals = report.result.totals;
            assert_eq!(timed, totals.pass + totals.fail, "{name}");
        }
    }

    #[test]
    fn what_the_testee_says_stays_text() {
        let (text, document) = check(&fixture::hostile().0);
        assert!(!text.contains(|letter| letter != '\n' && steers(letter)));
        assert!(!text.contains("<img") && !text.contains("]]>"));
        let name = &document.test_suites[0].properties[0].value;
        assert!(name.contains("</script><img") && name.contains("\\u{1b}[31m") && name.contains("\\u{202e}"));
    }

    #[test]
    fn only_facts_of_the_run_change_it() {
        let (mut report, _) = fixture::failing();
        let text = write(&report).unwrap();
        assert_eq!(write(&report).unwrap(), text);
        let took = std::mem::take(&mut report.run.took);
        let untimed = write(&report).unwrap();
        assert_ne!(untimed, text);
        report.run = super::super::Run { took, ..report.run };
        assert_eq!(write(&report).unwrap(), text);
        report.run.seconds = 9.0;
        assert_ne!(write(&report).unwrap(), text);
    }
}
