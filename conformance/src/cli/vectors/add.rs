//! `assize vectors add`: a new case, laid out in its place, that waits for its expectation.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use assize::{
    exit::Exit,
    minimise::{
        input::{Ask, Start, document},
        skeleton::Skeleton,
    },
};
use assize_corpus::vector::{Corpus, Document, Entry};
use serde_json::Value;

use super::super::{error::CliError, input, minimise, output};

pub(super) const EXAMPLES: &str = "\
Examples:
  assize vectors add canon/rfc8785/minus-zero --op canon.bytes --arg profile=rfc8785 \\
    --in doc=minus-zero.json --corpus vectors
  assize vectors add sovereign/path-selection/two-links --op sovereign.select_path \\
    --in entry=entry.json --file a.json=turn.json --corpus vectors

The file is written with everything that the command line says. Its expectation, its place in
a specification and its rationale are empty, and no answer of the verifier goes into it:
`assize vectors check` refuses the case until a person has argued them. A rejecting case owes
a twin, the accepted case that differs by the fault alone: --twin names it.

Exit codes:
  0   the file is written
  3   a file cannot be read or written
  64  the id, the operation, an argument or a document is none that a new case can have";

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the case, system/law/name, with a law that has vectors.
    #[arg(value_name = "ID")]
    id: String,
    /// The folder of the vectors; the file goes to the folder of its law there.
    #[arg(long, value_name = "DIR")]
    corpus: PathBuf,
    /// The operation that is asked.
    #[arg(long, value_name = "OP")]
    op: String,
    /// An argument of the operation. Repeatable.
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = minimise::argument)]
    args: Vec<(String, Value)>,
    /// A document of the operation; - is standard input. Repeatable.
    #[arg(long = "in", value_name = "NAME=FILE", value_parser = given)]
    inputs: Vec<(String, PathBuf)>,
    /// A file of the folder that the operation looks at, by its path there. Repeatable.
    #[arg(long = "file", value_name = "PATH=FILE", value_parser = given)]
    files: Vec<(String, PathBuf)>,
    /// The accepted case that differs from this one by its fault alone.
    #[arg(long, value_name = "ID")]
    twin: Option<String>,
}

fn given(text: &str) -> Result<(String, PathBuf), String> {
    let (name, path) =
        text.split_once('=').filter(|(name, path)| !name.is_empty() && !path.is_empty()).ok_or("write NAME=FILE")?;
    Ok((name.to_owned(), path.into()))
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let store = input::corpus(Some(&args.corpus))?;
    let corpus = Corpus::load(&store);
    minimise::may_have(&args.id, "", &corpus)?;
    if let Some(twin) = args.twin.as_ref().filter(|twin| !corpus.cases.contains_key(*twin)) {
        let help = "name an accepted case of this corpus, or leave --twin out and write it later";
        return Err(CliError::usage(format!("--twin {twin}: there is no such case"), help));
    }
    let path = args.corpus.join(format!("{}.json", args.id));
    if path.symlink_metadata().is_ok() {
        let message = format!("{}: is there already, and is not overwritten", path.display());
        return Err(CliError::unreadable(message, "give the case another id"));
    }
    let docs = read(&args.inputs, "--in")?;
    let files =
        read(&args.files, "--file")?.into_iter().map(|(name, document)| (name, Entry::File(document))).collect();
    let ask = Ask { args: args.args.iter().cloned().collect(), ..Ask::default() };
    let case = Start::documents(&args.op, &ask, docs, files).map_err(minimise::refused)?.case;
    let text = Skeleton::new(args.id.clone(), args.twin.clone(), &case).text().map_err(CliError::bug)?;
    if let Some(folder) = path.parent() {
        made(folder)?;
    }
    output::atomically_new(&path, text.as_bytes())?;
    output::out(format!("{}\n", output::clean(&path.display().to_string())).as_bytes())?;
    output::err("  its expectation, specification and rationale are empty: argue them from the text or a ruling\n");
    Ok(Exit::Conforms)
}

/// The first case of a law makes its folder.
fn made(folder: &Path) -> Result<(), CliError> {
    fs::create_dir_all(folder).map_err(|error| {
        let message = format!("{}: cannot be made: {error}", folder.display());
        CliError::unreadable(message, "check that the corpus may be written to")
    })
}

/// Documents by name, each given once.
fn read(given: &[(String, PathBuf)], option: &str) -> Result<BTreeMap<String, Document>, CliError> {
    let mut read = BTreeMap::new();
    for (name, path) in given {
        let (_, bytes) = input::document(path)?;
        if read.insert(name.clone(), document(bytes)).is_some() {
            return Err(CliError::usage(format!("{option} {name}: is given twice"), "give each one once"));
        }
    }
    Ok(read)
}
