//! `assize bundle compare`: two recorded runs.
//!
//! This is the hot path of the command line: it touches neither corpus nor tables before the report is complete.

mod abort;
mod held;
mod summary;
mod values;

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use assize::exit::Exit;
use assize_verifier::files::Files;
use assize_verifier::sovereign::{
    self, Inputs, reference,
    report::{Report, Status},
};
use assize_verifier::threads::Threads;
use clap::ValueEnum;

use super::{Format, error::CliError, input, output, seen::Seen};
pub(super) use summary::place;
use values::Side;

const EXAMPLES: &str = "\
Examples:
  assize bundle compare a/bundle.json b/bundle.json
  assize bundle compare a.json b.json --format human
  assize bundle compare a.json b.json --mode reference --root runs/
  assize bundle compare a.json b.json --output report.json --quiet

Below a row stands where the two runs first part and what either has there, as far as
the turn files are still those that were compared; a report has digests alone.

In law mode the text of the specification is judged: turn files are regular files
below the root, and whatever is wrong with the input stands in the report. In
reference mode the sealed Python comparator is repeated, faults included; where it
raises there is no report. The report's own exit_code follows the specification.

Exit codes:
  0  EQUIVALENT
  1  DIVERGENT
  3  ERROR, an abort, or a file of the command line that cannot be read";

/// Compare two replay bundles and report every mismatch.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The bundle of the expected run.
    #[arg(value_name = "A")]
    bundle_a: PathBuf,
    /// The bundle of the actual run.
    #[arg(value_name = "B")]
    bundle_b: PathBuf,
    /// By which reading of the specification.
    #[arg(long, value_enum, default_value_t = Mode::Law)]
    mode: Mode,
    /// Where the bundles' paths start [default: in law mode each bundle's own folder, in reference mode the working
    /// directory].
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// The local error-code registry; the sealed one if there is none. Law mode alone looks at it.
    #[arg(long, value_name = "FILE")]
    registry: Option<PathBuf>,
    /// The stage order; the sealed one if there is none.
    #[arg(long, value_name = "FILE")]
    stage_order: Option<PathBuf>,
    /// json: the report in canonical bytes and a line feed. human: a table.
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
    /// Write to this file, whole or not at all, instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// No summary on standard error.
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// The text, under its rulings.
    Law,
    /// The sealed Python comparator, fault for fault.
    Reference,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let seen = Seen::by_nobody();
    let Compared { bundle_a, bundle_b, files, report } = judge(args, Threads::Pool, &seen)?;
    let a = Side { name: &args.bundle_a, bundle: &bundle_a, files: files.of_a() };
    let b = Side { name: &args.bundle_b, bundle: &bundle_b, files: files.of_b() };
    deliver(args, report, [&a, &b])
}

/// Two runs that were compared, and what came of it.
pub(super) struct Compared<'s> {
    bundle_a: Vec<u8>,
    bundle_b: Vec<u8>,
    files: TurnFiles<'s>,
    pub(super) report: Report,
}

/// Compares what the arguments name.
pub(super) fn judge<'s>(args: &Args, threads: Threads, seen: &'s Seen) -> Result<Compared<'s>, CliError> {
    if args.mode == Mode::Reference && args.registry.is_some() {
        let help = "leave it out, or compare in law mode";
        return Err(CliError::usage("--registry means nothing to the comparator of reference mode", help));
    }
    let bundle_a = seen.file("a", &args.bundle_a)?;
    let bundle_b = seen.file("b", &args.bundle_b)?;
    let registry = seen.beside("registry", args.registry.as_deref())?;
    let stage_order = seen.beside("stage_order", args.stage_order.as_deref())?;
    let inputs = Inputs {
        bundle_a: &bundle_a,
        bundle_b: &bundle_b,
        registry: registry.as_deref(),
        stage_order: stage_order.as_deref(),
    };
    let files = files(args, seen)?;
    let report = match args.mode {
        Mode::Law => sovereign::compare(&inputs, files.of_a(), files.of_b(), threads),
        Mode::Reference => {
            reference::compare(&inputs, files.of_a(), threads).map_err(|abort| abort::explain(abort, args, &inputs))?
        }
    };
    Ok(Compared { bundle_a, bundle_b, files, report })
}

/// The end of a comparison that has a report.
pub(super) fn exit(report: &Report) -> Exit {
    match report.status {
        Status::Equivalent => Exit::Conforms,
        Status::Divergent => Exit::Violates,
        Status::Error => Exit::NoAnswer,
    }
}

/// The turn files of both runs.
struct TurnFiles<'s> {
    a: Box<dyn Files + 's>,
    /// Those of B, where they are not found as those of A are.
    b: Option<Box<dyn Files + 's>>,
}

impl TurnFiles<'_> {
    fn of_a(&self) -> &dyn Files {
        &*self.a
    }

    fn of_b(&self) -> &dyn Files {
        self.b.as_deref().unwrap_or(&*self.a)
    }
}

fn files<'s>(args: &Args, seen: &'s Seen) -> Result<TurnFiles<'s>, CliError> {
    let both = args.root.is_some() || args.mode == Mode::Reference;
    let name = if both { "turns" } else { "turns_a" };
    if args.mode == Mode::Reference {
        let root = args.root.as_deref().unwrap_or(Path::new(""));
        return Ok(TurnFiles { a: seen.parity(name, root)?, b: None });
    }
    let root = args.root.as_deref().unwrap_or(folder_of(&args.bundle_a));
    let a = seen.turns(name, root)?;
    if both {
        return Ok(TurnFiles { a, b: None });
    }
    let b = seen.turns("turns_b", folder_of(&args.bundle_b))?;
    Ok(TurnFiles { a, b: Some(b) })
}

fn folder_of(bundle: &Path) -> &Path {
    match bundle.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn deliver(args: &Args, mut report: Report, sides: [&Side<'_>; 2]) -> Result<Exit, CliError> {
    let exit = exit(&report);
    let written: Cow<'_, [u8]> = match args.format {
        Format::Human => output::said_for(args.output.as_deref(), summary::table(args, &report, sides)).into(),
        Format::Json => {
            let mut text = std::mem::take(&mut report.text).into_bytes();
            text.push(b'\n');
            text.into()
        }
    };
    output::deliver(args.output.as_deref(), &written)?;
    if args.format == Format::Json && !args.quiet {
        output::err(&summary::short(args, &report, sides));
    }
    Ok(exit)
}
