//! `assize pack`: the verdict on proof packs, their script as a graph, the hashes of a contract, and packs of what was recorded.

mod explain;
mod graph;
mod hash;
mod make;

use assize::exit::Exit;

use super::{CliError, input, output, verify};

/// Verify proof packs, look into an episode, or make its pack.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Verify(verify::Args),
    #[command(alias = "pack")]
    Make(make::Args),
    Explain(explain::Args),
    Hash(hash::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    match &args.task {
        Task::Verify(args) => verify::run(args),
        Task::Make(args) => make::run(args),
        Task::Explain(args) => explain::run(args),
        Task::Hash(args) => hash::run(args),
    }
}
