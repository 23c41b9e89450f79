//! What the architecture promises, held against the files of this repository.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test code stops at the first surprise"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use assize_verifier::law::Law;
use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a repository").to_owned()
}

fn manifest() -> Vec<Value> {
    let mut laws = Vec::new();
    let mut files: Vec<_> = fs::read_dir(repository().join("contracts/laws"))
        .expect("a folder")
        .map(|f| f.expect("a file").path())
        .collect();
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file).expect("readable");
        let system: Value = serde_json::from_str(&text).expect("JSON");
        laws.extend(system["laws"].as_array().expect("laws").iter().cloned());
    }
    laws
}

/// One law, one slug: the manifest, the enum and the vector folders name the same laws, and each has its module.
#[test]
fn every_law_has_one_slug_everywhere() {
    let slug = |law: &Value| law["slug"].as_str().expect("a slug").to_owned();
    let listed: Vec<String> = manifest().iter().map(slug).collect();
    let known: Vec<String> = Law::ALL.iter().map(|law| law.slug().to_owned()).collect();
    assert_eq!(listed, known, "contracts/laws against the Law enum, in order");

    let mut folders = BTreeSet::new();
    for system in
        fs::read_dir(repository().join("vectors")).expect("a folder").map(|entry| entry.expect("an entry").path())
    {
        if system.is_dir() {
            for law in fs::read_dir(&system).expect("a folder").map(|entry| entry.expect("an entry").path()) {
                let part = |path: &Path| path.file_name().expect("a name").to_str().expect("UTF-8").to_owned();
                folders.insert(format!("{}/{}", part(&system), part(&law)));
            }
        }
    }
    assert_eq!(folders, known.into_iter().collect(), "vectors/ against the Law enum");

    for law in manifest() {
        let module = law["module"].as_str().expect("a module");
        assert!(repository().join(module).is_file(), "{}: {module} does not exist", slug(&law));
        let (system, name) = law["slug"].as_str().expect("a slug").split_once('/').expect("two parts");
        let expected = if name.starts_with("contract-") { "contract".to_owned() } else { name.replace('-', "_") };
        assert_eq!(module, format!("verifier/src/{system}/{expected}.rs"));
    }
}

/// The verifier opens nothing, reads no clock and no environment, and prints nothing.
#[test]
fn the_verifier_touches_nothing_outside() {
    let mut pending = vec![repository().join("verifier/src")];
    let mut read = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
            continue;
        }
        read += 1;
        let text = fs::read_to_string(&path).expect("readable");
        for banned in [
            "std::fs",
            "std::time",
            "std::env",
            "std::net",
            "std::process",
            "std::thread",
            "println!",
            "eprintln!",
            "unsafe ",
        ] {
            assert!(!text.contains(banned), "{} uses {banned}", path.display());
        }
    }
    assert!(read > 30, "only {read} files were read");
}
