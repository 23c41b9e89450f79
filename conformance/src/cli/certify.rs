//! `assize certify`: the corpus, asked of the built-in verifier or of any program.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    mem::ManuallyDrop,
    path::{Path, PathBuf},
    sync::{
        atomic::AtomicBool,
        mpsc::{self, RecvTimeoutError},
    },
    thread::{self, ScopedJoinHandle},
    time::{Duration, Instant},
};

use assize::{
    catalogue::SYSTEMS,
    certificate,
    certification::{Certification, Command, Order},
    config::{Config, ENVIRONMENT},
    exit::Exit,
    expectations::Expectations,
    laps::Laps,
    protocol::Limits,
    report::{self, FailOn, Form, Report},
    runner::Plan,
    selection::{Selection, Shard},
    suite::Suite,
    testee::{Launch, Seal, Setup, Subject, Timing},
};
use assize_corpus::{
    agreement::Terms,
    operation,
    store::Store,
    vector::ruling::{Rulings, Stands},
};
use clap::{
    ValueEnum as _,
    builder::{NonEmptyStringValueParser, PossibleValue, PossibleValuesParser},
};

use super::{
    error::CliError,
    harness::harness,
    input,
    interrupt::{self, STOP},
    output,
    progress::Progress,
    questions::{self, Challenges},
    sealing::Sealing,
    terminal,
};

const EXAMPLES: &str = "\
Examples:
  assize certify                                      the built-in verifier, the whole corpus
  assize certify -- python3 shim.py                   your program, over ATP/1
  assize certify --filter sovereign/float-ban         one law
  assize certify --filter '*negative-zero*'           every case with this in its id
  assize certify --level comparator-law -- ./mine     the cases of one certification level
  assize certify --report out.json --report out.html --report junit.xml -- ./mine
  assize certify --statement mine.json -- ./mine      and then: assize sign mine.json --key me.key --output mine.cert
  assize certify --config assize.toml                 command, limits and filters from a file
  assize certify --challenges 50 -- ./mine            50 fresh questions a law beside the corpus

A case asked without a mode is in no mode: --mode leaves it out. With a command, every case is sent twice in two
seeded orders to the same process, some once more to a process of their own, and some answers are altered on their
way to show that the harness would notice; --quick leaves all of that out, and no statement is written for it.

A statement is signed apart from the run, by `assize sign`: a testee can see the command line, the environment and the
open files of the harness, and wait for its end. Keep private keys where the user of the testee cannot read them.

Exit codes:
  0  what was asked conforms, or fails as the expectations file says
  1  a case fails that weighs enough (--fail-on), or a receipt, a session or an order shows a fault
  2  the expectations file does not fit what happened
  3  too little was answered to judge a law, or the run is incomplete
  4  the testee cannot be used";

/// Put the corpus to an implementation: a table by law, totals, and every mismatch.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Run only these cases: an id, a part of it up to a slash, or a pattern with * and ?. Repeatable.
    #[arg(long, value_name = "GLOB", value_parser = NonEmptyStringValueParser::new())]
    filter: Vec<String>,
    /// Run only cases of these systems. Repeatable.
    #[arg(long, value_name = "SYSTEM", value_parser = PossibleValuesParser::new(SYSTEMS))]
    system: Vec<String>,
    /// Run only cases of this mode. Repeatable.
    #[arg(long, value_name = "MODE", value_parser = ["law", "reference"])]
    mode: Vec<String>,
    /// Run only cases of these certification levels. Repeatable.
    #[arg(long, value_name = "LEVEL", value_parser = levels())]
    level: Vec<String>,
    /// Run one part of several, the same in every run: 2/5 is the second of five.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Read the vectors below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Read command, limits and filters from this file; flags go before it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Known failures: what they name does not turn the run red, unless they stop failing.
    #[arg(long, value_name = "FILE")]
    expectations: Option<PathBuf>,
    /// Processes at a time (threads for the built-in verifier); 0 takes one for each processor. Without it: one process,
    /// so that every case meets every other, or one thread for each processor.
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// Seed of the orders, of every sample and of the challenges. Without it: a random one, which the report states.
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// Fresh questions beside the corpus, made from the seed: so many a law, or none. Without it: a fifth of a law's cases and at
    /// least 20; none in a quick run, nor for single cases or one part where no statement is written.
    #[arg(long, value_name = "N|none", value_parser = Challenges::parse)]
    challenges: Option<Challenges>,
    /// Milliseconds without progress before a process is ended.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    timeout: Option<u64>,
    /// The least weight of an unexpected failure that ends the command with 1: what is against a specification, against a ruling
    /// too, or every remark on a convention as well. It changes no grade.
    #[arg(long, value_enum, value_name = "WEIGHT", default_value_t = Least::Spec)]
    fail_on: Least,
    /// The same as --fail-on ruling.
    #[arg(long, conflicts_with = "fail_on")]
    strict: bool,
    /// Leave a ruling out: what it decides is a remark, and the run cannot conform strictly. Repeatable.
    #[arg(long, value_name = "RULING")]
    without: Vec<String>,
    /// One order, no fresh processes, no controls: for work on a testee.
    #[arg(long)]
    quick: bool,
    /// How the report is written to standard output.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Write the report here too, in the form of its ending: .json .xml .tap .md .html .svg .txt; or in the form that stands before
    /// a colon, as in markdown:summary or annotations:PATH. Repeatable.
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
    /// Write what is to be certified here if the run conforms, unsigned; `assize sign` makes a certificate of it.
    #[arg(long, value_name = "FILE", conflicts_with = "quick")]
    statement: Option<PathBuf>,
    /// Refused, with the commands to use instead.
    #[arg(long, value_name = "FILE", hide = true)]
    certificate: Option<PathBuf>,
    /// Refused: no key belongs near a testee.
    #[arg(long, value_name = "FILE", hide = true)]
    key: Option<PathBuf>,
    /// Say on standard error what took how long, at the end of a run: seconds, and seconds of processor of this process, without
    /// the testee's.
    #[arg(long)]
    timings: bool,
    #[command(flatten)]
    sealing: Sealing,
    /// Another implementation, and how to start it.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The values of `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Least {
    Spec,
    Ruling,
    Remark,
}

impl Args {
    fn fail_on(&self) -> FailOn {
        match self.fail_on {
            Least::Ruling => FailOn::Ruling,
            Least::Remark => FailOn::Remark,
            Least::Spec if self.strict => FailOn::Ruling,
            Least::Spec => FailOn::Spec,
        }
    }
}

pub(crate) fn levels() -> PossibleValuesParser {
    PossibleValuesParser::new(
        operation::table()
            .levels
            .iter()
            .map(|level| PossibleValue::new(level.name.as_str()).aliases(level.aliases.iter().map(String::as_str))),
    )
}

/// Levels by their names of today.
fn named_now(names: Vec<String>) -> Vec<String> {
    let now = |name: String| match operation::table().level(&name) {
        Some(level) if level.name != name => {
            output::note(&format!("level {name} is called {} now", level.name));
            level.name.clone()
        }
        _ => name,
    };
    names.into_iter().map(now).collect()
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let laps = Laps::default();
    signs_nothing(args)?;
    let files = report_files(&args.report)?;
    // Before the subject is digested: what killed runs have left of these files would be gone when it is digested again.
    let written: Vec<PathBuf> = files.iter().map(|(path, _)| path).chain(&args.statement).cloned().collect();
    written.iter().try_for_each(|path| output::writable(path))?;
    let mut order = order(args, written)?;
    let store = input::corpus(args.corpus.as_deref())?;
    order.plan.terms.without = left_out(&args.without, &store)?;
    let suite = Suite::load(&store).map_err(|error| CliError::unreadable(error, "restore the corpus"))?;
    // The process ends with the run: freeing thousands of cases one by one would only delay it.
    let mut suite = ManuallyDrop::new(suite);
    laps.end("corpus");
    questions::add(&mut suite, args.challenges, &order, args.statement.is_some());
    laps.end("challenges");
    let report = examine(&suite, order, &files, &laps)?;
    let mut exit = report.exit;
    if let Some(path) = &args.statement {
        exit = exit.or(state(&report, path)?);
    }
    if args.format == Form::Text {
        output::say(&report::text_within(&report, output::paint(), terminal::width()))?;
    } else {
        output::out(&report::write(&report, &suite, args.format, output::paint()).map_err(CliError::bug)?)?;
    }
    laps.end("report");
    if args.timings {
        output::err(&format!("timings: seconds, and seconds of processor without the testee's\n{laps}"));
    }
    if report.result.totals.cases == 0 && args.format != Form::Text {
        output::err("no answer: the selection takes no case; `assize laws` lists what there is\n");
    }
    Ok(exit)
}

/// Runs an order to its end, with a bar on the terminal and every file of the report kept up to date.
pub(crate) fn examine(suite: &Suite, order: Order, files: &[(PathBuf, Form)], laps: &Laps) -> Result<Report, CliError> {
    let broken = |error| CliError::bug(format!("no run can begin: {error}"));
    let certification = Certification::new(suite, order, &STOP).map_err(broken)?;
    interrupt::heed("run", || {});
    // Written before anything is started: whatever happens from here on, there is a report that says how far it came.
    if !files.is_empty() {
        save(&certification.snapshot(), suite, files)?;
    }
    laps.end("subject");
    let progress = Progress::over(certification.cases());
    let report = thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        // Where the system gives no thread for it, the report is written at the end.
        let keeping = || keep(&certification, suite, files, waiting);
        let keeper = thread::Builder::new().spawn_scoped(scope, keeping).ok();
        let report = certification.run(&|result| progress.step(result), laps).map_err(CliError::from);
        drop(done);
        match keeper.map(ScopedJoinHandle::join) {
            None => report,
            Some(Ok(kept)) => kept.and(report),
            Some(Err(_)) => Err(CliError::bug("the report could not be kept up to date")),
        }
    });
    progress.finish();
    let mut report = report?;
    laps.end("sum");
    certification.compare_subject(&mut report);
    laps.end("subject again");
    save(&report, suite, files)?;
    Ok(report)
}

/// Writes what is known so far once in a while, until the run ends: so seldom that the writing is a small part of the run.
fn keep(
    certification: &Certification<'_>,
    suite: &Suite,
    files: &[(PathBuf, Form)],
    waiting: mpsc::Receiver<()>,
) -> Result<(), CliError> {
    const LEAST: Duration = Duration::from_secs(1);
    const RARER: u32 = 20;
    if files.is_empty() {
        return Ok(());
    }
    let mut pause = LEAST;
    while waiting.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let began = Instant::now();
        save(&certification.snapshot(), suite, files)?;
        pause = LEAST.max(began.elapsed() * RARER);
    }
    Ok(())
}

fn save(report: &Report, suite: &Suite, files: &[(PathBuf, Form)]) -> Result<(), CliError> {
    for (path, form) in files {
        let bytes = report::write(report, suite, *form, report::Paint::Plain).map_err(CliError::bug)?;
        output::atomically(path, &bytes)?;
    }
    Ok(())
}

fn report_files(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Form)>, CliError> {
    let form = |path: &PathBuf| {
        if let Some((form, rest)) = path.to_str().and_then(|text| text.split_once(':'))
            && let Ok(form) = Form::from_str(form, false)
            && !rest.is_empty()
        {
            return Ok((PathBuf::from(rest), form));
        }
        let form = Form::of_path(path).ok_or_else(|| {
            let message = format!("--report {}: no form of report has this ending", path.display());
            CliError::usage(
                message,
                "use .json, .xml (JUnit), .tap, .md, .html, .svg (badge) or .txt, or name the form: markdown:PATH",
            )
        })?;
        Ok((path.clone(), form))
    };
    paths.iter().map(form).collect()
}

/// Refuses a key, before anything else is opened or started.
fn signs_nothing(args: &Args) -> Result<(), CliError> {
    if args.key.is_none() && args.certificate.is_none() {
        return Ok(());
    }
    let message = "certify signs nothing: its testee could read the key that it is given, and sign a report of its own";
    let help = "use two commands: `assize certify --statement run.json -- COMMAND`, and when it has ended, away from the \
                testee, `assize sign run.json --key KEY --output run.cert`";
    Err(CliError::usage(message, help))
}

/// Flags before the configuration file, the file before defaults. `written` is what this run writes.
fn order(args: &Args, written: Vec<PathBuf>) -> Result<Order, CliError> {
    let config = args.config.as_deref().map(configuration).transpose()?;
    let config = config.as_ref();
    let command = match (args.command.as_slice(), config) {
        ([], None) => None,
        ([], Some(config)) => Some(config.command.iter().map(OsString::from).collect()),
        (argv, _) => Some(argv.to_vec()),
    };
    let apart: Vec<PathBuf> = written.into_iter().chain(hidden(args, config)).collect();
    let command = command.map(|argv| Command {
        argv,
        directory: config.and_then(|config| config.directory.clone()),
        environment: config.map_or_else(default_environment, |config| config.environment.clone()),
        seal: args.sealing.seal(config.map_or(&[], |config| config.readable.as_slice()), &apart),
        subject: args.sealing.named.subject(config.map_or(&[], |config| config.subject.as_slice()), apart),
    });
    let mut limits = config.map_or_else(Limits::default, |config| config.limits.clone());
    limits.case_ms = args.timeout.unwrap_or(limits.case_ms);
    let first = |flags: &[String], file: Option<&[String]>| match (flags, file) {
        ([], Some(names)) => names.to_vec(),
        (names, _) => names.to_vec(),
    };
    let selection = Selection {
        filters: args.filter.clone(),
        systems: first(&args.system, config.map(|config| config.systems.as_slice())),
        modes: first(&args.mode, config.map(|config| config.modes.as_slice())),
        levels: named_now(first(&args.level, config.map(|config| config.levels.as_slice()))),
        shard: args.shard,
    };
    let expectations = args.expectations.as_deref().or(config.and_then(|config| config.expectations.as_deref()));
    let plan = Plan {
        seed: args.seed.or(config.and_then(|config| config.seed)).map_or_else(random_seed, Ok)?,
        jobs: jobs(args.jobs.or(config.and_then(|config| config.jobs)), command.is_some()),
        certifying: !args.quick,
        terms: Terms::default(),
    };
    let expectations = expectations.map(expected).transpose()?;
    Ok(Order {
        command,
        selection,
        plan,
        limits,
        expectations,
        fail_on: args.fail_on(),
        timing: Timing::default(),
        stated: args.statement.is_some(),
    })
}

/// What a testee must not see: the corpus would tell it what to say, and known failures what is let pass.
fn hidden(args: &Args, config: Option<&Config>) -> Vec<PathBuf> {
    let expectations = args.expectations.iter().chain(config.and_then(|config| config.expectations.as_ref()));
    args.corpus.iter().chain(expectations).cloned().collect()
}

/// The ids of the rulings that these names mean.
fn left_out(names: &[String], store: &Store) -> Result<BTreeSet<String>, CliError> {
    let rulings = Rulings::load(store).map_err(|error| CliError::unreadable(error, "restore the corpus"))?;
    let id = |name: &String| match rulings.find(name) {
        Some((_, ruling)) if ruling.stands == Stands::Says => {
            let message = format!("--without {name}: the text itself says what {} applies", ruling.id);
            Err(CliError::usage(
                message,
                "only rulings on what a text leaves open or contradicts can be left out: `assize errata`",
            ))
        }
        Some((_, ruling)) => Ok(ruling.id.clone()),
        None => {
            Err(CliError::usage(format!("--without {name}: there is no such ruling"), "`assize errata` lists rulings"))
        }
    };
    names.iter().map(id).collect()
}

/// Names of variables that are handed on where no configuration names any.
pub(crate) fn default_environment() -> Vec<String> {
    ENVIRONMENT.iter().map(|name| (*name).to_owned()).collect()
}

/// How a program is started outside of a run.
pub(super) fn launch(command: &[OsString], seal: Option<Seal>, subject: Subject, limits: &Limits) -> Launch {
    Launch {
        argv: command.to_vec(),
        directory: None,
        environment: default_environment(),
        line: limits.line,
        cpu_s: limits.cpu_s,
        memory_mb: limits.memory_mb,
        timing: Timing::default(),
        seal,
        subject,
    }
}

/// A program that is asked outside of a run, and so without a suite; `name` stands for the id of the run.
pub(super) fn setup(
    command: &[OsString],
    sealing: &Sealing,
    limits: Limits,
    name: &str,
    stop: &'static AtomicBool,
) -> Setup {
    let launch = launch(command, sealing.seal(&[], []), sealing.named.subject(&[], Vec::new()), &limits);
    Setup { launch, limits, run: name.to_owned(), suite_sha256: "0".repeat(64), stop }
}

/// A seed that nobody can know before the run.
pub(crate) fn random_seed() -> Result<u32, CliError> {
    getrandom::u32().map_err(|error| {
        CliError::unreadable(format!("the system gives no random seed: {error}"), "give one with --seed")
    })
}

fn jobs(wanted: Option<usize>, process: bool) -> usize {
    match (wanted, process) {
        (Some(jobs @ 1..), _) => jobs,
        (None, true) => 1,
        _ => thread::available_parallelism().map_or(1, usize::from),
    }
}

pub(super) fn configuration(path: &Path) -> Result<Config, CliError> {
    let config = Config::parse(&path.display().to_string(), &input::read(path)?)?;
    Ok(config.below(path.parent().unwrap_or(Path::new(""))))
}

/// Reads an expectations file.
pub(crate) fn expected(path: &Path) -> Result<Expectations, CliError> {
    Ok(Expectations::parse(&path.display().to_string(), &input::read(path)?)?)
}

/// Writes the statement. A run that cannot have one says why; a statement that was asked for and is missing means no answer.
fn state(report: &Report, path: &Path) -> Result<Exit, CliError> {
    match certificate::statement(report, &harness()?) {
        Ok(statement) => {
            output::atomically(path, &output::pretty(&statement)?)?;
            let name = path.display();
            output::err(&format!(
                "statement: {name}, not signed; `assize sign {name} --key KEY` makes a certificate\n"
            ));
            Ok(Exit::Conforms)
        }
        Err(refusal) => {
            output::err(&format!("no statement: {}\n", output::clean(&refusal.to_string())));
            if path.exists() {
                output::err(&format!("{} is from an earlier run, and says nothing about this one\n", path.display()));
            }
            Ok(if report.exit == Exit::Conforms { Exit::NoAnswer } else { Exit::Conforms })
        }
    }
}
