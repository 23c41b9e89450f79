//! `assize expectations`: a file of known failures to begin with.

use std::{collections::BTreeMap, path::PathBuf};

use assize::exit::Exit;
use assize_corpus::{challenge::is_challenge, vector::law_of};
use serde::{Deserialize, Serialize};

use super::{error::CliError, input, output};

const EXAMPLES: &str = "\
Examples:
  assize certify --report run.json -- ./mine
  assize expectations run.json > known.toml          then: say why each fails, and where that is written down
  assize certify --expectations known.toml -- ./mine

Every entry has the failures of one law and one class. Give each its own reason and link: a known failure that nobody
can explain is one that nobody will mend. Failures of challenges are left out, since every seed asks others.

Exit codes:
  0   written
  3   the report cannot be read, or nothing in it failed";

/// Write the failures of a run as a file of known failures, to be argued entry by entry.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The report of the run, in JSON; - for standard input.
    #[arg(value_name = "REPORT")]
    report: PathBuf,
}

/// What is read of a report.
#[derive(Deserialize)]
struct Report {
    result: Results,
}

#[derive(Deserialize)]
struct Results {
    failures: Vec<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    id: String,
    outcome: String,
}

/// The file, as `contracts/interface/expectations.schema.json` has it.
#[derive(Serialize)]
struct File<'r> {
    failure: Vec<Entry<'r>>,
}

#[derive(Serialize)]
struct Entry<'r> {
    cases: Vec<&'r str>,
    outcome: &'r str,
    reason: &'static str,
    link: &'static str,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let bytes = input::read(&args.report)?;
    let report: Report = serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("{}: no report of a run: {error}", args.report.display());
        CliError::unreadable(message, "write one with `assize certify --report run.json -- COMMAND`")
    })?;
    let failures = report.result.failures;
    let (fresh, known): (Vec<&Failure>, Vec<&Failure>) = failures.iter().partition(|failure| is_challenge(&failure.id));
    if known.is_empty() {
        let message = format!("{}: no case of the corpus failed", args.report.display());
        return Err(CliError::unreadable(message, "there is nothing to expect"));
    }
    let mut groups: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for failure in known {
        groups.entry((law_of(&failure.id), &failure.outcome)).or_default().push(&failure.id);
    }
    let entry = |((_, outcome), cases)| Entry {
        cases,
        outcome,
        reason: "not looked into yet",
        link: "say where more is written about it",
    };
    let file = File { failure: groups.into_iter().map(entry).collect() };
    output::out(toml::to_string_pretty(&file).map_err(CliError::bug)?.as_bytes())?;
    if !fresh.is_empty() {
        let count = output::counted(fresh.len(), "failure of a challenge is", "failures of challenges are");
        output::note(&format!("{count} left out: every seed asks others"));
    }
    Ok(Exit::Conforms)
}
