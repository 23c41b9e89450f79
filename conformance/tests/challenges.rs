//! Challenges in a run: a testee that knows the whole corpus by heart does not pass.
//!
//! `ASSIZE_CHALLENGE_SEEDS` says how many seeds are tried.

mod table;

use std::fs;

use crate::support::run;

/// The set that is written is the one that a run adds, and a run over it alone asks nothing else.
#[test]
fn a_written_set_is_the_one_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set");
    let set = set.to_str().unwrap();
    run(&["challenge", "--seed", "7", "--each", "2", "--out", set]).exits(0);
    let some = ["--seed", "7", "--system", "canon", "--format", "json"];
    let alone = run(&[&["certify", "--corpus", set], &some[..]].concat()).json();
    let added = run(&[&["certify", "--challenges", "2"], &some[..]].concat()).exits(0).json();
    assert_eq!(added["result"]["challenges"]["seed"], "7");
    let ids = |report: &serde_json::Value| -> Vec<String> {
        let cases = report["result"]["cases"].as_array().unwrap();
        let ids = cases.iter().map(|case| case["id"].as_str().unwrap().to_owned());
        ids.filter(|id| id.contains("/challenge-")).collect()
    };
    assert_eq!(ids(&alone), ids(&added));
    // Two a law give few a grade; they pass all the same.
    assert_eq!(alone["result"]["totals"]["pass"], ids(&alone).len());
    assert_eq!(alone["result"]["cases"].as_array().unwrap().len(), ids(&alone).len());
    assert_eq!(added["result"]["challenges"]["answered"], ids(&added).len());
    assert!(ids(&added).len() >= 10);
    run(&["challenge", "--seed", "7", "--each", "2", "--out", set]).exits(3);
}

/// A challenge that fails is made again by the command that its failure names.
#[test]
fn a_challenge_runs_alone() {
    let all =
        ["certify", "--level", "canonical-form-sovereign", "--challenges", "5", "--seed", "9", "--format", "json"];
    let report = run(&all).json();
    let cases = report["result"]["cases"].as_array().unwrap();
    let last = cases.iter().filter_map(|case| case["id"].as_str()).filter(|id| id.ends_with("-5")).next_back().unwrap();
    let again = ["certify", "--filter", last, "--challenges", "5", "--seed", "9", "--format", "json"];
    let again = run(&again).json();
    assert_eq!(again["result"]["cases"].as_array().unwrap().len(), 1);
    assert_eq!(again["result"]["cases"][0]["outcome"], "PASS");
}

/// A beacon and a digest make one seed; another beacon, or another digest, makes another.
#[test]
fn neither_side_chooses_the_seed_of_a_beacon() {
    let folder = tempfile::tempdir().unwrap();
    let said = |beacon: &str, digest: &str| {
        let set = folder.path().join(format!("{beacon}{digest}"));
        let args =
            ["challenge", "--beacon", beacon, "--testee-digest", digest, "--each", "1", "--out", set.to_str().unwrap()];
        let text = run(&args).exits(0).text().to_owned();
        text.split("seed ").nth(1).unwrap().split(':').next().unwrap().to_owned()
    };
    let (zeros, ones) = ("0".repeat(64), "1".repeat(64));
    let seeds = [said("a", &zeros), said("a", &ones), said("b", &zeros)];
    assert!(seeds.iter().all(|seed| seed.len() == 64));
    assert!(seeds[0] != seeds[1] && seeds[0] != seeds[2] && seeds[1] != seeds[2]);
    let refused = ["challenge", "--beacon", "a", "--out", "x"];
    run(&refused).exits(64);
    // The digest that is printed of a testee's files stands for them; it changes with every one of them.
    let file = folder.path().join("testee.py");
    let of_files = |text: &str| {
        fs::write(&file, text).unwrap();
        let set = folder.path().join(text).to_str().unwrap().to_owned();
        let args = ["challenge", "--beacon", "a", "--each", "1", "--out", &set, "--", "sh", file.to_str().unwrap()];
        let text = run(&args).exits(0).text().to_owned();
        let digest = text.lines().find_map(|line| line.strip_prefix("testee ")).unwrap().to_owned();
        (text.split("seed ").nth(1).unwrap().split(':').next().unwrap().to_owned(), digest)
    };
    let ((seed, digest), (other, _)) = (of_files("one"), of_files("two"));
    assert_ne!(seed, other);
    assert_eq!(seed, said("a", &digest));
}

/// Nobody knows the seed of a run that names none; its report says which one makes the same run again.
#[test]
fn a_seed_is_random_and_stated() {
    let certify =
        |more: &[&str]| run(&[&["certify", "--filter", "canon/i-json", "--challenges", "2"], more].concat()).exits(0);
    let json = |more: &[&str]| certify(&[&["--format", "json"], more].concat()).json();
    let (first, second) = (json(&[]), json(&[]));
    assert_ne!(first["result"]["seed"], second["result"]["seed"]);
    let seed = first["result"]["seed"].to_string();
    assert_eq!(first["result"]["challenges"]["seed"], seed);
    let again = certify(&["--seed", &seed]);
    again.says(&[&format!("--seed {seed}"), &format!("made from seed {seed}"), first["digest"].as_str().unwrap()]);
}

/// Single cases are asked alone, unless challenges are asked for.
#[test]
fn narrow_runs_ask_none_by_default() {
    let args = ["certify", "--filter", "canon/sovereign/array-one", "--format", "json"];
    // One case gives a law no grade.
    assert!(run(&args).exits(3).json()["result"].get("challenges").is_none());
    let law = ["certify", "--filter", "canon/sovereign", "--challenges", "3", "--format", "json"];
    let report = run(&law).exits(0).json();
    let cases = report["result"]["cases"].as_array().unwrap().clone();
    assert_eq!(cases.iter().filter(|case| case["id"].as_str().unwrap().contains("/challenge-")).count(), 3);
    run(&["certify", "--challenges", "0"]).exits(64);
}
