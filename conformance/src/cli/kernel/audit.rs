//! `assize kernel audit`: what is unlawful about a home.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::{
    finding::{Finding, Severity},
    kernel::{self, Outcome, Ran, Rejection, Snapshot},
};
use clap::{ValueEnum, builder::PossibleValuesParser};
use serde_json::json;

use super::{CliError, Format, Seen, home, input, output};

const EXAMPLES: &str = "\
Examples:
  assize kernel audit home
  assize kernel snapshot home > before.json
  assize kernel audit home --before before.json --operation execute_turn --outcome PASS
  assize kernel audit home --format json | jq '.findings[] | .law'

Every record and object below index is read, and nothing is changed or recovered. With a
snapshot it is also asked whether the operation in between might change committed: only a
promotion may, and only together with the ledger. Without --operation nothing may.

Exit codes:
  0   nothing unlawful
  1   findings
  3   a folder or snapshot that cannot be read, or a folder without `index`, which is not a home
  64  wrong usage";

/// Judge a home folder, whoever wrote it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// The home folder, which holds `index`.
    #[arg(value_name = "HOME")]
    home: PathBuf,
    /// A snapshot of the same home, taken earlier.
    #[arg(long, value_name = "SNAPSHOT")]
    before: Option<PathBuf>,
    /// The operation that ran since the snapshot, by its name in scenarios.
    #[arg(long, value_name = "OP", requires = "before", value_parser = PossibleValuesParser::new(kernel::scenario_operations().map(|(name, _)| *name)))]
    operation: Option<String>,
    /// Its outcome.
    #[arg(long, value_enum, value_name = "OUTCOME", requires = "operation")]
    outcome: Option<OutcomeName>,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// An outcome as it is spelled in results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutcomeName {
    /// It went through.
    #[value(name = "PASS")]
    Pass,
    /// It did not.
    #[value(name = "FAIL")]
    Fail,
}

impl From<OutcomeName> for Outcome {
    fn from(name: OutcomeName) -> Self {
        match name {
            OutcomeName::Pass => Self::Pass,
            OutcomeName::Fail => Self::Fail,
        }
    }
}

/// What is unlawful about the home, and the exit code of the verb.
pub(in crate::cli) fn judge(args: &Args, seen: &Seen) -> Result<(Vec<Finding>, Exit), CliError> {
    let before = args.before.as_deref().map(|path| {
        let name = path.display().to_string();
        Snapshot::parse(&seen.file("before", path)?).map_err(|why| match why {
            Rejection::Json(error) => input::not_json(&name, &error),
            why => CliError::unreadable(format!("{name}: {why}"), "write it with `assize kernel snapshot`"),
        })
    });
    let before = before.transpose()?;
    let home = seen.files("home", home(&args.home, seen)?);
    let ran = Ran { operation: args.operation.as_deref(), outcome: args.outcome.map(Outcome::from) };
    let findings = kernel::audit(&home, before.as_ref(), &ran);
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    let exit = if errors == 0 { Exit::Conforms } else { Exit::Violates };
    Ok((findings, exit))
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (findings, exit) = judge(args, &Seen::by_nobody())?;
    let name = args.home.display().to_string();
    match args.format {
        Format::Json => {
            let listed: Vec<_> = findings.iter().map(output::finding).collect();
            output::json(&json!({"home": name, "findings": listed, "exit_code": exit.code()}))?;
        }
        Format::Human => output::say(&output::findings(&findings, "the home", &name))?,
    }
    Ok(exit)
}
