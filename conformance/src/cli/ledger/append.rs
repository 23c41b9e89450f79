//! `assize ledger append`: the record that follows a ledger.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::authority::{self, NoEnd, Rejection};

use super::{CliError, Source, breach, input, output, threads, unreadable};

const EXAMPLES: &str = "\
Examples:
  assize ledger append run.jsonl --ts T1 --kind note payload.json >> run.jsonl
  echo '{\"seen\": true}' | assize ledger append run.jsonl --ts T1 --kind note -
  echo null | assize ledger append /dev/null --ts T0 --kind note - > new.jsonl

The record is written as one line of canonical text; the ledger itself is read and not
changed. A ledger whose chain does not hold gets no record. Any kind and token are taken.

Exit codes:
  0  the record is written
  1  the chain of the ledger does not hold, or the payload has no canonical form
  3  the ledger or the payload is not JSON as Python reads it, or no file";

/// Write the record that follows a ledger: linked to its last one, and hashed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The payload, any JSON; - is standard input.
    #[arg(value_name = "PAYLOAD")]
    payload: PathBuf,
    /// The record's ordering token.
    #[arg(long, value_name = "TOKEN")]
    ts: String,
    /// The record's kind.
    #[arg(long)]
    kind: String,
    /// Write to this file, whole or not at all, instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let Args { source, payload, output, .. } = args;
    if source.ledger.as_os_str() == "-" && payload.as_os_str() == "-" {
        return Err(CliError::usage("both are standard input", "name the file of the ledger, or of the payload"));
    }
    output::spare(output.as_deref(), [source.ledger.as_path(), payload.as_path()])?;
    let (name, payload) = input::document(payload)?;
    let stream = input::stream(&source.ledger)?;
    let end = match threads::within(source.jobs, || authority::end(stream.source, &source.reading())) {
        Ok(end) => end,
        Err(NoEnd::Unreadable(error)) => return Err(unreadable(&stream.name, &error)),
        Err(NoEnd::Broken(found)) => {
            output::err(&breach::broken(&stream.name, &found, output::paint()));
            return Ok(Exit::Violates);
        }
    };
    let mut record = end.append(&args.ts, &args.kind, &payload).map_err(|why| refused(&name, &why))?;
    record.push(b'\n');
    output::deliver(output.as_deref(), &record)?;
    Ok(Exit::Conforms)
}

fn refused(name: &str, why: &Rejection) -> CliError {
    match why {
        Rejection::Json(error) => input::not_json(name, error),
        why => {
            let help = "write numbers that are finite, and texts without half a surrogate pair";
            CliError::unlawful(format!("{name}: {why}"), help)
        }
    }
}
