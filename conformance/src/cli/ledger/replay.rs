//! `assize ledger replay`: the run that left a ledger, derived again.

use std::{collections::BTreeMap, io::Read};

use assize::{exit::Exit, report::Paint};
use assize_verifier::{
    authority::{self, Derivation, Outcome, Reading, Replay},
    finding::Finding,
};
use serde::Serialize;

use super::{
    Assuming, CliError, Format, Seen, Source, Verdict,
    breach::{self, BreachDocument, ChainDocument},
    golden, output,
};

const EXAMPLES: &str = "\
Examples:
  assize ledger replay run-1/ledger.jsonl
  assize ledger replay run-1/ledger.jsonl --source llm --confidence 0.9
  assize engine run inputs.json --out run-1 && assize ledger replay run-1/ledger.jsonl

First the chain, then everything that follows from the records: costs and winner, reasons
to refuse, ids of the graph, blueprint, verification pack and summary hash. A ledger that
was cut or extended fails here, and one that was changed and hashed anew, unless the whole
run was made anew from other inputs: what a run was given is taken as recorded.

Exit codes:
  0  the run derives again, as a success or as a refusal
  1  broken: as a chain, or as a run
  3  unreadable: no JSON as Python reads it, no array of records, or no file";

/// Derive a run again from its ledger, and show what golden fixtures lock, or the first difference.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    assuming: Assuming,
    #[command(flatten)]
    verdict: Verdict,
}

#[derive(Serialize)]
struct Document<'a> {
    path: &'a str,
    valid: bool,
    outcome: Option<&'static str>,
    run_id: Option<&'a str>,
    summary_hash: Option<String>,
    dag_root_hash: Option<String>,
    artifact_hashes: BTreeMap<&'a str, String>,
    golden: Option<golden::Document<'a>>,
    reason_codes: &'a [String],
    advisories: Vec<serde_json::Value>,
    chain: ChainDocument<'a>,
    breach: Option<BreachDocument<'a>>,
    exit_code: u8,
}

/// The name of the ledger, the run that left it, and the exit code of the verb.
pub(in crate::cli) fn judge(args: &Args, seen: &Seen) -> Result<(String, Replay, Exit), CliError> {
    let assumed = args.assuming.assumed()?;
    let judge = |source: Box<dyn Read + Send + '_>, reading: &Reading| authority::replay(source, &assumed, reading);
    let (name, replay) = args.verdict.of(&args.source, seen, judge)?;
    let exit = super::exit(replay.outcome.is_ok());
    Ok((name, replay, exit))
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let Verdict { format, output, quiet } = &args.verdict;
    let (name, replay, exit) = judge(args, &Seen::by_nobody())?;
    let written = match format {
        Format::Json => output::pretty(&document(&name, &replay, exit))?,
        Format::Human => {
            let output = output.as_deref();
            output::said_for(output, human(&name, &replay, *quiet, output::paint_for(output)))
        }
    };
    output::deliver(output.as_deref(), &written)?;
    Ok(exit)
}

fn human(name: &str, replay: &Replay, quiet: bool, paint: Paint) -> String {
    match &replay.outcome {
        Err(breach) => {
            let details = if quiet { String::new() } else { breach::details(&replay.chain, breach) };
            breach::broken(name, breach, paint) + &details
        }
        Ok(derived) => {
            let (name, run_id) = (output::clean(name), output::middle(&derived.run_id));
            let outcome = paint.good(derived.outcome.name());
            let mut text = format!("{outcome}: {name}: run {} derives again\n", output::clean(&run_id));
            if !quiet {
                text.push_str(&derived.golden.as_ref().map(golden::lines).unwrap_or_default());
                for code in &derived.reason_codes {
                    text.push_str(&format!("  {}\n", output::clean(&output::middle(code))));
                }
                text.push_str(&warnings(&derived.advisories));
            }
            text
        }
    }
}

/// What the kernel accepts, and a reader may want to know.
pub(in crate::cli) fn warnings(advisories: &[Finding]) -> String {
    let lines = advisories.iter().map(|finding| {
        let place = output::middle(finding.pointer.as_str());
        let line = format!("warning: {place}: {} ({})", output::start(&finding.message), finding.law);
        format!("  {}\n", output::clean(&line))
    });
    lines.collect()
}

fn document<'a>(path: &'a str, replay: &'a Replay, exit: Exit) -> Document<'a> {
    let derived: Option<&Derivation> = replay.outcome.as_ref().ok();
    let hashes = derived.map(|derived| derived.artifact_hashes.as_slice()).unwrap_or_default();
    let advisories = derived.map(|derived| derived.advisories.as_slice()).unwrap_or_default();
    Document {
        path,
        valid: derived.is_some(),
        outcome: derived.map(|derived| Outcome::name(derived.outcome)),
        run_id: derived.map(|derived| derived.run_id.as_str()),
        summary_hash: derived.and_then(|derived| derived.summary_hash).map(|hash| hash.to_hex()),
        dag_root_hash: derived.and_then(|derived| derived.dag_root_hash).map(|hash| hash.to_hex()),
        artifact_hashes: hashes.iter().map(|(name, hash)| (*name, hash.to_hex())).collect(),
        golden: derived.and_then(|derived| derived.golden.as_ref()).map(golden::Document::of),
        reason_codes: derived.map(|derived| derived.reason_codes.as_slice()).unwrap_or_default(),
        advisories: advisories.iter().map(output::finding).collect(),
        chain: (&replay.chain).into(),
        breach: replay.outcome.as_ref().err().map(Into::into),
        exit_code: exit.code(),
    }
}
