//! `assize bundle audit`: the laws that one turn result can be judged by.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::{
    finding::{Finding, Severity},
    sovereign::{self, Profiles, Rejection},
};
use clap::builder::PossibleValuesParser;
use serde_json::json;

use super::{Format, error::CliError, input, output, seen::Seen};

const EXAMPLES: &str = "\
Examples:
  assize bundle audit turn-0001.json
  assize bundle audit turn-0001.json --attempts attempts.json
  assize bundle audit turn-0001.json --profile decision-id/published --format json

Attempts are an array of {tool_name, action, conditions: [code]} in the order in which
tools were tried; empty conditions mean that the attempt was allowed.

Exit codes:
  0  no errors; warnings are not errors
  1  errors
  3  a file cannot be read, or is not JSON";

/// Judge one turn result by itself.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The turn result.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The tool attempts as the runtime saw them.
    #[arg(long, value_name = "FILE")]
    attempts: Option<PathBuf>,
    /// Hold the turn to a published derivation that the specification leaves open. Repeatable.
    #[arg(
        long,
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(["decision-id/published", "turn-digest/published"])
    )]
    profile: Vec<String>,
    /// The local error-code registry; the sealed one if there is none.
    #[arg(long, value_name = "FILE")]
    registry: Option<PathBuf>,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// What the turn result breaks, and the exit code of the verb.
pub(super) fn judge(args: &Args, seen: &Seen) -> Result<(Vec<Finding>, Exit), CliError> {
    let mut profiles = Profiles::default();
    for name in &args.profile {
        if !profiles.add(name) {
            return Err(CliError::usage(format!("no profile is called {name:?}"), "see `assize bundle audit --help`"));
        }
    }
    let turn = seen.file("turn", &args.file)?;
    let attempts = seen.beside("attempts", args.attempts.as_deref())?;
    let registry = seen.beside("registry", args.registry.as_deref())?;
    let found = sovereign::audit(&turn, attempts.as_deref(), registry.as_deref(), profiles);
    let findings = found.map_err(|why| refused(args, attempts.as_deref(), registry.as_deref(), &why))?;
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    let exit = if errors == 0 { Exit::Conforms } else { Exit::Violates };
    Ok((findings, exit))
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let (findings, exit) = judge(args, &Seen::by_nobody())?;
    match args.format {
        Format::Json => {
            let listed: Vec<_> = findings.iter().map(output::finding).collect();
            let file = args.file.display().to_string();
            output::json(&json!({"file": file, "findings": listed, "exit_code": exit.code()}))?;
        }
        Format::Human => {
            let file = args.file.display().to_string();
            output::say(&output::findings(&findings, "the document", &file))?;
        }
    }
    Ok(exit)
}

/// Says which of the documents was refused, which the rejection itself does not know: each is tried alone.
fn refused(args: &Args, attempts: Option<&[u8]>, registry: Option<&[u8]>, why: &Rejection) -> CliError {
    let alone = |attempts, registry| sovereign::audit(b"{}", attempts, registry, Profiles::default()).is_err();
    let file = match (&args.registry, &args.attempts) {
        (Some(file), _) if alone(None, registry) => file,
        (_, Some(file)) if alone(attempts, None) => file,
        _ => &args.file,
    };
    let name = file.display().to_string();
    match why {
        Rejection::Json(error) => input::not_json(&name, error),
        why => {
            CliError::unreadable(format!("{name}: {why}"), "see `assize bundle audit --help` for what the file holds")
        }
    }
}
