//! `assize probe`: what a running server of the Model Context Protocol answers, every line of it judged.

mod pipes;
mod text;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use assize::{exit::Exit, protocol::Limits};
use assize_probe::{
    Options, Plan, Report, Start,
    probe::{draft, probe},
    report::Verdict,
    revision::{REVISIONS, STREAMABLE},
    rules::RULES,
};
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use self::pipes::Launcher;
use super::{Format, certify, error::CliError, input, interrupt, output, sealing::Sealing};

const EXAMPLES: &str = "\
Examples:
  assize probe mcp -- python3 server.py                      tools that are annotated read-only, arguments made up
  assize probe mcp --draft-plan -- python3 server.py > plan.json
  assize probe mcp --plan plan.json --yes -- python3 server.py
  assize probe mcp --url http://127.0.0.1:3001/mcp           a server that runs already, over Streamable HTTP
  assize probe mcp --rules                                   what a server is held to

A plan is {\"contract\": \"assize-probe-plan/v1\", \"calls\": [{\"tool\", \"arguments\"}, ...]}. Each revision has a
process of its own, in which every call of the plan is made; then each of its tools is called once with
arguments that do not pass its input schema. A server can call a tool read-only that is not: believe a plan.

MUST decides, SHOULD is told. The reply laws bind a server of which any result carries an envelope; of others
that is noted once. With --url a server is asked over Streamable HTTP, on this machine alone and in a session for
each revision; whoever wants that builds the command with the feature http.

Exit codes:
  0  no MUST and no law is broken
  1  one is, even if something else went without an answer
  3  none is, and a question went without an answer or a limit was reached; or the plan cannot be read
  4  the server cannot be started, or agrees to no revision";

/// Look at a running server, and judge everything that it writes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Mcp(Mcp),
}

/// Probe a server of the Model Context Protocol over standard input and output, or over Streamable HTTP.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
struct Mcp {
    /// Which tools are called, and with what; without it each that is read-only, with arguments made from its input schema.
    #[arg(long, value_name = "FILE", conflicts_with = "draft_plan")]
    plan: Option<PathBuf>,
    /// Write a plan to be looked through, made from the input schemas, and call nothing.
    #[arg(long)]
    draft_plan: bool,
    /// Call tools, too, that are not annotated read-only.
    #[arg(long)]
    yes: bool,
    /// Ask for this revision of the protocol. Repeatable; without it for all of them.
    #[arg(long, value_name = "REVISION", value_parser = PossibleValuesParser::new(REVISIONS), conflicts_with = "draft_plan")]
    revision: Vec<String>,
    /// Milliseconds to wait for an answer; the first of a process may take three times as long.
    #[arg(long, value_name = "MS", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    timeout: u64,
    /// Hand on this environment variable too. Repeatable.
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
    /// Write the table of rules, and start nothing.
    #[arg(long, conflicts_with_all = ["plan", "draft_plan", "yes", "revision", "command"])]
    rules: bool,
    /// Ask a server that runs already, over Streamable HTTP: http://127.0.0.1:PORT/PATH. Nothing beyond this machine is asked.
    #[arg(long, value_name = "URL", conflicts_with_all = ["rules", "env", "command"])]
    url: Option<String>,
    /// How the report is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    sealing: Sealing,
    /// The server, and its arguments.
    #[arg(last = true, required_unless_present_any = ["rules", "url"], value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let What::Mcp(args) = &args.what;
    if args.rules {
        match args.format {
            Format::Json => output::json(&json!({"contract": "assize-probe-rules/v1", "rules": RULES}))?,
            Format::Human => output::say(&text::rules(output::paint()))?,
        }
        return Ok(Exit::Conforms);
    }
    let plan = args.plan.as_deref().map(plan).transpose()?;
    interrupt::heed("probe", || {});
    let mut start: Box<dyn Start> = match &args.url {
        Some(url) => client(args, url)?,
        None => Box::new(launcher(args)),
    };
    if args.draft_plan {
        let plan = draft(&mut *start).map_err(|why| {
            CliError::testee(
                format!("no plan can be drafted: {why}"),
                "start the server by hand, and look what it says",
            )
        })?;
        output::json(&plan)?;
        return Ok(Exit::Conforms);
    }
    let report = probe(&mut *start, &Options { plan, yes: args.yes, revisions: revisions(args) });
    let exit = exit(&report);
    match args.format {
        Format::Json => output::json(&whole(args, &report, exit)?)?,
        Format::Human => output::say(&text::report(&report, output::paint()))?,
    }
    Ok(exit)
}

fn plan(path: &Path) -> Result<Plan, CliError> {
    let (name, bytes) = input::document(path)?;
    Plan::parse(&bytes).map_err(|why| {
        CliError::unreadable(format!("{name}: no plan: {why}"), "`assize probe mcp --draft-plan -- COMMAND` writes one")
    })
}

/// Revisions that are asked for, oldest first: those that were named, or all that have the transport.
fn revisions(args: &Mcp) -> Vec<String> {
    let asked = |known: &&str| match args.revision.as_slice() {
        [] => args.url.is_none() || *known >= STREAMABLE,
        named => named.iter().any(|name| name == known),
    };
    REVISIONS.into_iter().filter(asked).map(str::to_owned).collect()
}

#[cfg(feature = "http")]
fn client(args: &Mcp, url: &str) -> Result<Box<dyn Start>, CliError> {
    use assize_probe::http::{Client, Limits as Patience};
    use std::time::Duration;

    if args.revision.iter().any(|revision| revision.as_str() < STREAMABLE) {
        return Err(CliError::usage(
            format!("Streamable HTTP came with {STREAMABLE}"),
            "name no earlier revision, or start the server over its pipes",
        ));
    }
    let limits = Patience {
        first: Duration::from_millis(args.timeout.saturating_mul(3)),
        later: Duration::from_millis(args.timeout),
        longest: Limits::default().line,
    };
    let client = Client::new(url, limits, &interrupt::STOP)
        .map_err(|why| CliError::usage(why, "start the server here, and name its port: http://127.0.0.1:PORT/mcp"))?;
    Ok(Box::new(client))
}

#[cfg(not(feature = "http"))]
fn client(_: &Mcp, url: &str) -> Result<Box<dyn Start>, CliError> {
    Err(CliError::usage(
        format!("{url} is not asked: this command was built without the feature http"),
        "build it with the feature: cargo install assize --features http",
    ))
}

fn launcher(args: &Mcp) -> Launcher {
    let limits = Limits { case_ms: args.timeout, start_ms: args.timeout.saturating_mul(3), ..Limits::default() };
    let (seal, subject) = (args.sealing.seal(&[], []), args.sealing.named.subject(&[], Vec::new()));
    let mut launch = certify::launch(&args.command, seal, subject, &limits);
    launch.environment.extend(args.env.iter().cloned());
    Launcher { launch, limits, stop: &interrupt::STOP }
}

fn exit(report: &Report) -> Exit {
    match report.verdict {
        Verdict::Conforms => Exit::Conforms,
        Verdict::Violates => Exit::Violates,
        Verdict::Incomplete => Exit::NoAnswer,
        Verdict::Unusable => Exit::Testee,
    }
}

/// The report for machines, with what was started.
fn whole(args: &Mcp, report: &Report, exit: Exit) -> Result<Value, CliError> {
    let mut whole = serde_json::to_value(report).map_err(CliError::bug)?;
    if let Some(members) = whole.as_object_mut() {
        match &args.url {
            Some(url) => members.insert("url".to_owned(), json!(url)),
            None => {
                let command: Vec<_> = args.command.iter().map(|word| word.to_string_lossy()).collect();
                members.insert("command".to_owned(), json!(command))
            }
        };
        members.insert("exit_code".to_owned(), exit.code().into());
    }
    Ok(whole)
}
