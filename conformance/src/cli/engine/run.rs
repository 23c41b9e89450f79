//! `assize engine run`: one run of the reference engine.

use std::path::{Path, PathBuf};

use assize::{exit::Exit, report::Paint};
use assize_verifier::authority::{self, Candidate, Inputs, Outcome, Rejection, Run};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{CliError, Format, files::Folder, golden, input, ledger, output};

const EXAMPLES: &str = "\
Examples:
  assize engine run inputs.json
  assize engine run inputs.json --out run-1 && assize ledger replay run-1/ledger.jsonl
  assize engine run inputs.json --format json | jq .golden.summary_hash
  jq '.policy.max_steps = 1' inputs.json | assize engine run -

Inputs, all but the last two due; policy limits are integers:
  {\"run_id\": \"demo-1\", \"seed_text\": \"Tea timer\", \"pin\": {}, \"ts_base\": \"T0\",
   \"policy\": {\"max_interpretations\": 2, \"max_nodes\": 10, \"max_depth\": 4,
              \"contradiction_budget\": 1, \"max_steps\": 9},
   \"interpretations\": [{\"name\": \"Brew\", \"assumptions\": [\"one cup\"],
                        \"intent_summary\": \"Count down minutes\"}],
   \"proposal_source\": \"heuristic\", \"proposal_confidence\": null}

--out writes ledger.jsonl, one canonical record a line, and the artefacts: blueprint.json and
verification.json, or refusal.json. An artefact is exactly the canonical bytes that its hash
covers, without a line feed at the end. --format json has everything in one document.

Exit codes:
  0  success
  1  refusal: the policy does not admit the run
  3  invalid inputs, or a file that cannot be read or written";

/// Run the reference engine on inputs: a ledger with a blueprint and a verification pack, or with a refusal.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The inputs of the run; - is standard input.
    #[arg(value_name = "INPUTS")]
    inputs: PathBuf,
    /// Write ledger and artefacts to this folder. It is made if it is not there; nothing in it is overwritten.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write the answer to this file, whole or not at all, instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The outcome alone.
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    path: &'a str,
    outcome: &'static str,
    golden: Option<golden::Document<'a>>,
    ledger_last_hash: String,
    candidates: Vec<CandidateDocument<'a>>,
    reason_codes: Vec<&'a str>,
    policy_suggestions: Vec<&'static str>,
    advisories: Vec<serde_json::Value>,
    records: Vec<Box<RawValue>>,
    dag: Box<RawValue>,
    artifacts: Box<RawValue>,
    files: Vec<String>,
    exit_code: u8,
}

#[derive(Serialize)]
struct CandidateDocument<'a> {
    name: &'a str,
    cost: usize,
    kept: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    output::spare(args.output.as_deref(), [args.inputs.as_path()])?;
    let folder = args.out.as_deref().map(Folder::free).transpose()?;
    let spare = || match (&folder, &args.output) {
        (Some(folder), Some(output)) => folder.spare(output),
        _ => Ok(()),
    };
    spare()?;
    let (name, text) = input::document(&args.inputs)?;
    let inputs = Inputs::parse(&text).map_err(|why| invalid(&name, &why))?;
    let run = authority::run(&inputs);
    let files = folder.as_ref().map_or_else(|| Ok(Vec::new()), |folder| folder.write(&run))?;
    // Checked again: now that the folder exists, every spelling of its path leads to it.
    spare()?;
    let exit = match run.outcome() {
        Outcome::Success => Exit::Conforms,
        Outcome::Refusal => Exit::Violates,
    };
    let paint = output::paint_for(args.output.as_deref());
    let written = match args.format {
        Format::Json => output::pretty(&document(&name, &run, &files, exit)?)?,
        Format::Human if args.quiet => output::said_for(args.output.as_deref(), headline(&name, &run, paint)),
        Format::Human => output::said_for(args.output.as_deref(), human(&name, &run, &files, paint)),
    };
    output::deliver(args.output.as_deref(), &written)?;
    Ok(exit)
}

/// Inputs that cannot be run.
fn invalid(name: &str, why: &Rejection) -> CliError {
    let code = why.codes().join(", ");
    match why {
        Rejection::Json(error) => {
            let place = input::place(error.offset, &error.pointer);
            CliError::unreadable(format!("{name}: {code}: {place}: {}", error.kind), error.kind.help())
        }
        Rejection::Value(pointer, message) => {
            let place = if pointer.is_root() { "the document".into() } else { output::middle(pointer.as_str()) };
            let message = format!("{name}: {code}: {place}: {message}");
            CliError::unreadable(message, "everything in the inputs is hashed, so it needs a canonical form")
        }
        why => {
            let message = format!("{name}: {code}: {}", output::start(&why.to_string()));
            CliError::unreadable(
                message,
                "`assize engine run --help` shows inputs; policy limits begin at 1, the budget at 0",
            )
        }
    }
}

fn headline(name: &str, run: &Run, paint: Paint) -> String {
    let outcome = match run.outcome() {
        Outcome::Success => paint.good(Outcome::Success.name()),
        Outcome::Refusal => paint.bad(Outcome::Refusal.name()),
    };
    let (name, records) = (output::clean(name), run.records().len());
    format!("{outcome}: {name}: {records} records, the last {}\n", run.last_hash())
}

fn human(name: &str, run: &Run, files: &[PathBuf], paint: Paint) -> String {
    let mut text = headline(name, run, paint);
    for (code, suggestion) in run.reason_codes().zip(run.policy_suggestions()) {
        text.push_str(&format!("  {}\n    {suggestion}\n", output::clean(&output::middle(code))));
    }
    text.push_str(&run.golden().map(golden::lines).unwrap_or_default());
    text.push_str(&ledger::warnings(run.advisories()));
    if !run.candidates().is_empty() {
        text.push('\n');
        text.push_str(&output::table(["interpretation", "cost", ""], rows(run.candidates())));
    }
    text.push('\n');
    for path in files {
        text.push_str(&format!("wrote {}\n", output::clean(&path.display().to_string())));
    }
    if files.is_empty() {
        text.push_str("nothing was written: --out DIR keeps ledger and artefacts, --format json prints them\n");
    }
    text
}

/// Interpretations, the cheapest first.
fn rows(candidates: &[Candidate]) -> impl Iterator<Item = [String; 3]> {
    candidates.iter().enumerate().map(|(place, candidate)| {
        let fate = match (place, candidate.kept) {
            (0, _) => "chosen",
            (_, true) => "kept",
            (_, false) => "pruned",
        };
        [output::middle(&candidate.name).into_owned(), candidate.cost.to_string(), fate.to_owned()]
    })
}

fn document<'a>(path: &'a str, run: &'a Run, files: &[PathBuf], exit: Exit) -> Result<Document<'a>, CliError> {
    let candidate = |candidate: &'a Candidate| CandidateDocument {
        name: &candidate.name,
        cost: candidate.cost,
        kept: candidate.kept,
    };
    let spelled = |path: &PathBuf| Path::display(path).to_string();
    Ok(Document {
        path,
        outcome: run.outcome().name(),
        golden: run.golden().map(golden::Document::of),
        ledger_last_hash: run.last_hash().to_hex(),
        candidates: run.candidates().iter().map(candidate).collect(),
        reason_codes: run.reason_codes().collect(),
        policy_suggestions: run.policy_suggestions().collect(),
        advisories: run.advisories().iter().map(output::finding).collect(),
        records: run.records().map(raw).collect::<Result<_, _>>()?,
        dag: raw(&run.dag().document())?,
        artifacts: raw(&run.artifacts_document())?,
        files: files.iter().map(spelled).collect(),
        exit_code: exit.code(),
    })
}

/// Canonical bytes as they are.
fn raw(canonical: &[u8]) -> Result<Box<RawValue>, CliError> {
    let text = String::from_utf8(canonical.to_vec()).map_err(CliError::bug)?;
    RawValue::from_string(text).map_err(CliError::bug)
}
