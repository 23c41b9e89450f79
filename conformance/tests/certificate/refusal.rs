//! Which runs get no certificate, and what a certificate says about those that do.

use assize::{
    certificate::{DOES_NOT_PROVE, NOT_SEALED, READABLE, Reason, TestResult, statement},
    exit::Exit,
    report::Report,
    runner::{Missed, Unstable, UnstableWhere},
    testee::{Receipt, SessionFault, SubjectInfo, TransportKind},
};
use assize_corpus::{
    agreement::{Judgement, Outcome},
    store,
    vector::Weight,
};
use serde_json::Value;

use super::run::{self, LAW, Shape, harness, report};

/// Refused for this reason alone; `change` spoils a report that would be certified.
#[track_caller]
fn check(change: impl FnOnce(&mut Report), reason: Reason, says: &str) {
    let mut report = report(&Shape::default());
    change(&mut report);
    if !matches!(reason, Reason::Digest { .. }) {
        report.digest = report.result.digest().unwrap().to_hex();
    }
    let refusal = statement(&report, &harness()).unwrap_err();
    assert_eq!(refusal.reasons(), [reason]);
    assert_eq!(refusal.to_string(), format!("the run cannot be certified: {says}"));
}

const UNCONTAINED: &str = "its testee was not contained: this system finds no processes that are left behind";

#[test]
fn each_reason_is_enough() {
    check(|report| report.exit = Exit::Violates, Reason::Exit(Exit::Violates), "it ends with exit code 1, not 0");
    check(|report| report.result.certifying = false, Reason::Rehearsal, "it was not a certifying run");
    check(|report| report.result.complete = false, Reason::Incomplete, "it is incomplete");
    let fault = SessionFault { kind: "crash", message: String::new(), cases: Vec::new(), stderr: String::new() };
    check(|report| report.run.session_faults.push(fault), Reason::SessionFaults(1), "1 session faults");
    let receipt = Receipt { id: None, message: String::new() };
    check(|report| report.run.receipts.push(receipt), Reason::Receipts(1), "1 receipts that do not match");
    check(
        |report| report.run.orphans = vec!["sleep 9".to_owned(); 2],
        Reason::Orphans(2),
        "2 processes were left behind",
    );
    let unstable = Unstable { id: LAW.to_owned(), place: UnstableWhere::Orders };
    check(
        |report| report.result.unstable.push(unstable),
        Reason::Unstable(1),
        "1 cases whose answers were not the same each time",
    );
    check(|report| report.result.controls = None, Reason::NoControls, "it has no negative controls");
    let missed = Missed { id: LAW.to_owned(), kind: "verdict" };
    check(
        |report| report.result.controls.as_mut().unwrap().missed.push(missed),
        Reason::Missed(1),
        "1 altered answers went through unnoticed",
    );
    check(
        |report| report.result.controls.as_mut().unwrap().altered.caught -= 2,
        Reason::Missed(2),
        "2 altered answers went through unnoticed",
    );
    check(
        |report| report.result.controls = Some(assize::runner::Controls::default()),
        Reason::NothingPlanted,
        "its controls altered no answer",
    );
    check(|report| report.run.command = None, Reason::NoSubject, "no file of its command is known");
    check(
        |report| report.run.containment.as_mut().unwrap().measures = vec!["process-group", "subreaper"],
        Reason::Uncontained,
        UNCONTAINED,
    );
    check(|report| report.run.containment = None, Reason::Uncontained, UNCONTAINED);
    let subject = |report: &mut Report| report.run.command.as_mut().unwrap().subject.take().unwrap();
    let again =
        |report: &mut Report, subject: SubjectInfo| report.run.command.as_mut().unwrap().subject = Some(subject);
    check(|report| drop(subject(report)), Reason::Unlooked, "the files of its subject are not known");
    check(
        |report| {
            let known = subject(report);
            again(report, SubjectInfo { sha256: None, ..known });
        },
        Reason::Unlooked,
        "the files of its subject are not known",
    );
    check(
        |report| {
            let known = subject(report);
            again(report, SubjectInfo { undigested: Some("it is too large".to_owned()), ..known });
        },
        Reason::Undigested("it is too large".to_owned()),
        "its subject cannot be digested: it is too large; `--subject PATH` names its files",
    );
    let changed = vec!["a".to_owned(), "b/c".to_owned()];
    check(
        |report| {
            let known = subject(report);
            again(report, SubjectInfo { changed: changed.clone(), ..known });
        },
        Reason::Changed(changed.clone()),
        "files of its subject changed while it ran: a, b/c; if they are not part of the testee, `--subject PATH` names what is",
    );
    let (stated, computed) = ("0".repeat(64), report(&Shape::default()).digest);
    let says = format!("the digest of its result is {computed}, not {stated} as it says");
    check(|report| report.digest = "0".repeat(64), Reason::Digest { stated, computed }, &says);
}

/// Rows of a law: so many cases and so many challenges, each with how many fail by a ruling.
fn rows(cases: [usize; 2], challenges: [usize; 2]) -> Vec<assize::report::CaseRow> {
    let row = |name: &str, number: usize, fails: bool| assize::report::CaseRow {
        id: format!("{LAW}/{name}-{number}"),
        outcome: if fails { Outcome::WrongVerdict } else { Outcome::Pass },
        force: fails.then_some(Weight::Ruling),
        behaviour: None,
        expectation: None,
    };
    let all = |name, [count, failing]: [usize; 2]| (0..count).map(move |number| row(name, number, number < failing));
    all("case", cases).chain(all("challenge-other", challenges)).collect()
}

/// One that parts from a ruling fails cases and challenges alike.
#[test]
fn who_knows_the_cases_alone_gets_no_certificate() {
    let reason = |failed, of| Reason::ByHeart { law: LAW.to_owned(), failed, of };
    let says = |failed, of| {
        format!(
            "{failed} of {of} fresh questions of {LAW} are answered wrongly, far more than of its cases: so does a table of the corpus"
        )
    };
    for (cases, [of, failed]) in [([70, 0], [20, 6]), ([70, 3], [20, 9]), ([10, 0], [69, 42])] {
        check(|report| report.result.cases = rows(cases, [of, failed]), reason(failed, of), &says(failed, of));
    }
    for (cases, challenges) in [([70, 0], [20, 4]), ([70, 0], [40, 10]), ([70, 20], [20, 12]), ([0, 0], [20, 20])] {
        let mut report = report(&Shape::default());
        report.result.cases = rows(cases, challenges);
        report.digest = report.result.digest().unwrap().to_hex();
        assert!(statement(&report, &harness()).is_ok(), "{cases:?} {challenges:?}");
    }
}

#[test]
fn all_reasons_are_given() {
    let mut found = run::found(&Shape::default());
    found.certifying = false;
    found.results[0].judgement = Judgement::noted(Outcome::WrongVerdict, "spoiled");
    let refusal = statement(&assize::report::sum::sum(found), &harness()).unwrap_err();
    assert_eq!(refusal.reasons(), [Reason::Exit(Exit::Violates), Reason::Rehearsal, Reason::NoControls]);
}

#[track_caller]
fn certified(shape: &Shape) -> (assize::certificate::Statement, Value) {
    let statement = statement(&report(shape), &harness()).unwrap();
    let value = serde_json::to_value(&statement).unwrap();
    let schema = store::embedded("contracts/interface/certificate.schema.json").unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_slice(schema).unwrap()).unwrap();
    let errors: Vec<_> =
        schema.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    // The schema is strict: without any one of its members the claim is invalid.
    for name in value["predicate"]["assize"].as_object().unwrap().keys() {
        let mut less = value.clone();
        less["predicate"]["assize"].as_object_mut().unwrap().remove(name);
        assert_eq!(schema.is_valid(&less), name == "expectations", "{name}");
    }
    let mut more = value.clone();
    more["predicate"]["assize"]["more"] = Value::Null;
    assert!(!schema.is_valid(&more));
    (statement, value)
}

#[test]
fn a_statement_says_what_in_toto_wants() {
    let shape = Shape { configured: true, ..Shape::default() };
    let (statement, value) = certified(&shape);
    assert_eq!(value["_type"], "https://in-toto.io/Statement/v1");
    assert_eq!(value["predicateType"], "https://in-toto.io/attestation/test-result/v0.1");
    assert_eq!(value["predicate"]["result"], "PASSED");
    assert_eq!(value["predicate"]["passedTests"], serde_json::json!([LAW]));
    assert_eq!(value["predicate"]["warnedTests"], serde_json::json!([]));
    // The same content once, the same name never twice.
    let names: Vec<_> = statement.subject.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["python3", "main.py", "main.py (argument 2)", "subject/", "runtime/"]);
    let names: Vec<_> = statement.predicate.configuration.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["corpus", "laws", "operations", "harness"]);
    let claim = &value["predicate"]["assize"];
    assert_eq!(claim["report_sha256"], report(&shape).digest);
    assert_eq!(claim["containment"]["missing"], serde_json::json!(["memory-limit"]));
    assert_eq!(claim["command"]["directory_given"], true);
    assert!(!value.to_string().contains("somewhere"), "the folder's path is nobody's business");
    assert_eq!(claim["controls"]["kinds"]["late"], serde_json::json!({"planted": 1, "caught": 1}));
    let does_not_prove: Vec<_> = DOES_NOT_PROVE.into_iter().chain([NOT_SEALED, READABLE]).collect();
    assert_eq!(claim["does_not_prove"], serde_json::json!(does_not_prove));
    let count = |value: &Value| value.as_u64().unwrap();
    assert_eq!(count(&claim["totals"]["cases"]) + count(&claim["not_selected"]), count(&claim["suite"]["cases"]));
}

#[test]
fn what_is_no_pass_has_its_own_count() {
    let shape = Shape { expected: true, undeclared: true, filters: vec![LAW, "canon/episode"], ..Shape::default() };
    let (statement, value) = certified(&shape);
    assert_eq!(statement.predicate.result, TestResult::Warned);
    assert_eq!(value["predicate"]["warnedTests"], serde_json::json!([LAW]));
    let claim = &value["predicate"]["assize"];
    assert_eq!(claim["totals"]["expected"], 1);
    assert_eq!(claim["totals"]["fail"], 1);
    assert_eq!(claim["totals"]["not_run"], 0);
    assert_eq!(claim["not_applicable"]["sovereign.compare is not declared"], 8);
    assert_eq!(claim["expectations"]["entries"], 1);
    assert_eq!(value["predicate"]["configuration"][4]["name"], "expectations");
}

#[test]
fn the_built_in_verifier_is_named_by_the_harness() {
    let (statement, value) = certified(&Shape { transport: TransportKind::InProcess, ..Shape::default() });
    assert_eq!(statement.subject.len(), 1);
    assert_eq!(statement.subject[0].name, "assize");
    assert_eq!(statement.subject[0].digest.sha256, harness().sha256);
    let claim = &value["predicate"]["assize"];
    assert!(claim.get("command").is_none());
    assert_eq!(claim["does_not_prove"], serde_json::json!(DOES_NOT_PROVE), "nobody is there to read a key");
}
