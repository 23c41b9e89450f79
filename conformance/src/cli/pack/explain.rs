//! `assize pack explain`: the script of a pack as a graph.

use std::path::PathBuf;

use assize::{clean, exit::Exit, report::Paint};
use assize_verifier::{
    episode::{self, Options},
    threads::Threads,
};

use super::{
    CliError, graph, output,
    verify::{self, NumberForm},
};
use crate::cli::graph::Form;

const EXAMPLES: &str = "\
Examples:
  assize pack explain run-1/pack
  assize pack explain run-1/pack --format dot | dot -Tsvg > script.svg
  assize pack explain run-1/pack --format mermaid >> NOTES.md

Each step says its opcode, the status of its receipt and what the replay made of it; colours
say the same again. Up to 5000 steps and 20000 dependencies are written for a drawing (many
readers of Mermaid stop at 500); as text there is no limit.

Exit codes:
  0  the graph, whatever the verdict
  2  the pack's script fails phase 1: there is no graph
  3  the folder cannot be read, or the script is too large to be drawn";

/// Show the script of a pack as a graph, with what became of every step.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder of a proof pack.
    #[arg(value_name = "PACK")]
    pack: PathBuf,
    /// How the graph is written.
    #[arg(long, value_parser = Form::parser(), default_value = "text")]
    format: Form,
    /// How numbers are written before they are hashed: rfc8785, or assay (exponents as 1E21, integers in full).
    #[arg(long, value_enum, default_value_t = NumberForm::Rfc8785)]
    numbers: NumberForm,
    /// Write to this file, whole or not at all, instead of standard output. It may not lie in the pack.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    if let Some(output) = &args.output {
        verify::outside(output, std::slice::from_ref(&args.pack), "--output")?;
    }
    let name = args.pack.display().to_string();
    let pack = verify::open(&args.pack)?;
    let options = Options {
        now: None,
        numbers: args.numbers.into(),
        signer: None,
        platform: std::env::consts::OS,
        threads: Threads::Pool,
    };
    let found = episode::verify(&pack, &options).map_err(|why| verify::refused(&why))?;
    if found.steps.is_empty() {
        output::err(&verify::findings(&found.findings, Paint::Plain));
        let message = format!("{name}: the script fails phase 1, so that there is no graph");
        return Err(CliError::broken(message, format!("`assize pack verify {}` says more", clean::word(&name))));
    }
    let written = graph::of(&found.steps).write(args.format, &name, found.verdict.name())?;
    output::deliver(args.output.as_deref(), written.as_bytes())?;
    Ok(Exit::Conforms)
}
