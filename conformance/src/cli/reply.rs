//! `assize reply`: a registry of codes, one envelope, a captured result, what an agent does after it, the trace of one invocation, or what builder and wrapper make of a script.

mod action;
mod build;
pub(super) mod envelope;
pub(crate) mod lint;
mod tool_result;
pub(super) mod trace;
mod wrap;

use assize::{exit::Exit, report::Paint};
use assize_verifier::reply::{Judgement, Rejection};
use serde_json::{Value, json};

use super::{CliError, Format, input, output, seen::Seen};

/// Judge what a tool answers: its registry of codes, its envelope byte by byte, or the calls that led to it; or have replies made.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Action(action::Args),
    Build(build::Args),
    Envelope(envelope::Args),
    // The options for sources make it many times as large as the others.
    Lint(Box<lint::Args>),
    ToolResult(tool_result::Args),
    Trace(trace::Args),
    Wrap(wrap::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    match &args.task {
        Task::Action(args) => action::run(args),
        Task::Build(args) => build::run(args),
        Task::Envelope(args) => envelope::run(args),
        Task::Lint(args) => lint::run(args),
        Task::ToolResult(args) => tool_result::run(args),
        Task::Trace(args) => trace::run(args),
        Task::Wrap(args) => wrap::run(args),
    }
}

/// Why a document cannot be judged.
pub(super) fn refused(name: &str, why: &Rejection, verb: &str) -> CliError {
    match why {
        Rejection::Json(error) => input::not_json(name, error),
        why => CliError::unreadable(format!("{name}: {why}"), format!("see `assize {verb} --help` for what it holds")),
    }
}

fn exit(found: &Judgement) -> Exit {
    if found.is_lawful() { Exit::Conforms } else { Exit::Violates }
}

/// Findings for machines, with class and blame.
fn findings(found: &Judgement) -> Vec<Value> {
    let findings = found.findings.iter().map(|breach| {
        let mut finding = output::finding(&breach.finding);
        if let Some(members) = finding.as_object_mut() {
            members.insert("class".to_owned(), breach.class.name().into());
            if !breach.blame.is_empty() {
                members.insert("blame".to_owned(), breach.blame.iter().map(|party| party.name()).collect());
            }
        }
        finding
    });
    findings.collect()
}

/// Advice for machines.
fn advice(found: &Judgement) -> Vec<Value> {
    let advice = found.advice.iter();
    advice.map(|one| json!({"law": one.law.slug(), "pointer": one.pointer.as_str(), "text": one.message})).collect()
}

/// Findings under the law that they break, then advice, then the verdict.
fn human(name: &str, found: &Judgement, paint: Paint) -> String {
    let mut text = String::new();
    for law in found.laws() {
        text.push_str(&format!("{}\n", paint.strong(law.slug())));
        for breach in found.findings.iter().filter(|breach| breach.finding.law == law) {
            let blame: Vec<_> = breach.blame.iter().map(|party| party.name()).collect();
            let blame = if blame.is_empty() { String::new() } else { format!(" [{}]", blame.join(", ")) };
            let place = place(breach.finding.pointer.as_str());
            let message = output::clean(&breach.finding.message);
            text.push_str(&format!("  {} {place}: {message}{blame}\n", paint.bad(breach.class.name())));
        }
    }
    for one in &found.advice {
        let place = place(one.pointer.as_str());
        text.push_str(&format!("advice {place}: {} ({})\n", output::clean(&one.message), one.law.slug()));
    }
    let verdict = if found.is_lawful() { paint.good("lawful") } else { paint.bad("unlawful") };
    let breaches = output::counted(found.findings.len(), "finding", "findings");
    text.push_str(&format!("{verdict}: {}: {breaches}, {} advised\n", output::clean(name), found.advice.len()));
    text
}

fn place(pointer: &str) -> std::borrow::Cow<'_, str> {
    if pointer.is_empty() { "the document".into() } else { output::clean(pointer) }
}
