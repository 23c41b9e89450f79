//! Reports of every kind, summed up by hand: what each writer is tested with.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::AtomicBool,
    time::Duration,
};

use assize_corpus::{
    agreement::{Judgement, Mismatch, Outcome, Terms},
    node::Node,
    store::Store,
    vector::{Force, Weight},
};

use super::{
    FailOn, Report, Run,
    sum::{Found, sum},
};
use crate::{
    expectations::{CLASSES, DriftKind, Expectation, ExpectationDrift, ExpectationsInfo},
    laps::Laps,
    protocol::{Introduction, Limits, Named},
    runner::{self, Altered, CaseResult, LawTally, Missed, NullRow, Plan, Tally, Unstable, UnstableWhere},
    selection::{Selected, Selection},
    suite::Suite,
    testee::{
        BuiltIn, CommandInfo, Containment, Evidence, FileInfo, Receipt, SessionFault, SessionRow, SubjectInfo,
        TransportKind,
    },
};

/// Markup, pipes, ends of CDATA, escape sequences and turned writing, all in one.
pub(crate) const HOSTILE: &str = "</script><img src=x onerror=alert(1)> ]]> | `*_[x](javascript:1) @all # \u{1b}[31m\u{7}\0\r\n--- \u{202e}evil \u{ffff}\"'\\";

fn case(id: &str, input: &str) -> (String, String) {
    let text = format!(
        r#"{{"id":"{id}","op":"canon.bytes","args":{{"profile":"episode"}},"spec":{{"document":"RFC 8785","section":"3.2.2.3"}},"force":"spec",
        "rationale":"-0 is a number token & <not> a float","flags":[],"provenance":"hand","in":{{"doc":{input}}},
        "files":{{"a/b.json":{{"text":"x\r\n"}},"a/c":{{"kind":"directory"}},"a/d":{{"kind":"symlink","to":"/etc"}},
        "a/e":{{"kind":"unreadable","text":"secret"}}}},
        "expect":{{"is":"reject","codes":["A_VALUE"],"out":{{}}}},
        "any_of":[{{"is":"accept","out":{{"bytes":{{"text":"[]"}}}}}}],"agreement":"exact"}}"#
    );
    (format!("vectors/{id}.json"), text)
}

/// A suite of nine cases of `canon/episode`, named by outcome, and one of `canon/sovereign`; one file does not load.
pub(crate) fn suite() -> Suite {
    let mut files: Vec<_> = CLASSES.iter().map(|outcome| case(&id(*outcome), r#"{"text":"{\"n\":-0}"}"#)).collect();
    files.push(case("canon/episode/pass", r#"{"base64":"/wA="}"#));
    let (path, long) = case("canon/episode/long", &format!(r#"{{"text":"{}"}}"#, "0123456789abcdef".repeat(8192)));
    let refused = r#"{"is":"reject","codes":["A_VALUE"],"out":{}}"#;
    files.push((path, long.replace(refused, r#"{"is":"accept","out":{"bytes":{"text":"{}"}}}"#)));
    files.push(case("canon/sovereign/away", r#"{"json":{"b":1.50,"a":[]}}"#));
    files.push(("vectors/canon/sovereign/broken.json".to_owned(), "{".to_owned()));
    Suite::load(&Store::memory(files)).unwrap()
}

/// The id of the case with this outcome.
pub(crate) fn id(outcome: Outcome) -> String {
    format!("canon/episode/{}", outcome.name().to_lowercase())
}

fn introduction(name: &str) -> Introduction {
    let mut who = Introduction::built_in();
    (who.testee.name, who.testee.version) = (name.to_owned(), "1.0".to_owned());
    who
}

fn found<'s>(suite: &'s Suite, results: Vec<CaseResult>) -> Found<'s> {
    Found {
        suite,
        selection: Selected::default(),
        introduction: Some(introduction("sample")),
        seed: 7,
        limits: Limits { line: 8_388_608, case_ms: 2000, start_ms: 30_000, ends: 20, cpu_s: Some(60), memory_mb: None },
        certifying: false,
        interrupted: false,
        unusable: None,
        short: None,
        silent: Vec::new(),
        results,
        expectations: None,
        tally: Tally { credited: ["canon/episode/pass".to_owned()].into(), ..Tally::default() },
        probes: Vec::new(),
        fail_on: FailOn::Spec,
        without: BTreeSet::new(),
        unstable: Vec::new(),
        run: Run { id: "r-1".to_owned(), started: "2026-01-02T03:04:05Z".to_owned(), seconds: 1.25, ..Run::default() },
    }
}

/// Everything that a run with these results found out.
pub(crate) fn found_of<'s>(suite: &'s Suite, results: Vec<CaseResult>, tally: Tally) -> Found<'s> {
    Found { introduction: Some(Introduction::built_in()), tally, ..found(suite, results) }
}

fn results(id: &str, judgement: Judgement) -> CaseResult {
    let rationale = "-0 is a number token & <not> a float".to_owned();
    let took =
        (!matches!(judgement.outcome, Outcome::NotRun | Outcome::NotApplicable)).then_some(Duration::from_millis(2));
    CaseResult { id: id.to_owned(), judgement, rationale, took }
}

fn passes(id: &str) -> CaseResult {
    results(id, Judgement::pass())
}

fn fails(outcome: Outcome, said: &str) -> CaseResult {
    let mismatches = match outcome {
        Outcome::WrongVerdict | Outcome::WrongCode | Outcome::WrongOutput => vec![
            Mismatch {
                force: Some(Force::Spec(None)),
                ..Mismatch::new(
                    "/out/bytes",
                    Some(Node::parse(r#"{"a":[1,2,3],"b":"same"}"#).unwrap()),
                    Some(Node::parse(r#"{"a":[1,2.0,3],"b":"same","c":-0}"#).unwrap()),
                )
            },
            Mismatch {
                force: Some(Force::Interface),
                ..Mismatch::new("/out/x~1y", None, Some(Node::Text(said.to_owned())))
            },
        ],
        _ => Vec::new(),
    };
    let note = mismatches.is_empty().then(|| said.to_owned());
    let judgement = Judgement { force: Some(Weight::Spec), outcome, mismatches, untold: 0, note, behaviour: None };
    results(&id(outcome), judgement)
}

fn tally() -> Tally {
    let mut tally = Tally { credited: ["canon/episode/pass".to_owned()].into(), ..Tally::default() };
    for kind in ["verdict-flipped", "byte-changed", "dropped"] {
        tally.controls.count(kind, true);
    }
    tally.controls.null_testees =
        vec![NullRow { name: "accept-all", cases: 10, pass: 4 }, NullRow { name: "reject-all", cases: 10, pass: 6 }];
    let law = LawTally { altered: Altered { planted: 3, caught: 3 }, null_passes: 4, credit: 5 };
    tally.laws.insert("canon/episode".to_owned(), law);
    tally
}

/// The built-in verifier on a law of the real corpus, the only law that is loaded, with controls: everything passes.
pub(crate) fn passing() -> (Report, Suite) {
    let store = Store::embedded();
    let wanted = |path: &&str| path.starts_with("contracts/laws/") || path.starts_with("vectors/canon/episode/");
    let files = store.paths().filter(wanted).map(|path| (path, store.read(path).unwrap().into_owned()));
    let suite = Suite::load(&Store::memory(files)).unwrap();
    let selection = Selection { filters: vec!["canon/episode".to_owned()], ..Selection::default() };
    static STOP: AtomicBool = AtomicBool::new(false);
    let plan = Plan { seed: 0, jobs: 1, certifying: false, terms: Terms::default() };
    let ran = runner::run(
        &suite,
        &selection,
        &BuiltIn { stop: &STOP },
        &Introduction::built_in(),
        &plan,
        &|_| (),
        &Laps::default(),
    );
    let results = ran.results;
    let report = sum(Found {
        certifying: true,
        introduction: Some(Introduction::built_in()),
        selection: Selected { cases: selection.filters, ..Selected::default() },
        tally: Tally { credited: ran.tally.credited, ..tally() },
        ..found(&suite, results)
    });
    (report, suite)
}

/// Every outcome there is, and everything that can be wrong with a run.
pub(crate) fn failing() -> (Report, Suite) {
    build("sample", "said nothing", true)
}

/// The same outcomes, except for what was not run; with a testee whose texts are hostile.
pub(crate) fn hostile() -> (Report, Suite) {
    build(HOSTILE, HOSTILE, false)
}

fn build(name: &str, said: &str, cut: bool) -> (Report, Suite) {
    let suite = suite();
    let mut cases: Vec<_> = CLASSES.into_iter().map(|outcome| fails(outcome, said)).collect();
    cases.extend([passes("canon/episode/pass"), passes("canon/episode/long")]);
    cases.push(results("canon/sovereign/away", Judgement::noted(Outcome::NotApplicable, said)));
    if cut {
        cases.push(results("canon/sovereign/broken", Judgement::noted(Outcome::NotRun, "does not load")));
    }
    let mut found = found(&suite, cases);
    found.introduction = Some(Introduction {
        lang: Some(said.to_owned()),
        shim: Some(Named { name: said.to_owned(), version: "2".to_owned() }),
        ..introduction(name)
    });
    let statuses = CLASSES.into_iter().map(|outcome| (id(outcome), Expectation::Unexpected)).collect();
    found.expectations = Some((statuses, info(vec![drift(DriftKind::Unmatched, None, said)])));
    found.unstable = vec![
        Unstable { id: id(Outcome::WrongCode), place: UnstableWhere::Orders },
        Unstable { id: id(Outcome::WrongCode), place: UnstableWhere::FreshProcess },
    ];
    if cut {
        let mut tally = tally();
        tally.controls.count("repeated", true);
        (found.certifying, found.tally) = (true, tally);
    }
    found.run = said_by_process(said);
    (sum(found), suite)
}

fn said_by_process(said: &str) -> Run {
    let evidence = Evidence { message: said.to_owned(), stderr: format!("first\n{said}\nlast") };
    Run {
        id: "r-2".to_owned(),
        started: "2026-01-02T03:04:05Z".to_owned(),
        seconds: 3.5,
        jobs: 2,
        transport: TransportKind::Process,
        command: Some(CommandInfo {
            argv: vec!["python3".to_owned(), said.to_owned()],
            directory: Some("/a b".to_owned()),
            environment: vec!["PATH".to_owned()],
            files: vec![FileInfo { argument: 0, name: "python3".to_owned(), sha256: "0".repeat(64) }],
            subject: Some(SubjectInfo {
                paths: vec![".".to_owned()],
                files: 3,
                bytes: 1234,
                sha256: Some("2".repeat(64)),
                undigested: None,
                changed: vec![said.to_owned()],
            }),
            runtime: Some(SubjectInfo {
                paths: vec![said.to_owned()],
                undigested: Some(said.to_owned()),
                ..SubjectInfo::default()
            }),
        }),
        containment: Some(Containment {
            level: "partly",
            measures: vec!["process-group"],
            missing: vec!["cpu-limit"],
            readable: Vec::new(),
        }),
        sessions: vec![SessionRow { purpose: "orders", served: 12, chain: "1".repeat(64), agreed: Some(false) }],
        session_faults: vec![SessionFault {
            kind: "crash",
            message: said.to_owned(),
            cases: vec![id(Outcome::Crash)],
            stderr: said.to_owned(),
        }],
        receipts: vec![
            Receipt { id: None, message: said.to_owned() },
            Receipt { id: Some(id(Outcome::Fault)), message: said.to_owned() },
        ],
        orphans: vec![said.to_owned()],
        evidence: [(id(Outcome::Crash), evidence.clone()), (id(Outcome::Timeout), evidence)].into(),
        took: BTreeMap::new(),
    }
}

fn info(drifts: Vec<ExpectationDrift>) -> ExpectationsInfo {
    ExpectationsInfo { sha256: "2".repeat(64), entries: 3, expected: 0, drifts }
}

fn drift(kind: DriftKind, case: Option<&str>, message: &str) -> ExpectationDrift {
    ExpectationDrift {
        kind,
        line: 4,
        pattern: "canon/*".to_owned(),
        case: case.map(str::to_owned),
        message: message.to_owned(),
    }
}

/// All failures are known, and nothing else is wrong.
pub(crate) fn known() -> (Report, Suite) {
    let suite = suite();
    let cases = vec![passes("canon/episode/pass"), fails(Outcome::WrongCode, "a"), fails(Outcome::WrongOutput, "b")];
    let statuses = [Outcome::WrongCode, Outcome::WrongOutput].map(|outcome| (id(outcome), Expectation::Expected));
    let mut found = found(&suite, cases);
    found.expectations = Some((statuses.into(), ExpectationsInfo { expected: 2, ..info(Vec::new()) }));
    (sum(found), suite)
}

/// A case passes that was expected to fail.
pub(crate) fn stale() -> (Report, Suite) {
    let suite = suite();
    let mut found = found(&suite, vec![passes("canon/episode/pass"), passes("canon/episode/long")]);
    let statuses = BTreeMap::from([("canon/episode/pass".to_owned(), Expectation::Stale)]);
    let drift = drift(DriftKind::UnexpectedPass, Some("canon/episode/pass"), "passes: remove the entry");
    found.expectations = Some((statuses, info(vec![drift])));
    (sum(found), suite)
}

/// Nothing was selected.
pub(crate) fn nothing() -> (Report, Suite) {
    let suite = suite();
    (sum(found(&suite, Vec::new())), suite)
}

/// The testee never said hello.
pub(crate) fn unusable() -> (Report, Suite) {
    let suite = suite();
    let why = Some("no such program: check the path".to_owned());
    let cases = vec![results("canon/episode/pass", Judgement::noted(Outcome::NotRun, "the testee cannot be used"))];
    (sum(Found { introduction: None, unusable: why, ..found(&suite, cases) }), suite)
}

/// The harness missed an alteration of its own.
pub(crate) fn missed() -> (Report, Suite) {
    let suite = suite();
    let mut tally = tally();
    tally.controls.count("late", false);
    tally.controls.missed = vec![Missed { id: "canon/episode/pass".to_owned(), kind: "late" }];
    let cases = vec![passes("canon/episode/pass")];
    (sum(Found { certifying: true, tally, ..found(&suite, cases) }), suite)
}

/// Two failures that look like one, one against a ruling alone, a remark, a pass, and a case that does not apply.
pub(crate) fn weighed() -> (Report, Suite) {
    let suite = suite();
    let judged = |weight, outcome, mismatch| Judgement {
        force: Some(weight),
        mismatches: vec![mismatch],
        ..Judgement::noted(outcome, "")
    };
    let code = |text: &str| Some(Node::parse(text).unwrap());
    let differs = |force| Mismatch {
        force: Some(force),
        ..Mismatch::new("/codes", code(r#"["A_VALUE"]"#), code(r#"["E_OTHER"]"#))
    };
    let broken = fails(Outcome::WrongOutput, "a").judgement;
    let ruled = judged(Weight::Ruling, Outcome::WrongCode, differs(Force::Ruling("EP-26".to_owned())));
    let remark = judged(Weight::Interface, Outcome::WrongCode, differs(Force::Interface));
    let cases = vec![
        results(&id(Outcome::WrongOutput), broken.clone()),
        results(&id(Outcome::Timeout), broken),
        results(&id(Outcome::WrongCode), Judgement { note: None, ..ruled }),
        results("canon/episode/long", Judgement { note: None, ..remark }),
        passes("canon/episode/pass"),
        results("canon/sovereign/away", Judgement::noted(Outcome::NotApplicable, "needs the value minus-zero")),
    ];
    let mut tally = tally();
    tally.laws.values_mut().for_each(|law| law.credit = 1);
    (sum(Found { certifying: true, tally, ..found(&suite, cases) }), suite)
}

/// A failure of a case that had another id before; and that id.
pub(crate) fn renamed() -> (Report, Suite, String) {
    let (_, suite) = passing();
    let former = |id: &String| Some((id.clone(), suite.corpus.former_ids(id).next()?.to_owned()));
    let (now, before) = suite.corpus.cases.keys().find_map(former).unwrap();
    let report = sum(found(&suite, vec![CaseResult { id: now, ..fails(Outcome::WrongOutput, "a") }]));
    (report, suite, before)
}

/// As many failures as asked for.
pub(crate) fn many(count: usize) -> (Report, Suite) {
    let suite = suite();
    let long = format!("line\n{}", "x".repeat(300));
    let cases = (0..count).map(|number| {
        let fail = fails(Outcome::WrongOutput, &long);
        CaseResult { id: format!("canon/episode/case-{number:05}"), ..fail }
    });
    let cases = cases.collect();
    (sum(found(&suite, cases)), suite)
}

/// One of each.
pub(crate) fn all() -> Vec<(&'static str, Report, Suite)> {
    [
        ("passing", passing()),
        ("failing", failing()),
        ("hostile", hostile()),
        ("known", known()),
        ("stale", stale()),
        ("nothing", nothing()),
        ("unusable", unusable()),
        ("missed", missed()),
        ("weighed", weighed()),
    ]
    .map(|(name, (report, suite))| (name, report, suite))
    .into()
}
