//! `assize lint`: what can be held to the law without running anything.

mod collect;
mod locate;
mod replies;
mod row;
mod sarif;

use assize::exit::Exit;

use super::{CliError, input, output, reply};

/// Look over files of a project, and say what to do about each breach.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Replies(replies::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    match &args.task {
        Task::Replies(args) => replies::run(args),
    }
}
