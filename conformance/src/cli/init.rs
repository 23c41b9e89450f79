//! `assize init`: a project to begin with.

use std::path::PathBuf;

use assize::{catalogue::SYSTEMS, exit::Exit};
use assize_corpus::operation;
use assize_generators::{
    language::{Bug, Language},
    plan::{self, Start, Wanted},
    project::{Manifest, Parameters, Project},
};

use clap::builder::PossibleValuesParser;

use super::{emission, emit, error::CliError, output};

const EXAMPLES: &str = "\
Examples:
  assize init python my-kernel                     kit, suite and the worked example
  assize init go my-kernel --empty                 the same with stubs in place of the example
  assize init ts k --operations canon.bytes --laws canon/rfc8785,canon/i-json
                                                   one function with its cases, and nothing else
  assize init java k --package org.example.k
  assize init python p --plant utf16-key-order     an example that breaks a law

Exit codes:
  0   written
  3   nothing was written: files stand in the way
  64  wrong usage";

/// Examples, languages and bugs: what there is stands in the languages' folders alone.
pub(crate) fn help() -> String {
    let mut text = format!("{EXAMPLES}\n\nLanguages, with other names, and the bugs that --plant knows:\n");
    for language in Language::names().iter().filter_map(|name| Language::built_in(name).ok()) {
        let names = std::iter::once(&language.config.name).chain(&language.config.aliases);
        let names = names.map(String::as_str).collect::<Vec<_>>().join(", ");
        let bugs = language.bugs.iter().map(|bug| bug.name.as_str()).collect::<Vec<_>>().join(", ");
        text.push_str(&format!("  {names}: {bugs}\n"));
    }
    text
}

/// Begin a project: adapter kit, native test suite and a worked example to replace.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The language, by its name or a short one.
    #[arg(value_name = "LANG")]
    lang: String,
    /// Where the project goes.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Stubs that implement nothing instead of the example.
    #[arg(long)]
    empty: bool,
    /// Only these operations: the interface has no other. The project begins with stubs, since the example answers more.
    #[arg(long, value_delimiter = ',', value_name = "OPERATION", value_parser = PossibleValuesParser::new(emission::operations()))]
    operations: Vec<String>,
    /// Only cases of these systems.
    #[arg(long, value_delimiter = ',', value_name = "SYSTEM", value_parser = PossibleValuesParser::new(SYSTEMS))]
    systems: Vec<String>,
    /// Only cases of these laws: a slug, an id, or a pattern with * and ?.
    #[arg(long, value_delimiter = ',', value_name = "LAW")]
    laws: Vec<String>,
    /// What the package, module or namespace is called.
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// Plant a bug into the example: what a red suite looks like.
    #[arg(long, value_name = "BUG", conflicts_with_all = ["empty", "operations"])]
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
        systems: args.systems.clone(),
        laws: args.laws.clone(),
        operations: args.operations.clone(),
        ..Parameters::default()
    };
    let suite = emission::suite(args.corpus.as_deref())?;
    let collection = emission::collect(&suite, &parameters)?;
    let start = if args.empty || !args.operations.is_empty() { Start::Stubs } else { Start::Example };
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
    text.push_str("next, in that folder (ASSIZE.md says more):\n");
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
