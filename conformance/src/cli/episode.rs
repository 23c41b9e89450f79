//! `assize episode`: the hashes of a contract, the script of a pack as a graph, and packs of what was recorded.

mod explain;
mod graph;
mod hash;
mod pack;

use assize::exit::Exit;

use super::{CliError, input, output, verify};

/// Look into an episode: the hashes of its contract, the graph of its steps; or make its proof pack.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Hash(hash::Args),
    Explain(explain::Args),
    Pack(pack::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    match &args.task {
        Task::Hash(args) => hash::run(args),
        Task::Explain(args) => explain::run(args),
        Task::Pack(args) => pack::run(args),
    }
}
