//! Challenges in a run: a testee that knows the whole corpus by heart does not pass.
//!
//! `ASSIZE_CHALLENGE_SEEDS` says how many seeds are tried.

mod table;

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, run, run_in};

/// A folder with a corpus of one law, which is loaded faster than all.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let law = folder.path().join("corpus/canon/i-json");
    fs::create_dir_all(&law).unwrap();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/canon/i-json")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, law.join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// A command over that corpus, in its folder.
fn at(folder: &TempDir, args: &[&str]) -> Ran {
    let (verb, more) = args.split_first().unwrap();
    run_in(folder.path(), &[&[*verb, "--corpus", "corpus"], more].concat(), b"")
}

/// The ids of the challenges among the cases of a report.
fn challenges(report: &Value) -> Vec<&str> {
    let cases = report["result"]["cases"].as_array().unwrap().iter();
    cases.map(|case| case["id"].as_str().unwrap()).filter(|id| id.contains("/challenge-")).collect()
}

/// The set that is written is the one that a run adds, and a run over it alone asks nothing else.
#[test]
fn a_written_set_is_the_one_of_a_run() {
    let folder = folder();
    at(&folder, &["challenge", "--seed", "7", "--each", "12", "--out", "set"]).exits(0);
    let alone = run_in(folder.path(), &["certify", "--corpus", "set", "--format", "json"], b"").json();
    let added = at(&folder, &["certify", "--challenges", "12", "--seed", "7", "--format", "json"]).exits(0).json();
    let made = challenges(&added);
    assert_eq!(made.len(), 12);
    assert_eq!(made, challenges(&alone));
    assert_eq!((&alone["result"]["totals"]["cases"], &alone["result"]["totals"]["pass"]), (&12.into(), &12.into()));
    let stated = serde_json::json!({"seed": "7", "each": 12, "cases": 12, "answered": 12});
    assert_eq!(added["result"]["challenges"], stated);
    at(&folder, &["challenge", "--seed", "7", "--each", "2", "--out", "set"]).exits(3);
}

/// A challenge is made again by the flags that reports give for it: its number, and the seed.
#[test]
fn a_challenge_runs_alone() {
    let folder = folder();
    let report = at(&folder, &["certify", "--seed", "9", "--format", "json"]).exits(0).json();
    let made = challenges(&report);
    assert_eq!(made.len(), 20, "a fifth would be fewer");
    let (id, number) = made.iter().find_map(|id| Some((id, id.strip_suffix("-5").map(|_| "5")?))).unwrap();
    let again = ["certify", "--filter", id, "--challenges", number, "--seed", "9", "--format", "json"];
    let again = at(&folder, &again).json();
    assert_eq!(again["result"]["cases"].as_array().unwrap().len(), 1);
    assert_eq!(again["result"]["cases"][0]["outcome"], "PASS");
}

/// A beacon and a testee make one seed; another beacon, or another testee, makes another.
#[test]
fn neither_side_chooses_the_seed_of_a_beacon() {
    let folder = folder();
    let said = |set: &str, args: &[&str]| {
        let given = ["challenge", "--each", "1", "--out", set, "--beacon"];
        let text = at(&folder, &[&given[..], args].concat()).exits(0).text().to_owned();
        let seed = text.split("seed ").nth(1).unwrap().split(':').next().unwrap().to_owned();
        let digest = text.lines().find_map(|line| line.strip_prefix("testee ")).unwrap().to_owned();
        assert_eq!(seed.len(), 64);
        (seed, digest)
    };
    let write = |text: &str| fs::write(folder.path().join("testee.py"), text).unwrap();
    write("one");
    let (seed, digest) = said("first", &["a", "--", "sh", "testee.py"]);
    assert_eq!(said("again", &["a", "--testee-digest", &digest]), (seed.clone(), digest));
    let (other, _) = said("beacon", &["b", "--", "sh", "testee.py"]);
    write("two");
    let (changed, _) = said("file", &["a", "--", "sh", "testee.py"]);
    assert!(seed != other && seed != changed && other != changed);
    at(&folder, &["challenge", "--beacon", "a", "--out", "x"]).exits(64);
    at(&folder, &["challenge", "--beacon", "a", "--out", "x", "--", "no-such-program"]).exits(3);
}

/// Single cases, parts and quick runs are asked alone, unless challenges are asked for.
#[test]
fn narrow_runs_ask_none_by_default() {
    let folder = folder();
    let json = |args: &[&str]| at(&folder, &[&["certify", "--format", "json"], args].concat()).json();
    for narrow in [&["--filter", "canon/i-json"][..], &["--shard", "1/2"], &["--quick"], &["--challenges", "none"]] {
        assert!(json(narrow)["result"].get("challenges").is_none(), "{narrow:?}");
    }
    assert_eq!(challenges(&json(&["--filter", "canon/i-json", "--challenges", "3"])).len(), 3);
    assert_eq!(challenges(&json(&["--quick", "--challenges", "3"])).len(), 3);
    run(&["certify", "--challenges", "0"]).exits(64);
}

/// Nobody knows the seed of a run that names none; its report says which one makes the same run again.
#[test]
fn a_seed_is_random_and_stated() {
    let folder = folder();
    let json = |args: &[&str]| at(&folder, &[&["certify", "--format", "json"], args].concat()).exits(0).json();
    let (first, second) = (json(&[]), json(&[]));
    assert_ne!(first["result"]["seed"], second["result"]["seed"]);
    assert_ne!(challenges(&first), challenges(&second));
    let seed = first["result"]["seed"].to_string();
    assert_eq!(first["result"]["challenges"]["seed"], *seed);
    let again = at(&folder, &["certify", "--seed", &seed]).exits(0);
    again.says(&[&format!("--seed {seed}"), &format!("made from seed {seed}"), first["digest"].as_str().unwrap()]);
}

/// A statement names its set, from which it is made again; a replay asks that one, and one that nobody knew.
#[test]
fn a_statement_is_checked_with_its_challenges() {
    let folder = tempfile::tempdir().unwrap();
    let at = |args: &[&str]| run_in(folder.path(), args, b"");
    at(&["keygen", "mine"]).exits(0);
    let run = ["certify", "--level", "canonical-form-authority", "--challenges", "4", "--report", "r.json"];
    at(&[&run[..], &["--statement", "s.json"]].concat()).exits(0);
    at(&["sign", "s.json", "--key", "mine.key", "--output", "c.json"]).exits(0);
    let check = ["verify-certificate", "c.json", "--key", "mine.pub", "--require-level", "canonical-form-authority"];
    let said = at(&[&check[..], &["--report", "r.json", "--replay"]].concat()).exits(0);
    said.says(&["challenges        4 of ", "holds: report: ", "holds: replay: ", "holds: replay, other seed: "]);
}
