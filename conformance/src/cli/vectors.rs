//! `assize vectors`: whether a corpus is lawful in itself, what it reaches, and new cases for it.

mod add;
mod census;
mod fmt;

use std::path::{Path, PathBuf};

use assize::exit::Exit;
use assize_corpus::lint::{self, LintFinding};
use serde_json::json;

use super::{Format, error::CliError, input, output};

const EXAMPLES: &str = "\
Examples:
  assize vectors check              the vectors that were built in
  assize vectors check vectors      those below a folder
  assize vectors check --cases mine your own cases, which need not reach every law and ruling
  assize vectors check vectors --contracts contracts   both of a repository that has moved on

Exit codes:
  0  nothing is wrong with the vectors
  1  findings
  3  the folder cannot be read";

/// Look after test vectors.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Check schema, ids, twins, pairs, counts, provenance, and that nothing is left unread.
    #[command(after_help = EXAMPLES)]
    Check {
        /// The folder of the vectors; those that were built in if there is none.
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Hold them to the contracts below this folder instead of those that were built in.
        #[arg(long, value_name = "DIR")]
        contracts: Option<PathBuf>,
        /// Look at the cases alone: what contracts ask of a whole corpus, cases of every law and ruling, is left out.
        #[arg(long)]
        cases: bool,
        /// How findings are written.
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
    },
    /// Write a new case from its documents, with all but what a person has to argue.
    #[command(after_help = add::EXAMPLES)]
    Add(add::Args),
    /// Count what the vectors reach, and name what they do not.
    #[command(after_help = census::EXAMPLES)]
    Census(census::Args),
    /// Lay vector files out alike: two spaces, one member a line, members in the published order.
    #[command(after_help = fmt::EXAMPLES)]
    Fmt(fmt::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    match &args.task {
        Task::Check { folder, contracts, cases, format } => {
            check(folder.as_deref(), contracts.as_deref(), *cases, *format)
        }
        Task::Add(args) => add::run(args),
        Task::Census(args) => census::run(args),
        Task::Fmt(args) => fmt::run(args),
    }
}

fn check(folder: Option<&Path>, contracts: Option<&Path>, cases: bool, format: Format) -> Result<Exit, CliError> {
    let store = input::store(folder, contracts)?;
    let mut findings = lint::lint(&store);
    let (all, of_cases) = (findings.len(), findings.iter().filter(|found| is_of_a_case(found)).count());
    if cases {
        findings.retain(is_of_a_case);
    }
    let exit = if findings.is_empty() { Exit::Conforms } else { Exit::Violates };
    if format == Format::Json {
        let listed: Vec<_> = findings
            .iter()
            .map(|found| {
                json!({"file": found.file, "pointer": found.pointer, "message": found.message, "remedy": found.remedy})
            })
            .collect();
        output::json(&json!({"findings": listed, "exit_code": exit.code()}))?;
        return Ok(exit);
    }
    let mut text = String::new();
    for found in &findings {
        text.push_str(&output::clean(&found.to_string()));
        text.push('\n');
    }
    let paint = output::paint();
    match findings.len() {
        0 => text.push_str(&format!("{}: nothing is wrong with the vectors\n", paint.good("lawful"))),
        count => {
            let findings = output::counted(count, "finding", "findings");
            text.push_str(&format!("{}: {findings}\n", paint.bad("unlawful")));
        }
    }
    if folder.is_some() && !cases && all > of_cases {
        let rest = output::counted(all - of_cases, "is", "are");
        text.push_str(&format!("{rest} about what the whole corpus has to reach; --cases leaves them out\n"));
    }
    output::say(&text)?;
    Ok(exit)
}

/// Whether a finding is about a file of the corpus, and not about what a contract misses in it.
fn is_of_a_case(found: &LintFinding) -> bool {
    found.file.starts_with("vectors/")
}
