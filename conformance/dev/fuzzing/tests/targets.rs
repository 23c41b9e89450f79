//! Every target on stable: a seeded stream of strings of bytes, documents there and back, and the table that lists it.
//!
//! `ASSIZE_FUZZ_STRINGS` sets the number of strings for each target (default 100).
use std::{fs, path::Path};

use assize_fuzzing::{target::Entry, targets};
use assize_inputs::seed::noise;

const FUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../fuzz");

fn strings() -> u64 {
    std::env::var("ASSIZE_FUZZ_STRINGS").map_or(100, |number| number.parse().expect("a number"))
}

/// Strings of many lengths, the empty one first.
fn stream() -> impl Iterator<Item = Vec<u8>> {
    (0..strings()).map(|seed| noise(seed, usize::try_from(seed * 37 % 2_048).unwrap()))
}

fn judge(target: &Entry) {
    let mut judged = 0;
    for octets in stream() {
        match (target.try_octets)(&octets) {
            Ok(true) => judged += 1,
            Ok(false) => {}
            Err(disagreement) => panic!("{}: {disagreement}", target.name),
        }
        // What is stored must be judged as what was found.
        if let Some(find) = (target.decode)(&octets) {
            (target.replay)(&find.documents).unwrap_or_else(|error| panic!("{}: {error}", target.name));
        }
    }
    assert!(judged * 2 >= strings(), "{}: only {judged} strings stand for an input", target.name);
}

#[test]
fn every_target_judges_a_stream_of_strings() {
    targets::ALL.iter().for_each(judge);
}

#[test]
fn committed_seeds_are_judged() {
    for target in targets::ALL {
        let folder = Path::new(FUZZ).join("seeds").join(target.name);
        let mut judged = 0;
        for seed in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = seed.unwrap().path();
            match (target.try_octets)(&fs::read(&path).unwrap()) {
                Ok(true) => judged += 1,
                Ok(false) => panic!("{}: stands for no input", path.display()),
                Err(disagreement) => panic!("{}: {disagreement}", path.display()),
            }
        }
        assert!(judged > 0, "{}: no seeds", target.name);
    }
}

#[test]
fn every_target_has_its_program_and_its_row() {
    let manifest = fs::read_to_string(Path::new(FUZZ).join("Cargo.toml")).unwrap();
    let readme = fs::read_to_string(Path::new(FUZZ).join("README.md")).unwrap();
    for target in targets::ALL {
        let program = fs::read_to_string(Path::new(FUZZ).join(format!("fuzz_targets/{}.rs", target.name))).unwrap();
        assert!(program.contains("fuzz_target!"), "{}", target.name);
        assert!(manifest.contains(&format!("name = \"{}\"", target.name)), "fuzz/Cargo.toml: {}", target.name);
        let row = format!("| `{}` | {} | {} |", target.name, target.kind, target.law);
        assert!(readme.contains(&row), "fuzz/README.md lacks the row\n{row}");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), targets::ALL.len());
    assert_eq!(fs::read_dir(Path::new(FUZZ).join("fuzz_targets")).unwrap().count(), targets::ALL.len());
    assert!(targets::ALL.is_sorted_by_key(|target| target.name), "by name");
}
