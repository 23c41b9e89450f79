//! On disk, where a home has neighbours.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use assize_corpus::disk::{Durability, HomeFolder};
use assize_verifier::kernel::path_safety::{RunId, Stem, Turn, TurnId};
use assize_verifier::kernel::{Index, MemoryHome, Triplet};
use proptest::prelude::*;

use super::acts::{act, committed};

/// Every file and folder below a folder, with its bytes.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let bytes = path.is_file().then(|| fs::read(&path).unwrap());
            if bytes.is_none() {
                pending.push(path.clone());
            }
            found.insert(path.strip_prefix(folder).unwrap().to_path_buf(), bytes);
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn a_home_on_disk_is_what_it_is_in_memory(acts in prop::collection::vec(act(), 1..10)) {
        let top = tempfile::tempdir().unwrap();
        let root = top.path().join("home");
        fs::create_dir(&root).unwrap();
        let mut disk = HomeFolder::with(&root, Durability::Process).unwrap();
        let mut memory = MemoryHome::default();
        for act in &acts {
            prop_assert_eq!(act.on(&mut disk), act.on(&mut memory), "{:?}", act);
        }
        let found = tree(&root);
        let expected: BTreeMap<_, _> =
            memory.below("").map(|(path, bytes)| (PathBuf::from(path), bytes.map(<[u8]>::to_vec))).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn no_name_leads_out_of_a_home(
        run in "[./%\\\\:a\u{1}]{1,4}",
        stem in "[./\\\\a]{1,6}",
        kind in "[./%\\\\:a]{1,4}",
        id in "[./%\\\\:a]{1,4}",
    ) {
        let stem = Stem::parse(&stem);
        // A case without a lawful stem shows nothing, and counts for nothing.
        prop_assume!(stem.is_some());
        let stem = stem.unwrap();
        let top = tempfile::tempdir().unwrap();
        let root = top.path().join("home");
        fs::create_dir(&root).unwrap();
        let mut home = HomeFolder::open(&root).unwrap();
        let turn = Turn { run: RunId::parse(&run).unwrap(), id: TurnId::parse("turn-0001").unwrap() };
        let links = serde_json::json!({"k": {"type": kind, "id": id}}).to_string();
        let triplet = Triplet::new(stem.clone(), b"{}", links.as_bytes(), b"{}").unwrap();
        let mut index = Index::new(&mut home);
        index.stage_triplet(&turn, &triplet).unwrap();
        prop_assert!(!root.join("index/committed").exists());
        prop_assert_eq!(index.promote(&turn).unwrap().stems, [stem]);
        let files = |tree: BTreeMap<PathBuf, Option<Vec<u8>>>| tree.into_values().flatten().count();
        prop_assert_eq!(files(tree(top.path())), files(tree(&root.join("index/committed"))));
        // Three objects of which two are one, a record, a reference record, the ledger.
        prop_assert_eq!(files(tree(&root.join("index/committed"))), 5);
    }
}

/// A promotion that outlasts a loss of power comes to the same as one that outlasts its process.
#[test]
fn what_is_settled_is_the_same() {
    let top = tempfile::tempdir().unwrap();
    let mut home = HomeFolder::with(top.path(), Durability::Power).unwrap();
    let mut memory = MemoryHome::default();
    let turn = Turn { run: RunId::parse("r").unwrap(), id: TurnId::parse("turn-0001").unwrap() };
    let triplet = Triplet::new(Stem::parse("a").unwrap(), b"{}", b"{}", b"{}").unwrap();
    for home in [&mut home as &mut dyn assize_verifier::files::HomeFiles, &mut memory] {
        let mut index = Index::new(home);
        index.stage_triplet(&turn, &triplet).unwrap();
        index.promote(&turn).unwrap();
    }
    let found = tree(&top.path().join("index/committed"));
    let expected = committed(&memory).into_iter().filter(|(path, _)| path != "index/committed");
    let inside = |path: String| PathBuf::from(path.strip_prefix("index/committed/").unwrap());
    assert_eq!(found, expected.map(|(path, bytes)| (inside(path), bytes)).collect());
}
