//! `assize init`: a project to begin with.

use std::path::PathBuf;

use assize::exit::Exit;
use assize_corpus::operation;
use assize_generators::{
    language::{Bug, Language},
    plan::{self, Start, Wanted},
    project::{Manifest, Parameters, Project},
};

use super::{emission, emit, error::CliError, output};

const EXAMPLES: &str = "\
Examples:
  assize init python my-kernel                     kit, suite and the worked example
  assize init go my-kernel --empty                 the same with stubs in place of the example
  assize init java k --package org.example.k
  assize init python p --plant utf16-key-order     an example that breaks a law, to see the suite catch it

Exit codes:
  0   written
  3   nothing was written: files stand in the way
  64  wrong usage";

/// Begin a project: adapter kit, native test suite and a worked example to replace.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The language.
    #[arg(value_name = "LANG")]
    lang: String,
    /// Where the project goes.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Stubs that implement nothing instead of the example.
    #[arg(long)]
    empty: bool,
    /// What the package, module or namespace is called.
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// Plant a bug into the example: what a red suite looks like.
    #[arg(long, value_name = "BUG", conflicts_with = "empty")]
    plant: Option<String>,
    /// The folder of a language that is not built in.
    #[arg(long, value_name = "DIR")]
    language_dir: Option<PathBuf>,
    /// Read the vectors below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let language = emission::language(Some(&args.lang), args.language_dir.as_deref())?;
    let bug = args.plant.as_deref().map(|name| bug(&language, name)).transpose()?;
    let package = args.package.clone().unwrap_or_else(|| language.config.package.default.clone());
    let parameters = Parameters {
        what: vec!["suite".to_owned(), "kit".to_owned()],
        language: Some(language.config.name.clone()),
        package: Some(package.clone()),
        ..Parameters::default()
    };
    let suite = emission::suite(args.corpus.as_deref())?;
    let collection = emission::collect(&suite, &parameters)?;
    let start = if args.empty { Start::Stubs } else { Start::Example };
    let wanted = Wanted { suite: true, kit: true, start };
    let mut plan =
        plan::project(&language, &package, wanted, &collection, operation::table()).map_err(emission::unplanned)?;
    if let Some(bug) = bug {
        plan::plant(&mut plan, &language, &package, bug).map_err(emission::unplanned)?;
    }
    let place = |error| emission::unwritten(&args.folder, error);
    let project = Project::create(&args.folder).map_err(place)?;
    let manifest = Manifest::new(&plan.files, parameters, collection.revision.clone(), Some(plan.commands));
    let done = project.write(&plan.files, &manifest).map_err(place)?;
    let mut text = format!("{}: {}\n", args.folder.display(), emission::summary(&done));
    if let Some(bug) = bug {
        text.push_str(&format!("planted {}: the suite turns red at {}\n", bug.name, bug.laws.join(", ")));
    }
    text.push_str("next, in that folder (README.md says more):\n");
    text.push_str(&emit::next(manifest.commands.as_ref()));
    output::out(text.as_bytes())?;
    Ok(Exit::Conforms)
}

fn bug<'l>(language: &'l Language, name: &str) -> Result<&'l Bug, CliError> {
    language.bugs.iter().find(|bug| bug.name == name).ok_or_else(|| {
        let known: Vec<&str> = language.bugs.iter().map(|bug| bug.name.as_str()).collect();
        CliError::usage(format!("no bug is called {name:?}"), format!("there are {}", known.join(", ")))
    })
}
