//! `assize sovereign`: the single steps of comparator and auditor, each on one document.

mod contract;
mod order;
mod path;
mod value;

use assize::exit::Exit;
use assize_verifier::sovereign::Rejection;

use super::{CliError, input, output};

/// Take one step of a comparison or an audit: an id, a digest, a code, an order, a contract.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Contract(contract::Args),
    DecisionId(value::DecisionId),
    RegistryDigest(value::RegistryDigest),
    ReportId(value::ReportId),
    DenyCode(value::DenyCode),
    Order(order::Args),
    SelectPath(path::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    match &args.task {
        Task::Contract(args) => contract::run(args),
        Task::DecisionId(args) => value::decision_id(args),
        Task::RegistryDigest(args) => value::registry_digest(args),
        Task::ReportId(args) => value::report_id(args),
        Task::DenyCode(args) => value::deny_code(args),
        Task::Order(args) => order::run(args),
        Task::SelectPath(args) => path::run(args),
    }
}

/// A document that a step refuses; what it should hold stands in the help of the step.
fn refused(name: &str, why: &Rejection, step: &str) -> CliError {
    match why {
        Rejection::Json(error) => input::not_json(name, error),
        Rejection::Coded(code, message) => {
            let help = "`assize canon --profile sovereign` shows the place";
            CliError::unlawful(format!("{name}: {code}: {message}"), help)
        }
        why => {
            let help = format!("see `assize sovereign {step} --help` for what the file holds");
            CliError::unreadable(format!("{name}: {why}"), help)
        }
    }
}
