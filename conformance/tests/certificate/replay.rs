//! A certificate compared with its report, and with another run.

use assize::{
    certificate::{
        Certified, Grounds, HarnessInfo, ReportFile, Seed, digest_pairs, open, replay_differences, replay_plan,
        report_differences,
    },
    report::{self, Report},
    testee::TransportKind,
};
use assize_corpus::agreement::{Judgement, Outcome};

use super::run::{LAW, SUITE, Shape, TABLES, certificate, found, harness, public, report};

fn certified(shape: &Shape) -> Certified {
    open(&certificate(&report(shape)), &[public(1)]).unwrap()
}

fn grounds() -> Grounds<'static> {
    Grounds { suite: &SUITE, tables: &TABLES, expectations: None, now: "2026-01-02T03:04:05Z".parse().unwrap() }
}

fn file(report: &Report) -> ReportFile {
    ReportFile::parse(report::json(report).unwrap().as_bytes()).unwrap()
}

/// The members in which the run `again` differs from that of `shape`.
#[track_caller]
fn check(shape: &Shape, again: &Report, seed: Seed, members: &[&str]) -> Vec<String> {
    let before = file(&report(shape));
    let found = replay_differences(&certified(shape), &file(again), grounds(), &harness(), Some(&before), seed);
    let named: Vec<_> = found.iter().map(|difference| difference.member.as_str()).collect();
    for member in members {
        assert!(named.contains(member), "{member}: {found:#?}");
    }
    assert_eq!(found.is_empty(), members.is_empty(), "{found:#?}");
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
    assert!(!plan.configured && replay_plan(&certified(&Shape { configured: true, ..Shape::default() })).configured);
    let built_in = Shape { transport: TransportKind::InProcess, ..Shape::default() };
    let plan = replay_plan(&certified(&built_in));
    assert_eq!((plan.argv.len(), plan.expectations_sha256), (0, None));
}

#[test]
fn a_report_makes_its_statement_again() {
    for shape in [
        Shape::default(),
        Shape { expected: true, undeclared: true, filters: vec![LAW, "canon/rfc8785"], ..Shape::default() },
        Shape { transport: TransportKind::InProcess, ..Shape::default() },
    ] {
        let found = report_differences(&certified(&shape).statement, &file(&report(&shape)), grounds());
        assert!(found.is_empty(), "{found:#?}");
    }
    let other = report(&Shape { expected: true, ..Shape::default() });
    let found = report_differences(&certified(&Shape::default()).statement, &file(&other), grounds());
    assert!(found.iter().any(|difference| difference.member == "/predicate/assize/totals/fail"), "{found:#?}");
}

#[test]
fn the_same_run_agrees_but_for_its_times_and_session_ids() {
    let mut again = report(&Shape::default());
    again.run.started = "2026-01-01T00:00:00Z".to_owned();
    again.run.sessions[0].chain = "cd".repeat(32);
    assert!(check(&Shape::default(), &again, Seed::Recorded, &[]).is_empty());
    again.run.containment.as_mut().unwrap().level = "none";
    check(&Shape::default(), &again, Seed::Recorded, &["/predicate/assize/containment/level"]);
    let mut again = report(&Shape::default());
    again.run.jobs = 9;
    check(&Shape::default(), &again, Seed::Recorded, &["/predicate/assize/jobs"]);
}

#[test]
fn which_usual_variables_are_set_is_a_matter_of_the_shell() {
    let handed_on = |names: &[&str], directory: Option<&str>| {
        let mut made = found(&Shape::default());
        let command = made.run.command.as_mut().unwrap();
        command.environment = names.iter().map(ToString::to_string).collect();
        command.directory = directory.map(str::to_owned);
        report::sum::sum(made)
    };
    let differ = |was: &Report, is: &Report| {
        let was = open(&certificate(was), &[public(1)]).unwrap();
        replay_differences(&was, &file(is), grounds(), &harness(), None, Seed::Recorded)
    };
    let (few, more, other) =
        (handed_on(&["HOME", "PATH"], None), handed_on(&["HOME", "PATH", "USER"], None), handed_on(&["TOKEN"], None));
    assert!(differ(&few, &more).is_empty() && differ(&more, &few).is_empty());
    assert_eq!(differ(&few, &other).len(), 1);
    // What a configuration file gave has to come from one again.
    for (was, configured) in [(&few, false), (&other, true), (&handed_on(&[], Some("sub")), true)] {
        assert_eq!(replay_plan(&open(&certificate(was), &[public(1)]).unwrap()).configured, configured);
    }
}

#[test]
fn another_seed_may_alter_other_answers_and_nothing_else() {
    let mut other = found(&Shape::default());
    other.seed = 8;
    let again = report::sum::sum(other);
    check(&Shape::default(), &again, Seed::Fresh, &[]);
    check(&Shape::default(), &again, Seed::Recorded, &["/predicate/assize/seed", "/predicate/assize/report_sha256"]);
    let undeclared = Shape { undeclared: true, ..Shape::default() };
    let members = ["/predicate/assize/totals/pass", "/predicate/assize/testee/ops/sovereign.compare"];
    check(&Shape::default(), &report(&undeclared), Seed::Fresh, &members);
}

#[test]
fn other_outcomes_are_named_down_to_the_case() {
    let again = report(&Shape { expected: true, ..Shape::default() });
    let said =
        check(&Shape::default(), &again, Seed::Recorded, &["/predicate/assize/totals/pass", "/predicate/assize/grade"]);
    assert!(said.iter().any(|said| said.contains("\"PASS\" is stated, \"FAULT\" is found")), "{said:#?}");
    // A run that does not end with 0 holds nothing.
    let mut other = found(&Shape::default());
    other.results[0].judgement = Judgement::noted(Outcome::Fault, "spoiled");
    let again = report::sum::sum(other);
    check(&Shape::default(), &again, Seed::Fresh, &["/result/exit_code", "/predicate/assize/totals/pass"]);
}

#[test]
fn another_binary_is_named_though_it_answers_alike() {
    let mut again = report(&Shape::default());
    again.run.command.as_mut().unwrap().files[0].sha256 = "9".repeat(64);
    check(
        &Shape::default(),
        &again,
        Seed::Fresh,
        &["/subject/0/digest/sha256", "/predicate/assize/command/files/0/sha256"],
    );
    let shape = Shape { transport: TransportKind::InProcess, ..Shape::default() };
    let rebuilt = HarnessInfo { sha256: "9".repeat(64), ..harness() };
    let differ = |harness: &HarnessInfo| {
        let again = file(&report(&shape));
        replay_differences(&certified(&shape), &again, grounds(), harness, None, Seed::Recorded)
    };
    assert!(differ(&rebuilt).iter().any(|difference| difference.member == "/predicate/assize/harness/sha256"));
    assert!(differ(&harness()).is_empty());
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
    check(&Shape::default(), &again, Seed::Recorded, &["/result/suite/laws_sha256"]);
}

#[test]
fn a_report_file_has_the_digest_of_its_result() {
    let report = report(&Shape { expected: true, filters: vec![LAW, "canon"], ..Shape::default() });
    let text = report::json(&report).unwrap();
    assert_eq!(ReportFile::parse(text.as_bytes()).unwrap().digest, report.digest);
    // Order and white space do not matter; a value does, but not what the file says about itself.
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let compact = value.to_string().replace(&report.digest, &"0".repeat(64));
    assert_eq!(ReportFile::parse(compact.as_bytes()).unwrap().digest, report.digest);
    assert_ne!(ReportFile::parse(text.replace("\"seed\": 7", "\"seed\": 8").as_bytes()).unwrap().digest, report.digest);
    for (text, says) in [
        ("", "at the top: "),
        ("{}", "\"contract\" is a required property"),
        (r#"{"contract":"assize-report/v1","digest":"","result":{},"run":{}}"#, "/contract: "),
        (r#"{"contract":"assize-report/v2","result":{"a":1,"a":1}}"#, "at /result/a: duplicate name"),
    ] {
        let error = ReportFile::parse(text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
    assert!(ReportFile::parse(b"\xff").unwrap_err().to_string().starts_with("not UTF-8"));
}
