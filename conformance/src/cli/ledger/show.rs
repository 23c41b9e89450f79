//! `assize ledger show`: the records of a ledger as a table, or the graph of its run.

mod row;
mod run_graph;

use std::{
    fs::File,
    io::{Seek as _, Write},
    path::PathBuf,
};

use assize::{exit::Exit, report::Paint};
use assize_verifier::authority::{self, Chain, Records};
use serde::Serialize;

use super::{
    Assuming, CliError, Format, Source,
    breach::{self, BreachDocument, ChainDocument},
    graph::Form,
    input,
    output::{self, Stop},
    threads,
};
use crate::cli::terminal;
use row::{Link, Row, Widths};

const EXAMPLES: &str = "\
Examples:
  assize ledger show run-1/ledger.jsonl
  assize ledger show run-1/ledger.jsonl --graph text
  assize ledger show run-1/ledger.jsonl --graph dot | dot -Tsvg > run.svg
  zcat ledger.jsonl.gz | assize ledger show - --format json

The table has a line a record, whatever left the ledger, and the verdict on the chain below
it. The graph is that of a run: if it derives again, nodes say the seed text, the name of
the interpretation and the assumptions; if not, they say what the fourth record holds, which
is ids and kinds. Up to 5000 nodes and 20000 edges are written for a drawing (many readers
of Mermaid stop at 500); as text there is no limit.

Exit codes:
  0  shown, and valid: the chain, or with --graph the run
  1  broken, though shown where there is anything to show
  3  unreadable, or too large to be drawn";

/// Show the records of a ledger as a table, or the graph of its run as text, Mermaid or DOT.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Show the graph of the run instead.
    #[arg(long, value_parser = Form::parser(), value_name = "FORM")]
    graph: Option<Form>,
    #[command(flatten)]
    assuming: Assuming,
    /// How the table is written.
    #[arg(long, value_enum, default_value_t = Format::Human, conflicts_with = "graph")]
    format: Format,
    /// Write to this file, whole or not at all, instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    threads::within(args.source.jobs, || show(args))
}

fn show(args: &Args) -> Result<Exit, CliError> {
    let assumed = args.assuming.assumed()?;
    let reading = args.source.reading();
    output::spare(args.output.as_deref(), [args.source.ledger.as_path()])?;
    let (name, file) = input::rewindable(&args.source.ledger)?;
    let unreadable = |error| super::unreadable(&name, &error);
    let paint = output::paint_for(args.output.as_deref());
    if let Some(form) = args.graph {
        let replay = authority::replay(&file, &assumed, &reading).map_err(unreadable)?;
        let drawn = match &replay.outcome {
            Ok(derived) => run_graph::derived(&derived.dag).write(form, &name, derived.outcome.name())?,
            Err(breach) => {
                output::err(&breach::broken(&name, breach, Paint::Plain));
                let graph = run_graph::recorded(again(&name, &file)?, &reading).map_err(unreadable)?;
                let Some(graph) = graph else {
                    let message = format!("{name}: the run does not derive again, and record 3 holds no graph");
                    return Err(CliError::unlawful(message, "`assize ledger replay` says where it breaks"));
                };
                output::err("drawn is what record 3 says: ids and kinds\n");
                graph.write(form, &name, "broken")?
            }
        };
        output::deliver(args.output.as_deref(), drawn.as_bytes())?;
        return Ok(super::exit(replay.outcome.is_ok()));
    }
    let chain = authority::chain(&file, &reading).map_err(unreadable)?;
    let exit = super::exit(chain.breach.is_none());
    let records = Records::new(again(&name, &file)?, reading.layout);
    let mut shown = Shown { name: &name, chain: &chain, records, exit };
    let write = |out: &mut dyn Write| match args.format {
        Format::Human => shown.table(out, paint),
        Format::Json => shown.document(out),
    };
    output::deliver_piecewise(args.output.as_deref(), write)?;
    Ok(exit)
}

/// The file from its beginning.
fn again<'f>(name: &str, mut file: &'f File) -> Result<&'f File, CliError> {
    match file.rewind() {
        Ok(()) => Ok(file),
        Err(error) => {
            Err(CliError::unreadable(format!("{name}: cannot be read again: {error}"), "name a regular file"))
        }
    }
}

/// A judged chain, and its records once more.
struct Shown<'a> {
    name: &'a str,
    chain: &'a Chain,
    records: Records<&'a File>,
    exit: Exit,
}

#[derive(Serialize)]
struct End<'a> {
    chain: ChainDocument<'a>,
    breach: Option<BreachDocument<'a>>,
    exit_code: u8,
}

impl Shown<'_> {
    fn table(&mut self, out: &mut dyn Write, paint: Paint) -> Result<(), Stop> {
        let widths = Widths::of(self.chain.records, terminal::width());
        writeln!(out, "{}", widths.header())?;
        self.each(|row| Ok(writeln!(out, "{}", widths.line(row, paint))?))?;
        Ok(write!(out, "\n{}", breach::report(self.name, self.chain, paint))?)
    }

    /// One document, one record on each line: it is never in memory as a whole.
    fn document(&mut self, out: &mut dyn Write) -> Result<(), Stop> {
        let path = serde_json::to_string(self.name).map_err(CliError::bug)?;
        write!(out, "{{\n  \"path\": {path},\n  \"valid\": {},\n  \"records\": [", self.chain.breach.is_none())?;
        let mut before = "\n";
        self.each(|row| {
            let record = serde_json::to_string(row).map_err(CliError::bug)?;
            write!(out, "{before}    {record}")?;
            before = ",\n";
            Ok(())
        })?;
        let end = End {
            chain: self.chain.into(),
            breach: self.chain.breach.as_ref().map(Into::into),
            exit_code: self.exit.code(),
        };
        let end = serde_json::to_string_pretty(&end).map_err(CliError::bug)?;
        Ok(writeln!(out, "\n  ],\n{}", end.trim_start_matches("{\n"))?)
    }

    fn each(&mut self, mut show: impl FnMut(&Row) -> Result<(), Stop>) -> Result<(), Stop> {
        let broken = self.chain.breach.as_ref();
        // A ledger that grows in the meantime is shown as far as it was judged.
        for _ in 0..self.chain.records {
            let next = self.records.next().map_err(|error| super::unreadable(self.name, &error))?;
            let Some(record) = next else { break };
            let link = match broken {
                Some(breach) if record.index == breach.record => {
                    Link::Broken(breach::member(breach).unwrap_or("record").to_owned())
                }
                Some(breach) if record.index > breach.record => Link::NotJudged,
                _ => Link::Ok,
            };
            let row = Row::of(&record, link).map_err(|error| super::unreadable(self.name, &error))?;
            show(&row)?;
        }
        Ok(())
    }
}
