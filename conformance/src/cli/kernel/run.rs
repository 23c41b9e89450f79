//! `assize kernel run`: a scenario, step by step.

use std::{
    fs,
    path::{Path, PathBuf},
};

use assize::{exit::Exit, report::Paint};
use assize_verifier::{
    files::HomeFiles,
    json::{Dialect, Elements},
    kernel::{self, HomeFailure, Index, Issue, Outcome, Rejection, Scenario, Step},
};

use super::{CliError, Format, home::SmallHome, input, open, output};
use crate::cli::{indent::Indented, output::Stop};

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

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, text) = input::document(&args.scenario)?;
    let operations = Elements::read(text, &Dialect::STRICT).map_err(|error| input::not_json(&name, &error))?;
    let scenario = Scenario::read(operations).map_err(|why| refused(&name, &why))?;
    let mut told = Told { name, format: args.format, paint: output::paint(), steps: 0, failed: 0, text: String::new() };
    match &args.home {
        None => {
            let place = Path::new("the home in memory");
            let mut home = SmallHome::default();
            let mut index = told.run(scenario, &mut home, place)?;
            told.show(|out| index.write_view::<Ended>(out).map_err(|ended| ended.stop(place)))
        }
        Some(path) => {
            fs::create_dir_all(path).map_err(|error| {
                let message = format!("{}: cannot be made: {error}", path.display());
                CliError::unreadable(message, "name a folder that can be written to with --home")
            })?;
            let mut home = open(path)?;
            // A folder may fail while it is read, and nothing is said then.
            let view = told.run(scenario, &mut home, path)?.view().map_err(|failure| broken(path, &failure))?;
            told.show(|out| out(&view).map_err(|ended| ended.stop(path)))
        }
    }
}

/// What is said of steps, as far as they were done.
struct Told {
    name: String,
    format: Format,
    paint: Paint,
    steps: usize,
    failed: usize,
    /// The steps as they are written: as values they would be several times as large.
    text: String,
}

/// Why a view is not written to its end.
enum Ended {
    Home(HomeFailure),
    Stop(Stop),
}

impl From<HomeFailure> for Ended {
    fn from(failure: HomeFailure) -> Self {
        Self::Home(failure)
    }
}

impl Ended {
    fn stop(self, place: &Path) -> Stop {
        match self {
            Self::Home(failure) => broken(place, &failure).into(),
            Self::Stop(stop) => stop,
        }
    }
}

/// Where a view goes.
type Out<'o> = dyn FnMut(&[u8]) -> Result<(), Ended> + 'o;

impl Told {
    fn run<'h>(
        &mut self,
        scenario: Scenario<'_>,
        home: &'h mut dyn HomeFiles,
        place: &Path,
    ) -> Result<Index<'h>, CliError> {
        let mut wrong = None;
        let done = scenario.run_each(home, |step| wrong = self.tell(&step).err().or(wrong.take()));
        let index = done.map_err(|failure| broken(place, &failure))?;
        wrong.map_or(Ok(index), Err)
    }

    /// Adds a step.
    fn tell(&mut self, step: &Step) -> Result<(), CliError> {
        self.steps += 1;
        self.failed += usize::from(step.outcome == Some(Outcome::Fail));
        match self.format {
            Format::Human => self.tell_people(step),
            Format::Json => {
                let before = if self.steps > 1 { ",\n" } else { "\n" };
                let result = String::from_utf8(step.canonical()).map_err(CliError::bug)?;
                let op = step.op;
                self.text
                    .push_str(&format!("{before}    {{\n      \"op\": \"{op}\",\n      \"result\": {result}\n    }}"));
                Ok(())
            }
        }
    }

    fn tell_people(&mut self, step: &Step) -> Result<(), CliError> {
        let outcome = match step.outcome {
            Some(Outcome::Pass) => self.paint.good(Outcome::Pass.name()),
            Some(Outcome::Fail) => self.paint.bad(Outcome::Fail.name()),
            None => "done".to_owned(),
        };
        self.text.push_str(&format!("{:>3}  {outcome}  {}\n", self.steps, step.op));
        for issue in step.issues.as_slice() {
            self.text.push_str(&format!("       {}\n", described(issue)));
        }
        // An event is written for people too.
        for (_, line) in step.members.iter().filter(|(name, _)| *name == "line") {
            if let Some(line) = serde_json::from_slice::<Option<String>>(line).map_err(CliError::bug)? {
                self.text.push_str(&format!("       {}\n", output::clean(&line)));
            }
        }
        Ok(())
    }

    /// Writes the answer, with the view that comes after the steps.
    fn show(self, view: impl FnOnce(&mut Out<'_>) -> Result<(), Stop>) -> Result<Exit, CliError> {
        let exit = if self.failed == 0 { Exit::Conforms } else { Exit::Violates };
        match self.format {
            Format::Human => output::say_piecewise(|say| {
                self.text.split_inclusive('\n').try_for_each(&mut *say)?;
                say(&format!("\n{}\n", self.paint.strong("view")))?;
                let mut indented = Indented::default();
                view(&mut |piece| indented.take(piece, say).map_err(Ended::Stop))?;
                indented.end(say)?;
                say(&self.verdict())
            })?,
            Format::Json => output::out_piecewise(|out| {
                let path = serde_json::to_string(&self.name).map_err(CliError::bug)?;
                let end = if self.steps == 0 { "" } else { "\n  " };
                write!(out, "{{\n  \"path\": {path},\n  \"steps\": [{}{end}],\n  \"view\": ", self.text)?;
                view(&mut |piece| out.write_all(piece).map_err(|error| Ended::Stop(error.into())))?;
                Ok(write!(out, ",\n  \"exit_code\": {}\n}}\n", exit.code())?)
            })?,
        }
        Ok(exit)
    }

    fn verdict(&self) -> String {
        let verdict = if self.failed == 0 { self.paint.good("done") } else { self.paint.bad("failed") };
        let steps = output::counted(self.steps, "step", "steps");
        format!("\n{verdict}: {}: {steps}, {} failed\n", output::clean(&self.name), self.failed)
    }
}

fn broken(place: &Path, failure: &HomeFailure) -> CliError {
    let message = format!("{}: {failure}", place.display());
    CliError::unreadable(message, "the steps before this one are done: check the folder, and `assize kernel audit` it")
}

/// A document that is not a scenario.
fn refused(name: &str, why: &Rejection) -> CliError {
    let message = format!("{name}: {}: {}", why.codes().join(", "), output::start(&why.to_string()));
    CliError::unreadable(message, "`assize kernel run --help` shows an operation; nothing was run")
}

/// An issue in one line.
fn described(issue: &Issue) -> String {
    let details = String::from_utf8_lossy(issue.details.as_slice());
    let details = if details == "{}" { String::new() } else { format!(" {}", output::start(&details)) };
    let place = output::middle(issue.location.as_str());
    let line = format!("{} {} {} {place}{details}", issue.level.name(), issue.stage.name(), issue.code);
    output::clean(&line).into_owned()
}
