//! A run to certify: a few laws, asked of the built-in verifier as if it were a process.

use std::{
    collections::BTreeSet,
    sync::{LazyLock, atomic::AtomicBool},
};

use assize::{
    certificate::{
        self, HarnessInfo, Tables,
        keys::{PrivateKey, PublicKey},
    },
    expectations::Expectations,
    laps::Laps,
    protocol::{Introduction, Limits},
    report::{FailOn, Report, Run, sum},
    runner::{self, Plan},
    selection::Selection,
    suite::Suite,
    testee::{BuiltIn, CommandInfo, Containment, FileInfo, SessionRow, SubjectInfo, TransportKind},
};
use assize_corpus::{
    agreement::{Judgement, Outcome, Terms},
    store::Store,
};

/// The suite that is built in.
pub(crate) static SUITE: LazyLock<Suite> = LazyLock::new(|| Suite::load(&Store::embedded()).unwrap());

/// A law whose cases all pass.
pub(crate) const LAW: &str = "sovereign/correspondence";

/// What a run was like.
pub(crate) struct Shape {
    /// Filters.
    pub(crate) filters: Vec<&'static str>,
    /// The last case that is asked fails, and a file expects that.
    pub(crate) expected: bool,
    /// An operation was not declared.
    pub(crate) undeclared: bool,
    /// How the testee was reached.
    pub(crate) transport: TransportKind,
    /// A configuration file gave its working folder.
    pub(crate) configured: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            filters: vec![LAW],
            expected: false,
            undeclared: false,
            transport: TransportKind::Process,
            configured: false,
        }
    }
}

/// Everything that this run found out.
pub(crate) fn found(shape: &Shape) -> sum::Found<'static> {
    let filters: Vec<String> = shape.filters.iter().map(ToString::to_string).collect();
    let selection = Selection { filters, ..Selection::default() };
    static STOP: AtomicBool = AtomicBool::new(false);
    let plan = Plan { seed: 7, jobs: 2, certifying: false, terms: Terms::default() };
    let driver = BuiltIn { stop: &STOP };
    let mut introduction = Introduction::built_in();
    if shape.undeclared {
        let ops = introduction.ops.operations().filter(|(op, _)| *op != UNDECLARED);
        introduction.ops = ops.map(|(op, args)| (op.to_owned(), args.clone())).collect();
    }
    let mut results = runner::run(&SUITE, &selection, &driver, &introduction, &plan, &|_| (), &Laps::default()).results;
    let expectations = shape.expected.then(|| {
        let case = results.iter_mut().find(|case| case.id == failing()).unwrap();
        case.judgement = Judgement::noted(Outcome::Fault, "as known");
        let file = Expectations::parse("known.toml", known().as_bytes()).unwrap();
        file.apply(&SUITE, &results).unwrap()
    });
    let transport = shape.transport;
    let tally = runner::follows(&SUITE, &selection, transport, plan.seed, &introduction, &plan.terms, &results).tally;
    let process = transport == TransportKind::Process;
    let answered = results.iter().filter(|case| case.judgement.outcome != Outcome::NotApplicable).count();
    sum::Found {
        suite: &SUITE,
        selection: selection.stated(),
        introduction: Some(introduction),
        seed: 7,
        limits: Limits { line: 8 << 20, case_ms: 2000, start_ms: 30000, ends: 20, cpu_s: Some(60), memory_mb: None },
        certifying: true,
        interrupted: false,
        unusable: None,
        short: None,
        silent: Vec::new(),
        results,
        expectations,
        tally,
        probes: Vec::new(),
        fail_on: FailOn::Spec,
        without: BTreeSet::new(),
        unstable: Vec::new(),
        run: Run {
            id: "r-0123456789abcdef".to_owned(),
            started: "2026-01-02T03:04:05Z".to_owned(),
            jobs: 2,
            transport,
            command: process.then(|| command(shape)),
            containment: process.then(|| Containment {
                level: "partly",
                measures: vec!["orphan-search", "process-group", "subreaper"],
                missing: vec!["memory-limit"],
                readable: vec!["/opt/data".to_owned()],
            }),
            sessions: if process { sessions(2 * answered) } else { Vec::new() },
            ..Run::default()
        },
    }
}

fn sessions(served: usize) -> Vec<SessionRow> {
    let row = |purpose, served| SessionRow { purpose, served, chain: "ab".repeat(32), agreed: Some(true) };
    let fresh = std::iter::repeat_n(row("fresh", 1), 8);
    std::iter::once(row("orders", served.try_into().unwrap())).chain(fresh).collect()
}

/// What is not declared where something is not: eight cases of the law ask it.
pub(crate) const UNDECLARED: &str = "sovereign.compare";

/// The case that fails where one does: the last that is asked in any shape.
fn failing() -> &'static str {
    let asked = |id: &&String| id.starts_with(LAW) && SUITE.corpus.cases[*id].op != UNDECLARED;
    SUITE.corpus.cases.keys().rfind(asked).unwrap()
}

/// The file of known failures of such a run.
pub(crate) fn known() -> String {
    let (case, class) = (failing(), Outcome::Fault);
    format!("[[failure]]\ncases = [{case:?}]\noutcome = \"{class}\"\nreason = \"r\"\nlink = \"l\"\n")
}

/// What a checker knows by itself.
pub(crate) static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::new(&SUITE, &Store::embedded()).unwrap());

fn command(shape: &Shape) -> CommandInfo {
    let file =
        |argument, name: &str, digit: &str| FileInfo { argument, name: name.to_owned(), sha256: digit.repeat(64) };
    CommandInfo {
        argv: ["python3", "a/main.py", "b/main.py", "a/main.py"].map(str::to_owned).to_vec(),
        directory: shape.configured.then(|| "somewhere".to_owned()),
        environment: vec!["PATH".to_owned()],
        files: vec![file(0, "python3", "0"), file(1, "main.py", "1"), file(2, "main.py", "2"), file(3, "main.py", "1")],
        subject: Some(SubjectInfo {
            paths: vec![".".to_owned()],
            files: 2,
            bytes: 300,
            sha256: Some("3".repeat(64)),
            ..SubjectInfo::default()
        }),
        runtime: Some(SubjectInfo {
            paths: vec!["site-packages".to_owned()],
            files: 5,
            bytes: 500,
            sha256: Some("4".repeat(64)),
            ..SubjectInfo::default()
        }),
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
    certificate::sign(&certificate::statement(report, &harness()).unwrap(), &private(1)).unwrap()
}
