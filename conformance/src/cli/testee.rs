//! `assize testee`: the built-in verifier as a program that speaks the testee protocol.

use std::io;

use assize::{
    exit::Exit,
    protocol::{self, ServeError},
};
use assize_corpus::handler::InProcess;

use super::error::CliError;

const EXAMPLES: &str = r#"Standard output is for the protocol alone. One JSON object a line, answered in order;
documents travel as base64 with their SHA-256. The protocol's schema is
contracts/interface/protocol.schema.json.

Example:
  printf '%s\n' '{"t":"hello","proto":[1,1]}' '{"t":"bye"}' | assize testee

Exit codes:
  0  the session ended: bye, refuse, or end of input between two frames
  3  a line was not a frame, or the harness went away"#;

/// Answer a harness over standard input and output (ATP/1); cases may be sent ahead.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Result<Exit, CliError> {
    match protocol::serve(&mut InProcess, io::stdin().lock(), io::stdout().lock()) {
        Ok(_) => Ok(Exit::Conforms),
        Err(error @ ServeError::Protocol { .. }) => {
            Err(CliError::unreadable(error, "see contracts/interface/protocol.schema.json for what may come here"))
        }
        Err(error) => Err(CliError::unreadable(error, "keep both pipes open until bye has been answered")),
    }
}
