//! The vectors on disk are those that this crate declares, byte for byte, and the cases keep the rules of the corpus.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic, and its helpers with it"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::LazyLock,
};

use assize_packs::{
    cases::{LAWS, SHARED, corpus},
    vector::{Case, Law},
};

/// What is declared, built once.
static DECLARED: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(corpus);

/// The folder `vectors/`.
fn room() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../vectors")
}

/// Every file below a folder, by its path below `vectors/`.
fn collect(folder: &Path, name: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{name}/{}", entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &path, found);
        } else {
            found.insert(path);
        }
    }
}

fn all() -> BTreeMap<String, (Law, Case)> {
    let cases = LAWS.iter().chain([&SHARED]).flat_map(|law| (law.cases)().into_iter().map(|case| (*law, case)));
    cases.map(|(law, case)| (format!("{}/{}", law.slug, case.name), (law, case))).collect()
}

#[test]
fn every_committed_file_is_the_declared_one() {
    for (path, content) in &*DECLARED {
        let committed = fs::read(room().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(committed == *content, "{path} is not what is declared: run the example `write`");
    }
    let mut found = BTreeSet::new();
    for law in LAWS {
        collect(&room().join(law.slug), law.slug, &mut found);
    }
    let mut beside = BTreeSet::new();
    collect(&room().join(SHARED.slug), SHARED.slug, &mut beside);
    let own = format!("{}/pack-", SHARED.slug);
    found.extend(beside.into_iter().filter(|path| path.starts_with(&own)));
    // Cases of who makes packs need none that is built, and are written by hand.
    for path in found.into_iter().filter(|path| !path.contains("/made-")) {
        assert!(DECLARED.contains_key(&path), "nothing declares {path}");
    }
}

#[test]
fn whatever_does_not_match_has_a_twin_that_does() {
    let cases = all();
    for (id, (law, case)) in &cases {
        match case.twin_id(law) {
            Some(twin) => {
                let (_, other) = cases.get(&twin).unwrap_or_else(|| panic!("{id}: no case {twin}"));
                assert_eq!(other.expected(), "MATCH", "{id}: {twin}");
            }
            None => assert_eq!(case.expected(), "MATCH", "{id}: no twin"),
        }
    }
}

#[test]
fn shared_cases_are_told_by_their_names() {
    let cases = (SHARED.cases)();
    assert!(cases.iter().all(|case| case.name.starts_with("pack-")));
}

#[test]
fn the_same_every_time() {
    assert!(corpus() == *DECLARED);
}
