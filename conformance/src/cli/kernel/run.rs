//! `assize kernel run`: a scenario, step by step.

use std::{
    fs,
    path::{Path, PathBuf},
};

use assize::{exit::Exit, report::Paint};
use assize_verifier::{
    files::HomeFiles,
    json::{Dialect, Document},
    kernel::{self, Issue, MemoryHome, Outcome, Rejection, Report, Scenario, Step},
};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{CliError, Format, input, open, output};

const EXAMPLES: &str = "\
Examples:
  assize kernel run scenario.json
  assize kernel run scenario.json --home home && assize kernel audit home
  assize kernel run scenario.json --format json | jq .view.ledger
  echo '[{\"op\": \"promote\", \"run_id\": \"r\", \"turn_id\": \"turn-0001\"}]' | assize kernel run -

A scenario is a JSON array of operations:
  {\"op\": \"stage_triplet\", \"run_id\": \"r\", \"turn_id\": \"turn-0001\", \"stem\": \"inv/one\",
   \"body\": {\"dto_type\": \"invocation\", \"id\": \"inv:one\"}, \"links\": {}, \"manifest\": {}}
and so on with";

const ENDINGS: &str = "\
Without --home the operations run in memory and leave nothing behind.

Exit codes:
  0   no step failed
  1   a step failed
  3   no scenario, or a home that cannot be read or written
  64  wrong usage";

/// What stands below the options: every operation that there is among it.
fn after_help() -> String {
    let mut text = EXAMPLES.to_owned();
    let mut width = usize::MAX;
    let mut names = kernel::scenario_operations().map(|(name, _)| *name).peekable();
    while let Some(name) = names.next() {
        if width.saturating_add(name.len()) > 98 {
            text.push_str("\n ");
            width = 1;
        }
        let end = if names.peek().is_some() { "," } else { "." };
        text.push_str(&format!(" {name}{end}"));
        width += name.len() + 2;
    }
    format!("{text}\n\n{ENDINGS}")
}

/// Run a scenario: each step with its issues, and what the home holds in the end.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(super) struct Args {
    /// The scenario; - is standard input.
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,
    /// Run in this folder, which is made if it is not there. What it holds already, the operations find there.
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Serialize)]
struct Machine<'a> {
    path: &'a str,
    steps: Vec<MachineStep>,
    view: Box<RawValue>,
    exit_code: u8,
}

#[derive(Serialize)]
struct MachineStep {
    op: &'static str,
    result: Box<RawValue>,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, text) = input::document(&args.scenario)?;
    let document = Document::parse(&text, &Dialect::STRICT).map_err(|error| input::not_json(&name, &error))?;
    let scenario = Scenario::read(&document).map_err(|why| refused(&name, &why))?;
    let report = match &args.home {
        None => ran(&scenario, &mut MemoryHome::default(), Path::new("the home in memory"))?,
        Some(path) => {
            fs::create_dir_all(path).map_err(|error| {
                let message = format!("{}: cannot be made: {error}", path.display());
                CliError::unreadable(message, "name a folder that can be written to with --home")
            })?;
            ran(&scenario, &mut open(path)?, path)?
        }
    };
    let failed = report.steps.iter().filter(|step| step.outcome == Some(Outcome::Fail)).count();
    let exit = if failed == 0 { Exit::Conforms } else { Exit::Violates };
    match args.format {
        Format::Human => output::say(&human(&name, &report, failed, output::paint())?)?,
        Format::Json => {
            let step = |step: &Step| Ok(MachineStep { op: step.op, result: raw(&step.canonical())? });
            let steps = report.steps.iter().map(step).collect::<Result<_, CliError>>()?;
            output::json(&Machine { path: &name, steps, view: raw(&report.view)?, exit_code: exit.code() })?;
        }
    }
    Ok(exit)
}

fn ran(scenario: &Scenario<'_>, home: &mut dyn HomeFiles, place: &Path) -> Result<Report, CliError> {
    scenario.run(home).map_err(|failure| {
        let message = format!("{}: {failure}", place.display());
        CliError::unreadable(
            message,
            "the steps before this one are done: check the folder, and `assize kernel audit` it",
        )
    })
}

/// A document that is not a scenario.
fn refused(name: &str, why: &Rejection) -> CliError {
    let message = format!("{name}: {}: {}", why.codes().join(", "), output::start(&why.to_string()));
    CliError::unreadable(message, "`assize kernel run --help` shows an operation; nothing was run")
}

fn human(name: &str, report: &Report, failed: usize, paint: Paint) -> Result<String, CliError> {
    let mut text = String::new();
    for (index, step) in report.steps.iter().enumerate() {
        let outcome = match step.outcome {
            Some(Outcome::Pass) => paint.good(Outcome::Pass.name()),
            Some(Outcome::Fail) => paint.bad(Outcome::Fail.name()),
            None => "done".to_owned(),
        };
        text.push_str(&format!("{:>3}  {outcome}  {}\n", index + 1, step.op));
        for issue in step.issues.as_slice() {
            text.push_str(&format!("       {}\n", described(issue)));
        }
        // An event is written for people too.
        for (_, line) in step.members.iter().filter(|(name, _)| *name == "line") {
            if let Some(line) = serde_json::from_slice::<Option<String>>(line).map_err(CliError::bug)? {
                text.push_str(&format!("       {}\n", output::clean(&line)));
            }
        }
    }
    let view: serde_json::Value = serde_json::from_slice(&report.view).map_err(CliError::bug)?;
    let view = String::from_utf8(output::pretty(&view)?).map_err(CliError::bug)?;
    text.push_str(&format!("\n{}\n", paint.strong("view")));
    for line in view.lines() {
        text.push_str(&format!("{}\n", output::clean(line)));
    }
    let verdict = if failed == 0 { paint.good("done") } else { paint.bad("failed") };
    let steps = output::counted(report.steps.len(), "step", "steps");
    text.push_str(&format!("\n{verdict}: {}: {steps}, {failed} failed\n", output::clean(name)));
    Ok(text)
}

/// An issue in one line.
fn described(issue: &Issue) -> String {
    let details = String::from_utf8_lossy(issue.details.as_slice());
    let details = if details == "{}" { String::new() } else { format!(" {}", output::start(&details)) };
    let place = output::middle(issue.location.as_str());
    let line = format!("{} {} {} {place}{details}", issue.level.name(), issue.stage.name(), issue.code);
    output::clean(&line).into_owned()
}

/// Canonical bytes as they are.
fn raw(canonical: &[u8]) -> Result<Box<RawValue>, CliError> {
    let text = String::from_utf8(canonical.to_vec()).map_err(CliError::bug)?;
    RawValue::from_string(text).map_err(CliError::bug)
}
