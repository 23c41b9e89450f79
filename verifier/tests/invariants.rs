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

/// Every law of `contracts/laws`, system by system in the order that the interface gives them.
fn manifest() -> Vec<Value> {
    let read = |path: &str| -> Value {
        let text = fs::read_to_string(repository().join(path)).expect("readable");
        serde_json::from_str(&text).expect("JSON")
    };
    let schema = read("contracts/interface/law.schema.json");
    let systems = schema["$defs"]["System"]["properties"]["system"]["enum"].as_array().expect("the systems");
    let mut laws = Vec::new();
    let mut files = 0;
    for system in systems.iter().map(|system| system.as_str().expect("a name")) {
        let file = format!("contracts/laws/{system}.json");
        if repository().join(&file).is_file() {
            files += 1;
            laws.extend(read(&file)["laws"].as_array().expect("laws").iter().cloned());
        }
    }
    assert_eq!(
        fs::read_dir(repository().join("contracts/laws")).expect("a folder").count(),
        files,
        "a file of no system"
    );
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
    let (unjudged, judged): (Vec<_>, Vec<_>) = manifest().into_iter().partition(|law| law.get("unjudged").is_some());
    assert!(unjudged.len() < judged.len(), "most laws are judged");
    assert_eq!(folders, judged.iter().map(slug).collect(), "vectors/ against the laws that are judged");

    for law in judged {
        let module = law["module"].as_str().expect("a module");
        assert!(repository().join(module).is_file(), "{}: {module} does not exist", slug(&law));
        let (system, name) = law["slug"].as_str().expect("a slug").split_once('/').expect("two parts");
        // The contracts of `sovereign` share a module; in `episode`, contract-shape is a law like any other.
        let shared = system == "sovereign" && name.starts_with("contract-");
        let expected = if shared { "contract".to_owned() } else { name.replace('-', "_") };
        let rooms = format!("verifier/src/{system}/laws");
        let folder = if repository().join(&rooms).is_dir() { rooms } else { format!("verifier/src/{system}") };
        assert_eq!(module, format!("{folder}/{expected}.rs"));
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
