//! `assize reply action`: what an agent does after one envelope.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::reply;
use serde_json::json;

use super::{CliError, Format, exit, findings, human, input, output, refused};

const EXAMPLES: &str = "\
Examples:
  assize reply action answer.json
  call-the-tool | assize reply action - --format json

The type alone decides: proceed (S), correct-and-retry (I), escalate (D) or stop (E), which
reports the trace id. Status and texts have no say, and nothing else of the envelope is judged;
`assize reply envelope` does that.

Exit codes:
  0  an action
  1  no action: no type, an unknown one, or nothing to report for stop
  3  unreadable: no JSON, a name twice in one object, a number beyond every double";

/// Say what an agent does after one reply envelope.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The envelope; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, bytes) = input::document(&args.file)?;
    let acted = reply::action(&bytes).map_err(|why| refused(&name, &why, "reply action"))?;
    let exit = exit(&acted.judgement);
    match (args.format, acted.action) {
        (Format::Json, action) => output::json(&json!({
            "file": name, "action": action.map(reply::Action::name), "trace_id": acted.trace_id,
            "findings": findings(&acted.judgement), "exit_code": exit.code(),
        }))?,
        (Format::Human, None) => output::say(&human(&name, &acted.judgement, output::paint()))?,
        (Format::Human, Some(action)) => {
            let trace =
                acted.trace_id.map(|trace| format!(", and report {}", output::clean(&trace))).unwrap_or_default();
            output::out(format!("{}{trace}\n", action.name()).as_bytes())?;
        }
    }
    Ok(exit)
}
