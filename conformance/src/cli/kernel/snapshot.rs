//! `assize kernel snapshot`: what a home holds now, to be compared with later.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::kernel::Snapshot;

use super::{CliError, open, output};

const EXAMPLES: &str = "\
Examples:
  assize kernel snapshot home > before.json
  assize kernel snapshot home | jq 'keys[]'

A snapshot is a JSON object: every path below the home with the SHA-256 of its file, or with
\"dir\".

Exit codes:
  0   written
  3   the home holds a link or device, or cannot be read
  64  wrong usage";

/// Write down what a home folder holds: every path with the digest of its file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The home folder.
    #[arg(value_name = "HOME")]
    home: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let home = open(&args.home)?;
    let taken = Snapshot::take(&home).map_err(|unrecorded| {
        let message = format!("{}: {unrecorded}", args.home.display());
        CliError::unreadable(
            message,
            "a snapshot holds files and folders; `assize kernel audit` says what belongs where",
        )
    })?;
    let mut text = taken.canonical();
    text.push(b'\n');
    output::out(&text)?;
    Ok(Exit::Conforms)
}
