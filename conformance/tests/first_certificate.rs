//! The path of a stranger: from a new project to a signed certificate for one function, as `.ci/first-certificate` walks it.
//!
//! Python alone here, which these tests need in any case and whose project fetches nothing; the script walks the others.

use std::{fs, path::Path};

use assize_generators::language::Language;

use crate::support::{program, run};

/// What the script prints on its way in Python, and whether it comes to the end of it.
fn walked(scratch: &Path) -> (bool, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/first-certificate");
    // Patient: a cold start on a busy machine says nothing about an implementation.
    let patient = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/patient.toml");
    let asked = ["--assize", env!("CARGO_BIN_EXE_assize"), "--config", patient, "python", "--scratch"];
    let ran = program("python3").arg(script).args(asked).arg(scratch).output().unwrap();
    let said = [ran.stdout, ran.stderr].concat();
    (ran.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn one_function_gets_its_certificate_in_a_few_commands() {
    let scratch = tempfile::tempdir().unwrap();
    // As an earlier run leaves them: what it has made goes.
    let old = scratch.path().join("python/old");
    fs::create_dir_all(old.parent().unwrap()).unwrap();
    fs::write(&old, "").unwrap();
    fs::write(scratch.path().join(".python-of-first-certificate"), "").unwrap();
    let (arrived, said) = walked(scratch.path());
    // A language whose toolchain is not here is left out by the script, which must not look like a path that was walked.
    assert!(arrived, "{said}");
    for step in
        ["assize keygen", "assize certify", "assize sign", "assize verify-certificate", "python: 4 commands, 7 lines"]
    {
        assert!(said.contains(step), "{step} is missing:\n{said}");
    }
    assert!(!old.exists());
}

#[test]
fn what_somebody_else_has_put_there_stays() {
    let scratch = tempfile::tempdir().unwrap();
    let own = scratch.path().join("python/own");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    fs::write(&own, "kept").unwrap();
    let (arrived, said) = walked(scratch.path());
    assert!(
        !arrived && said.contains("is there already: name another --scratch") && !said.contains("Traceback"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&own).unwrap(), "kept");
}

/// The edits for libraries of registries fit the stubs of today. That the libraries conform needs a network, and is walked by hand.
#[test]
fn published_libraries_fit_behind_the_stubs() {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generators/languages");
    let mut without = Vec::new();
    for name in Language::names() {
        let Ok(text) = fs::read_to_string(languages.join(&name).join("published-library.toml")) else {
            without.push(name);
            continue;
        };
        let path: toml::Table = text.parse().unwrap();
        let package = Language::built_in(&name).unwrap().config.package.default.clone();
        let rendered = |text: &toml::Value| {
            let text = text.as_str().unwrap().trim_start_matches('\n');
            let folders = text.replace("{{ package | replace('.', '/') }}", &package.replace('.', "/"));
            folders.replace("{{ package }}", &package)
        };
        let project = tempfile::tempdir().unwrap();
        let folder = project.path().join("p");
        let few = ["--operations", "canon.bytes", "--laws", "canon/rfc8785"];
        run(&[&["init", &name, folder.to_str().unwrap()], &few[..]].concat()).exits(0);
        let file = fs::read_to_string(folder.join(rendered(&path["file"]))).unwrap();
        for edit in path["edit"].as_array().unwrap() {
            let find = rendered(&edit["find"]);
            assert_eq!(file.matches(&find).count(), 1, "{name}: {find}");
        }
        assert!(
            path["steps"].as_array().is_some_and(|steps| (1..=2).contains(&steps.len())),
            "{name}: six commands at most"
        );
    }
    // Of those that ship one has no registry.
    assert!(without.len() <= 1, "{without:?}");
}

#[test]
fn every_language_has_its_path() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generators/languages");
    for name in Language::names() {
        assert!(folder.join(&name).join("first-certificate.toml").is_file(), "{name}");
    }
}
