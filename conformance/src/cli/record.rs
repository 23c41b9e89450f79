//! `assize bundle record`: the decision records and issues of a turn, from its tool attempts.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::sovereign::{Recording, Rejection};

use super::{error::CliError, input, output};

const EXAMPLES: &str = "\
Examples:
  assize bundle record attempts.json --run run-1 --turn turn-0001
  assize bundle record attempts.json --run run-1 --turn turn-0001 --output turn.json

Attempts are an array of {tool_name, action, conditions: [code]} in the order in which tools
were tried, each with optional resolved (true), skipped (false), reason and provenance (null).
What is skipped, not resolved or denied is recorded as the first of these; what is left is
allowed, and owes its provenance. The turn is written in canonical text, in one line.

Exit codes:
  0  the turn is written
  1  half a surrogate pair: no canonical form
  3  the file cannot be read, is not JSON, or holds no attempts";

/// Write the decision records and issues of a turn from its tool attempts.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The tool attempts as the runtime saw them; - is standard input.
    #[arg(value_name = "ATTEMPTS")]
    attempts: PathBuf,
    /// The run's id.
    #[arg(long, value_name = "ID")]
    run: String,
    /// The turn's id.
    #[arg(long, value_name = "ID")]
    turn: String,
    /// Write to this file, whole or not at all, instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    output::spare(args.output.as_deref(), [args.attempts.as_path()])?;
    let (name, attempts) = input::document(&args.attempts)?;
    let turn = Recording::read(&args.run, &args.turn, &attempts).map_err(|why| refused(&name, &why))?;
    output::deliver_piecewise(args.output.as_deref(), |file| {
        turn.write(&mut |piece| file.write_all(piece))?;
        Ok(file.write_all(b"\n")?)
    })?;
    Ok(Exit::Conforms)
}

fn refused(name: &str, why: &Rejection) -> CliError {
    match why {
        Rejection::Json(error) => input::not_json(name, error),
        Rejection::Coded(code, message) => {
            CliError::unlawful(format!("{name}: {code}: {message}"), "write both halves of each surrogate pair")
        }
        why => {
            CliError::unreadable(format!("{name}: {why}"), "see `assize bundle record --help` for what the file holds")
        }
    }
}
