//! `assize gallery`: kept results as a site.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use assize::{
    bench::{self, Kept},
    exit::Exit,
    gallery::{self, GalleryError},
};
use assize_generators::project::{Manifest, Parameters, Project, ProjectError};

use super::{emission, error::CliError, output};

/// What the manifest of a gallery says that it is.
const WHAT: &str = "gallery";

const EXAMPLES: &str = "\
Writes what `assize bench` has kept as a site: an index of all implementations with their grades, a page, a badge and
the whole result of each, and a page for each law. The pages ask no network for anything, work from a disk as they do
from a server, and are whole without their script. The same results and the same corpus give the same bytes.

A gallery that is there already is brought up to date; files in it that are not its own, or were edited, are left
alone, and nothing is written then.

Example:
  assize gallery target/bench/kept --out target/gallery

Exit codes:
  0   written, whatever the grades are
  3   there are no results, one cannot be shown, or the folder cannot be written
  64  wrong usage";

/// Write what `assize bench` has kept as a site of pages.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The folder of kept results: what `assize bench` wrote to its --out.
    #[arg(value_name = "RESULTS")]
    results: PathBuf,
    /// Where the site is written.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Read the vectors below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let kept = kept(&args.results)?;
    let suite = emission::suite(args.corpus.as_deref())?;
    let files = gallery::site(&kept, &suite).map_err(|error| unshown(&args.results, error))?;
    let parameters = Parameters { what: vec![WHAT.to_owned()], ..Parameters::default() };
    let manifest = Manifest::new(&files, parameters, suite.sha256.to_hex(), None);
    let place = |error| match error {
        ProjectError::Emitted => CliError::unreadable(
            format!("{}: something else was emitted there", args.out.display()),
            "name another folder",
        ),
        error => emission::unwritten(&args.out, error),
    };
    let project = Project::create(&args.out).map_err(place)?;
    let done = match project.manifest() {
        Ok(earlier) if earlier.parameters.what == [WHAT] => project.update(&files, &manifest),
        _ => project.write(&files, &manifest),
    };
    let done = done.map_err(place)?;
    output::out(format!("{}: {}\n", shown(&args.out), emission::summary(&done)).as_bytes())?;
    output::out(format!("  {}\n", shown(&args.out.join("index.html"))).as_bytes())?;
    Ok(Exit::Conforms)
}

/// Everything that a folder keeps. All that is no result is named at once.
fn kept(folder: &Path) -> Result<BTreeMap<PathBuf, Kept>, CliError> {
    let files = bench::read_all(folder).map_err(|error| {
        CliError::unreadable(
            error,
            "name the folder that `assize bench` keeps its results in, target/bench/kept unless --out said another",
        )
    })?;
    let (mut kept, mut wrong) = (BTreeMap::new(), Vec::new());
    for (file, read) in files {
        match read {
            Ok(result) => drop(kept.insert(file, result)),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if wrong.is_empty() {
        return Ok(kept);
    }
    let help = "remove what is nobody's result; one of another version of assize is written anew when `assize bench` asks again";
    Err(CliError::unreadable(wrong.join("; "), help))
}

/// Why there is no site, and what to do.
fn unshown(results: &Path, error: GalleryError) -> CliError {
    let message = error.to_string();
    match error {
        GalleryError::Empty => {
            let help = "`assize bench TABLE --out DIR` keeps results in DIR: name that folder here";
            CliError::unreadable(format!("{}: {message}", results.display()), help)
        }
        GalleryError::Report { again, .. } => {
            CliError::unreadable(message, format!("ask it again: `{again}`, or remove the file"))
        }
        GalleryError::Page { .. } => CliError::unreadable(message, "keep the two in folders of their own"),
        error => CliError::bug(error),
    }
}

fn shown(path: &Path) -> String {
    output::clean(&path.display().to_string()).into_owned()
}
