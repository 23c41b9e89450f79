//! `assize ledger verify`: a ledger as a chain of hashes.

use assize::exit::Exit;
use assize_verifier::authority::{self, Chain};
use serde::Serialize;

use super::{
    CliError, Format, Seen, Source, Verdict,
    breach::{self, BreachDocument, ChainDocument},
    output,
};

const EXAMPLES: &str = "\
Examples:
  assize ledger verify run-1/ledger.jsonl
  assize ledger verify ledgers/all.json --format json
  zcat ledger.jsonl.gz | assize ledger verify - --quiet

A chain holds if every record has the hash of its payload, the hash of the record before
it and the hash of itself. The first record that fails is named; the text after it is
still read, since a file that is not JSON has no verdict. Memory does not grow with the
ledger; a record may have 256 MiB.

There is no signature and no anchor, so that a chain cannot see records that were cut off
at its end or added there with right hashes, or a change after which everything was hashed
anew. In the ledger of a run, `assize ledger replay` does, short of a whole run made anew.

Exit codes:
  0  valid
  1  broken
  3  unreadable: no JSON as Python reads it, no array of records, or no file; or no record at all: a chain
     without one holds, and a ledger that was emptied looks like it";

/// Judge a ledger as a chain: where its hashes break, if they do.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    verdict: Verdict,
}

#[derive(Serialize)]
struct Document<'a> {
    path: &'a str,
    valid: bool,
    chain: ChainDocument<'a>,
    breach: Option<BreachDocument<'a>>,
    exit_code: u8,
}

/// The name of the ledger, what it is as a chain, and the exit code of the verb.
pub(in crate::cli) fn judge(args: &Args, seen: &Seen) -> Result<(String, Chain, Exit), CliError> {
    let (name, chain) = args.verdict.of(&args.source, seen, |source, reading| authority::chain(source, reading))?;
    let exit = match (chain.breach.is_none(), chain.records) {
        (true, 0) => Exit::NoAnswer,
        (holds, _) => super::exit(holds),
    };
    Ok((name, chain, exit))
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let Verdict { format, output, quiet } = &args.verdict;
    let (name, chain, exit) = judge(args, &Seen::by_nobody())?;
    let paint = output::paint_for(output.as_deref());
    let written = match format {
        Format::Json => output::pretty(&Document {
            path: &name,
            valid: exit == Exit::Conforms,
            chain: (&chain).into(),
            breach: chain.breach.as_ref().map(Into::into),
            exit_code: exit.code(),
        })?,
        Format::Human if *quiet => output::said_for(output.as_deref(), breach::headline(&name, &chain, paint)),
        Format::Human => output::said_for(output.as_deref(), breach::report(&name, &chain, paint)),
    };
    output::deliver(output.as_deref(), &written)?;
    Ok(exit)
}
