//! One testee of the bank in a run of its own, and what the report of that run says about it.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use assize::{
    certification::{Certification, Command, Order},
    config::ENVIRONMENT,
    laps::Laps,
    protocol::Limits,
    report::{FailOn, Report},
    runner::Plan,
    selection::Selection,
    suite::Suite,
    testee::{Patience, Subject, Timing},
};
use assize_corpus::agreement::{Outcome, Terms, against};

use super::bank::{Finding, Kind, Owed, Testee};
use crate::support::held_clock;

/// Seed of every run: the table is the same each time.
const SEED: u32 = 1;
/// Time for what has to come: long enough for any machine, however busy. Where something must not come in time, a held clock
/// runs out.
const LONG: Duration = Duration::from_secs(3600);

/// What all trials share.
#[derive(Clone)]
pub(crate) struct Harness {
    pub(crate) suite: Arc<Suite>,
    /// Where the bank's program is; no other run has this path, so it marks the processes of this one.
    pub(crate) script: PathBuf,
    /// The interpreter itself: what its name leads to may be a script that looks for one.
    pub(crate) python: OsString,
    /// Whether everything that a testee declares is asked.
    pub(crate) full: bool,
    /// The longest that one run may take.
    pub(crate) bound: Duration,
}

/// What became of a testee: what caught it, or why that is not what its declaration says.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) caught_by: String,
    /// What the failures of answers are against: the strongest weight, and the rulings where it is theirs.
    pub(crate) against: String,
    pub(crate) failing: usize,
    pub(crate) asked: usize,
    pub(crate) trouble: Option<String>,
}

impl Harness {
    /// Runs one testee and weighs the report.
    pub(crate) fn run_one(&self, testee: &Testee) -> Row {
        match testee.owed().and_then(|owed| Ok((self.report(testee, &owed)?, owed))) {
            Ok((report, owed)) => weigh(&report, &owed),
            Err(trouble) => Row {
                caught_by: "nothing".to_owned(),
                against: String::new(),
                failing: 0,
                asked: 0,
                trouble: Some(trouble),
            },
        }
    }

    /// The report of a run, which ends in time or is an error.
    fn report(&self, testee: &Testee, owed: &Owed) -> Result<Report, String> {
        // The flag has to outlive the run, and a run that hangs outlives everything.
        let stop: &'static AtomicBool = Box::leak(Box::default());
        let (suite, order) = (Arc::clone(&self.suite), self.order(testee, owed));
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let certification = Certification::new(&suite, order, stop).expect("the system has randomness");
            let report = certification.run(&|_| {}, &Laps::default()).expect("there are no expectations");
            // The receiver is gone if it took too long.
            let _ = sender.send(report);
        });
        match receiver.recv_timeout(self.bound) {
            Ok(report) => return Ok(report),
            Err(RecvTimeoutError::Disconnected) => return Err("the harness panicked".to_owned()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        stop.store(true, Ordering::Relaxed);
        let then = match receiver.recv_timeout(LONG) {
            Ok(_) => "it ended when it was broken off",
            Err(_) => "nor did it end when it was broken off",
        };
        Err(format!("the run did not end within {:?}; {then}", self.bound))
    }

    fn order(&self, testee: &Testee, owed: &Owed) -> Order {
        let filters = match owed {
            _ if self.full => Vec::new(),
            Owed::Laws(laws) => laws.clone(),
            _ if testee.kind == Kind::Comparison || testee.name == "honest-comparator" => vec!["sovereign".to_owned()],
            _ if testee.name == "honest-kernel" => vec!["kernel".to_owned()],
            _ => vec!["canon".to_owned(), "json".to_owned()],
        };
        let mut argv = vec![self.python.clone(), "-S".into(), self.script.clone().into(), testee.name.clone().into()];
        let certifying =
            matches!(owed, Owed::Finding(Finding::Unstable, _)) || self.full && testee.kind == Kind::Honest;
        let mut timing = Timing { patience: PATIENCE, ..Timing::default() };
        // In controls the harness itself is late, by the clock of the system; an honest testee never is.
        if !certifying && testee.kind != Kind::Honest {
            let hand = self.script.with_file_name(format!("{}.clock", testee.name));
            fs::write(&hand, "").expect("the folder is there");
            argv.push(hand.clone().into());
            timing.clock = held_clock(&hand);
        }
        Order {
            command: Some(Command {
                argv,
                directory: None,
                environment: ENVIRONMENT.iter().map(|name| (*name).to_owned()).collect(),
                seal: None,
                subject: Subject::default(),
            }),
            selection: Selection { filters, ..Selection::default() },
            plan: Plan { seed: SEED, jobs: 1, certifying, terms: Terms::default() },
            limits: limits(owed),
            expectations: None,
            fail_on: FailOn::Remark,
            timing,
            stated: false,
        }
    }
}

/// Unlimited time, except for helpers: one that is left behind rests for ever, and is not waited for.
const PATIENCE: Patience = Patience {
    look: Duration::from_millis(5),
    grace: Duration::from_secs(1),
    moment: LONG,
    helpers: Duration::from_millis(100),
    busy: LONG,
    dying: LONG,
};

fn limits(owed: &Owed) -> Limits {
    let long = u64::try_from(LONG.as_millis() / 4).unwrap();
    let mut limits = Limits { case_ms: long, start_ms: long, ..Limits::default() };
    match owed {
        // The breaker need not wait for twenty ends where every process dies.
        Owed::Outcome(outcome, _) if outcome == Outcome::Crash.name() => limits.ends = 6,
        _ => {}
    }
    limits
}

/// Compares a report with what the bank declares.
pub(crate) fn weigh(report: &Report, owed: &Owed) -> Row {
    let totals = report.result.totals;
    let (caught_by, trouble) = match owed {
        Owed::Conforms => ("nothing".to_owned(), conforms(report)),
        Owed::Laws(laws) => by_laws(report, laws),
        Owed::Outcome(outcome, says) => by_outcome(report, outcome, says.as_deref()),
        Owed::Finding(finding, says) => by_finding(report, *finding, says.as_deref()),
    };
    // One that says the same to everything is taken for a broken shim, and not for a library that is wrong.
    let breaks = report.result.faults.iter().any(|fault| fault.starts_with("the shim is broken"));
    let exit = match owed {
        Owed::Conforms => 0,
        Owed::Outcome(..) | Owed::Laws(_) if breaks => 4,
        Owed::Finding(Finding::Hello, _) => 4,
        _ if totals.not_run > 0 => 3,
        _ => 1,
    };
    let found = report.result.exit_code;
    let trouble = trouble.or_else(|| (found != exit).then(|| format!("the run ends with code {found}, not {exit}")));
    Row {
        caught_by,
        against: heaviest(report),
        failing: totals.fail + totals.remarks,
        asked: totals.pass + totals.fail,
        trouble,
    }
}

fn conforms(report: &Report) -> Option<String> {
    let failures: Vec<_> = report.result.failures.iter().map(|failure| (&failure.id, failure.outcome)).collect();
    let run = &report.run;
    let clean = failures.is_empty()
        && report.result.unstable.is_empty()
        && run.session_faults.is_empty()
        && run.receipts.is_empty()
        && run.orphans.is_empty();
    if report.result.totals.pass == 0 {
        return Some(format!("nothing passes: {:?}", report.result.unrun.first()));
    }
    (!clean).then(|| {
        let Report { result, .. } = report;
        let (unstable, faults) = (&result.unstable, &run.session_faults);
        format!("fails {failures:?}, unstable {unstable:?}, {faults:?}, {:?}, {:?}", run.receipts, run.orphans)
    })
}

/// What the heaviest of the wrong answers are against; nothing where no answer is wrong.
fn heaviest(report: &Report) -> String {
    let all = report.result.failures.iter().chain(&report.result.remarks);
    let wrong: Vec<_> = all.filter(|failure| !failure.mismatches.is_empty()).collect();
    let heaviest = wrong.iter().map(|failure| failure.force).max();
    let against = heaviest.map(|weight| {
        let differences = wrong.iter().filter(|failure| failure.force == weight);
        against(weight, differences.flat_map(|failure| &failure.mismatches))
    });
    against.unwrap_or_default()
}

/// Every law that is named has a case with a wrong answer. A plant may break the testee on other inputs: such a fault is
/// no fault of the process, and catches nothing.
fn by_laws(report: &Report, laws: &[String]) -> (String, Option<String>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for failure in report.result.failures.iter().chain(&report.result.remarks) {
        if matches!(failure.outcome, Outcome::WrongVerdict | Outcome::WrongCode | Outcome::WrongOutput) {
            *counts.entry(&failure.law).or_default() += 1;
        } else if failure.outcome != Outcome::Fault {
            let (id, outcome, note) = (&failure.id, failure.outcome.name(), &failure.note);
            return (outcome.to_owned(), Some(format!("{id} is not a wrong answer but {outcome}: {note:?}")));
        }
    }
    let missing = laws.iter().find(|law| !counts.contains_key(law.as_str()));
    let caught_by: Vec<&str> = counts.into_keys().collect();
    (caught_by.join(", "), missing.map(|law| format!("no case of {law} has a wrong answer")))
}

fn by_outcome(report: &Report, outcome: &str, says: Option<&str>) -> (String, Option<String>) {
    let mut found = report.result.failures.iter().filter(|failure| failure.outcome.name() == outcome);
    let notes: Vec<&str> = found.by_ref().map(|failure| failure.note.as_deref().unwrap_or_default()).collect();
    if notes.is_empty() {
        let outcomes: Vec<_> = report.result.failures.iter().map(|failure| (&failure.id, failure.outcome)).collect();
        return ("nothing".to_owned(), Some(format!("no case is {outcome}; failing: {outcomes:?}")));
    }
    (format!("outcome {outcome}"), unsaid(&notes, says))
}

fn by_finding(report: &Report, finding: Finding, says: Option<&str>) -> (String, Option<String>) {
    let run = &report.run;
    let (name, messages): (_, Vec<&str>) = match finding {
        Finding::Receipts => {
            let cases = run.receipts.iter().filter(|receipt| receipt.id.is_some());
            ("receipts", cases.map(|receipt| receipt.message.as_str()).collect())
        }
        Finding::Chain => {
            let sessions = run.receipts.iter().filter(|receipt| receipt.id.is_none());
            let messages = sessions.map(|receipt| receipt.message.as_str());
            ("chain", messages.filter(|text| text.contains("chain") || text.contains("served")).collect())
        }
        Finding::Unstable => ("unstable", report.result.unstable.iter().map(|unstable| unstable.id.as_str()).collect()),
        Finding::SessionFault => {
            ("session fault", run.session_faults.iter().map(|fault| fault.message.as_str()).collect())
        }
        Finding::Orphans => ("orphans", run.orphans.iter().map(String::as_str).collect()),
        Finding::Hello => ("hello", report.result.unrun.iter().map(|unrun| unrun.reason.as_str()).collect()),
    };
    let failures = &report.result.failures;
    let trouble = if messages.is_empty() {
        Some(format!("there is no finding {name}; failing: {:?}", failures.first()))
    } else if finding != Finding::Unstable && !failures.is_empty() {
        // The planted fault is in the conduct: every answer is right.
        Some(format!("besides the finding, a case fails: {:?}", failures.first()))
    } else {
        unsaid(&messages, says)
    };
    (format!("finding {name}"), trouble)
}

fn unsaid(texts: &[&str], says: Option<&str>) -> Option<String> {
    let says = says.filter(|says| !texts.iter().any(|text| text.contains(says)))?;
    Some(format!("nothing says {says:?}; the first of {}: {:?}", texts.len(), texts.first()))
}
