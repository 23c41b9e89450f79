//! `assize sovereign contract`: one document held to the shape that its contract states.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::{
    finding::Finding,
    rejection::{Rejection, ShapeBreach},
    sovereign::contract::{self, Contract},
};
use clap::builder::PossibleValuesParser;
use serde_json::json;

use super::super::Format;
use super::{CliError, input, output, refused};

const EXAMPLES: &str = "\
Examples:
  assize sovereign contract replay-bundle bundle.json
  assize sovereign contract turn-result turn-0001.json --format json

Shape is all that is judged: that a digest is the right one, or a code the one that takes
precedence, is not. `assize bundle audit` looks at that.

Exit codes:
  0  the document has the shape
  1  it breaks the contract
  3  the file cannot be read, or is not JSON";

/// Judge a document by one contract's schema.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Which contract.
    #[arg(value_name = "CONTRACT", value_parser = PossibleValuesParser::new(Contract::ALL.map(Contract::name)))]
    contract: String,
    /// The document; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How breaches are written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let Some(contract) = Contract::from_name(&args.contract) else {
        let message = format!("no contract is called {:?}", args.contract);
        return Err(CliError::usage(message, "see `assize sovereign contract --help`"));
    };
    let (name, text) = input::document(&args.file)?;
    let breaches = match contract::check(contract, &text) {
        Ok(()) => Vec::new(),
        Err(Rejection::Schema(breaches)) => breaches,
        Err(why) => return Err(refused(&name, &why, "contract")),
    };
    let finding = |breach: ShapeBreach| Finding::error(contract.law(), breach.pointer, &*breach.message);
    let findings: Vec<_> = breaches.into_iter().map(finding).collect();
    let exit = if findings.is_empty() { Exit::Conforms } else { Exit::Violates };
    match args.format {
        Format::Json => {
            let listed: Vec<_> = findings.iter().map(output::finding).collect();
            output::json(&json!({"file": name, "findings": listed, "exit_code": exit.code()}))?;
        }
        Format::Human => output::say(&output::findings(&findings, "the document", &name))?,
    }
    Ok(exit)
}
