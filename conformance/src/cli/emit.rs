//! `assize emit`: the corpus for other languages.

use std::path::{Path, PathBuf};

use assize::{catalogue::SYSTEMS, exit::Exit};
use assize_corpus::operation;
use assize_generators::{
    carried::Core,
    collection::Law,
    files::Files,
    language::{Carries, Commands, Language},
    pack::Form,
    page::{self, PAGE},
    plan::{self, PlanError, Start, Wanted},
    project::{Drift, Manifest, Parameters, Project},
};
use clap::{ValueEnum, builder::PossibleValuesParser};
use serde_json::json;

use super::{Format, emission, error::CliError, input, output};

const EXAMPLES: &str = "\
Examples:
  assize emit --what packs --out vectors-for-you                       every law in JSON, JSON Lines, YAML and CBOR
  assize emit --what suite --lang python --out suite                   a native test project
  assize emit --what suite,kit --lang go --package example.org/k --out k
  assize emit --what verifier --lang typescript --core assize-core.wasm --out v   a package that verifies
  assize emit --what verifier --lang python --package assize --core sources --out v
  assize emit --what page --core assize-core.wasm --out page           one HTML file that verifies in a browser
  assize emit --update --out suite                                     the same again, from the corpus of this assize
  assize emit --check --out suite                                      whether it is what would be written

A language is a folder of data: language.toml, templates, runtime files, an example. --language-dir takes one that is
not built in. `assize init` begins a whole project with a worked example.

Exit codes:
  0   written, or nothing differs
  1   --check found differences
  3   nothing was written: files stand in the way, or cannot be read
  64  wrong usage";

/// Write vector packs, a native test suite, an adapter kit or the verifier itself for another language, or a page that verifies.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// What to write; suite and kit go together into one project, and a verifier has both.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT", required_unless_present_any = ["check", "update"])]
    what: Vec<What>,
    /// The language of a suite or kit.
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
    /// The folder of a language that is not built in.
    #[arg(long, value_name = "DIR")]
    language_dir: Option<PathBuf>,
    /// Forms of packs; all four without it.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORM")]
    form: Vec<PackForm>,
    /// Only cases of these systems.
    #[arg(long, value_delimiter = ',', value_name = "SYSTEM", value_parser = PossibleValuesParser::new(SYSTEMS))]
    systems: Vec<String>,
    /// Only cases of these laws: a slug, an id, or a pattern with * and ?.
    #[arg(long, value_delimiter = ',', value_name = "LAW")]
    laws: Vec<String>,
    /// Only these operations: cases and interface have no other, so that one function is one function.
    #[arg(long, value_delimiter = ',', value_name = "OPERATION", value_parser = PossibleValuesParser::new(emission::operations()))]
    operations: Vec<String>,
    /// Only cases that are asked in this mode; a case without a mode is in none.
    #[arg(long, value_delimiter = ',', value_name = "MODE", value_parser = ["law", "reference"])]
    mode: Vec<String>,
    /// What the package, module or namespace is called; each language says what may be a name.
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// Known failures, which the suite expects to fail.
    #[arg(long, value_name = "FILE")]
    expectations: Option<PathBuf>,
    /// Read the vectors below this folder instead of those that were built in.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// The core of a package or page that verifies, which `.ci/core` makes in the repository: a module or the folder of its sources, as
    /// the language carries it; a module for a page. With --update or --check that of the package or page.
    #[arg(long, value_name = "PATH")]
    core: Option<PathBuf>,
    /// Where the files go.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write nothing; compare what is there with what would be written, byte by byte.
    #[arg(long, conflicts_with = "update")]
    check: bool,
    /// Bring an earlier emission up to date; what is not said is as it was then. Your own files are kept.
    #[arg(long)]
    update: bool,
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// The cases as plain files.
    Packs,
    /// A native test project.
    Suite,
    /// A shim that speaks ATP/1.
    Kit,
    /// A package that verifies, with its suite and its kit.
    Verifier,
    /// A page that verifies in a browser: one HTML file.
    Page,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PackForm {
    Json,
    Jsonl,
    Yaml,
    Cbor,
}

pub(crate) fn run(args: &Args) -> Result<Exit, CliError> {
    let place = |error| emission::unwritten(&args.out, error);
    let earlier = if args.check || args.update { Some(Project::open(&args.out).map_err(place)?) } else { None };
    let mut parameters = match &earlier {
        Some(project) => project.manifest().map_err(place)?.parameters.clone(),
        None => Parameters::default(),
    };
    args.add_to(&mut parameters);
    let (files, manifest) = emission_of(args, &mut parameters)?;
    let done = match earlier {
        Some(project) if args.check => {
            let drifts = project.check(&files, &manifest).map_err(place)?;
            return show_drifts(args, &drifts);
        }
        Some(project) => project.update(&files, &manifest),
        // Only now: a refusal leaves no folder behind.
        None => Project::create(&args.out).and_then(|project| project.write(&files, &manifest)),
    };
    let done = done.map_err(place)?;
    match args.format {
        Format::Json => output::json(&json!({
            "out": args.out, "written": done.written, "same": done.same, "removed": done.removed, "kept": done.kept,
            "revision": manifest.revision, "commands": manifest.commands,
        }))?,
        Format::Human => {
            let mut text = format!("{}: {}\n", args.out.display(), emission::summary(&done));
            text.push_str(&next(manifest.commands.as_ref()));
            output::out(text.as_bytes())?;
        }
    }
    Ok(Exit::Conforms)
}

/// What to do in the folder.
pub(super) fn next(commands: Option<&Commands>) -> String {
    let lines = commands.into_iter().flat_map(|commands| [&commands.setup, &commands.build, &commands.test]).flatten();
    lines.map(|argv| format!("  {}\n", argv.join(" "))).collect()
}

impl Args {
    /// What the command line says takes precedence over what was said when the project was made.
    fn add_to(&self, parameters: &mut Parameters) {
        let replace = |old: &mut Vec<String>, new: Vec<String>| {
            if !new.is_empty() {
                *old = new;
            }
        };
        replace(&mut parameters.what, names(&self.what));
        replace(&mut parameters.forms, names(&self.form));
        replace(&mut parameters.systems, self.systems.clone());
        replace(&mut parameters.laws, self.laws.clone());
        replace(&mut parameters.modes, self.mode.clone());
        replace(&mut parameters.operations, self.operations.clone());
        parameters.language = self.lang.clone().or(parameters.language.take());
        parameters.package = self.package.clone().or(parameters.package.take());
    }
}

/// Values as they are spelled on the command line.
fn names(values: &[impl ValueEnum]) -> Vec<String> {
    values.iter().filter_map(ValueEnum::to_possible_value).map(|value| value.get_name().to_owned()).collect()
}

/// Everything that would be written.
fn emission_of(args: &Args, parameters: &mut Parameters) -> Result<(Files, Manifest), CliError> {
    if parameters.what.iter().any(|what| what == "page") {
        return page_of(args, parameters);
    }
    let suite = emission::suite(args.corpus.as_deref())?;
    if let Some(path) = &args.expectations {
        parameters.known = emission::known(&suite, path)?;
    }
    let collection = emission::collect(&suite, parameters)?;
    let has = |what: &str| parameters.what.iter().any(|known| known == what);
    if has("packs") {
        if has("suite") || has("kit") || has("verifier") {
            let help = "emit them into another folder";
            return Err(CliError::usage("packs are not part of a suite or kit", help));
        }
        let named =
            |form: &Form| parameters.forms.is_empty() || parameters.forms.iter().any(|name| name == form.name());
        let forms: Vec<Form> = Form::ALL.into_iter().filter(named).collect();
        let files = plan::packs(&collection, &forms).map_err(emission::unplanned)?;
        let manifest = Manifest::new(&files, parameters.clone(), collection.revision.clone(), None);
        return Ok((files, manifest));
    }
    let language = emission::language(parameters.language.as_deref(), args.language_dir.as_deref())?;
    parameters.language = Some(language.config.name.clone());
    let package = parameters.package.get_or_insert_with(|| language.config.package.default.clone()).clone();
    let plan = if has("verifier") {
        if !parameters.operations.is_empty() {
            let help = "leave --operations out; --laws and --systems choose what its suite asks";
            return Err(CliError::usage("a package that verifies has every operation", help));
        }
        let core = core(args, &language)?;
        plan::verifier(&language, &package, &core, &collection, operation::table())
    } else {
        let wanted = Wanted { suite: has("suite"), kit: has("kit"), start: Start::Stubs };
        plan::project(&language, &package, wanted, &collection, operation::table())
    };
    let plan = plan.map_err(emission::unplanned)?;
    let manifest =
        Manifest::new(&plan.files, parameters.clone(), collection.revision.clone(), Some(plan.commands.clone()));
    Ok((plan.files, manifest))
}

/// A page that verifies.
fn page_of(args: &Args, parameters: &Parameters) -> Result<(Files, Manifest), CliError> {
    if parameters.what.len() > 1 {
        return Err(CliError::usage("a page stands alone", "emit the rest into another folder"));
    }
    let mut narrowed =
        [&parameters.forms, &parameters.systems, &parameters.laws, &parameters.modes, &parameters.operations]
            .into_iter()
            .any(|chosen| !chosen.is_empty());
    narrowed |= parameters.language.is_some() || args.language_dir.is_some() || parameters.package.is_some();
    if narrowed || args.expectations.is_some() {
        let help = "beside --what page say --core, --out and --corpus alone";
        return Err(CliError::usage("a page has every operation and every law, and no language", help));
    }
    let core = page_core(args)?;
    let suite = emission::suite(args.corpus.as_deref())?;
    let laws: Vec<Law> = suite.laws.iter().filter_map(|(slug, _)| suite.corpus.laws.get(slug)).map(Law::from).collect();
    let revision = suite.sha256.to_hex();
    let files = page::page(&core, &laws, &revision, operation::table())
        .map_err(|source| emission::unplanned(PlanError::Template { file: PAGE.to_owned(), source }))?;
    let manifest = Manifest::new(&files, parameters.clone(), revision, None);
    Ok((files, manifest))
}

/// The core of a page: the one that was named, or the one that the page has.
fn page_core(args: &Args) -> Result<Core, CliError> {
    const HELP: &str = "name the file assize-core.wasm that `.ci/core` makes in the repository";
    let (path, core) = match &args.core {
        Some(path) => (path.clone(), Core::module(input::read(path)?)),
        None if args.check || args.update => {
            let path = args.out.join(PAGE);
            let core = page::core_in(&String::from_utf8_lossy(&input::read(&path)?));
            (path, core)
        }
        None => {
            return Err(CliError::usage("no core was named", format!("add --core: {HELP}; this command holds none")));
        }
    };
    core.ok_or_else(|| CliError::unreadable(format!("{}: no WebAssembly module", show(&path)), HELP))
}

/// The core of a package that verifies: the one that was named, or the one that the package has.
fn core(args: &Args, language: &Language) -> Result<Core, CliError> {
    let Some(parts) = &language.config.verifier else {
        return Err(emission::unplanned(PlanError::NoVerifier { title: language.config.title.clone() }));
    };
    let named = match parts.carries {
        Carries::Module => "the file assize-core.wasm",
        Carries::Sources => "the folder of sources",
    };
    let held = (args.check || args.update).then(|| args.out.join(&parts.core));
    let Some(path) = args.core.clone().or(held) else {
        let help = format!("add --core with {named} that `.ci/core` makes in the repository; this command holds none");
        return Err(CliError::usage("no core was named", help));
    };
    let help = format!("name {named} that `.ci/core` makes in the repository");
    match parts.carries {
        Carries::Module => Core::module(input::read(&path)?)
            .ok_or_else(|| CliError::unreadable(format!("{}: no WebAssembly module", show(&path)), help)),
        Carries::Sources => Core::sources(&path).map_err(|error| CliError::unreadable(error, help)),
    }
}

fn show_drifts(args: &Args, drifts: &[Drift]) -> Result<Exit, CliError> {
    let exit = if drifts.is_empty() { Exit::Conforms } else { Exit::Violates };
    let said = |drift: &Drift| match drift {
        Drift::Missing(path) => ("missing", path.clone()),
        Drift::Changed(path) => ("changed", path.clone()),
        Drift::Left(path) => ("left over", path.clone()),
    };
    if args.format == Format::Json {
        let listed: Vec<_> = drifts.iter().map(said).map(|(kind, path)| json!({"kind": kind, "path": path})).collect();
        output::json(&json!({"out": args.out, "differences": listed, "exit_code": exit.code()}))?;
        return Ok(exit);
    }
    let mut text = String::new();
    for (kind, path) in drifts.iter().map(said) {
        text.push_str(&format!("{kind:<10}{}\n", output::clean(&path)));
    }
    let out = show(&args.out);
    match drifts.len() {
        0 => text.push_str(&format!("{out}: as it would be written now\n")),
        count => {
            let count = output::counted(count, "file differs", "files differ");
            text.push_str(&format!(
                "{out}: {count}; --update in place of --check writes anew what nobody has edited\n"
            ));
        }
    }
    output::out(text.as_bytes())?;
    Ok(exit)
}

fn show(path: &Path) -> String {
    output::clean(&path.display().to_string()).into_owned()
}
