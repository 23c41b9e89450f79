//! `assize engine`: the reference engine of the Kernel Contract.

mod files;
mod run;
mod version;

use assize::exit::Exit;

use super::{CliError, Format, golden, input, ledger, output};

/// The reference engine: from a seed and its interpretations to a ledger and artefacts.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Run(run::Args),
    Version(version::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    match &args.task {
        Task::Run(args) => run::run(args),
        Task::Version(args) => version::run(args),
    }
}
