//! A certificate compared with another run.

use assize::{
    certificate::{self, Certified, HarnessInfo, ReportFile, differences, digest_pairs, open, replay_plan},
    exit::Exit,
    report::{self, Report},
    testee::TransportKind,
};
use assize_corpus::agreement::Outcome;

use super::run::{LAW, Shape, certificate, found, harness, public, report};

fn certified(shape: &Shape) -> Certified {
    open(&certificate(&report(shape)), &[public(1)]).unwrap()
}

/// What differs from the run of `shape`, each part once.
#[track_caller]
fn check(shape: &Shape, again: &Report, parts: &[&str]) -> Vec<String> {
    let before = ReportFile::parse(report::json(&report(shape)).unwrap().as_bytes()).unwrap();
    let found = differences(&certified(shape), again, &harness(), Some(&before));
    let mut named: Vec<_> = found.iter().map(|difference| difference.part).collect();
    named.dedup();
    assert_eq!(named, parts, "{found:#?}");
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn the_plan_is_the_run() {
    let plan = replay_plan(&certified(&Shape { expected: true, ..Shape::default() }));
    let again = report(&Shape { expected: true, ..Shape::default() });
    assert_eq!(plan.transport, TransportKind::Process);
    assert_eq!((&plan.selection, &plan.limits), (&again.result.selection, &again.result.limits));
    assert_eq!((plan.seed, plan.jobs), (7, 2));
    assert_eq!(plan.argv, again.run.command.unwrap().argv);
    assert_eq!(plan.expectations_sha256, again.result.expectations.map(|info| info.sha256));
    let built_in = Shape { transport: TransportKind::InProcess, ..Shape::default() };
    let plan = replay_plan(&certified(&built_in));
    assert_eq!((plan.argv.len(), plan.expectations_sha256), (0, None));
}

#[test]
fn the_same_run_agrees_whatever_belongs_to_the_run_alone() {
    let mut again = report(&Shape::default());
    again.run.started = "2027-01-01T00:00:00Z".to_owned();
    again.run.sessions.clear();
    again.run.containment = None;
    again.run.jobs = 9;
    assert!(check(&Shape::default(), &again, &[]).is_empty());
}

#[test]
fn other_outcomes_are_named_down_to_the_case() {
    let mut other = found(&Shape::default());
    let spoiled: Vec<_> = other.results.iter().take(7).map(|case| case.id.clone()).collect();
    for case in other.results.iter_mut().take(7) {
        case.judgement.outcome = Outcome::WrongVerdict;
    }
    let again = report::sum::sum(other);
    let parts = ["report digest", "totals", "exit code", "law", "level", "case"];
    let said = check(&Shape::default(), &again, &parts);
    assert!(said.contains(&format!("case: {}: certified PASS, now WRONG-VERDICT", spoiled[0])), "{said:#?}");
    assert_eq!(said.last().unwrap(), "case: and 2 more");
    assert!(said.contains(&"exit code: certified 0, now 1".to_owned()));
    // Without the report that was certified the cases are not known.
    let said = differences(&certified(&Shape::default()), &again, &harness(), None);
    assert_eq!(said.last().unwrap().part, "level");
}

#[test]
fn another_seed_or_selection_is_named() {
    let mut other = found(&Shape::default());
    other.seed = 8;
    check(&Shape::default(), &report::sum::sum(other), &["report digest", "seed"]);
    let mut other = found(&Shape::default());
    other.limits.case_ms = 1;
    check(&Shape::default(), &report::sum::sum(other), &["report digest", "limits"]);
    let mut other = found(&Shape::default());
    other.introduction.as_mut().unwrap().testee.version = "2".to_owned();
    check(&Shape::default(), &report::sum::sum(other), &["report digest", "testee"]);
}

#[test]
fn another_binary_is_named_though_it_answers_alike() {
    let mut again = report(&Shape::default());
    again.run.command.as_mut().unwrap().files[0].sha256 = "9".repeat(64);
    let said = check(&Shape::default(), &again, &["command"]);
    let (new, old) = ("9".repeat(64), "0".repeat(64));
    assert_eq!(
        said,
        [
            format!("command: python3 ({new}) is not a file that was certified"),
            format!("command: python3 ({old}) was certified and did not run"),
        ]
    );
    let shape = Shape { transport: TransportKind::InProcess, ..Shape::default() };
    let rebuilt = HarnessInfo { sha256: "9".repeat(64), ..harness() };
    assert_eq!(differences(&certified(&shape), &report(&shape), &rebuilt, None).len(), 2);
    assert!(differences(&certified(&shape), &report(&shape), &harness(), None).is_empty());
}

#[test]
fn another_corpus_is_named() {
    let certified = certified(&Shape::default());
    let mut suite = report(&Shape::default()).result.suite;
    assert!(digest_pairs(certified.claim(), &suite).iter().all(|pair| pair.same));
    suite.laws_sha256 = "9".repeat(64);
    let other: Vec<_> =
        digest_pairs(certified.claim(), &suite).into_iter().filter(|pair| !pair.same).map(|pair| pair.name).collect();
    assert_eq!(other, ["laws"]);
    let mut again = report(&Shape::default());
    again.result.suite = suite;
    again.digest = again.result.digest().unwrap().to_hex();
    check(&Shape::default(), &again, &["report digest", "laws"]);
}

#[test]
fn a_report_file_has_the_digest_of_its_result() {
    let report = report(&Shape { expected: true, filters: vec![LAW, "canon"], ..Shape::default() });
    assert_eq!(report.exit, Exit::Conforms);
    let text = report::json(&report).unwrap();
    assert_eq!(ReportFile::parse(text.as_bytes()).unwrap().digest, report.digest);
    // Order and white space do not matter; a value does, but not what the file says about itself.
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let compact = value.to_string().replace(&report.digest, "");
    assert_eq!(ReportFile::parse(compact.as_bytes()).unwrap().digest, report.digest);
    assert_ne!(ReportFile::parse(text.replace("\"seed\": 7", "\"seed\": 8").as_bytes()).unwrap().digest, report.digest);
    for (text, says) in [
        ("", "at the top: "),
        ("{}", "no report: /contract is not"),
        (r#"{"contract":"assize-report/v2","result":{}}"#, "no report: /contract is not"),
        (r#"{"contract":"assize-report/v1"}"#, "/result is missing"),
        (r#"{"contract":"assize-report/v1","result":{"a":1,"a":1}}"#, "at /result/a: duplicate name"),
    ] {
        let error = certificate::ReportFile::parse(text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
    assert!(ReportFile::parse(b"\xff").unwrap_err().to_string().starts_with("not UTF-8"));
}
