//! `assize engine version`: what a new version of a kernel owes.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::authority::{self, Rejection};
use serde_json::json;

use super::{CliError, Format, input, output};

const EXAMPLES: &str = "\
Examples:
  assize engine version change.json
  assize engine version change.json --format json

The file holds {\"earlier\": R, \"later\": R, \"documented\": true or false}; a release R is
{\"version\", \"goldens\": {name: golden}, \"artifact_fields\": {artifact: {\"hashed\": [name],
\"excluded\": [name]}}}, and `assize engine run` prints what a golden locks.

Exit codes:
  0  the version is as high as its changes need
  1  findings
  3  the file cannot be read, is not JSON as Python reads it, or of another shape";

/// Hold the changes between two releases against their version numbers.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The change; - is standard input.
    #[arg(value_name = "CHANGE")]
    change: PathBuf,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, change) = input::document(&args.change)?;
    let findings = authority::version(&change).map_err(|why| refused(&name, &why))?;
    let exit = if findings.is_empty() { Exit::Conforms } else { Exit::Violates };
    match args.format {
        Format::Json => {
            let listed: Vec<_> = findings.iter().map(output::finding).collect();
            output::json(&json!({"file": name, "findings": listed, "exit_code": exit.code()}))?;
        }
        Format::Human => output::say(&output::findings(&findings, "the change", &name))?,
    }
    Ok(exit)
}

fn refused(name: &str, why: &Rejection) -> CliError {
    match why {
        Rejection::Json(error) => input::not_json(name, error),
        why => {
            CliError::unreadable(format!("{name}: {why}"), "see `assize engine version --help` for what the file holds")
        }
    }
}
