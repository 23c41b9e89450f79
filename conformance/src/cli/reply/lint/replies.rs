//! `assize reply lint`: a registry of codes, its revisions, what uses it, and the call sites.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
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
    baseline::{self, Known},
    collect::{self, Files},
    locate::{self, Location},
    mend, output,
    row::{Row, Seen},
    sarif,
    sources::{self, Sources},
};

const EXAMPLES: &str = "\
Examples:
  assize reply lint registry.json
  assize reply lint registry.json --history revisions/ --used used.txt
  assize reply lint registry.json --call-sites sites.json --format sarif > replies.sarif
  assize reply lint registry.json --source src             call sites from the sources themselves
  assize reply lint registry.json --source src --fix       what can be mended, as a patch
  assize reply lint registry.json --source src --baseline known.json --renew    an old tree: from now on, new findings
  assize reply lint registry.json --source src --cache .lint-cache    only what has changed is parsed again

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
--source reads *.py, *.ts, *.tsx, *.js and their kin below DIR and follows codes over constants, enumerations and
  imports inside of it; links, hidden folders and node_modules are left out. Without a builder there is no finding.
  A comment on the line, or alone before it, allows one law there: `# assize: allow LAW reason`, in TypeScript with //.
--baseline leaves out what its file knows, which --renew writes.
--cache makes runs after the first faster, and nothing in what they say different. Whoever can write its file can hide findings: a gate
  runs without it.
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
    #[command(flatten)]
    sources: sources::Args,
    /// Findings in sources that are known and do not count.
    #[arg(long, value_name = "FILE", requires = "source")]
    baseline: Option<PathBuf>,
    /// Write all findings in sources to the baseline.
    #[arg(long, requires = "baseline", conflicts_with = "fix")]
    renew: bool,
    /// Show as a patch how codes are spelled and what takes the place of methods that do not exist.
    #[arg(long, requires = "source")]
    fix: bool,
    /// Write what the patch shows.
    #[arg(long, requires = "fix")]
    write: bool,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<Counts>,
    exit_code: u8,
}

/// What was read of sources, and what of it does not count.
#[derive(Clone, Copy, Serialize)]
struct Counts {
    files: usize,
    lines: usize,
    /// Files in which the grammar does not fit somewhere.
    misread: usize,
    uses_builder: bool,
    call_sites: usize,
    allowed: usize,
    known: usize,
    gone: usize,
    mended: usize,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let mut files =
        Files::read(&args.registry, args.history.as_deref(), args.used.as_deref(), args.call_sites.as_deref())?;
    let mut judged = judge(args, &mut files, args.fix)?;
    if args.write
        && let Some(mended) = judged.counts.map(|counts| counts.mended).filter(|mended| *mended > 0)
    {
        // What is left, the mended sources alone can say.
        let patch = judged.patch;
        judged = judge(args, &mut files, false)?;
        judged.patch = patch;
        judged.counts = judged.counts.map(|counts| Counts { mended, ..counts });
    }
    let Judged { findings, advice, patch, counts } = judged;
    let exit = if findings.is_empty() { Exit::Conforms } else { Exit::Violates };
    let name = files.registry.name.as_str();
    match args.format {
        Form::Human => {
            let mut text = patch;
            text.push_str(&human(name, &findings, &advice, output::paint()));
            text.push_str(&counts.map(of_sources).unwrap_or_default());
            output::say(&text)?;
        }
        Form::Sarif => output::json(&sarif::log(&findings, &advice)?)?,
        Form::Json => {
            let laws = self::counts(&findings).into_iter().map(|(law, count)| (law.slug(), count)).collect();
            output::json(&Document {
                registry: name,
                laws,
                findings: &findings,
                advice: &advice,
                sources: counts,
                exit_code: exit.code(),
            })?;
        }
    }
    Ok(exit)
}

/// What was found, and what was done about it.
struct Judged {
    findings: Vec<Row>,
    advice: Vec<Row>,
    /// What mends sources.
    patch: String,
    /// Of sources, where these are read.
    counts: Option<Counts>,
}

/// Reads the sources, if any, and judges everything.
fn judge(args: &Args, files: &mut Files, fix: bool) -> Result<Judged, CliError> {
    let known = args.baseline.as_deref().filter(|_| !args.renew).map(Known::read).transpose()?;
    let sources = args.sources.read()?;
    if let Some(sources) = &sources {
        files.call_sites = Some(sources.file()?);
    }
    let questions = files.questions()?;
    let mut judged = vec![reply::registry(&questions.registry).map_err(|why| files.registry.refused(&why))?];
    if let (Some(source), Some(file)) = (&questions.source, &files.call_sites) {
        judged.push(reply::source(source).map_err(|why| file.refused(&why))?);
    }
    let (findings, advice) = rows(files, &judged)?;
    let Some(sources) = &sources else {
        return Ok(Judged { findings, advice, patch: String::new(), counts: None });
    };
    settle(args, sources, files, known, (findings, advice), fix)
}

/// What is left of findings in sources, and what was done about the others.
fn settle(
    args: &Args,
    sources: &Sources,
    files: &Files,
    known: Option<Known>,
    (findings, advice): (Vec<Row>, Vec<Row>),
    fix: bool,
) -> Result<Judged, CliError> {
    let sorted = sources.sort(findings, advice)?;
    let (mut findings, mut advice) = (sorted.findings, sorted.advice);
    for rows in [&mut findings, &mut advice] {
        in_order(rows);
        // Two ways to one place may break the same law there.
        rows.dedup_by(|a, b| {
            a.seen.is_some()
                && (a.law, &a.file, a.line, a.place(), &a.message) == (b.law, &b.file, b.line, b.place(), &b.message)
        });
    }
    let tree = &sources.tree;
    let mut counts = Counts {
        files: tree.files,
        lines: tree.lines,
        misread: tree.broken.len(),
        uses_builder: tree.uses_builder,
        call_sites: tree.sites.len(),
        allowed: sorted.allowed,
        known: 0,
        gone: 0,
        mended: 0,
    };
    match (&args.baseline, known) {
        (_, Some(known)) => (counts.known, counts.gone) = known.subtract(&mut findings),
        (Some(path), None) => counts.known = baseline::renew(path, &mut findings)?,
        (None, None) => {}
    }
    let mut patch = String::new();
    if fix {
        let mended = mend::mend(sources, &findings, &registered(files)?, args.write)?;
        patch = mended.patch;
        counts.mended = mended.count;
    }
    Ok(Judged { findings, advice, patch, counts: Some(counts) })
}

/// The codes of the newest registry.
fn registered(files: &Files) -> Result<BTreeSet<String>, CliError> {
    let document = files.registry.json()?;
    let active = collect::registry_of(document.root()).get("active");
    let codes = active.into_iter().flat_map(|rows| rows.elements()).filter_map(|row| row.get("code")?.as_string());
    Ok(codes.map(|code| code.to_text_lossy().into_owned()).collect())
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
        let (pointer, message) = (pointer.to_owned(), message.to_owned());
        Row { law, file, line, revision, subject, pointer, message, seen: None }
    };
    let mut findings: Vec<_> = findings().map(|one| row(one.law, one.pointer.as_str(), &one.message)).collect();
    let mut advice: Vec<_> = advice().map(|one| row(one.law, one.pointer.as_str(), &one.message)).collect();
    in_order(&mut findings);
    in_order(&mut advice);
    Ok((findings, advice))
}

fn in_order(rows: &mut [Row]) {
    rows.sort_by(|a, b| {
        (a.law, &a.file, a.line, a.place(), &a.message, &a.pointer).cmp(&(
            b.law,
            &b.file,
            b.line,
            b.place(),
            &b.message,
            &b.pointer,
        ))
    });
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
    let column = row.seen.as_ref().map(|seen| format!(":{}", seen.column)).unwrap_or_default();
    let line = row.line.map(|line| format!(":{line}{column}")).unwrap_or_default();
    let revision = row.revision.as_ref().map(|revision| format!(" (revision {revision})")).unwrap_or_default();
    let subject = if row.subject.is_empty() { String::new() } else { format!(" {}", output::middle(&row.subject)) };
    let text = format!("  {}{line}{revision}{subject}: {}", row.file, row.message);
    let mut text = format!("{}\n", output::clean(&text));
    for shown in row.seen.as_ref().map(Seen::shown).into_iter().flatten() {
        text.push_str(&format!("      {}\n", output::clean(&shown)));
    }
    text
}

/// What was read of sources, in a line.
fn of_sources(counts: Counts) -> String {
    let files = output::counted(counts.files, "file", "files");
    let lines = output::counted(counts.lines, "line", "lines");
    let sites = output::counted(counts.call_sites, "call site", "call sites");
    let mut text = format!("sources: {files}, {lines}, {sites}");
    let parts = [
        (counts.allowed, "allowed"),
        (counts.known, "known"),
        (counts.gone, "known and gone"),
        (counts.mended, "mended by --fix"),
        (counts.misread, "not read everywhere by the grammar"),
    ];
    for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {count} {what}"));
    }
    text.push_str(if counts.uses_builder { "\n" } else { "; no builder is used\n" });
    text
}
