//! Packages that verify: emitted with the core that `.ci/core` makes, in the form that they carry, built, run by their own tests, and
//! certified through their own kit, where every case of every system is asked and passes.
//!
//! They take minutes and are tried where `ASSIZE_LANGUAGES` names something. A plain build has no core: without it they are skipped
//! with a line that says so, as they are without a toolchain; with `required` among the words they fail instead.

use std::{env, path::PathBuf};

use assize_corpus::{store::Store, vector::Corpus};
use assize_generators::language::Carries;
use serde_json::json;

use super::{Asked, project::Project, repository, shell::Shell};

/// Where cores lie once they were made.
fn cores() -> PathBuf {
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository("target"), |target| repository("").join(target));
    target.join("core")
}

#[test]
fn every_package_that_verifies_passes_its_tests_and_certifies() {
    let (asked, folder, cores) = (Asked::new(), tempfile::tempdir().unwrap(), cores());
    let (carrying, others): (Vec<_>, Vec<_>) =
        asked.languages().into_iter().partition(|language| language.config.verifier.is_some());
    for language in others {
        Shell::new(&language.config.name).say("has no package that verifies");
    }
    for language in carrying {
        let place = folder.path().join(&language.config.name);
        if !asked.thorough {
            Shell::new(&language.config.name).say("the package that verifies is left to ASSIZE_LANGUAGES=all");
            continue;
        }
        let Some(mut shell) = asked.shell(&language) else { continue };
        let core = match language.config.verifier.as_ref().map(|parts| parts.carries) {
            Some(Carries::Sources) => cores.join("sources"),
            _ => cores.join("assize-core.wasm"),
        };
        if !core.exists() {
            asked.skip::<()>(&shell, &format!("the core was not made: {} is missing (.ci/core)", core.display()));
            continue;
        }
        if core.is_dir() {
            // What a package compiles is kept for the next run: most of it never changes.
            shell.set("CARGO_TARGET_DIR", &cores.join("built"));
        }
        let package = Project::verifier(&language, &shell, place.join("package"), &core);
        if asked.set_up(&package).is_none() {
            continue;
        }
        package.passes();
        package.is_reviewed();
        package.is_as_emitted();
        // Nothing is declared to be beyond it.
        let outcomes = package.certifies(&place.join("report.json"), &json!({}));
        let other: Vec<_> = outcomes.iter().filter(|(_, outcome)| *outcome != "PASS").collect();
        assert!(other.is_empty(), "{}: {other:#?}", language.config.name);
        let corpus = Corpus::load(&Store::embedded());
        let unasked: Vec<_> = corpus.cases.keys().filter(|id| !outcomes.contains_key(id.as_str())).collect();
        assert!(unasked.is_empty(), "{}: {unasked:#?}", language.config.name);
        shell.say(&format!(
            "certified by its own kit: {} questions pass, all cases of the corpus among them",
            outcomes.len()
        ));
    }
}
