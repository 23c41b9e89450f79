//! `assize sovereign select-path`: which of a turn's files is read.

use std::path::{Path, PathBuf};

use assize::exit::Exit;
use assize_verifier::sovereign::{self, Rejection, report::reason};

use super::{CliError, input, output, refused};

const EXAMPLES: &str = "\
Examples:
  assize sovereign select-path entry.json --root run-1/
  jq .turn_results[0] bundle.json | assize sovereign select-path -

The entry is an object with paths, an array of texts. The first path in code point order that
is a regular file below the root and can be read is printed as it is spelled, whatever it holds.

Exit codes:
  0  the path
  3  no path can be read, or the entry is not JSON or of another shape";

/// Choose the file that is read for a turn of a bundle.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The turn's entry in the bundle; - is standard input.
    #[arg(value_name = "ENTRY")]
    file: PathBuf,
    /// Where the paths start [default: the working folder].
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let root = args.root.as_deref().unwrap_or(Path::new("."));
    let (name, entry) = input::document(&args.file)?;
    let files = input::turn_files(root)?;
    match sovereign::select_path(&entry, &files) {
        Ok(path) => output::out(format!("{path}\n").as_bytes())?,
        Err(Rejection::Coded(reason::INPUT_MISSING, message)) => {
            let message = format!("{name}: {}: {message}", reason::INPUT_MISSING);
            return Err(CliError::unreadable(message, "name the folder of the turn files with --root"));
        }
        Err(why) => return Err(refused(&name, &why, "select-path")),
    }
    Ok(Exit::Conforms)
}
