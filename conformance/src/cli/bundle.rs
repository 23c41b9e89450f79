//! `assize bundle`: recorded runs, compared and judged turn by turn, and how one is recorded.

mod make;

use assize::exit::Exit;

use super::{CliError, audit, compare, input, output, record};

/// Compare two recorded runs, judge one turn of a run, or have turn and bundle written.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Compare(compare::Args),
    Audit(audit::Args),
    Record(record::Args),
    Make(make::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    match &args.task {
        Task::Compare(args) => compare::run(args),
        Task::Audit(args) => audit::run(args),
        Task::Record(args) => record::run(args),
        Task::Make(args) => make::run(args),
    }
}
