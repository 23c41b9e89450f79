//! `assize certify`: the corpus, put to the built-in verifier.

use std::{
    io::{self, IsTerminal as _},
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
};

use assize::{
    catalogue::SYSTEMS,
    exit::Exit,
    report::{self, Limits, Report, Run, Selected, sum},
    run::{self, Suite, Tried},
    selection::Selection,
    testee::Introduction,
};
use assize_corpus::{agreement::Outcome, handler::InProcess};
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Format, input, output, trouble::Trouble};

const EXAMPLES: &str = "\
Examples:
  assize certify                                    the whole corpus
  assize certify --filter sovereign/float-ban       one law
  assize certify --filter '*negative-zero*'         every case with this in its id
  assize certify --mode reference --format json     one mode, for machines
  assize certify --corpus path/to/vectors           another corpus

A case asked without a mode is in no mode: --mode leaves it out.

Exit codes:
  0  every selected case passes
  1  a case fails
  3  nothing is selected, or the run is incomplete";

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
    /// Read the vectors below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Number of threads; 0 takes one for each processor.
    #[arg(long, short, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// How the report is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Another implementation, and how to start it (not yet).
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Trouble> {
    if let Some(command) = args.command.first() {
        let message = format!("certifying another implementation ({command}) is not yet possible");
        let help = "leave out `-- COMMAND`: the built-in verifier is then certified";
        return Err(Trouble::usage(message, help));
    }
    let store = input::corpus(args.corpus.as_deref())?;
    let suite = Suite::load(&store).map_err(|error| Trouble::unreadable(error, "restore the corpus"))?;
    let selection = Selection {
        filters: args.filter.clone(),
        systems: args.system.clone(),
        modes: args.mode.clone(),
        ..Selection::default()
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs).build();
    let pool = pool.map_err(|error| {
        Trouble::unreadable(format!("threads cannot be started: {error}"), "use a smaller number of --jobs")
    })?;
    let progress = Progress::over(suite.count(&selection));
    let tried = pool.install(|| run::run(&suite, &selection, || InProcess, &|tried| progress.step(tried)));
    progress.bar.finish_and_clear();
    let report = sum::sum(sum::Found {
        suite: &suite,
        selection: Selected {
            systems: args.system.clone(),
            modes: args.mode.clone(),
            cases: args.filter.clone(),
            ..Selected::default()
        },
        introduction: Some(Introduction::built_in()),
        seed: 0,
        limits: Limits { line: 0, case_ms: 0, start_ms: 0, ends: 0, cpu_s: None, memory_mb: None },
        certifying: false,
        interrupted: false,
        unusable: None,
        tried,
        expectations: None,
        controls: None,
        unstable: Vec::new(),
        run: Run::default(),
    });
    match args.format {
        Format::Human => output::out(report::text(&report, output::paint()).as_bytes())?,
        Format::Json => {
            output::out(report::json(&report).map_err(Trouble::bug)?.as_bytes())?;
            aside(&report);
        }
    }
    Ok(report.exit)
}

/// What the JSON contract has no place for.
fn aside(report: &Report) {
    for case in report.result.unrun.iter().filter(|case| case.outcome == Outcome::NotRun) {
        output::err(&format!("NOT-RUN {}: {}\n", output::clean(&case.id), output::clean(&case.reason)));
    }
    for fault in &report.result.faults {
        output::err(&format!("corpus: {}\n", output::clean(fault)));
    }
    if report.result.totals.cases == 0 {
        output::err("no answer: the selection takes no case; `assize laws` lists what there is\n");
    }
}

/// A bar on standard error with counts, where that is a terminal.
struct Progress {
    bar: ProgressBar,
    failed: AtomicUsize,
}

impl Progress {
    fn over(cases: usize) -> Self {
        let bar = match u64::try_from(cases) {
            Ok(cases) if io::stderr().is_terminal() => {
                ProgressBar::with_draw_target(Some(cases), ProgressDrawTarget::stderr())
            }
            _ => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} cases, {msg}") {
            bar.set_style(style);
        }
        bar.set_message("0 fail");
        Self { bar, failed: AtomicUsize::new(0) }
    }

    fn step(&self, tried: &Tried) {
        if !matches!(tried.judgement.outcome, Outcome::Pass | Outcome::NotApplicable | Outcome::NotRun) {
            let failed = self.failed.fetch_add(1, Ordering::Relaxed) + 1;
            self.bar.set_message(format!("{failed} fail"));
        }
        self.bar.inc(1);
    }
}
