//! A run to certify: a few laws, asked of the built-in verifier as if it were a process.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{LazyLock, atomic::AtomicBool},
};

use assize::{
    certificate::{
        self, HarnessInfo,
        keys::{PrivateKey, PublicKey},
    },
    expectations::{Expectation, ExpectationsInfo},
    protocol::{Introduction, Limits},
    report::{FailOn, Report, Run, sum},
    runner::{self, Altered, Controls, LawTally, NullRow, Plan, Tally},
    selection::{Selected, Selection},
    suite::Suite,
    testee::{BuiltIn, CommandInfo, Containment, FileInfo, SessionRow, TransportKind},
};
use assize_corpus::{
    agreement::{Judgement, Outcome, Terms},
    store::Store,
};

/// The suite that is built in.
static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::load(&Store::embedded()).unwrap());

/// A law whose cases all pass.
pub(crate) const LAW: &str = "sovereign/correspondence";

/// What a run was like.
pub(crate) struct Shape {
    /// Filters.
    pub(crate) filters: Vec<&'static str>,
    /// The last case fails, and a file expects that.
    pub(crate) expected: bool,
    /// The first case was never declared.
    pub(crate) undeclared: bool,
    /// How the testee was reached.
    pub(crate) transport: TransportKind,
}

impl Default for Shape {
    fn default() -> Self {
        Self { filters: vec![LAW], expected: false, undeclared: false, transport: TransportKind::Process }
    }
}

/// Everything that this run found out.
pub(crate) fn found(shape: &Shape) -> sum::Found<'static> {
    let filters: Vec<String> = shape.filters.iter().map(ToString::to_string).collect();
    let selection = Selection { filters: filters.clone(), ..Selection::default() };
    static STOP: AtomicBool = AtomicBool::new(false);
    let plan = Plan { seed: 7, jobs: 2, certifying: false, terms: Terms::default() };
    let driver = BuiltIn { stop: &STOP };
    let ran = runner::run(&SUITE, &selection, &driver, &Introduction::built_in(), &plan, &|_| ());
    let mut results = ran.results;
    if shape.undeclared {
        results[0].judgement = Judgement::noted(Outcome::NotApplicable, "sovereign.compare is not declared".to_owned());
    }
    let expectations = shape.expected.then(|| {
        let case = results.last_mut().unwrap();
        case.judgement = Judgement::noted(Outcome::WrongVerdict, "as known".to_owned());
        let statuses = BTreeMap::from([(case.id.clone(), Expectation::Expected)]);
        let sha256 = assize_verifier::digest::Digest::of(b"the file").to_hex();
        (statuses, ExpectationsInfo { sha256, entries: 1, expected: 1, drifts: Vec::new() })
    });
    let mut controls = Controls::default();
    for kind in ["code", "verdict", "verdict"] {
        controls.count(kind, true);
    }
    controls.null_testees.push(NullRow { name: "accept-all", cases: results.len(), pass: 1 });
    let altered = Altered { planted: 3, caught: 3 };
    let laws = BTreeMap::from([(LAW.to_owned(), LawTally { altered, null_passes: 1, credit: 2 })]);
    let process = shape.transport == TransportKind::Process;
    sum::Found {
        suite: &SUITE,
        selection: Selected { cases: filters, ..Selected::default() },
        introduction: Some(Introduction::built_in()),
        seed: 7,
        limits: Limits { line: 8 << 20, case_ms: 2000, start_ms: 30000, ends: 20, cpu_s: Some(60), memory_mb: None },
        certifying: true,
        interrupted: false,
        unusable: None,
        results,
        expectations,
        tally: Tally { controls, laws, credited: ran.tally.credited },
        probes: Vec::new(),
        fail_on: FailOn::Spec,
        without: BTreeSet::new(),
        unstable: Vec::new(),
        run: Run {
            started: "2026-01-02T03:04:05Z".to_owned(),
            jobs: 2,
            transport: shape.transport,
            command: process.then(command),
            containment: process.then(|| Containment {
                level: "partly",
                measures: vec!["orphan-search", "process-group", "subreaper"],
                missing: vec!["memory-limit"],
                readable: vec!["/opt/data".to_owned()],
            }),
            sessions: vec![SessionRow { purpose: "orders", served: 12, chain: "ab".repeat(32), agreed: Some(true) }],
            ..Run::default()
        },
    }
}

fn command() -> CommandInfo {
    let file =
        |argument, name: &str, digit: &str| FileInfo { argument, name: name.to_owned(), sha256: digit.repeat(64) };
    CommandInfo {
        argv: ["python3", "a/main.py", "b/main.py", "a/main.py"].map(str::to_owned).to_vec(),
        directory: Some("somewhere".to_owned()),
        environment: vec!["PATH".to_owned()],
        files: vec![file(0, "python3", "0"), file(1, "main.py", "1"), file(2, "main.py", "2"), file(3, "main.py", "1")],
    }
}

/// The report of such a run.
pub(crate) fn report(shape: &Shape) -> Report {
    sum::sum(found(shape))
}

/// The harness of these tests.
pub(crate) fn harness() -> HarnessInfo {
    HarnessInfo { version: "0.1.0".to_owned(), sha256: "f".repeat(64) }
}

/// A key by its number.
pub(crate) fn private(number: u8) -> PrivateKey {
    PrivateKey::from_seed(&[number; 32])
}

/// Its public half.
pub(crate) fn public(number: u8) -> PublicKey {
    private(number).public().unwrap()
}

/// A certificate by key 1.
pub(crate) fn certificate(report: &Report) -> Vec<u8> {
    certificate::issue(report, &harness(), &private(1)).unwrap()
}
