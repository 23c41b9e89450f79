//! Sealed files are the ones that the specifications published: `contracts/sealed.json` pins their SHA-256.
//!
//! A pin says that a file is unchanged, not that its text was copied out rightly.

use assize_corpus::store::Store;
use serde::Deserialize;
use sha2::{Digest, Sha256};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pin {
    path: String,
    sha256: String,
    #[expect(dead_code, reason = "for people")]
    source: String,
}

#[test]
fn sealed_files_are_unchanged() {
    let store = Store::embedded();
    let pins: Vec<Pin> = serde_json::from_slice(&store.read("contracts/sealed.json").unwrap()).unwrap();
    assert!(!pins.is_empty());
    let mut paths: Vec<_> = pins.iter().map(|pin| pin.path.as_str()).collect();
    paths.dedup();
    assert!(paths.is_sorted() && paths.len() == pins.len(), "pins are sorted by path and unique");
    for pin in &pins {
        let digest: String =
            Sha256::digest(store.read(&pin.path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, pin.sha256, "{} is sealed: restore it", pin.path);
    }
}

#[test]
fn every_file_of_the_comparator_is_sealed() {
    let store = Store::embedded();
    let pins: Vec<Pin> = serde_json::from_slice(&store.read("contracts/sealed.json").unwrap()).unwrap();
    for path in store.below("contracts/reference/").filter(|path| path.ends_with(".py")) {
        assert!(pins.iter().any(|pin| pin.path == path), "{path} has no pin in contracts/sealed.json");
    }
}
