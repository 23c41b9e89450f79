//! `assize reply lint`: a registry of codes, its revisions, what uses it, and the call sites.

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
};

use assize::{exit::Exit, report::Paint};
use assize_verifier::{
    law::Law,
    reply::{self, Judgement},
};
use clap::ValueEnum;
use serde::Serialize;

use super::{
    CliError,
    collect::Files,
    locate::{self, Location},
    output,
    row::Row,
    sarif,
};

const EXAMPLES: &str = "\
Examples:
  assize reply lint registry.json
  assize reply lint registry.json --history revisions/ --used used.txt
  assize reply lint registry.json --call-sites sites.json --format sarif > replies.sarif

REGISTRY is one registry, or a document of them:
  {\"name\", \"active\": [{\"code\", \"message_key\", ...}], \"retired\": [code],
   \"areas\": [{\"area\", \"meaning\", \"document\"}], \"aliases\": {old: new}}
  {\"registries\": [registry, ...], \"earlier\": [revision, ...], \"used\": [code], \"tools\": [name]}
--history is a folder of earlier revisions, *.json in the order of their names (2 before 10), each
  {\"revision\", \"codes\": {code: message_key}, \"retired\": [code]}, or a registry as above.
--used is a JSON array of codes, or {\"used\": array}, or one code a line.
--call-sites is an array, or {\"call_sites\": array}, of what a linter found:
  {\"file\", \"line\", \"receiver\", \"method\", \"code\", \"returned\"}; a receiver of null is a raw
  return, a method of null a reply that is made without the builder.
An option replaces what a document says itself. Earlier revisions are read for reuse alone.

Exit codes:
  0  no findings; advice is none
  1  findings
  3  a file cannot be read, or is of another shape";

/// Lint the codes of replies: registry, revisions, use and call sites.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The registry, or a document of registries; - is standard input.
    #[arg(value_name = "REGISTRY")]
    registry: PathBuf,
    /// Earlier revisions of the registry.
    #[arg(long, value_name = "DIR")]
    history: Option<PathBuf>,
    /// Codes that are used.
    #[arg(long, value_name = "FILE")]
    used: Option<PathBuf>,
    /// Call sites as a linter found them.
    #[arg(long, value_name = "FILE")]
    call_sites: Option<PathBuf>,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = Form::Human)]
    format: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people.
    Human,
    /// For machines; stable.
    Json,
    /// SARIF 2.1.0, which code hosts show in place.
    Sarif,
}

#[derive(Serialize)]
struct Document<'a> {
    registry: &'a str,
    laws: BTreeMap<&'a str, usize>,
    findings: &'a [Row],
    advice: &'a [Row],
    exit_code: u8,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let files = Files::read(&args.registry, args.history.as_deref(), args.used.as_deref(), args.call_sites.as_deref())?;
    let questions = files.questions()?;
    let mut judged = vec![reply::registry(&questions.registry).map_err(|why| files.registry.refused(&why))?];
    if let (Some(source), Some(file)) = (&questions.source, &files.call_sites) {
        judged.push(reply::source(source).map_err(|why| file.refused(&why))?);
    }
    let (findings, advice) = rows(&files, &judged)?;
    let exit = if findings.is_empty() { Exit::Conforms } else { Exit::Violates };
    let name = files.registry.name.as_str();
    match args.format {
        Form::Human => output::say(&human(name, &findings, &advice, output::paint()))?,
        Form::Sarif => output::json(&sarif::log(&findings, &advice)?)?,
        Form::Json => {
            let laws = counts(&findings).into_iter().map(|(law, count)| (law.slug(), count)).collect();
            output::json(&Document {
                registry: name,
                laws,
                findings: &findings,
                advice: &advice,
                exit_code: exit.code(),
            })?;
        }
    }
    Ok(exit)
}

/// Findings and advice in order of law, file and line.
fn rows(files: &Files, judged: &[Judgement]) -> Result<(Vec<Row>, Vec<Row>), CliError> {
    let findings = || judged.iter().flat_map(|found| &found.findings).map(|breach| &breach.finding);
    let advice = || judged.iter().flat_map(|found| &found.advice);
    let places = findings().map(|one| one.pointer.as_str()).chain(advice().map(|one| one.pointer.as_str()));
    let wanted: HashSet<&str> = places.collect();
    let locations = locate::find(files, &wanted)?;
    let row = |law: Law, pointer: &str, message: &str| {
        // What has no place of its own, such as a check that was not made, is about the registry.
        let location = locations.get(pointer).cloned();
        let location =
            location.unwrap_or_else(|| Location { file: files.registry.name.clone(), ..Location::default() });
        let Location { file, line, revision, subject } = location;
        Row { law, file, line, revision, subject, pointer: pointer.to_owned(), message: message.to_owned() }
    };
    let mut findings: Vec<_> = findings().map(|one| row(one.law, one.pointer.as_str(), &one.message)).collect();
    let mut advice: Vec<_> = advice().map(|one| row(one.law, one.pointer.as_str(), &one.message)).collect();
    for rows in [&mut findings, &mut advice] {
        rows.sort_by(|a, b| (a.law, &a.file, a.line, &a.pointer).cmp(&(b.law, &b.file, b.line, &b.pointer)));
    }
    Ok((findings, advice))
}

/// How many findings each law has, in the order of findings.
fn counts(rows: &[Row]) -> BTreeMap<Law, usize> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(row.law).or_default() += 1;
    }
    counts
}

fn human(name: &str, findings: &[Row], advice: &[Row], paint: Paint) -> String {
    let mut text = String::new();
    let counts = counts(findings);
    for (law, count) in &counts {
        text.push_str(&format!("{}  {count}\n", paint.strong(law.slug())));
        for row in findings.iter().filter(|row| row.law == *law) {
            text.push_str(&line(row));
        }
    }
    if !advice.is_empty() {
        text.push_str(&format!("{}  {}\n", paint.strong("advice"), advice.len()));
    }
    for row in advice {
        text.push_str(&line(row));
    }
    let verdict = if findings.is_empty() { paint.good("lawful") } else { paint.bad("unlawful") };
    let found = output::counted(findings.len(), "finding", "findings");
    let laws = output::counted(counts.len(), "law", "laws");
    text.push_str(&format!("{verdict}: {}: {found} by {laws}, {} advised\n", output::clean(name), advice.len()));
    text
}

fn line(row: &Row) -> String {
    let line = row.line.map(|line| format!(":{line}")).unwrap_or_default();
    let revision = row.revision.as_ref().map(|revision| format!(" (revision {revision})")).unwrap_or_default();
    let subject = if row.subject.is_empty() { String::new() } else { format!(" {}", output::middle(&row.subject)) };
    let text = format!("  {}{line}{revision}{subject}: {}", row.file, row.message);
    format!("{}\n", output::clean(&text))
}
