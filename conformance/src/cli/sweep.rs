//! `assize sweep`: many artefacts, each judged as by its verb.

mod kinds;
mod request;
mod table;

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufReader, Seek as _},
    path::{Path, PathBuf},
};

use assize::{
    exit::Exit,
    suggest,
    sweep::{
        Earlier, Ended, Layout, Listing, Manifest, ManifestError, Order, Row, Sought, Store, StoreError, Summary,
        Sweep, SweepError,
    },
};
use assize_archives::Kind as Archive;
use assize_verifier::digest::Digest;
use serde_json::{Value, json};

use super::{
    CliError, Format, input,
    interrupt::{self, STOP},
    output,
    progress::Bar,
};
use kinds::KINDS;
use request::{Kind, Root};
use table::Table;

const EXAMPLES: &str = r#"Examples:
  assize sweep manifest.jsonl --out results
  assize sweep manifest.csv --root /recordings --out results --jobs 8
  assize sweep manifest.jsonl --out today --since yesterday
  assize sweep --folder runs --kind pack --pattern '*/pack' --out results
  assize sweep --folder days --kind pack --pattern '*.tar.zst!/*/pack' --out results
  assize sweep --folder runs --kind pair --pattern '*/a.json' --against b.json --set mode=reference --out results

A manifest is JSON Lines, {"kind":"pair","paths":["a.json","b.json"],"options":{"mode":"law"}}, or by the ending of its
name CSV with the columns kind, path, path2 and options. Options are those of the verb. Paths start at the folder of the
manifest, or at --root, and never leave it. A line that cannot be understood, an artefact that cannot be read, and a panic
are rows like any other.

Behind the name of an archive (.tar, .tar.gz, .tgz, .tar.zst, .tzst, .zip) and !/ a path leads into it, as in
day.tar.zst!/runs/1/pack; nothing is unpacked to a disk. The paths of a line lead into one archive at most. A folder that is
called like that is written with another !, as in day.tar!!/pack. What stands before !/ in a pattern names archives of the
folder, and --folder may name one itself.

OUT/results.jsonl has a row for each line, in the order of the manifest once all are there: verdict and exit code of the
verb, the first finding, findings by law, digests of what was read, milliseconds. A sweep that was broken off, killed or
ended by Ctrl-C goes on where it was when it is started again, and judges nothing twice; what has changed in the meantime
in an artefact whose row is there is not looked at: --restart begins anew. --since does the same with the rows of another
folder, for lines that are the same letter for letter, under the same root, judged by the same version; `assize drift` tells
what two sweeps have judged otherwise.

Each artefact is judged by one thread. Memory is what the largest artefacts take, one for each of --jobs, and 16 bytes a
row, and some 40 for each row of an earlier sweep; nothing else of an artefact is held once its row is written. An archive
is read for up to 65,536 lines at a time, with 512 MiB for artefacts of which not all has come; an artefact in one has at
most as many bytes, in 100,000 files and folders.

Exit codes:
  0   every artefact is lawful, equivalent, a match
  1   one is unlawful, divergent, broken
  2   one is no whole: integrity failure
  3   one has no answer, the sweep was broken off, OUT belongs to another sweep, or there is nothing to judge
  64  wrong usage
  70  one made assize break off: a bug
Of all rows the largest counts, as of several packs."#;

/// Judge many artefacts, each as its own verb does, and write a row of results for each.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub(crate) struct Args {
    /// The artefacts, one a line; - is standard input.
    #[arg(value_name = "MANIFEST", required_unless_present = "folder", conflicts_with = "folder")]
    manifest: Option<PathBuf>,
    /// Judge what is in this folder or archive instead. No link is followed, and the folders of results are passed over.
    #[arg(long, value_name = "DIR", requires_all = ["kind", "pattern"])]
    folder: Option<PathBuf>,
    /// What the artefacts of the folder are.
    #[arg(long, value_name = "KIND", requires = "folder")]
    kind: Option<String>,
    /// Their paths below the folder: * stands for any letters, slashes too, ? for one; what stands before !/ names archives.
    #[arg(long, value_name = "GLOB", requires = "folder")]
    pattern: Option<String>,
    /// Where the other bundle of a pair is, seen from the folder of the one.
    #[arg(long, value_name = "PATH", requires = "folder")]
    against: Option<String>,
    /// An option of the verb for every artefact of the folder, as mode=reference. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", requires = "folder", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Where the paths of the manifest start, in place of its folder.
    #[arg(long, value_name = "DIR", conflicts_with = "folder")]
    root: Option<PathBuf>,
    /// Where results are kept; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Artefacts at a time; 0 takes as many as there are processors.
    #[arg(long, short, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    jobs: u16,
    /// Write the rows to this file too, as Parquet, when all are there; of a command that was built with the feature parquet.
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,
    /// Take over the rows that an earlier sweep wrote in this folder for the same lines, and judge the others.
    #[arg(long, value_name = "DIR")]
    since: Option<PathBuf>,
    /// Forget the rows that are there, also those of another manifest.
    #[arg(long)]
    restart: bool,
    /// How the summary is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// No progress.
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    table::ready(args)?;
    let (store, source, earlier) = match (&args.folder, &args.manifest) {
        (Some(folder), _) => of_folder(args, folder)?,
        (None, Some(manifest)) => of_manifest(args, manifest)?,
        (None, None) => return Err(CliError::bug("neither a manifest nor a folder")),
    };
    let rows = store.rows(source.rows).map_err(unkept)?;
    if rows.there() > 0 && !args.quiet {
        output::note(&format!("{} of {} rows are there already", rows.there(), source.rows));
    }
    interrupt::heed("sweep", || {});
    let bar = if args.quiet { Bar::over(0, "") } else { Bar::paced(source.rows, "artefacts") };
    let root = Root::new(&source.root, &args.out);
    let sweep = Sweep {
        jobs: if args.jobs == 0 { rayon::current_num_threads() } else { args.jobs.into() },
        stop: &STOP,
        earlier: earlier.as_ref(),
        needs: |asked: &_| kinds::needs(asked, &root),
        judge: |asked: &_, read: Option<(&_, &_)>| kinds::judge(asked, &root, read),
        step: &|| bar.step(),
    };
    let mut manifest = source.open()?;
    let ended = sweep.run(&mut manifest, rows);
    bar.finish();
    let ended = ended.map_err(|error| {
        let help = match &error {
            SweepError::Manifest(_) => "check that it can be read to its end",
            SweepError::Results(_) => "make room there; the same command goes on where it was",
            SweepError::Earlier(_) => "leave the earlier sweep alone while this one is made",
        };
        CliError::unreadable(error, help)
    })?;
    let (rows, judged) = match ended {
        Ended::Whole { rows, judged } => (rows, judged),
        Ended::Stopped(there) => {
            let message = format!("the sweep was broken off: {there} of {} rows are there", source.rows);
            return Err(CliError::unreadable(message, "the same command goes on where it was"));
        }
    };
    if manifest.digest() != source.digest {
        let message = format!("{}: has changed while it was swept", source.name);
        return Err(CliError::unreadable(message, "leave it alone, and begin anew with --restart"));
    }
    let mut summary = Summary::new(judged, KINDS.iter().map(|kind| kind.name));
    let mut table = Table::new(args)?;
    let show = |row: &Row| {
        summary.add(row);
        table.add(row);
    };
    store.finish(rows, show).map_err(unkept)?;
    table.finish()?;
    deliver(args, &summary, &store.results())?;
    Exit::of(summary.exit_code).ok_or_else(|| CliError::bug("a row has no exit code of a verb"))
}

/// A manifest, read once to its end.
struct Source {
    name: String,
    file: File,
    layout: Layout,
    root: PathBuf,
    rows: u64,
    digest: Digest,
}

impl Source {
    fn new(name: String, file: File, layout: Layout, root: PathBuf) -> Result<Self, CliError> {
        let mut source = Self { name, file, layout, root, rows: 0, digest: Digest::of(b"") };
        let mut manifest = source.open()?;
        source.rows = manifest.to_end().map_err(|error| source.unreadable(&error.into()))?;
        source.digest = manifest.digest();
        Ok(source)
    }

    /// From its beginning.
    fn open(&self) -> Result<Manifest<BufReader<File>>, CliError> {
        let again = || {
            let mut file = self.file.try_clone()?;
            file.rewind()?;
            Manifest::new(BufReader::new(file), self.layout)
        };
        again().map_err(|error| self.unreadable(&error))
    }

    fn unreadable(&self, error: &ManifestError) -> CliError {
        let help = match error {
            ManifestError::Header(_) => "name the columns on the first line: kind, path, path2 for pairs, and options",
            ManifestError::Io(_) => "check that it can be read to its end",
        };
        CliError::unreadable(format!("{}: {error}", self.name), help)
    }
}

/// Where results are kept, what is judged, and what is taken over.
type Opened = (Store, Source, Option<Earlier>);

/// The earlier sweep, looked for before anything is written.
fn earlier(args: &Args, order: &Order) -> Result<Option<Earlier>, CliError> {
    args.since.as_deref().map(|folder| Earlier::open(folder, order)).transpose().map_err(untaken)
}

fn of_manifest(args: &Args, path: &Path) -> Result<Opened, CliError> {
    let csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let layout = if csv { Layout::Csv } else { Layout::Lines };
    let (name, file) = match table::is(path) {
        true => (path.display().to_string(), table::lines(path)?),
        false => input::rewindable(path)?,
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let root = args.root.as_deref().unwrap_or(folder);
    listable(root)?;
    let source = Source::new(name, file, layout, root.to_path_buf())?;
    let order = Order::new(root, Some(source.digest), None).since(args.since.as_deref());
    let earlier = earlier(args, &order)?;
    let store = Store::open(&args.out, &order, args.restart).map_err(unkept)?;
    Ok((store, source, earlier))
}

/// What is in the folder is written down as a manifest first: what comes or goes later is not of this sweep.
fn of_folder(args: &Args, folder: &Path) -> Result<Opened, CliError> {
    let mut sought = sought(args)?;
    let archive = archive(folder);
    let folder = archive.as_ref().map_or(folder, |(above, _)| above.as_path());
    if let Some((_, name)) = &archive {
        sought.pattern = format!("{name}!/{}", sought.pattern);
    }
    listable(folder)?;
    let order = Order::new(folder, None, Some(sought.clone())).since(args.since.as_deref());
    let earlier = earlier(args, &order)?;
    let store = Store::open(&args.out, &order, args.restart).map_err(unkept)?;
    let spared: Vec<&Path> =
        [Some(&args.out), args.since.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
    let written = store.manifest(|file| match &archive {
        Some((_, name)) => Listing::of_archive(folder, name, &sought).write(file),
        None => Listing::new(folder, &sought, &spared)?.write(file),
    });
    let (name, file) = input::rewindable(&written.map_err(unkept)?)?;
    let source = Source::new(name, file, Layout::Lines, folder.to_path_buf())?;
    Ok((store, source, earlier))
}

/// The folder and the name of an archive that takes the place of a folder.
fn archive(path: &Path) -> Option<(PathBuf, String)> {
    let name = path.file_name()?.to_str().filter(|name| Archive::of(name).is_some() && path.is_file())?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((folder.to_path_buf(), name.to_owned()))
}

fn sought(args: &Args) -> Result<Sought, CliError> {
    let name = args.kind.as_deref().unwrap_or_default();
    let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
        let near = suggest::matches(name, KINDS.iter().map(|kind| kind.name), 3);
        return Err(CliError::unknown("kind of artefact", name, &near, "assize sweep --help"));
    };
    if (kind.paths == 2) != args.against.is_some() {
        let message = "--against names the other bundle of a pair, and nothing else has one";
        return Err(CliError::usage(message, "as in --kind pair --pattern '*/a.json' --against b.json"));
    }
    let mut options: BTreeMap<String, Value> = BTreeMap::new();
    for (name, value) in &args.set {
        let values = options.entry(name.clone()).or_insert_with(|| json!([]));
        values.as_array_mut().into_iter().for_each(|values| values.push(json!(value)));
    }
    Ok(Sought {
        kind: kind.name.to_owned(),
        pattern: args.pattern.clone().unwrap_or_default(),
        against: args.against.clone(),
        options,
        folders: kind.folder,
    })
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn listable(folder: &Path) -> Result<(), CliError> {
    fs::read_dir(folder).map(drop).map_err(|error| {
        let message = format!("{}: cannot be opened as a folder: {error}", folder.display());
        CliError::unreadable(message, "name the folder in which the artefacts are")
    })
}

/// An earlier sweep whose rows cannot be taken over.
fn untaken(error: StoreError) -> CliError {
    let help = match &error {
        StoreError::Io { .. } | StoreError::Busy(_) => "check that its results can be read",
        StoreError::Other { .. } => "leave --since out: all is judged, and `assize drift` tells what has changed",
        StoreError::Foreign(_) | StoreError::Nothing(_) => "name the folder that an earlier sweep was given with --out",
    };
    CliError::unreadable(error, help)
}

fn unkept(error: StoreError) -> CliError {
    let help = match &error {
        StoreError::Io { .. } => "check that --out is a folder that may be written to, and the space there",
        StoreError::Busy(_) => "wait for it, or name another folder with --out",
        StoreError::Other { .. } => "name another folder with --out, or forget what is there with --restart",
        StoreError::Foreign(_) | StoreError::Nothing(_) => "move it away, or name another folder with --out",
    };
    CliError::unreadable(error, help)
}

fn deliver(args: &Args, summary: &Summary, results: &Path) -> Result<(), CliError> {
    let results = results.display().to_string();
    if args.format == Format::Json {
        let mut document = serde_json::to_value(summary).map_err(CliError::bug)?;
        if let Some(members) = document.as_object_mut() {
            members.insert("results".to_owned(), results.into());
        }
        return output::json(&document);
    }
    let mut text = String::new();
    let kinds = summary.kinds.iter().flat_map(|(kind, verdicts)| {
        verdicts.iter().map(move |(verdict, rows)| [kind.clone(), verdict.clone(), rows.to_string()])
    });
    let nameless = [["-".to_owned(), "unreadable".to_owned(), summary.without_kind.to_string()]];
    let nameless = nameless.into_iter().filter(|_| summary.without_kind > 0);
    text.push_str(&output::table(["kind", "verdict", "rows"], kinds.chain(nameless)));
    if !summary.laws.is_empty() {
        let laws = summary.laws.iter();
        let laws = laws.map(|(law, of)| [law.clone(), of.artefacts.to_string(), of.findings.to_string()]);
        text.push_str(&format!("\n{}", output::table(["law", "artefacts", "findings"], laws)));
    }
    let (rows, exit) = (output::counted(summary.rows, "artefact", "artefacts"), summary.exit_code);
    let rows = match summary.earlier {
        0 => rows,
        earlier => format!("{rows}, {earlier} of them as judged by an earlier sweep"),
    };
    text.push_str(&format!("\n{rows}; exit code {exit}; a row for each in {}\n", output::clean(&results)));
    output::say(&text)
}

fn long_help() -> String {
    let row = |kind: &Kind| {
        let options: Vec<_> = kind.options.iter().map(|(name, _)| *name).collect();
        format!("  {:<10}{:<17}{}\n", kind.name, kind.verb, options.join(", "))
    };
    let rows: String = KINDS.iter().map(row).collect();
    format!("{EXAMPLES}\n\nKinds, each with the verb that judges it and the options that a line may give:\n{rows}")
}
