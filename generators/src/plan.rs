//! From a language and a collection to the files of a project, all in memory.
//!
//! Plan, render, write: the same inputs give the same bytes: no clock, no environment, no order that a hash map has
//! chosen.

use std::collections::BTreeSet;

use assize_corpus::operation::Table;
use minijinja::{
    Environment, context,
    value::{Serde, Value},
};
use thiserror::Error;

use crate::{
    GENERATOR,
    carried::Core,
    collection::Collection,
    files::{Files, Owner},
    language::{Bug, Commands, Each, FileRule, Language, Part},
    pack::{self, Form},
    project::MANIFEST,
    render::{self, Context},
};

/// Where the cases of a suite lie in its project.
const VECTORS: &str = "vectors";

/// What says how to use a project. The page that people see first is somebody's already where a project goes into a repository.
const PAGE: &str = "ASSIZE.md";

/// What a package has to hold that carries the verifier.
const LICENCE: &str = include_str!("../LICENSE");

/// What is to be emitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// A native test suite.
    pub suite: bool,
    /// An adapter kit.
    pub kit: bool,
    /// What the implementer begins with.
    pub start: Start,
}

/// What the implementer begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Files that implement nothing.
    Stubs,
    /// The worked example.
    Example,
    /// Nothing: the project is a package that verifies.
    Verifier,
}

/// A project in memory.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Its files.
    pub files: Files,
    /// What to run in its folder.
    pub commands: Commands,
}

/// Why there is no plan.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The package cannot be called so.
    #[error("{name:?} is not a package of {title}; name {help}")]
    Package {
        /// The name.
        name: String,
        /// The language.
        title: String,
        /// What would be one.
        help: String,
    },
    /// Nothing is known of a package that verifies.
    #[error("no package of {title} that verifies is known; those that have one say `verifier` in language.toml")]
    NoVerifier {
        /// The language.
        title: String,
    },
    /// A package of this language carries the core in another form.
    #[error("a package of {title} carries {form}, and another form of the core was handed over")]
    OtherCore {
        /// The language.
        title: String,
        /// What it carries.
        form: &'static str,
    },
    /// A template names something that is not there, or is not a template.
    #[error("{file}: {source}; correct the language's folder")]
    Template {
        /// The file or the setting.
        file: String,
        /// What is wrong with it.
        source: minijinja::Error,
    },
    /// Two files go to one place, or one goes outside.
    #[error("{file} goes to {to:?}, {reason}; correct `files` in language.toml")]
    Place {
        /// Where it comes from.
        file: String,
        /// Where it would go.
        to: String,
        /// What is wrong with that.
        reason: &'static str,
    },
    /// A file that is to be changed is not as the bug expects it.
    #[error("the bug {bug:?} cannot be planted: {message}; correct bugs.toml")]
    Bug {
        /// The bug.
        bug: String,
        /// Why not.
        message: String,
    },
    /// The cases cannot be written.
    #[error(transparent)]
    Pack(#[from] serde_json::Error),
}

/// Plans a project.
///
/// # Errors
/// The package has an impossible name, or the language's folder is not sound.
pub fn project(
    language: &Language,
    package: &str,
    wanted: Wanted,
    collection: &Collection,
    table: &Table,
) -> Result<Plan, PlanError> {
    planned(language, package, wanted, collection, table, |_| Ok(()))
}

/// Plans a package that verifies: the core with a face, its suite and its kit. What it answers is decided in the core alone.
///
/// # Errors
/// As [`project`], or the language has no such package, or carries the core in another form.
pub fn verifier(
    language: &Language,
    package: &str,
    core: &Core,
    collection: &Collection,
    table: &Table,
) -> Result<Plan, PlanError> {
    let Some(parts) = &language.config.verifier else {
        return Err(PlanError::NoVerifier { title: language.config.title.clone() });
    };
    if core.carries() != parts.carries {
        return Err(PlanError::OtherCore { title: language.config.title.clone(), form: parts.carries.form() });
    }
    let wanted = Wanted { suite: true, kit: true, start: Start::Verifier };
    planned(language, package, wanted, collection, table, |planner| {
        for (path, bytes) in core.placed(&parts.core).chain([("LICENSE".to_owned(), LICENCE.as_bytes())]) {
            planner.claim("language.toml", &path)?;
            planner.files.generated(path, bytes.to_vec());
        }
        Ok(())
    })
}

fn planned(
    language: &Language,
    package: &str,
    wanted: Wanted,
    collection: &Collection,
    table: &Table,
    add: impl FnOnce(&mut Planner<'_>) -> Result<(), PlanError>,
) -> Result<Plan, PlanError> {
    let config = &language.config;
    if !config.takes_package(package) {
        let (title, help) = (config.title.clone(), config.package.help.clone());
        return Err(PlanError::Package { name: package.to_owned(), title, help });
    }
    let parts = [("suite", wanted.suite), ("kit", wanted.kit), ("verifier", wanted.start == Start::Verifier)];
    let parts = parts.into_iter().filter(|(_, wanted)| *wanted).map(|(part, _)| part).collect();
    let context = Context::new(config, package, parts, collection, table, VECTORS);
    let environment = render::environment(config).map_err(|source| template("the environment", source))?;
    let mut planner = Planner { language, environment, context, files: Files::default(), taken: BTreeSet::new() };
    let verifier = config.verifier.as_ref().filter(|_| wanted.start == Start::Verifier);
    let shim = verifier.and_then(|parts| parts.shim.as_ref()).unwrap_or(&config.commands.shim);
    let mut commands = planner.commands(shim)?;
    if let Some(parts) = verifier {
        commands.setup.extend(parts.setup.iter().cloned());
        commands.build.extend(parts.build.iter().cloned());
    }
    planner.context.commands = Some(commands.clone());
    for rule in config.files.iter().filter(|rule| wanted.takes(rule.part)) {
        planner.rule(rule)?;
    }
    add(&mut planner)?;
    if wanted.suite {
        pack::write(collection, Form::Jsonl, VECTORS, &mut planner.files)?;
    }
    if planner.files.find(PAGE).is_some() && planner.files.find("README.md").is_none() {
        planner.files.offered("README.md", front_page(package).into_bytes());
    }
    attributes(&mut planner.files);
    Ok(Plan { files: planner.files, commands })
}

/// Plans packs of vectors in these forms, each in a folder of its own.
///
/// # Errors
/// The cases cannot be written.
pub fn packs(collection: &Collection, forms: &[Form]) -> Result<Files, PlanError> {
    let mut files = Files::default();
    for form in forms {
        pack::write(collection, *form, form.name(), &mut files)?;
    }
    attributes(&mut files);
    Ok(files)
}

/// The command that runs the cases of one law in a project of this package.
///
/// # Errors
/// The language's settings are not sound.
pub fn law_command(language: &Language, package: &str, law: &str) -> Result<Vec<String>, PlanError> {
    let environment = render::environment(&language.config).map_err(|source| template("commands", source))?;
    let values = context! { package, law => context! { slug => law } };
    let render =
        |text: &String| environment.render_str(text, values.clone()).map_err(|source| template("commands", source));
    language.config.commands.law.iter().map(render).collect()
}

/// Changes a project of the worked example, so that it breaks a law.
///
/// # Errors
/// The file is not there, or does not hold exactly once what the bug changes.
pub fn plant(plan: &mut Plan, language: &Language, package: &str, bug: &Bug) -> Result<(), PlanError> {
    let broken = |message: String| PlanError::Bug { bug: bug.name.clone(), message };
    let environment = render::environment(&language.config).map_err(|source| template("bugs.toml", source))?;
    let path =
        environment.render_str(&bug.file, context! { package }).map_err(|source| template("bugs.toml", source))?;
    let file = plan.files.find_mut(&path).ok_or_else(|| broken(format!("there is no file {path:?}")))?;
    let text = std::str::from_utf8(&file.bytes).map_err(|error| broken(format!("{path:?} is not text: {error}")))?;
    match text.matches(&bug.find).count() {
        1 => file.bytes = text.replacen(&bug.find, &bug.replace, 1).into_bytes(),
        found => return Err(broken(format!("{path:?} holds what it changes {found} times and not once"))),
    }
    Ok(())
}

impl Wanted {
    fn takes(self, part: Part) -> bool {
        match part {
            Part::Suite => self.suite,
            Part::Kit => self.kit,
            Part::Both => true,
            Part::Stubs => self.start == Start::Stubs,
            Part::Example => self.start == Start::Example,
            Part::Verifier => self.start == Start::Verifier,
        }
    }
}

struct Planner<'l> {
    language: &'l Language,
    environment: Environment<'static>,
    context: Context,
    files: Files,
    taken: BTreeSet<String>,
}

impl Planner<'_> {
    /// The commands of the project with this shim; that of one law is shown for the first.
    fn commands(&self, shim: &[String]) -> Result<Commands, PlanError> {
        let values = self.values(&Each::Once).into_iter().next().unwrap_or_default();
        let render = |text: &String| {
            self.environment.render_str(text, values.clone()).map_err(|source| template("commands", source))
        };
        let line = |argv: &[String]| argv.iter().map(render).collect::<Result<Vec<_>, _>>();
        let lines = |argvs: &[Vec<String>]| argvs.iter().map(|argv| line(argv)).collect::<Result<Vec<_>, _>>();
        let commands = &self.language.config.commands;
        Ok(Commands {
            setup: lines(&commands.setup)?,
            build: lines(&commands.build)?,
            test: lines(&commands.test)?,
            shim: line(shim)?,
            law: line(&commands.law)?,
            adapter: commands.adapter.clone(),
        })
    }

    /// What a template sees, for each time that it is rendered.
    fn values(&self, each: &Each) -> Vec<Value> {
        let all = Value::from(Serde(self.context.clone()));
        let with = |law: Value, system: Value| {
            let all = all.clone();
            context! { law, system, ..all }
        };
        match each {
            Each::Once => {
                let law = self.context.laws.first().map_or(Value::UNDEFINED, |law| Value::from(Serde(law.clone())));
                vec![with(law, Value::UNDEFINED)]
            }
            Each::Law => {
                let laws = self.context.laws.iter();
                laws.map(|law| with(Value::from(Serde(law.clone())), Value::UNDEFINED)).collect()
            }
            Each::System => {
                let systems = self.context.systems.iter();
                systems.map(|system| with(Value::UNDEFINED, Value::from(Serde(system.clone())))).collect()
            }
        }
    }

    fn rule(&mut self, rule: &FileRule) -> Result<(), PlanError> {
        let language = self.language;
        for values in self.values(&rule.each) {
            let to = self.render("language.toml", &rule.to, &values)?;
            for (below, bytes) in language.taken(rule) {
                let from = if below.is_empty() { rule.from.clone() } else { format!("{}/{below}", rule.from) };
                let template = from.ends_with(".j2");
                let below = if template { below.trim_end_matches(".j2") } else { below };
                let to = match (to.as_str(), below) {
                    (to, "") => to.to_owned(),
                    ("", below) => below.to_owned(),
                    (to, below) => format!("{}/{below}", to.trim_end_matches('/')),
                };
                self.claim(&from, &to)?;
                let bytes = if template {
                    let text = String::from_utf8_lossy(bytes);
                    self.render(&from, &text, &values)?.into_bytes()
                } else {
                    bytes.to_vec()
                };
                if matches!(rule.part, Part::Stubs | Part::Example) {
                    self.files.offered(to, bytes);
                } else {
                    let bytes = self.headed(&to, bytes);
                    self.files.generated(to, bytes);
                }
            }
        }
        Ok(())
    }

    fn render(&self, file: &str, text: &str, values: &Value) -> Result<String, PlanError> {
        self.environment.render_named_str(file, text, values.clone()).map_err(|source| template(file, source))
    }

    /// Takes a place in the project.
    fn claim(&mut self, from: &str, to: &str) -> Result<(), PlanError> {
        let broken = |reason| Err(PlanError::Place { file: from.to_owned(), to: to.to_owned(), reason });
        let plain = |name: &str| !name.is_empty() && !matches!(name, "." | "..") && !name.contains(['\\', '\0']);
        if !to.split('/').all(plain) {
            return broken("which is not a path below the project");
        }
        if !self.taken.insert(to.to_owned()) {
            return broken("where another file goes");
        }
        Ok(())
    }

    /// The file with its header, if files of its name take comments.
    fn headed(&self, path: &str, bytes: Vec<u8>) -> Vec<u8> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let headers = &self.language.config.headers;
        let extension = || headers.get(name.rsplit_once('.')?.1);
        let Some(line) = headers.get(name).or_else(extension) else {
            return bytes;
        };
        let revision = self.context.revision();
        let header: String = [
            format!(
                "Generated by {GENERATOR} from corpus {revision}; every update writes it anew, so edit nothing here."
            ),
            "SPDX-License-Identifier: Apache-2.0".to_owned(),
        ]
        .iter()
        .map(|text| line.replace("{}", text) + "\n")
        .collect();
        // An interpreter line stays the first.
        let first =
            if bytes.starts_with(b"#!") { bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1) } else { None };
        let (before, after) = bytes.split_at(first.unwrap_or(0));
        [before, header.as_bytes(), after].concat()
    }
}

/// The page that people see first, where there is none.
fn front_page(package: &str) -> String {
    format!(
        "# {package}\n\nHeld to written law by Assize: [{PAGE}]({PAGE}) says how to run its tests, to certify and to update it.\n"
    )
}

/// Keeps the bytes of generated files whatever a checkout would do to line ends, and folds them away in reviews.
pub(crate) fn attributes(files: &mut Files) {
    const NAME: &str = ".gitattributes";
    let mut lines = String::from("# What assize has generated: these bytes are digested.\n");
    let generated = files.iter().filter(|(_, file)| file.owner == Owner::Generator).map(|(path, _)| path);
    for path in generated.chain([NAME, MANIFEST]) {
        lines.push_str(&format!("{path} -text linguist-generated\n"));
    }
    files.generated(NAME, lines.into_bytes());
}

fn template(file: &str, source: minijinja::Error) -> PlanError {
    PlanError::Template { file: file.to_owned(), source }
}
