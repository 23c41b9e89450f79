//! `assize bench`: a table of implementations, each installed, examined, asked and kept.

mod disagree;
mod shown;

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use assize::{
    bench::{
        self, Again, CONTRACT, Contents, Ended, Entry, Implementation, Kept, KeptError, Scratch, State, Stop, Table,
    },
    exit::Exit,
    suite::{self, SuiteInfo},
};
use assize_corpus::store::Store;
use assize_verifier::digest::Digest;
use clap::builder::NonEmptyStringValueParser;
use indicatif::ProgressBar;
use jiff::{Timestamp, Unit};
use serde_json::{Value, json};

use super::{
    Format,
    error::CliError,
    input,
    interrupt::{self, STOP},
    output,
};
use shown::{outcome, row, text};

const EXAMPLES: &str = "\
Examples:
  assize bench conformance/shims/bench.toml                      every implementation of the table
  assize bench conformance/shims/bench.toml --only canonicalize  those with this in their name
  assize bench conformance/shims/bench.toml --update rfc8785     asked again, though its answer is kept
  assize bench conformance/shims/bench.toml --disagree 500       what divides them, as candidates for vectors
  assize bench bench.toml --only jcs@0.2.1 --case canon/rfc8785/negative-zero
                                                                 one case, with all that it shows; nothing is kept

Each implementation is installed in a folder of its own by its ecosystem's client, as the table says; its shim is
examined as by `assize doctor`; then it is asked as by `assize certify`, sealed, and what came of it is kept in a file.
What is kept already is not asked again, unless its entry, its shim, the corpus or the version of assize has changed
since: a bench that was broken off goes on where it was. Two builds of one version count as the same: name another
--out where the judging itself was changed. `assize gallery` makes pages of what is kept.

Exit codes:
  0  every implementation that was chosen has been judged, whatever its grade
  1  with --case: a case fails
  3  one could not be installed or judged, and is named with the reason; or the bench was broken off;
     with --case: what was asked is too little for a grade, as one case that passes is
  64 the command line is wrong";

/// Seconds that one command may take where nothing else is said.
const PATIENCE: u64 = 1800;

/// Put a table of implementations on the bench: each is installed, examined, asked and kept.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The table of implementations, as TOML.
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// Only the implementation called NAME@VERSION, or those with this in it. Repeatable.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    only: Vec<String>,
    /// Ask the one called NAME@VERSION again, or those with this in it, though an answer is kept. Repeatable.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    update: Vec<String>,
    /// Where answers are kept, one file each.
    #[arg(long, value_name = "DIR", default_value = "target/bench/kept")]
    out: PathBuf,
    /// Where implementations are installed.
    #[arg(long, value_name = "DIR", default_value = "target/bench/scratch")]
    scratch: PathBuf,
    /// Read the vectors below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Show one case of what was chosen, and keep nothing. Repeatable; patterns have * and ?.
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new(), requires = "only")]
    case: Vec<String>,
    /// Put so many generated questions a law to all chosen at once, and write what divides them as candidates for vectors.
    #[arg(long, value_name = "N", conflicts_with_all = ["case", "update"], value_parser = clap::value_parser!(u16).range(1..=10_000))]
    disagree: Option<u16>,
    /// What the generated questions are made from; without it a random number, which is shown.
    #[arg(long, value_name = "TEXT", requires = "disagree")]
    seed: Option<String>,
    /// Implementations at a time. More than one may make a slow one miss its limit of time.
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    jobs: u8,
    /// Seconds that one command of a client, or one run, may take.
    #[arg(long, value_name = "S", default_value_t = PATIENCE, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// Milliseconds without progress before the process of a shim is ended.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    timeout: Option<u64>,
    /// How the result is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let (name, bytes) = input::document(&args.table)?;
    let parent = args.table.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    let table = Table::parse(&name, &bytes, folder)?;
    let bench = Bench::new(args, folder, &table)?;
    let chosen: Vec<&Entry> =
        table.entries.iter().filter(|entry| args.only.is_empty() || takes(&args.only, entry, &table)).collect();
    if chosen.is_empty() {
        let names: Vec<String> = table.entries.iter().map(|entry| entry.implementation.label()).collect();
        let message = format!("{name}: no implementation has {} in its name", args.only.join(" or "));
        return Err(CliError::usage(message, format!("it has: {}", names.join(", "))));
    }
    interrupt::heed("bench", bench::end_all);
    match args.disagree {
        Some(each) => bench.disagree(&chosen, each.into()),
        None if args.case.is_empty() => bench.all(&chosen),
        None => bench.cases(&chosen),
    }
}

/// Whether one of these is the name of an implementation, or stands in it where it is nobody's whole name.
fn takes(parts: &[String], entry: &Entry, table: &Table) -> bool {
    let label = entry.implementation.label();
    let whole = |part: &String| table.entries.iter().any(|other| other.implementation.label() == *part);
    parts.iter().any(|part| if whole(part) { label == *part } else { label.contains(part.as_str()) })
}

/// What all implementations of a bench share.
struct Bench<'a> {
    args: &'a Args,
    table: &'a Table,
    folder: PathBuf,
    scratch: PathBuf,
    out: PathBuf,
    corpus: Option<PathBuf>,
    /// This program, which is asked to examine and to certify: what a testee does to its harness stays in that process.
    program: OsString,
    /// The files that cases and contracts come from, and what they are; who asks loads them.
    store: Store,
    suite: SuiteInfo,
    /// Held by who installs.
    installing: Mutex<()>,
}

impl<'a> Bench<'a> {
    fn new(args: &'a Args, folder: &Path, table: &'a Table) -> Result<Self, CliError> {
        let absolute = |path: &Path| {
            std::path::absolute(path).map_err(|error| {
                CliError::unreadable(format!("{}: {error}", path.display()), "name a folder that there is")
            })
        };
        let store = input::corpus(args.corpus.as_deref())?;
        let suite = suite::info(&store).map_err(|error| CliError::unreadable(error, "restore the corpus"))?;
        let program = env::current_exe().map_err(|error| CliError::bug(format!("where assize is: {error}")))?;
        let bench = Self {
            args,
            table,
            folder: absolute(folder)?,
            scratch: absolute(&args.scratch)?,
            out: absolute(&args.out)?,
            corpus: args.corpus.as_deref().map(absolute).transpose()?,
            program: program.into(),
            store,
            suite,
            installing: Mutex::new(()),
        };
        for folder in [&bench.scratch, &bench.out] {
            fs::create_dir_all(folder).map_err(|error| {
                let message = format!("{}: cannot be made: {error}", folder.display());
                CliError::unreadable(message, "name another folder with --out or --scratch")
            })?;
        }
        Ok(bench)
    }

    fn stop(&self) -> Stop<'static> {
        Stop { asked: &STOP, patience: Duration::from_secs(self.args.patience) }
    }

    /// Every chosen implementation, some at a time; each is kept as soon as it has been judged.
    fn all(&self, chosen: &[&Entry]) -> Result<Exit, CliError> {
        // Drawn only on a terminal.
        let line = ProgressBar::new_spinner();
        let next = AtomicUsize::new(0);
        let done: Mutex<BTreeMap<usize, Result<Kept, CliError>>> = Mutex::default();
        let running: Mutex<BTreeMap<usize, String>> = Mutex::default();
        let lock = |running: &Mutex<BTreeMap<usize, String>>, change: &dyn Fn(&mut BTreeMap<usize, String>)| {
            let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut running);
            let all: Vec<&str> = running.values().map(String::as_str).collect();
            line.set_message(all.join(", "));
            line.tick();
        };
        let work = || {
            while !STOP.load(Ordering::Relaxed) {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(entry) = chosen.get(place) else { return };
                let label = entry.implementation.label();
                lock(&running, &|running| drop(running.insert(place, label.clone())));
                let kept = self.one(entry);
                lock(&running, &|running| drop(running.remove(&place)));
                match kept {
                    Ok(None) => return,
                    Ok(Some((kept, news))) => {
                        if news {
                            line.suspend(|| output::note(&format!("{label}: {}", outcome(&kept))));
                        }
                        done.lock().unwrap_or_else(PoisonError::into_inner).insert(place, Ok(kept));
                    }
                    Err(error) => {
                        // Nothing more can be kept: the others are not asked for nothing.
                        STOP.store(true, Ordering::Relaxed);
                        done.lock().unwrap_or_else(PoisonError::into_inner).insert(place, Err(error));
                        return;
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.args.jobs {
                // Where the system gives no thread for it, fewer do the work.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        line.finish_and_clear();
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let kept: Vec<Kept> = done.into_values().collect::<Result<_, _>>()?;
        self.show(&kept, chosen.len())
    }

    fn show(&self, kept: &[Kept], chosen: usize) -> Result<Exit, CliError> {
        match self.args.format {
            Format::Json => {
                output::json(&json!({ "chosen": chosen, "kept": kept.iter().map(row).collect::<Vec<_>>() }))?
            }
            Format::Human => output::say(&text(kept, chosen, &self.args.out))?,
        }
        let whole = kept.len() == chosen && kept.iter().all(|kept| kept.state == State::Judged);
        Ok(if whole { Exit::Conforms } else { Exit::NoAnswer })
    }

    /// What came of one implementation, kept, and whether that is new; nothing where the bench is to end.
    fn one(&self, entry: &Entry) -> Result<Option<(Kept, bool)>, CliError> {
        let place = Kept::place(&self.out, &entry.implementation);
        let key = self.key(entry)?;
        if !takes(&self.args.update, entry, self.table) {
            match Kept::read(&place) {
                // What could not be had is tried again: the network may be there now.
                // Nobody knows what has become of something that is installed by hand.
                Ok(Some(kept)) if kept.key == key && kept.state == State::Judged && entry.path.is_none() => {
                    return Ok(Some((self.renewed(kept, entry, &place)?, false)));
                }
                Ok(_) => {}
                // A file of another shape is replaced; one that cannot be read could not be either.
                Err(KeptError::Shape { .. }) => {}
                Err(error) => return Err(CliError::unreadable(error, "make it readable, or name another --out")),
            }
        }
        let scratch = Scratch::new(entry, &self.folder, &self.scratch);
        let (state, why, installed, report) = match self.ask(&scratch, entry) {
            Ok((installed, report)) => (State::Judged, None, installed, Some(report)),
            Err(Short { ended: Ended::Stopped, .. }) => return Ok(None),
            Err(Short { ended: Ended::Failed(why), installed: None }) => {
                (State::NotInstalled, Some(why), Contents::default(), None)
            }
            Err(Short { ended: Ended::Failed(why), installed: Some(installed) }) => {
                (State::NotJudged, Some(why), installed, None)
            }
        };
        // What is known of it is not lost where this once its client or its shim could not be had.
        if let (false, Ok(Some(before))) = (state == State::Judged, Kept::read(&place))
            && before.key == key
            && before.state == State::Judged
        {
            let label = entry.implementation.label();
            output::note(&format!("{label}: {}; what was kept stays", output::clean(&why.unwrap_or_default())));
            return Ok(Some((self.renewed(before, entry, &place)?, false)));
        }
        let now = Timestamp::now();
        let kept = Kept {
            contract: CONTRACT.to_owned(),
            table: self.table_name(),
            options: self.options(),
            implementation: entry.implementation.clone(),
            asked: entry.filter.clone(),
            key,
            judged: now.round(Unit::Second).unwrap_or(now).to_string(),
            state,
            why: why.map(|why| output::clean(&why).into_owned()),
            installed,
            report,
        };
        output::atomically(&place, &output::pretty(&kept)?)?;
        Ok(Some((kept, true)))
    }

    /// What is kept, with the words that the table has for it by now.
    fn renewed(&self, mut kept: Kept, entry: &Entry, place: &Path) -> Result<Kept, CliError> {
        if kept.reword(&self.table_name(), &entry.implementation) {
            output::atomically(place, &output::pretty(&kept)?)?;
        }
        Ok(kept)
    }

    fn table_name(&self) -> String {
        self.args.table.display().to_string()
    }

    /// The options that a command has to repeat which is to give the same answer.
    fn options(&self) -> Vec<String> {
        let Args { corpus, timeout, patience, .. } = self.args;
        let corpus = corpus.iter().flat_map(|corpus| ["--corpus".to_owned(), corpus.display().to_string()]);
        let timeout = timeout.iter().flat_map(|timeout| ["--timeout".to_owned(), timeout.to_string()]);
        let longer = Some(patience).filter(|patience| **patience != PATIENCE);
        let patience = longer.iter().flat_map(|patience| ["--patience".to_owned(), patience.to_string()]);
        corpus.chain(timeout).chain(patience).collect()
    }

    /// Installs an implementation, examines its shim, and asks it.
    fn ask(&self, scratch: &Scratch<'_>, entry: &Entry) -> Result<(Contents, Value), Short> {
        let before = |ended| Short { ended, installed: None };
        let installed = {
            // What all of a client share, such as a folder of built crates, is one's at a time.
            let _one = self.installing.lock().unwrap_or_else(PoisonError::into_inner);
            scratch.install(self.stop()).map_err(before)?
        };
        let after = |ended| Short { ended, installed: Some(installed.clone()) };
        let failed = |why: String| after(Ended::Failed(why));
        let command = self.command(scratch).map_err(failed)?;
        let mut doctor = self.verb("doctor", &entry.filter);
        doctor.extend(["--format".into(), "json".into()]);
        let doctor = [&doctor[..], &command.sealed, &["--".into()], &command.argv].concat();
        let (code, said) = scratch.run(&doctor, self.stop()).map_err(after)?;
        if let Some(why) = conduct(code, &scratch.said(), &said) {
            return Err(failed(format!(
                "its shim does not keep the protocol (assize doctor exits with {code}): {why}"
            )));
        }
        let report = scratch.result("report.json").map_err(after)?;
        let mut asked = self.verb("certify", &entry.filter);
        asked.extend(["--report".into(), report.clone().into()]);
        let asked = [&asked[..], &command.sealed, &["--".into()], &command.argv].concat();
        let (code, said) = scratch.run(&asked, self.stop()).map_err(after)?;
        let Some(bytes) = bench::read_whole(&report) else {
            return Err(failed(format!("no report (assize certify exits with {code}): {said}")));
        };
        if !(0..=3).contains(&code) {
            return Err(failed(format!("assize certify exits with {code}: {said}")));
        }
        let value: Value = serde_json::from_slice(&bytes).map_err(|error| failed(format!("its report: {error}")))?;
        if STOP.load(Ordering::Relaxed) {
            return Err(after(Ended::Stopped));
        }
        if value.pointer("/result/complete") != Some(&Value::Bool(true)) {
            return Err(failed(format!("its run is incomplete (assize certify exits with {code}): {said}")));
        }
        let total = |name: &str| value.pointer("/result/totals")?.get(name)?.as_u64();
        if total("pass") == Some(0) && total("fail") > Some(0) {
            return Err(failed("no case passes: suspect its adapter, or ask it something that it does".to_owned()));
        }
        Ok((installed, value))
    }

    /// Shows cases of each chosen implementation, as `certify` does.
    fn cases(&self, chosen: &[&Entry]) -> Result<Exit, CliError> {
        let mut exit = Exit::Conforms;
        for entry in chosen {
            let scratch = Scratch::new(entry, &self.folder, &self.scratch);
            let label = entry.implementation.label();
            let ended = |ended| match ended {
                Ended::Stopped => CliError::unreadable("the bench was broken off", "start it again"),
                Ended::Failed(why) => CliError::unreadable(format!("{label}: {why}"), "see what its client says"),
            };
            scratch.install(self.stop()).map_err(ended)?;
            let command = self.command(&scratch).map_err(|why| ended(Ended::Failed(why)))?;
            let mut asked = self.verb("certify", &self.args.case);
            let text = scratch.result("report.txt").map_err(ended)?;
            asked.extend(["--quick".into(), "--report".into(), text.clone().into()]);
            let asked = [&asked[..], &command.sealed, &["--".into()], &command.argv].concat();
            let (code, said) = scratch.run(&asked, self.stop()).map_err(ended)?;
            let report = bench::read_whole(&text).and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or(said);
            let again = Again { table: &self.table_name(), options: &self.options(), label: &label };
            output::say(&format!("{label}\n{}\n", repeatable(&report, again)))?;
            exit = exit.or(match code {
                0 => Exit::Conforms,
                1 => Exit::Violates,
                _ => Exit::NoAnswer,
            });
        }
        Ok(exit)
    }

    /// A verb of this program over the cases that these filters take.
    fn verb(&self, verb: &str, filters: &[String]) -> Vec<OsString> {
        let timeout = self.args.timeout.iter().flat_map(|timeout| ["--timeout".into(), timeout.to_string().into()]);
        let corpus = self.corpus.iter().flat_map(|corpus| ["--corpus".into(), corpus.into()]);
        let filters = filters.iter().flat_map(|filter| ["--filter".into(), filter.into()]);
        [self.program.clone(), verb.into()].into_iter().chain(timeout).chain(corpus).chain(filters).collect()
    }

    fn command(&self, scratch: &Scratch<'_>) -> Result<Started, String> {
        let readable = scratch.readable()?.into_iter().flat_map(|path| ["--readable".into(), path]);
        Ok(Started { sealed: readable.collect(), argv: scratch.command()? })
    }

    /// Digest of everything that an answer depends on and this repository knows. Of what judges, the data are in it and the version:
    /// another build of one version judges alike, unless somebody works on the judging.
    fn key(&self, entry: &Entry) -> Result<String, CliError> {
        let Entry { implementation, filter, client, adapter, packages, path } = entry;
        let Implementation { name, version, client: ecosystem, language: _, claims: _, link: _, bound: _ } =
            implementation;
        let files = client.files.iter().map(|copied| &copied.from).chain(adapter);
        let digest = |from: &String| {
            let bytes = input::read(&self.folder.join(from))?;
            Ok((from.clone(), Digest::of(&bytes).to_hex()))
        };
        let files: BTreeMap<String, String> = files.map(digest).collect::<Result<_, CliError>>()?;
        let all = json!({
            "name": name, "version": version, "ecosystem": ecosystem, "filter": filter, "client": client, "adapter": adapter,
            "packages": packages, "path": path, "files": files, "suite": self.suite, "timeout": self.args.timeout,
            "assize": env!("CARGO_PKG_VERSION"),
        });
        Ok(Digest::of(all.to_string().as_bytes()).to_hex())
    }
}

/// A report whose commands work where this one was started: those of `certify` need the scratch folder, and are not sealed alike.
fn repeatable(report: &str, again: Again<'_>) -> String {
    const ALONE: &str = "  alone: assize certify --filter ";
    let line = |line: &str| match line.strip_prefix(ALONE).and_then(|rest| rest.split(' ').next()) {
        Some(case) => format!("  alone: {}", again.alone(case)),
        None => line.to_owned(),
    };
    report.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// How a shim is started, and what it may read.
struct Started {
    sealed: Vec<OsString>,
    argv: Vec<OsString>,
}

/// Why an implementation was not judged, and what had been installed.
struct Short {
    ended: Ended,
    installed: Option<Contents>,
}

/// What a diagnosis has against a shim: the rules that it breaks, with what was seen; nothing where it keeps the protocol.
/// The rule `answers` does not count, since a library that answers a small case wrongly breaks it through any shim.
fn conduct(code: i32, diagnosis: &str, end: &str) -> Option<String> {
    if code == 0 {
        return None;
    }
    let text = diagnosis.find('{').and_then(|from| diagnosis.get(from..)).unwrap_or_default();
    let read = serde_json::Deserializer::from_str(text).into_iter::<Value>().next().and_then(Result::ok);
    let checks = read.as_ref().and_then(|read| read.get("checks")?.as_array());
    // No diagnosis at all says nothing of the shim.
    let Some(checks) = checks else { return Some(end.to_owned()) };
    let says = |check: &Value, member: &str| check.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
    let broken = checks.iter().filter(|check| says(check, "state") == "broken" && says(check, "name") != "answers");
    let seen = |check: &Value| {
        let seen = check.pointer("/observed/0").and_then(Value::as_str).unwrap_or_default();
        format!("{}: {seen}", says(check, "name"))
    };
    let broken: Vec<String> = broken.map(seen).collect();
    if broken.is_empty() && code != i32::from(Exit::Violates.code()) {
        return Some("the diagnosis is incomplete".to_owned());
    }
    (!broken.is_empty()).then(|| broken.join("; "))
}
