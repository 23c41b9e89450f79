//! `assize doctor`: what is wrong with a shim, and what to change.

use std::{ffi::OsString, fmt::Write as _, path::PathBuf, sync::atomic::AtomicBool};

use assize::{
    catalogue,
    doctor::{self, Check, Diagnosis, State},
    exit::Exit,
    protocol::Limits,
    report::Paint,
    selection::Selection,
};
use clap::builder::NonEmptyStringValueParser;
use indicatif::ProgressBar;

use super::{Format, certify, error::CliError, input, output, sealing::Sealing};

const EXAMPLES: &str = "\
Examples:
  assize doctor -- python3 shim.py
  assize doctor --filter canon/rfc8785 -- python3 shim.py     with cases of one law
  assize doctor --format json -- ./mine --atp

The program is started many times: it is greeted, asked, stalled, sent nonsense and left alone. Whether it obeys
the laws is not the question here; `assize certify -- COMMAND` asks that.

Exit codes:
  0  every rule holds; there may be warnings
  1  a rule is broken
  3  the system had no process to give for a check; nothing is said of the program there
  4  the program cannot be started, or never says hello";

/// Examine a shim: every rule of the testee protocol, tried one by one, and how to mend what is broken.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How the diagnosis is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Ask only these cases: an id, a part of it up to a slash, or a pattern with * and ?. Repeatable.
    #[arg(long, value_name = "GLOB", value_parser = NonEmptyStringValueParser::new())]
    filter: Vec<String>,
    /// Read the vectors below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Milliseconds to wait for a reply; a start may take twice as long.
    #[arg(long, value_name = "MS", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    timeout: u64,
    #[command(flatten)]
    sealing: Sealing,
    /// The program to examine, and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Only the end of this process interrupts an examination.
static STOP: AtomicBool = AtomicBool::new(false);

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let limits = Limits {
        case_ms: args.timeout,
        start_ms: args.timeout.saturating_mul(2),
        ends: usize::MAX,
        cpu_s: None,
        memory_mb: None,
        ..Limits::default()
    };
    let setup = certify::setup(&args.command, &args.sealing, limits, "r-doctor", &STOP);
    let selection = Selection { filters: args.filter.clone(), ..Selection::default() };
    let corpus = catalogue::part(&input::corpus(args.corpus.as_deref())?, &selection);
    // Drawn only on a terminal.
    let line = ProgressBar::new_spinner();
    let diagnosis = doctor::examine(&setup, &corpus, &|check| line.set_message(check));
    line.finish_and_clear();
    match args.format {
        Format::Json => output::json(&diagnosis)?,
        Format::Human => output::say(&text(&diagnosis, output::paint()))?,
    }
    Ok(diagnosis.exit)
}

fn text(diagnosis: &Diagnosis, paint: Paint) -> String {
    let mut text = String::new();
    if let Some(patient) = &diagnosis.testee {
        let who = format!("{} {}", output::clean(&patient.testee.name), output::clean(&patient.testee.version));
        let _ = writeln!(text, "{}\n", paint.strong(&who));
    }
    for check in &diagnosis.checks {
        one(&mut text, check, paint);
    }
    if !diagnosis.stderr.trim().is_empty() {
        let _ = writeln!(text, "\nthe end of its standard error:");
        for line in diagnosis.stderr.lines() {
            let _ = writeln!(text, "  | {}", output::clean(line));
        }
    }
    let count = |state| diagnosis.count(state);
    let verdict = match (diagnosis.exit, count(State::Broken)) {
        (Exit::Testee, _) => paint.bad("the testee cannot be used"),
        (Exit::NoAnswer, 0) => paint.bad("the examination is incomplete"),
        (_, 0) => paint.good("no rule is broken"),
        (_, 1) => paint.bad("1 rule is broken"),
        (_, broken) => paint.bad(&format!("{broken} rules are broken")),
    };
    let (holds, warnings, skipped) = (count(State::Holds), count(State::Warning), count(State::Skipped));
    let _ = writeln!(
        text,
        "\n{verdict}: {} checks, {holds} hold, {warnings} with a warning, {skipped} skipped",
        diagnosis.checks.len()
    );
    text
}

/// A line for a check that holds or was skipped; a paragraph for any other.
fn one(text: &mut String, check: &Check, paint: Paint) {
    let mark = format!("{:<8}", check.state.name());
    let mark = match check.state {
        State::Holds => paint.good(&mark),
        State::Broken => paint.bad(&mark),
        State::Warning => paint.strong(&mark),
        State::Skipped => mark,
    };
    let mut observed = check.observed.iter();
    let first = observed.next().map_or("", String::as_str);
    let _ = writeln!(text, "{mark} {:<17} {}", check.name, output::clean(first));
    for more in observed {
        let _ = writeln!(text, "{:<27}{}", "", output::clean(more));
    }
    if matches!(check.state, State::Broken | State::Warning) {
        let _ = writeln!(text, "{:<9}why     {} (rule {})", "", check.why, check.rule);
        for remedy in &check.remedy {
            let _ = writeln!(text, "{:<9}change  {}", "", output::clean(remedy));
        }
    }
}
