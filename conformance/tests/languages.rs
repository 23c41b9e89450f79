//! Every language that ships: its project is emitted, its own test command run, its planted bugs caught, its kit certified,
//! and wrong testees run by its suite, if that accepts some.
//!
//! One project of each language is built, and everything is shown in it: what a law is about is shown by the cases of that law.
//! By default one language is tried, without wrong testees and without its package that verifies; `ASSIZE_LANGUAGES=all` tries
//! all, `ASSIZE_LANGUAGES=name,name` some.
//! A missing toolchain is skipped, with a line that says so; with `required` among the words it is a failure. Progress is
//! printed:
//!
//! ```text
//! ASSIZE_LANGUAGES=all cargo test -p assize --test it languages -- --nocapture
//! ```
//!
//! Nothing here knows a language: commands, bugs and probes are those of `generators/languages/<language>`.

mod corpus;
mod matrix;
mod project;
mod shell;
mod verifier;

use std::{
    collections::BTreeMap,
    env,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use assize_generators::language::Language;
use serde_json::json;

use corpus::Widened;
use project::Project;
use shell::Shell;

/// Languages at a time.
const JOBS: usize = 2;

/// What is tried by default: the tests need a Python in any case.
const USUAL: &str = "python";

/// Operations that need different parts of an interface: an argument and no folder, a folder, nothing to give back.
const FEW: [&str; 3] = ["canon.bytes", "sovereign.select_path", "authority.chain"];

/// What the environment asks for.
struct Asked {
    /// A missing toolchain is a failure.
    required: bool,
    /// Names, or `all`.
    names: Vec<String>,
    /// Something was asked for: what takes minutes is tried too.
    thorough: bool,
}

impl Asked {
    fn new() -> Self {
        let said = env::var("ASSIZE_LANGUAGES").unwrap_or_default();
        let (required, mut names): (Vec<&str>, Vec<&str>) =
            said.split(',').filter(|word| !word.is_empty()).partition(|word| *word == "required");
        let thorough = !said.is_empty();
        if names.is_empty() {
            names.push(if required.is_empty() { USUAL } else { "all" });
        }
        Self { required: !required.is_empty(), names: names.into_iter().map(str::to_owned).collect(), thorough }
    }

    fn languages(&self) -> Vec<Language> {
        let known = Language::names();
        for name in &self.names {
            // The page that verifies and the shims are no languages, and may be required with them.
            let other = ["all", "page", "shims"].contains(&name.as_str());
            assert!(other || known.contains(name), "{name:?} is none of {known:?}");
        }
        let asked = |name: &String| self.names.iter().any(|asked| asked == "all" || asked == name);
        known.iter().filter(|name| asked(name)).map(|name| Language::built_in(name).expect(name)).collect()
    }

    /// A shell, where the toolchain of a language is here.
    fn shell(&self, language: &Language) -> Option<Shell> {
        let shell = Shell::new(&language.config.name);
        let Some(missing) = shell.missing(&language.config.probe.commands) else { return Some(shell) };
        self.skip(&shell, &format!("{} is not here ({missing})", language.config.probe.missing))
    }

    /// Sets a project up, where what it needs can be had.
    fn set_up(&self, project: &Project) -> Option<()> {
        let had = project.set_up();
        had.or_else(|error| self.skip(&project.shell, &format!("its packages cannot be had here: {error}")).ok_or(()))
            .ok()
    }

    /// Says what is skipped, and why, unless it may not be.
    fn skip<T>(&self, shell: &Shell, why: &str) -> Option<T> {
        assert!(!self.required, "{}: {why}", shell.name());
        shell.say(&format!("skipped: {why}"));
        None
    }
}

/// The outcome of every case that a certificate's report lists.
type Outcomes = BTreeMap<String, String>;

#[test]
fn every_language_passes_catches_its_bugs_and_certifies() {
    let (asked, folder) = (Asked::new(), tempfile::tempdir().unwrap());
    let languages = asked.languages();
    let widened = Widened::new(&folder.path().join("vectors"));
    let (next, certified, troubles) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..JOBS {
            scope.spawn(|| {
                while let Some(language) = languages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = language.config.name.clone();
                    let place = folder.path().join(&name);
                    match catch_unwind(AssertUnwindSafe(|| examine(language, &place, &widened, &asked))) {
                        Ok(Some(outcomes)) => drop(certified.lock().unwrap().insert(name, outcomes)),
                        Ok(None) => {}
                        // The panic has printed what it found.
                        Err(_) => troubles.lock().unwrap().push(name),
                    }
                }
            });
        }
    });
    let troubles = troubles.into_inner().unwrap();
    assert!(troubles.is_empty(), "something is wrong with {troubles:?}");
    agree(&certified.into_inner().unwrap());
}

/// Everything that a language has to show; nothing if its toolchain is missing.
fn examine(language: &Language, place: &Path, widened: &Widened, asked: &Asked) -> Option<Outcomes> {
    let shell = asked.shell(language)?;
    let project = Project::init(language, &shell, place.join("project"), &[]);
    asked.set_up(&project)?;
    project.passes();
    project.is_reviewed();
    project.is_as_emitted();
    let outcomes = project.certifies(&place.join("report.json"), &json!({"features": ["hostile-paths"]}));
    for bug in &language.bugs {
        project.catches(bug);
    }
    if let Some(variable) = &language.config.commands.adapter {
        if asked.thorough {
            matrix::compare(&project, variable, place);
        } else {
            shell.say("wrong testees behind this suite are left to ASSIZE_LANGUAGES=all");
        }
    }
    project.shows(widened);
    project.weighs(widened);
    let empty = Project::init(language, &shell, place.join("empty"), &["--empty"]);
    empty.declares_nothing();
    empty.is_reviewed();
    // What a project of one operation leaves out, nothing imports.
    for operation in FEW {
        let one = Project::init(language, &shell, place.join(operation), &["--operations", operation]);
        assert!(one.set_up().is_ok(), "{}: what could be had is not to be had", shell.name());
        one.build();
        one.is_reviewed();
    }
    Some(outcomes)
}

/// The same five bugs everywhere.
#[test]
fn every_language_has_the_same_planted_bugs() {
    let owed = [
        "deny-order-swapped",
        "diagnostic-kept-in-report-id",
        "duplicate-last-wins",
        "minus-zero-accepted",
        "utf16-key-order",
    ];
    for name in Language::names() {
        let language = Language::built_in(&name).unwrap();
        let mut bugs: Vec<&str> = language.bugs.iter().map(|bug| bug.name.as_str()).collect();
        bugs.sort_unstable();
        assert_eq!(bugs, owed, "{name}");
        assert!(language.bugs.iter().all(|bug| !bug.laws.is_empty()), "{name}");
    }
}

/// Certificates are about the same cases: what the example that declares least was asked, every other was asked too, and
/// each case has one outcome everywhere.
fn agree(certified: &BTreeMap<String, Outcomes>) {
    let asked = |outcomes: &Outcomes| -> Outcomes {
        let asked = outcomes.iter().filter(|(_, outcome)| *outcome != "NOT-APPLICABLE");
        asked.map(|(case, outcome)| (case.clone(), outcome.clone())).collect()
    };
    let mut certified: Vec<(&String, Outcomes)> = certified.iter().map(|(name, all)| (name, asked(all))).collect();
    certified.sort_by_key(|(_, outcomes)| outcomes.len());
    let Some((least, shared)) = certified.first() else { return };
    assert!(shared.len() > 1_000, "{least} was asked {} cases", shared.len());
    for (language, outcomes) in &certified {
        for (case, outcome) in shared {
            assert_eq!(outcomes.get(case), Some(outcome), "{case}: {language} and {least} part");
        }
    }
    eprintln!("{} certificates agree on {} cases", certified.len(), shared.len());
}

#[test]
fn some_languages_take_foreign_testees_behind_their_suite() {
    let adapter = |name: &String| Language::built_in(name).expect(name).config.commands.adapter;
    assert!(Language::names().iter().filter_map(adapter).count() >= 2);
}

/// A file of this repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
