//! `assize reply trace`: the events of one invocation as a table, with the first illegal step marked.

use std::{io::Write, path::PathBuf};

use assize::{exit::Exit, report::Paint};
use assize_verifier::{
    json::NodeRef,
    reply::{self, Trace},
};
use serde_json::json;

use super::{
    CliError, Format, Seen, advice, exit, findings, human,
    output::{self, Stop},
    refused,
};

const EXAMPLES: &str = "\
Examples:
  assize reply trace invocation.json
  record-a-call | assize reply trace - --format json

A trace is {\"steps\": [event, ...]}. Events, by their member `op`:
  new     b                            a builder is made
  call    b, method, code?, data?, got the builder is called, and gives a reply or raised
  direct  reply_type, code             a reply is made without the builder
  work    what                         any other effect
  return  of | callee | raw            the reply of a step, one of a callee, or dict, text, none
  throw   kind                         the tool ends by an exception
  emit    reply_type, code?            the envelope leaves the wrapper

The verdict is the first step that breaks a law given the steps before it; > marks it. One past
the last step is marked where the invocation ends without an outcome.

Exit codes:
  0  lawful
  1  a step is illegal
  3  unreadable: no JSON, or a malformed event";

/// Judge the trace of one invocation, and show it as a table.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// The trace; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// The name of the trace and its text, what is made of it, and the exit code of the verb.
pub(in crate::cli) fn judge(args: &Args, seen: &Seen) -> Result<(String, Vec<u8>, Trace, Exit), CliError> {
    let (name, bytes) = seen.named("trace", &args.file)?;
    let trace = reply::trace(&bytes).map_err(|why| refused(&name, &why, "reply trace"))?;
    let exit = exit(&trace.judgement);
    Ok((name, bytes, trace, exit))
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, bytes, trace, exit) = judge(args, &Seen::by_nobody())?;
    match args.format {
        Format::Json => output::json(&json!({
            "file": name, "steps": trace.steps, "first_illegal": trace.first_illegal,
            "findings": findings(&trace.judgement), "advice": advice(&trace.judgement), "exit_code": exit.code(),
        }))?,
        Format::Human => {
            let document = reply::read(&bytes).map_err(|why| refused(&name, &why, "reply trace"))?;
            let paint = output::paint();
            output::out_piecewise(|out| {
                table(out, &trace, document.root(), paint)?;
                Ok(write!(out, "\n{}", human(&name, &trace.judgement, paint))?)
            })?;
        }
    }
    Ok(exit)
}

/// One line for each step: its number, its event, and what else is recorded about it.
fn table(out: &mut dyn Write, trace: &Trace, document: NodeRef<'_>, paint: Paint) -> Result<(), Stop> {
    let width = trace.steps.to_string().len().max(4);
    writeln!(out, "  {:>width$}  {:<6}  recorded", "step", "event")?;
    let steps = document.get("steps").into_iter().flat_map(NodeRef::elements);
    for (number, step) in steps.enumerate() {
        let op = step.get("op").and_then(NodeRef::as_string).map(|op| op.to_text_lossy().into_owned());
        let line = format!("{number:>width$}  {:<6}  {}", op.unwrap_or_default(), recorded(step));
        marked(out, trace.first_illegal == Some(number), line.trim_end(), paint)?;
    }
    if trace.first_illegal == Some(trace.steps) {
        marked(out, true, &format!("{:>width$}  (end)", trace.steps), paint)?;
    }
    Ok(())
}

fn marked(out: &mut dyn Write, illegal: bool, line: &str, paint: Paint) -> Result<(), Stop> {
    if illegal {
        writeln!(out, "> {}", paint.bad(line))?
    } else {
        writeln!(out, "  {line}")?
    }
    Ok(())
}

/// The members of an event except its name, as they are written.
fn recorded(step: NodeRef<'_>) -> String {
    let members = step.members().filter_map(|(name, value)| {
        let name = name.decode();
        let raw = String::from_utf8_lossy(value.raw());
        (name != "op")
            .then(|| format!("{} {}", output::clean(&name.to_text_lossy()), output::middle(&output::clean(&raw))))
    });
    members.collect::<Vec<_>>().join(", ")
}
