//! `assize kernel`: home folders of the kernel system, scenarios run against one, and registries of codes.

pub(super) mod audit;
mod home;
pub(super) mod registry;
mod run;
mod snapshot;

use std::path::Path;

use assize::exit::Exit;
use assize_corpus::disk::HomeFolder;
use assize_verifier::files::HomeReader as _;

use super::{
    CliError, Format, input, output,
    seen::{Home, Seen},
};

/// Look into a home folder of the kernel, run operations against one, or judge a registry of codes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Audit(audit::Args),
    Snapshot(snapshot::Args),
    Run(run::Args),
    Registry(registry::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    match &args.task {
        Task::Audit(args) => audit::run(args),
        Task::Snapshot(args) => snapshot::run(args),
        Task::Run(args) => run::run(args),
        Task::Registry(args) => registry::run(args),
    }
}

/// A folder that is there, whatever it holds.
fn open(path: &Path) -> Result<HomeFolder, CliError> {
    HomeFolder::open(path)
        .map_err(|error| no_home(format!("{}: cannot be opened as a folder: {error}", path.display())))
}

/// A home: nothing that was said of a folder without `index` would be about one.
fn home<'s>(path: &Path, seen: &'s Seen) -> Result<Home<'s>, CliError> {
    let home = seen.home(path, open)?;
    match home.kind("index") {
        Ok(None) => Err(no_home(format!("{}: no `index` here", path.display()))),
        // Whatever else stands there is for the audit to judge.
        _ => Ok(home),
    }
}

fn no_home(message: String) -> CliError {
    CliError::unreadable(message, "name the folder that holds `index`")
}
