//! What the architecture promises, held against the files of this repository.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test code stops at the first surprise"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use assize_verifier::law::Law;
use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a repository").to_owned()
}

/// Every file of a folder and of the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut pending, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else {
            found.push(path);
        }
    }
    found
}

/// Every declaration of a law, by its slug.
fn declared() -> BTreeMap<String, Value> {
    let read = |path: PathBuf| -> (String, Value) {
        let law: Value = serde_json::from_str(&fs::read_to_string(path).expect("readable")).expect("JSON");
        (law["slug"].as_str().expect("a slug").to_owned(), law)
    };
    files(&repository().join("contracts/laws")).into_iter().map(read).collect()
}

/// One law, one slug: the declarations, the verifier and the folders of vectors name the same laws, and each has its module.
#[test]
fn every_law_has_one_slug_everywhere() {
    let laws = declared();
    let known: BTreeSet<&str> = Law::ALL.iter().map(|law| law.slug()).collect();
    assert_eq!(laws.keys().map(String::as_str).collect::<BTreeSet<_>>(), known);
    let positions = Law::ALL.map(|law| (law.system(), laws[law.slug()]["position"].as_u64().expect("a position")));
    let ordered = |pair: &[(&str, u64)]| pair[0].0 != pair[1].0 || pair[0].1 < pair[1].1;
    assert!(positions.windows(2).all(ordered), "the laws of a system stand by their positions");

    let mut folders = BTreeSet::new();
    for system in Law::SYSTEMS.map(|system| repository().join("vectors").join(system)) {
        if system.is_dir() {
            for law in fs::read_dir(&system).expect("a folder").map(|entry| entry.expect("an entry").path()) {
                let part = |path: &Path| path.file_name().expect("a name").to_str().expect("UTF-8").to_owned();
                folders.insert(format!("{}/{}", part(&system), part(&law)));
            }
        }
    }
    let (unjudged, judged): (Vec<_>, Vec<_>) = laws.iter().partition(|(_, law)| law.get("unjudged").is_some());
    assert!(unjudged.len() < judged.len(), "most laws are judged");
    let judged: BTreeSet<String> = judged.into_iter().map(|(slug, _)| slug.clone()).collect();
    assert_eq!(folders, judged, "vectors/ against the laws that are judged");

    // What the protocol fixes is refused where a question is read, before any law is asked.
    let interface = laws.iter().filter(|(_, law)| law.get("origin").and_then(Value::as_str) == Some("interface"));
    let interface: BTreeSet<String> = interface.map(|(slug, _)| slug.clone()).collect();
    let by_rooms: BTreeSet<String> = Law::judged().map(|law| law.slug().to_owned()).collect();
    assert_eq!(by_rooms, &judged - &interface, "the rooms of the verifier against the laws that are judged");
}

/// A law is named in its own room, once, and nowhere else in the verifier; a room names no other law.
#[test]
fn a_law_is_named_in_its_own_room_alone() {
    let sources = repository().join("verifier/src");
    let mut named = BTreeSet::new();
    for path in files(&sources) {
        let place = path.strip_prefix(&sources).expect("below").to_str().expect("UTF-8").to_owned();
        let text = fs::read_to_string(&path).expect("readable");
        // The type itself is tried with names of its own; comments may speak of any law.
        let code = text.lines().filter(|line| place != "law.rs" && !line.trim_start().starts_with("//"));
        for call in code.flat_map(|line| line.split("Law::named(").skip(1)) {
            let slug = call.strip_prefix('"').and_then(|rest| rest.split_once('"')).expect("a slug").0;
            let (system, name) = slug.split_once('/').expect("two parts");
            let own = format!("{system}/laws/{}.rs", name.replace('-', "_"));
            assert_eq!(place, own, "{slug} is named outside of its room");
            assert!(named.insert(slug.to_owned()), "{slug} is named twice in its room");
        }
        for other in ["Law::find(", "Law::ALL"] {
            assert!(place == "law.rs" || !text.contains(other), "{place} gets hold of a law by {other}");
        }
        let model = place.contains("/model/") || place.ends_with("/model.rs");
        assert!(!model || !text.contains("law::Law"), "{place}: a model knows no law");
    }
    let judged: BTreeSet<String> = Law::judged().map(|law| law.slug().to_owned()).collect();
    assert_eq!(named, judged);
}

/// The verifier opens nothing, reads no clock and no environment, and prints nothing.
#[test]
fn the_verifier_touches_nothing_outside() {
    let mut read = 0;
    for path in files(&repository().join("verifier/src")) {
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
