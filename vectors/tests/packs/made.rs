//! No byte of a pack that was made can be another: every file of it is bound by the digest of its bytes.

use std::collections::BTreeMap;

use assize_corpus::{
    store::Store,
    vector::{Case, Entry},
};
use assize_verifier::{
    episode::{Maker, Recording, Verdict},
    files::MemoryHome,
};

use super::{consistency::judge, memory::Memory};

/// Spec: RCE Profile v0.1, Verification phases; rulings EP-14, EP-48: a made pack lists its artifacts, so that a change is noticed
/// where the signed manifest is checked, or before, where it breaks the contract.
#[test]
fn every_byte_is_bound_in_its_phase() {
    let pack = made();
    assert_eq!(judge(&pack).verdict, Verdict::Match);
    let mut phases: BTreeMap<(bool, u8), usize> = BTreeMap::new();
    for (path, bytes) in pack.files.clone() {
        let mut changed = pack.clone();
        for (place, byte) in bytes.iter().enumerate() {
            for flipped in [1, 0x80] {
                changed.files.get_mut(&path).unwrap()[place] = byte ^ flipped;
                let found = judge(&changed);
                assert_eq!(found.verdict, Verdict::IntegrityFail, "{path} at {place}");
                *phases.entry((path == CONTRACT, found.phase.number())).or_default() += 1;
            }
            changed.files.get_mut(&path).unwrap()[place] = *byte;
        }
        changed.files.remove(&path);
        assert_eq!(judge(&changed).verdict, Verdict::IntegrityFail, "{path} is gone");
    }
    println!("{phases:?}");
    let known: Vec<_> = phases.into_keys().collect();
    assert_eq!(known, [(false, 2), (true, 1), (true, 2)], "(in the contract, phase)");
}

const CONTRACT: &str = "episode_contract.json";

/// The pack that a case of the corpus asks for.
fn made() -> Memory {
    let case = Case::load(&Store::embedded(), "vectors/episode/contract-shape/made-a-lawful-contract.json").unwrap();
    let below = |folder: &str| {
        let files = case.files.iter().filter_map(|(path, entry)| match entry {
            Entry::File(document) => Some((path.strip_prefix(folder)?.to_owned(), document.bytes().to_vec())),
            _ => None,
        });
        Memory { files: files.collect() }
    };
    let (inputs, outputs) = (below("inputs/"), below("outputs/"));
    let maker = Maker::new(case.args["now"].as_str().unwrap(), case.args["private_key"].as_str().unwrap()).unwrap();
    let recording = Recording { inputs: &inputs, outputs: &outputs };
    let made = maker.make(&case.inputs["contract"].bytes(), &recording).unwrap();
    let mut home = MemoryHome::default();
    made.write(&mut home, "pack").unwrap();
    let files =
        home.below("pack").filter_map(|(path, bytes)| Some((path.strip_prefix("pack/")?.to_owned(), bytes?.to_vec())));
    Memory { files: files.collect() }
}
