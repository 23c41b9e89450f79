//! `assize kernel registry`: what the revisions of a registry of codes owe one another.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::kernel::{self, Rejection, RevisionFinding};
use serde_json::{Value, json};

use super::{CliError, Format, Seen, input, output};

const EXAMPLES: &str = "\
Examples:
  assize kernel registry revisions.json
  assize kernel registry revisions.json --format json | jq '.findings[] | .code'

The file holds the revisions of one registry, oldest first:
[{\"version\": \"1.2.0\", \"codes\": {\"E_DENIED\": \"what it means\"}}].
A new code needs a higher minor version; a code that is renamed, taken away or given another
meaning needs a higher major one.

Exit codes:
  0  every version is as high as its changes need
  1  findings
  3  the file cannot be read, is not JSON, or of another shape";

/// Hold the revisions of a registry of codes against their version numbers.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// The revisions; - is standard input.
    #[arg(value_name = "REVISIONS")]
    revisions: PathBuf,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// The name of the registry, what its revisions owe, and the exit code of the verb.
pub(in crate::cli) fn judge(args: &Args, seen: &Seen) -> Result<(String, Vec<RevisionFinding>, Exit), CliError> {
    let (name, revisions) = seen.named("registry", &args.revisions)?;
    let judged = kernel::registry(&revisions).map_err(|why| refused(&name, &why))?;
    let exit = if judged.is_empty() { Exit::Conforms } else { Exit::Violates };
    Ok((name, judged, exit))
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, judged, exit) = judge(args, &Seen::by_nobody())?;
    match args.format {
        Format::Json => {
            let listed: Vec<_> = judged.iter().map(with_code).collect();
            output::json(&json!({"file": name, "findings": listed, "exit_code": exit.code()}))?;
        }
        Format::Human => {
            let findings: Vec<_> = judged.into_iter().map(|judged| judged.finding).collect();
            output::say(&output::findings(&findings, "the registry", &name))?;
        }
    }
    Ok(exit)
}

/// A finding whose code is one of the judged registry.
fn with_code(judged: &RevisionFinding) -> Value {
    let mut finding = output::finding(&judged.finding);
    if let Some(members) = finding.as_object_mut() {
        members.insert("code".to_owned(), judged.code.clone().into());
    }
    finding
}

fn refused(name: &str, why: &Rejection) -> CliError {
    match why {
        Rejection::Json(error) => input::not_json(name, error),
        why => CliError::unreadable(
            format!("{name}: {why}"),
            "see `assize kernel registry --help` for what the file holds",
        ),
    }
}
