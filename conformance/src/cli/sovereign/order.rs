//! `assize sovereign order`: mismatches as a report lists them.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_verifier::sovereign;

use super::{CliError, input, output, refused};

const EXAMPLES: &str = "\
Examples:
  assize sovereign order mismatches.json
  jq .mismatches report.json | assize sovereign order - --stage-order stage-order-v1.json

The file holds an array of mismatches. They are sorted by turn_id, stage, ordinal, surface and
path, ties by their digests, and written in canonical text; nothing is added.

Exit codes:
  0  the mismatches in their order
  1  a mismatch has no canonical form
  3  a file cannot be read, is not JSON, or holds anything else";

/// Sort mismatches as a report does.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The mismatches; - is standard input.
    #[arg(value_name = "MISMATCHES")]
    file: PathBuf,
    /// The stage order; the sealed one if there is none.
    #[arg(long, value_name = "FILE")]
    stage_order: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, mismatches) = input::document(&args.file)?;
    let stages = args.stage_order.as_deref().map(input::read).transpose()?;
    let sorted = sovereign::order(&mismatches, stages.as_deref()).map_err(|why| {
        // Which document it was, the rejection does not know: an order of no mismatches asks for the stages alone.
        let of_stages = sovereign::order(b"[]", stages.as_deref()).is_err();
        let stage_order = args.stage_order.as_deref().filter(|_| of_stages);
        refused(&stage_order.map_or(name, |file| file.display().to_string()), &why, "order")
    })?;
    output::out(format!("{sorted}\n").as_bytes())?;
    Ok(Exit::Conforms)
}
