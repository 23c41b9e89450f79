//! `assize completions` and `assize man`: what a shell and its pager know of the command line, made from the command line itself.

use std::path::PathBuf;

use assize::exit::Exit;
use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Cli, error::CliError, output};

const COMPLETIONS: &str = "\
Examples:
  assize completions bash > ~/.local/share/bash-completion/completions/assize
  assize completions zsh > \"${fpath[1]}/_assize\"
  assize completions fish > ~/.config/fish/completions/assize.fish

Exit codes:
  0   written
  64  no shell of that name";

/// Write the completions of a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn completions(args: &Completions) -> Result<Exit, CliError> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "assize", &mut text);
    output::out(&text)?;
    Ok(Exit::Conforms)
}

const MAN: &str = "\
Examples:
  assize man ~/.local/share/man/man1       then: man assize-certify

Exit codes:
  0   written
  3   the folder is not there, or cannot be written to";

/// Write the manual: a page for each verb.
#[derive(Debug, clap::Args)]
#[command(after_help = MAN)]
pub(crate) struct Man {
    /// The folder that the pages go to.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(crate) fn man(args: &Man) -> Result<Exit, CliError> {
    let folder = args.folder.display();
    clap_mangen::generate_to(Cli::command(), &args.folder)
        .map_err(|error| CliError::unreadable(format!("{folder}: {error}"), "name a folder that may be written to"))?;
    output::note(&format!("{folder}: a page for each verb; read one with `man -l {folder}/assize.1`"));
    Ok(Exit::Conforms)
}
