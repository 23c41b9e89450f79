//! `assize reply wrap`: what leaves the reference wrapper when a tool follows a script.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::reply;
use serde_json::{Value, json};

use super::{CliError, Format, input, output, refused};

const EXAMPLES: &str = "\
Examples:
  assize reply wrap script.json
  echo '{\"calls\": [{\"method\": \"success\"}], \"throw\": \"disk full\"}' | assize reply wrap -

A script is {\"registry\"?, \"arguments\"?, \"calls\": [{\"method\", \"code\"?, \"data\"?}, ...]} with \"return\", the
index of the call whose reply the tool returns, or \"throw\", the text of what it throws. The tool
runs twice, and the two envelopes are written. The clock of this wrapper counts calls.

Exit codes:
  0  two envelopes
  3  unreadable: no JSON, or another shape";

/// Run the tool of a script twice inside the reference wrapper.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The script; - is standard input.
    #[arg(value_name = "SCRIPT")]
    script: PathBuf,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, bytes) = input::document(&args.script)?;
    let envelopes = reply::wrap(&bytes).map_err(|why| refused(&name, &why, "reply wrap"))?;
    let exit = Exit::Conforms;
    let texts = envelopes.iter().map(reply::Envelope::to_json);
    match args.format {
        Format::Json => {
            let envelopes: Vec<Value> =
                texts.map(|text| serde_json::from_str(&text).unwrap_or(Value::String(text))).collect();
            output::json(&json!({"file": name, "envelopes": envelopes, "exit_code": exit.code()}))?;
        }
        Format::Human => {
            let text: String = texts.map(|text| format!("{}\n", output::clean(&text))).collect();
            output::out(text.as_bytes())?;
        }
    }
    Ok(exit)
}
