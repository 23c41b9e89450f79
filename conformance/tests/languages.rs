//! Every language that ships: its project is emitted, its own test command run, its planted bugs caught, its kit certified.
//!
//! Toolchains that are not here are skipped, with a line that says so; with `ASSIZE_LANGUAGES=required` they are failures.
//! `ASSIZE_LANGUAGES=name,name` takes only some. What is done prints as it goes:
//!
//! ```text
//! cargo test -p assize --test languages -- --nocapture
//! ```
//!
//! Nothing here knows a language: commands, bugs and probes are those of `generators/languages/<language>`.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

#[path = "languages/corpus.rs"]
mod corpus;
#[path = "languages/matrix.rs"]
mod matrix;
#[path = "languages/project.rs"]
mod project;
#[path = "languages/shell.rs"]
mod shell;

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

use corpus::Widened;
use project::Project;
use shell::Shell;

/// Languages at a time.
const JOBS: usize = 2;

/// What the environment asks for.
struct Asked {
    /// A missing toolchain is a failure.
    required: bool,
    /// Only these, if there are any.
    names: Vec<String>,
}

impl Asked {
    fn new() -> Self {
        let said = env::var("ASSIZE_LANGUAGES").unwrap_or_default();
        let names = said.split(',').filter(|name| !matches!(*name, "" | "required")).map(str::to_owned).collect();
        Self { required: said.split(',').any(|word| word == "required"), names }
    }

    fn languages(&self) -> Vec<Language> {
        let names = Language::names();
        let wanted = names.iter().filter(|name| self.names.is_empty() || self.names.contains(name));
        let languages: Vec<Language> = wanted.map(|name| Language::built_in(name).expect(name)).collect();
        assert!(!languages.is_empty(), "{:?} names none of {names:?}", self.names);
        languages
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
                    match catch_unwind(AssertUnwindSafe(|| examine(language, &place, &widened, asked.required))) {
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

/// Everything that a language has to show; nothing, when its toolchain is not here.
fn examine(language: &Language, place: &Path, widened: &Widened, required: bool) -> Option<Outcomes> {
    let shell = Shell::new(&language.config.name);
    if let Some(missing) = shell.missing(&language.config.probe.commands) {
        let message = format!("skipped: {} is not here ({missing})", language.config.probe.missing);
        assert!(!required, "{}: {message}", language.config.name);
        shell.say(&message);
        return None;
    }
    let project = Project::init(&shell, place.join("project"), &[]);
    if let Err(error) = project.set_up() {
        let message = format!("skipped: its packages cannot be had here: {error}");
        assert!(!required, "{}: {message}", language.config.name);
        shell.say(&message);
        return None;
    }
    project.passes("the worked example");
    project.is_as_emitted();
    let outcomes = project.certifies(&place.join("report.json"));
    for bug in &language.bugs {
        project.catches(bug);
    }
    project.passes_again();
    project.shows(widened);
    Project::init(&shell, place.join("empty"), &["--empty"]).declares_nothing();
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

/// Certificates speak of the same cases: what the example that declares least was asked, every other was asked too, and
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
fn adapters_give_the_kill_matrix_of_the_harness() {
    let (asked, folder) = (Asked::new(), tempfile::tempdir().unwrap());
    let languages = asked.languages();
    let adapters = languages.iter().filter(|language| language.config.commands.adapter.is_some()).count();
    assert!(adapters >= 2 || !asked.names.is_empty(), "{adapters} languages ship an adapter");
    for language in languages {
        let Some(variable) = &language.config.commands.adapter else { continue };
        let shell = Shell::new(&language.config.name);
        if shell.missing(&language.config.probe.commands).is_some() {
            assert!(!asked.required, "{}: {} is not here", language.config.name, language.config.probe.missing);
            shell.say(&format!("skipped: {} is not here", language.config.probe.missing));
            continue;
        }
        let place = folder.path().join(&language.config.name);
        let project = Project::suite(&shell, place.join("project"), &matrix::SYSTEMS);
        match project.set_up() {
            Ok(()) => matrix::compare(&project, variable, &place),
            Err(error) => {
                assert!(!asked.required, "{}: {error}", language.config.name);
                shell.say(&format!("skipped: its packages cannot be had here: {error}"));
            }
        }
    }
}

/// A file of this repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
