//! `assize reply envelope`: one envelope, from its exact bytes.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::reply::{self, Judgement};
use serde_json::json;

use super::{CliError, Format, Seen, advice, exit, findings, human, output, refused};

const EXAMPLES: &str = "\
Examples:
  assize reply envelope answer.json
  call-the-tool | assize reply envelope - --format json

A finding is a gap (a member is missing), a matter of form (its kind or value cannot be) or of
meaning (members contradict each other, or a code is unlawful). Advice changes no verdict.

Exit codes:
  0  lawful
  1  findings
  3  unreadable: no JSON, a name twice in one object, a number beyond every double";

/// Judge one reply envelope.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// The envelope; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// The name of the envelope, what it breaks, and the exit code of the verb.
pub(in crate::cli) fn judge(args: &Args, seen: &Seen) -> Result<(String, Judgement, Exit), CliError> {
    let (name, bytes) = seen.named("envelope", &args.file)?;
    let found = reply::envelope(&bytes).map_err(|why| refused(&name, &why, "reply envelope"))?;
    let exit = exit(&found);
    Ok((name, found, exit))
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, found, exit) = judge(args, &Seen::by_nobody())?;
    match args.format {
        Format::Json => output::json(&json!({
            "file": name, "lawful": found.is_lawful(), "findings": findings(&found), "advice": advice(&found),
            "exit_code": exit.code(),
        }))?,
        Format::Human => output::say(&human(&name, &found, output::paint()))?,
    }
    Ok(exit)
}
