//! `assize minimise`: from a disagreement to a vector that waits for its expectation.

mod tree;

use std::{
    ffi::OsString,
    fmt::Write as _,
    path::{Path, PathBuf},
    time::Duration,
};

use assize::{
    exit::Exit,
    minimise::{
        self, Bounds, Ending, MinimiseError, Minimised, Outcome, Step,
        input::{Ask, InputError, Start},
        skeleton::{self, Skeleton},
    },
    protocol::{self, Limits},
    testee::{Child, Response, Setup},
};
use assize_corpus::{
    lint,
    store::Store,
    testee::Answer,
    vector::{Corpus, DeclaredLaw, law_of},
};
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::{
    Format, certify,
    error::CliError,
    input,
    interrupt::{self, STOP},
    output,
    sealing::Sealing,
};

const EXAMPLES: &str = "\
Examples:
  assize minimise vectors/canon/sovereign/array-one.json -- python3 shim.py
  assize minimise find.json -- ./mine                              a decoded find of the fuzzers
  assize minimise find.json --op authority.run -- ./mine           the run of a `ledger` find, not its chain
  assize minimise find.json --part before -- ./mine                the pack of an `episode_verify` find as it was
  assize minimise pair/ --arg mode=reference -- ./mine             bundle_a.json, bundle_b.json, turn files
  assize minimise runs/7 -- ./mine                                 a proof pack
  assize minimise ledger.jsonl --op authority.replay -- ./mine
  assize minimise doc.json --op canon.bytes --arg profile=rfc8785 -- ./mine

The input is made smaller while the built-in verifier and the program disagree in the same way: both do the same as
at first, the first field at which they part stays, and no other one comes. Who is right is not said: the vector that
is written has an empty expectation, and no corpus loads it before a person has argued one. Ctrl-C ends the search,
and what was found so far is written; where the file cannot be written then, the vector goes to standard output.

A find lists under `asks` what it can ask, the usual question first: a ledger authority.chain (or with --op authority.run
or authority.replay), a pack as it is after its change (or --part before), a text canon.bytes in one form (another with
--arg profile=). Finds of certificate and protocol_frames judge Assize itself and ask no program anything.
A folder without --op has to hold a pair or pack_manifest.json or episode_contract.json.

Exit codes:
  0   both give the same answer: there is nothing to minimise, and nothing is written
  1   they disagree; the vector is written
  3   the input cannot be read or put, or the file is there already
  4   the program cannot be used, does not declare the question, or answers it differently each time
  64  wrong usage";

/// Shrink an input over which the verifier and a program disagree, and write it as a vector to be argued.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A vector, a find of the fuzzers, a document, or the folder of a pair or of a pack.
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// The operation, where the shape of the input does not tell it.
    #[arg(long, value_name = "OP")]
    op: Option<String>,
    /// An argument of the operation. Repeatable.
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = argument)]
    args: Vec<(String, Value)>,
    /// Which part of a find of the fuzzers: after or before, told or retold.
    #[arg(long, value_name = "PART")]
    part: Option<String>,
    /// The id of the vector, system/law/name, with a law of the corpus; without it, one is made of the law that the answers name and of the input's name.
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Where the vector is written; without it NAME.min.json in this folder.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace that file if it is there.
    #[arg(long)]
    force: bool,
    /// The most questions to the program.
    #[arg(long, value_name = "N", default_value_t = 5000)]
    max_questions: usize,
    /// The most seconds.
    #[arg(long, value_name = "S", default_value_t = 300)]
    time: u64,
    /// Milliseconds for one answer.
    #[arg(long, value_name = "MS", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    timeout: u64,
    /// How the result is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    sealing: Sealing,
    /// The program to compare with, and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// A value is JSON where it can be, and a string elsewhere.
pub(super) fn argument(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), serde_json::from_str(value).unwrap_or_else(|_| value.into())))
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let ask = Ask { op: args.op.clone(), args: args.args.iter().cloned().collect(), part: args.part.clone() };
    let start = start(&args.input, &ask)?;
    for (name, given) in &args.args {
        if let (Some(given), Some(asked)) = (given.as_str(), start.case.args.get(name).and_then(Value::as_str))
            && given != asked
        {
            output::note(&format!("{name} {given} is called {asked} now"));
        }
    }
    let stem = args.input.file_stem().map_or_else(|| "find".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}.min.json")));
    // Before anything is asked: the search may take minutes.
    if !args.force && out.symlink_metadata().is_ok() {
        let message = format!("{}: is there already, and is not overwritten", out.display());
        return Err(CliError::unreadable(message, "name another file with --out, or replace it with --force"));
    }
    output::writable(&out)?;
    let corpus = Corpus::load(&Store::embedded());
    args.id.as_deref().map_or(Ok(()), |id| may_have(id, "--id ", &corpus))?;
    let child = Child::new(setup(args)).map_err(|error| CliError::bug(format!("no run can begin: {error}")))?;
    interrupt::heed("search", || {});
    // Drawn only on a terminal.
    let line = ProgressBar::new_spinner();
    let bounds = Bounds { questions: args.max_questions, time: Duration::from_secs(args.time) };
    let size = |step: Step| {
        let (questions, bytes) = (output::counted(step.questions, "question", "questions"), step.size);
        format!("{questions}, {}", output::counted(bytes, "byte", "bytes"))
    };
    let watch = |step: Step| line.set_message(size(step));
    let outcome = minimise::minimise(&start.case, &child, &STOP, bounds, &watch);
    line.finish_and_clear();
    match outcome.map_err(cli_error)? {
        Outcome::Agree(answer) => {
            match args.format {
                Format::Json => output::json(&json!({"agree": true, "verifier": shown(&answer), "exit_code": 0}))?,
                Format::Human => output::say("agree: both give the same answer; nothing is written\n")?,
            }
            Ok(Exit::Conforms)
        }
        Outcome::Disagree(found) => {
            let vector = start.vector.as_deref();
            let law = match &args.id {
                Some(id) => law_of(id).to_owned(),
                None => skeleton::law(&found.signature, &found.case, vector, &corpus),
            };
            let id = args.id.clone().unwrap_or_else(|| skeleton::id(&law, &stem, &corpus));
            let twin = skeleton::twin(&law, &found.case, vector.map(|_| &start.case), &corpus);
            let text = Skeleton::new(id.clone(), twin, &found.case).text().map_err(CliError::bug)?;
            let write = if args.force { output::atomically } else { output::atomically_new };
            if let Err(error) = write(&out, text.as_bytes()) {
                // This may be the result of minutes of work: it is not lost if the file cannot be written.
                output::out(text.as_bytes())?;
                return Err(error);
            }
            match args.format {
                Format::Json => output::json(&machine(&found, &id, &out))?,
                Format::Human => output::say(&human(&found, &id, &out))?,
            }
            Ok(Exit::Violates)
        }
    }
}

/// Refuses an id that no new vector can have; `named` says how it was given.
pub(super) fn may_have(id: &str, named: &str, corpus: &Corpus) -> Result<(), CliError> {
    let refused = |what: &str, help: &str| Err(CliError::usage(format!("{named}{id}: {what}"), help));
    if !lint::is_lawful_id(id) {
        return refused("is not an id", lint::ID_FORM);
    }
    if !corpus.laws.get(law_of(id)).is_some_and(DeclaredLaw::is_judged) {
        return refused("names no law that has vectors", "`assize laws` lists the laws");
    }
    if !skeleton::is_free(id, corpus) {
        return refused("a case has or had this id", "ids are never used again: name another");
    }
    Ok(())
}

fn setup(args: &Args) -> Setup {
    // Every question may end a process: what is to be minimised may be a crash.
    let limits = Limits { case_ms: args.timeout, ends: usize::MAX, ..Limits::default() };
    certify::setup(&args.command, &args.sealing, limits, "r-minimise", &STOP)
}

/// Why something is not a question.
pub(super) fn refused(error: InputError) -> CliError {
    match error {
        InputError::Usage { message, help } => CliError::usage(message, help),
        other => CliError::unreadable(other, "restore the file, or name another"),
    }
}

/// Reads what is named, with the pack of a vector.
fn start(path: &Path, ask: &Ask) -> Result<Start, CliError> {
    if path.is_dir() {
        return Start::folder(tree::read(path)?, ask).map_err(refused);
    }
    let name = path.display().to_string();
    let mut start = Start::file(&name, input::read(path)?, ask).map_err(refused)?;
    // No path that a file names is followed: a pack lies next to its vector, under its name.
    if let Some(pack) = start.case.pack(&name).map_err(|error| refused(error.into()))? {
        let folder = path.with_file_name(pack);
        // A link would lead elsewhere.
        if !folder.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            let message = format!("{}: is not a folder, and the vector's files lie there", folder.display());
            return Err(CliError::unreadable(message, "copy the pack with its vector"));
        }
        start.case.files = tree::read(&folder)?;
        if start.case.files.is_empty() {
            let message = format!("{}: is empty, and the vector's files lie there", folder.display());
            return Err(CliError::unreadable(message, "copy the pack with its vector"));
        }
        start.case.root = None;
    }
    Ok(start)
}

fn cli_error(error: MinimiseError) -> CliError {
    match error {
        MinimiseError::Unusable(why) if why.short => CliError::unreadable(why, "nothing was asked or written"),
        MinimiseError::Unusable(why) => {
            let said = why.stderr.trim();
            let said = if said.is_empty() { String::new() } else { format!("; it wrote: {}", output::start(said)) };
            CliError::testee(format!("{why}{said}"), "`assize doctor -- COMMAND` examines it")
        }
        error @ MinimiseError::Undeclared(_) => {
            CliError::testee(error, "declare it in the hello, or ask something else")
        }
        error @ MinimiseError::Unstable(_) => {
            CliError::testee(error, "make its answers depend on the question alone; nothing was written")
        }
        error => CliError::unreadable(error, "check the files, and the limits of a line"),
    }
}

fn human(found: &Minimised, id: &str, out: &Path) -> String {
    let mut text = String::new();
    let (bytes, asked) =
        (output::counted(found.after, "byte", "bytes"), output::counted(found.questions, "question", "questions"));
    let _ = writeln!(text, "disagree: {bytes} of {}, after {asked}", found.before);
    match found.ending {
        Ending::Smallest => {}
        Ending::Bounds => {
            text.push_str("  the bounds were reached; it may get smaller with more --max-questions or --time\n")
        }
        Ending::Stopped => {
            text.push_str("  it was broken off, and may get smaller; not asked once more of a process of its own\n")
        }
    }
    for line in found.signature.to_string().lines() {
        let _ = writeln!(text, "  {}", output::clean(line));
    }
    for (who, answer) in [("verifier says", shown(&found.ours)), ("testee says", answered(&found.theirs))] {
        let _ = writeln!(text, "\n{who}\n  {}", output::clean(&output::start(&answer.to_string())));
    }
    let _ = writeln!(text, "\n{id}: {}", out.display());
    text.push_str(
        "  its expectation, specification and rationale are empty: argue them, from neither of the two answers\n",
    );
    text
}

fn machine(found: &Minimised, id: &str, out: &Path) -> Value {
    let places: Vec<Value> = found
        .signature
        .places
        .iter()
        .map(|place| json!({"pointer": place.pointer, "verifier": place.ours, "testee": place.theirs}))
        .collect();
    json!({
        "agree": false,
        "id": id,
        "file": out.display().to_string(),
        "signature": {
            "verifier": found.signature.ours.to_string(),
            "testee": found.signature.theirs.to_string(),
            "places": places,
        },
        "verifier": shown(&found.ours),
        "testee": answered(&found.theirs),
        "bytes": {"before": found.before, "after": found.after},
        "questions": found.questions,
        "ending": found.ending.name(),
        "exit_code": Exit::Violates.code(),
    })
}

fn answered(response: &Response) -> Value {
    let ended = |is: &str, note: &str| json!({"is": is, "message": note});
    match response {
        Response::Answer(answer) => shown(answer),
        Response::Crash(note) => ended("crash", note),
        Response::Timeout(note) => ended("timeout", note),
        Response::Protocol(note) => ended("protocol", note),
        Response::NotRun(note) | Response::Unasked(_, note) => ended("not-run", note),
        Response::Changed => ended("not-run", "altered"),
    }
}

/// An answer as it travels, without what belongs to the conversation.
fn shown(answer: &Answer) -> Value {
    let line = protocol::line("", answer).unwrap_or_default();
    let mut frame: Value = serde_json::from_slice(&line).unwrap_or_default();
    if let Some(members) = frame.as_object_mut() {
        members.retain(|name, _| name != "id" && name != "seen");
    }
    frame
}
