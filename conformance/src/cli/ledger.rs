//! `assize ledger`: evidence ledgers of the Kernel Contract, as chains and as runs.

mod append;
mod breach;
pub(super) mod replay;
mod show;
pub(super) mod verify;

use std::{io::Read, path::PathBuf};

use assize::exit::Exit;
use assize_verifier::{
    authority::{Assumed, Layout, LedgerError, Reading},
    threads::Threads,
};
use clap::ValueEnum;

use super::{CliError, Format, golden, graph, input, output, progress, seen::Seen, threads};
pub(super) use replay::warnings;

/// Look into an evidence ledger: its chain of hashes, the run that left it, its records and its graph.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Verify(verify::Args),
    Append(append::Args),
    Replay(replay::Args),
    Show(show::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    match &args.task {
        Task::Verify(args) => verify::run(args),
        Task::Append(args) => append::run(args),
        Task::Replay(args) => replay::run(args),
        Task::Show(args) => show::run(args),
    }
}

/// Which ledger, and how it is read.
#[derive(Debug, clap::Args)]
struct Source {
    /// The ledger: JSON Lines, or a JSON array of records; - is standard input.
    #[arg(value_name = "FILE")]
    ledger: PathBuf,
    /// How the records are laid out [default: an array if the first byte is [, else lines].
    #[arg(long, value_enum)]
    layout: Option<LayoutName>,
    /// Threads, at most one for each processor; 0 takes that many.
    #[arg(long, short, value_name = "N", default_value_t = 0)]
    jobs: usize,
}

impl Source {
    fn reading(&self) -> Reading {
        let threads = if self.jobs == 1 { Threads::Caller } else { Threads::Pool };
        Reading { layout: self.layout.map(Layout::from), threads }
    }
}

/// How a verdict is written, and what is shown while it is found.
#[derive(Debug, clap::Args)]
struct Verdict {
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write to this file, whole or not at all, instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The verdict alone, and no progress.
    #[arg(long, short)]
    quiet: bool,
}

impl Verdict {
    /// The name of a ledger, and what a judge makes of it, with a bar over its bytes.
    fn of<T: Send>(
        &self,
        source: &Source,
        seen: &Seen,
        judge: impl FnOnce(Box<dyn Read + Send + '_>, &Reading) -> Result<T, LedgerError> + Send,
    ) -> Result<(String, T), CliError> {
        let reading = source.reading();
        output::spare(self.output.as_deref(), [source.ledger.as_path()])?;
        let stream = seen.open(&source.ledger)?;
        let bar = progress::Bar::bytes(if self.quiet { 0 } else { stream.length.unwrap_or(0) });
        let counted = seen.stream("ledger", bar.counting(stream.source));
        let judged = threads::within(source.jobs, || judge(counted, &reading));
        bar.finish();
        let judged = judged.map_err(|error| unreadable(&stream.name, &error))?;
        Ok((stream.name, judged))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LayoutName {
    /// One JSON array.
    Array,
    /// A record a line.
    Lines,
}

impl From<LayoutName> for Layout {
    fn from(name: LayoutName) -> Self {
        match name {
            LayoutName::Array => Self::Array,
            LayoutName::Lines => Self::Lines,
        }
    }
}

/// What no record holds.
#[derive(Debug, clap::Args)]
struct Assuming {
    /// The source of the proposal: no record holds it, and the commit's hash covers it.
    #[arg(long, value_name = "NAME", default_value = Assumed::HEURISTIC)]
    source: String,
    /// The confidence of the proposal, as JSON; 1 and 1.0 are two values.
    #[arg(long, value_name = "JSON", default_value = "null", allow_hyphen_values = true)]
    confidence: String,
}

impl Assuming {
    fn assumed(&self) -> Result<Assumed, CliError> {
        Assumed::new(self.source.as_str(), self.confidence.as_bytes()).map_err(|why| {
            let message = format!("--confidence {}: {why}", output::middle(&self.confidence));
            CliError::usage(message, "write it as JSON, for instance 0.5 or null, or as '\"high\"'")
        })
    }
}

fn unreadable(name: &str, error: &LedgerError) -> CliError {
    let message = match error {
        LedgerError::Json { record, line, offset, pointer, kind } if !pointer.is_root() => {
            let place = output::middle(pointer.as_str());
            format!("{name}: byte {offset}, line {line}, record {record}, at {place}: {kind}")
        }
        error => format!("{name}: {error}"),
    };
    CliError::unreadable(message, error.help())
}

/// The exit code of a ledger that was judged.
fn exit(valid: bool) -> Exit {
    if valid { Exit::Conforms } else { Exit::Violates }
}
