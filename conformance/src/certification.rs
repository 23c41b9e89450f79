//! One certification, from order to report, for any caller; its state can be looked at while it runs.
//!
//! The command line and the replay of a certificate both come through here, so that they cannot differ.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io,
    path::PathBuf,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError, atomic::AtomicBool},
    time::Instant,
};

use jiff::Timestamp;

use crate::{
    config::ConfigError,
    expectations::Expectations,
    laps::Laps,
    protocol::{Introduction, Limits},
    report::{
        FailOn, Report, Run,
        sum::{self, Found},
    },
    runner::{self, CaseResult, Plan, Tally},
    selection::Selection,
    suite::Suite,
    testee::{
        BuiltIn, Child, CommandInfo, Containment, Driver, Launch, Look, Notes, Seal, Setup, Subject, Timing, Unusable,
        session,
    },
};

/// Who is to be certified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Program and arguments.
    pub argv: Vec<OsString>,
    /// Working folder; the caller's where none is given.
    pub directory: Option<PathBuf>,
    /// Names of environment variables that are handed on.
    pub environment: Vec<String>,
    /// How it is kept from what is not its own.
    pub seal: Option<Seal>,
    /// What it consists of.
    pub subject: Subject,
}

/// What is to be done.
#[derive(Debug, Clone)]
pub struct Order {
    /// Who; the built-in verifier where nobody is named.
    pub command: Option<Command>,
    /// Which cases.
    pub selection: Selection,
    /// Seed, jobs, and whether the run certifies.
    pub plan: Plan,
    /// Limits that the testee feels.
    pub limits: Limits,
    /// Known failures.
    pub expectations: Option<Expectations>,
    /// The least weight of a failure that ends the command with an error.
    pub fail_on: FailOn,
    /// What time is counted by.
    pub timing: Timing,
    /// Whether there is to be a statement: then what was added to the runtime is digested too, which may be much.
    pub stated: bool,
}

/// A certification under way.
#[derive(Debug)]
pub struct Certification<'s> {
    suite: &'s Suite,
    order: Order,
    driver: Seat,
    /// How the testee is started, and its files as they are before that; nothing where nothing is certified.
    subject: Option<(Launch, Look)>,
    run: Run,
    began: Instant,
    introduction: OnceLock<Introduction>,
    done: Mutex<BTreeMap<String, CaseResult>>,
}

#[derive(Debug)]
enum Seat {
    BuiltIn(BuiltIn),
    Child(Box<Child>),
}

impl Seat {
    fn driver(&self) -> &dyn Driver {
        match self {
            Self::BuiltIn(driver) => driver,
            Self::Child(driver) => driver.as_ref(),
        }
    }
}

impl<'s> Certification<'s> {
    /// Prepares; nothing is started yet.
    ///
    /// # Errors
    /// The system gives no randomness.
    pub fn new(suite: &'s Suite, order: Order, stop: &'static AtomicBool) -> io::Result<Self> {
        let id = format!("r-{:016x}", session::random_word()?);
        let (mut command, mut containment): (Option<CommandInfo>, Option<Containment>) = (None, None);
        let mut subject = None;
        let driver = match &order.command {
            None => Seat::BuiltIn(BuiltIn { stop }),
            Some(wanted) => {
                let launch = Launch {
                    argv: wanted.argv.clone(),
                    directory: wanted.directory.clone(),
                    environment: wanted.environment.clone(),
                    line: order.limits.line,
                    cpu_s: order.limits.cpu_s,
                    memory_mb: order.limits.memory_mb,
                    timing: order.timing.clone(),
                    seal: wanted.seal.clone(),
                    subject: wanted.subject.clone(),
                };
                containment = Some(launch.containment());
                subject = order.plan.certifying.then(|| (launch.clone(), look(&launch, order.stated)));
                // Until it is compared, nothing is said about what it consists of.
                let before = subject.as_ref().map(|(_, look)| CommandInfo {
                    subject: None,
                    runtime: None,
                    ..look.command.clone()
                });
                command = Some(before.unwrap_or_else(|| launch.info()));
                let suite_sha256 = suite.sha256.to_hex();
                let setup = Setup { launch, limits: order.limits.clone(), run: id.clone(), suite_sha256, stop };
                Seat::Child(Box::new(Child::new(setup)?))
            }
        };
        let transport = driver.driver().kind();
        let run = Run {
            id,
            started: Timestamp::now().to_string(),
            jobs: order.plan.jobs,
            transport,
            command,
            containment,
            ..Run::default()
        };
        let (introduction, done) = (OnceLock::new(), Mutex::default());
        Ok(Self { suite, order, driver, subject, run, began: Instant::now(), introduction, done })
    }

    /// How many cases are selected.
    #[must_use]
    pub fn cases(&self) -> usize {
        self.suite.count(&self.order.selection)
    }

    /// Runs to the end. `watch` is called for each case as soon as it has an outcome, in any order; `laps` gets what took how long.
    ///
    /// # Errors
    /// The expectations file contradicts itself on these cases.
    pub fn run(&self, watch: &(dyn Fn(&CaseResult) + Sync), laps: &Laps) -> Result<Report, ConfigError> {
        if let Some(expectations) = &self.order.expectations {
            // A file that contradicts itself does so without any outcome: nothing is started for it.
            expectations.apply(self.suite, &[])?;
        }
        let introduced = self.driver.driver().introduce();
        laps.end("hello");
        let introduction = match introduced {
            Ok(introduction) => self.introduction.get_or_init(|| introduction),
            Err(Unusable { message, stderr, short }) => {
                let results = runner::none(self.suite, &self.order.selection, &message);
                let unusable = if stderr.is_empty() { message } else { format!("{message}; it wrote: {stderr}") };
                return Ok(sum::sum(Found { unusable: (!short).then_some(unusable), ..self.found(results) }));
            }
        };
        let keep = |result: &CaseResult| {
            self.done().insert(result.id.clone(), result.clone());
            watch(result);
        };
        let Order { selection, plan, .. } = &self.order;
        let ran = runner::run(self.suite, selection, self.driver.driver(), introduction, plan, &keep, laps);
        let expectations = match &self.order.expectations {
            Some(expectations) => Some(expectations.apply(self.suite, &ran.results)?),
            None => None,
        };
        let stderr = || match &self.driver {
            Seat::BuiltIn(_) => String::new(),
            Seat::Child(child) => {
                let Notes { evidence, written, .. } = child.log.snapshot();
                evidence.into_values().map(|seen| seen.stderr).find(|stderr| !stderr.is_empty()).unwrap_or(written)
            }
        };
        let unusable = ran.broken.map(|why| match stderr() {
            written if written.is_empty() => why,
            written => format!("{why}; it wrote: {written}"),
        });
        Ok(sum::sum(Found {
            unusable,
            interrupted: !ran.complete,
            expectations,
            tally: ran.tally,
            probes: ran.probes,
            unstable: ran.unstable,
            silent: ran.silent,
            ..self.found(ran.results)
        }))
    }

    /// Puts into the report of the run what has changed in the files of the testee since before it. To be called when
    /// nothing of the run is written any more but what the order names.
    pub fn compare_subject(&self, report: &mut Report) {
        if let Some((launch, before)) = &self.subject {
            report.run.command = Some(before.since(&look(launch, self.order.stated)));
        }
    }

    /// What is known so far, as a report of an incomplete run.
    #[must_use]
    pub fn snapshot(&self) -> Report {
        let mut results = runner::none(self.suite, &self.order.selection, "not yet run");
        let done = self.done();
        for result in &mut results {
            if let Some(known) = done.get(&result.id) {
                result.clone_from(known);
            }
        }
        drop(done);
        sum::sum(Found { interrupted: true, ..self.found(results) })
    }

    /// What is known about these outcomes, whether or not the rest of the run completes.
    fn found(&self, results: Vec<CaseResult>) -> Found<'s> {
        let (notes, short) = match &self.driver {
            Seat::BuiltIn(_) => (Notes::default(), None),
            Seat::Child(child) => (child.log.snapshot(), child.log.short()),
        };
        let Notes { sessions, faults, receipts, orphans, evidence, written: _ } = notes;
        let run = Run {
            seconds: self.began.elapsed().as_secs_f64(),
            sessions,
            session_faults: faults,
            receipts,
            orphans,
            evidence,
            ..self.run.clone()
        };
        Found {
            suite: self.suite,
            selection: self.order.selection.stated(),
            introduction: self.introduction.get().cloned(),
            seed: self.order.plan.seed,
            limits: self.order.limits.clone(),
            certifying: self.order.plan.certifying,
            interrupted: false,
            unusable: None,
            short,
            silent: Vec::new(),
            results,
            expectations: None,
            tally: Tally::default(),
            probes: Vec::new(),
            fail_on: self.order.fail_on,
            without: self.order.plan.terms.without.clone(),
            unstable: Vec::new(),
            run,
        }
    }

    fn done(&self) -> MutexGuard<'_, BTreeMap<String, CaseResult>> {
        // Outcomes stay true if another thread panics.
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The files of a testee as they are now.
fn look(launch: &Launch, stated: bool) -> Look {
    if stated { launch.look_at_all() } else { launch.look() }
}
