//! A sweep since another one, and what two of them judged otherwise.

use std::fs;

use serde_json::{Value, json};

use super::{copy, manifest, rows, sweep, timeless};
use crate::support::run_in;

/// A folder with examples, and the lines of a first day.
fn scene() -> (tempfile::TempDir, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    for name in ["pack", "reply"] {
        copy(name, &folder.path().join(name));
    }
    let lines = vec![
        json!({"kind": "pack", "paths": ["pack/lawful"]}),
        json!({"kind": "envelope", "paths": ["reply/broken.json"]}),
        json!({"kind": "envelope", "paths": ["reply/later.json"]}),
    ];
    manifest(folder.path(), "m.jsonl", &lines);
    (folder, lines)
}

fn taken(rows: &[Value]) -> Vec<bool> {
    rows.iter().map(|row| row.get("earlier").is_some()).collect()
}

#[test]
fn rows_of_the_same_lines_are_taken_over_and_the_others_judged() {
    let (folder, mut lines) = scene();
    let path = folder.path();
    sweep(path, &["m.jsonl", "--out", "one"]).exits(3);
    // What was judged may go: only what had no verdict and what is new is looked at.
    fs::remove_dir_all(path.join("pack/lawful")).unwrap();
    fs::copy(path.join("reply/lawful.json"), path.join("reply/later.json")).unwrap();
    lines.insert(0, json!({"kind": "envelope", "paths": ["reply/lawful.json"]}));
    manifest(path, "m.jsonl", &lines);
    let ran = sweep(path, &["m.jsonl", "--out", "two", "--since", "one", "--format", "json"]).exits(1);
    let summary = ran.json();
    assert_eq!((&summary["judged"], &summary["earlier"], &summary["rows"]), (&json!(2), &json!(2), &json!(4)));
    let (one, two) = (rows(&path.join("one")), rows(&path.join("two")));
    assert_eq!(taken(&two), [false, true, true, false]);
    assert_eq!(two.iter().map(|row| row["row"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    for (old, new) in one.iter().zip(&two[1..3]) {
        for member in ["id", "kind", "paths", "verdict", "exit_code", "first", "laws", "digests", "ms"] {
            assert_eq!(old[member], new[member], "{member}");
        }
    }
    assert_eq!(two[3]["verdict"], "lawful", "what could not be read is judged once it is there");
    // Broken off in between, it goes on to the same rows.
    let text = fs::read_to_string(path.join("two/results.jsonl")).unwrap();
    let whole = timeless(&path.join("two"));
    let half: String = text.lines().take(2).map(|line| format!("{line}\n")).collect();
    fs::write(path.join("two/results.jsonl"), half).unwrap();
    let summary = sweep(path, &["m.jsonl", "--out", "two", "--since", "one", "--format", "json"]).exits(1).json();
    assert_eq!((&summary["judged"], &summary["earlier"]), (&json!(1), &json!(2)));
    assert_eq!(timeless(&path.join("two")), whole);
}

#[test]
fn an_earlier_sweep_that_says_nothing_about_these_lines_is_refused_before_anything_is_written() {
    let (folder, _) = scene();
    let path = folder.path();
    sweep(path, &["m.jsonl", "--out", "one"]).exits(3);
    let order = fs::read_to_string(path.join("one/sweep.json")).unwrap();
    let since = |out: &str| sweep(path, &["m.jsonl", "--out", out, "--since", "one"]).exits(3);
    fs::write(path.join("one/sweep.json"), order.replace("\"assize\": \"", "\"assize\": \"9")).unwrap();
    since("two").complains(&["one: holds the results of another version of assize", "assize drift"]);
    let ran = sweep(path, &["m.jsonl", "--out", "two", "--since", "reply"]).exits(3);
    ran.complains(&["reply: no sweep has written results here"]);
    assert!(!path.join("two").exists());
    fs::write(path.join("one/sweep.json"), &order).unwrap();
    fs::create_dir(path.join("other")).unwrap();
    let ran = sweep(path, &["m.jsonl", "--out", "two", "--since", "one", "--root", "other"]).exits(3);
    ran.complains(&["another folder that paths start from"]);
    since("two");
    // Results over one earlier sweep are not gone on with over none.
    sweep(path, &["m.jsonl", "--out", "two"]).exits(3).complains(&["another earlier sweep, or of none"]);
}

#[test]
fn drift_tells_what_became_worse() {
    let (folder, _) = scene();
    let path = folder.path();
    let drift = |args: &[&str]| run_in(path, &[&["drift"], args].concat(), b"");
    sweep(path, &["m.jsonl", "--out", "one"]).exits(3);
    drift(&["one", "one"]).exits(0).says(&["3 artefacts judged alike, 0 otherwise, 0 of them worse; 0 new, 0 gone\n"]);
    fs::copy(path.join("reply/broken.json"), path.join("reply/later.json")).unwrap();
    fs::copy(path.join("reply/lawful.json"), path.join("reply/broken.json")).unwrap();
    fs::remove_file(path.join("pack/lawful/pack_signature.sig")).unwrap();
    sweep(path, &["m.jsonl", "--out", "two"]).exits(2);
    let said = drift(&["one", "two", "--format", "json", "--html", "page.html"]).exits(1).json();
    let schema = assize_corpus::store::embedded("contracts/interface/drift.schema.json").unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_slice(schema).unwrap()).unwrap();
    let errors: Vec<_> = schema.iter_errors(&said).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:?} in {said}");
    assert_eq!((&said["changed"], &said["worse"], &said["same"]), (&json!(3), &json!(1), &json!(0)));
    assert_eq!(said["laws"]["reply/status-agrees"], json!({"begin": 0, "cease": 1}));
    assert_eq!(said["laws"]["episode/pack-integrity"], json!({"begin": 1, "cease": 0}));
    assert_eq!(said["changes"][0]["after"]["verdict"], "INTEGRITY_FAIL");
    assert_eq!(said["changes"][0]["other_bytes"], true);
    let page = fs::read_to_string(path.join("page.html")).unwrap();
    assert!(page.contains("episode&#x2f;pack-integrity") && page.contains("pack&#x2f;lawful"), "{page}");
    drift(&["two", "reply"]).exits(3).complains(&["reply: no sweep has written results here"]);
    drift(&["two"]).exits(64);
}

#[test]
fn the_same_words_from_another_folder_name_other_artefacts() {
    let folder = tempfile::tempdir().unwrap();
    let days = ["monday", "tuesday"].map(|day| folder.path().join(day));
    for day in &days {
        copy("reply", &day.join("reply"));
        manifest(day, "m.jsonl", &[json!({"kind": "envelope", "paths": ["reply/lawful.json"]})]);
    }
    fs::copy(days[1].join("reply/broken.json"), days[1].join("reply/lawful.json")).unwrap();
    sweep(&days[0], &["m.jsonl", "--out", "../one"]).exits(0);
    let refused = sweep(&days[1], &["m.jsonl", "--out", "../two", "--since", "../one"]).exits(3);
    refused.complains(&["another folder that paths start from"]);
    let root = days[0].to_str().unwrap();
    let taken = ["../monday/m.jsonl", "--root", root, "--out", "../three", "--since", "../one", "--format", "json"];
    assert_eq!(sweep(&days[1], &taken).exits(0).json()["earlier"], 1, "the same folder, spelled otherwise");
}

#[test]
fn what_columns_are_called_is_part_of_a_line_of_csv() {
    let folder = tempfile::tempdir().unwrap();
    copy("pair", &folder.path().join("pair"));
    let line = "pair,pair/expected.json,pair/divergent.json\n";
    fs::write(folder.path().join("one.csv"), format!("kind,path,path2\n{line}")).unwrap();
    fs::write(folder.path().join("two.csv"), format!("kind,path2,path\n{line}")).unwrap();
    sweep(folder.path(), &["one.csv", "--out", "one"]).exits(1);
    let summary =
        sweep(folder.path(), &["two.csv", "--out", "two", "--since", "one", "--format", "json"]).exits(1).json();
    assert_eq!((&summary["judged"], &summary["earlier"]), (&json!(1), &json!(0)));
    assert_eq!(rows(&folder.path().join("two"))[0]["paths"], json!(["pair/divergent.json", "pair/expected.json"]));
}

#[test]
fn the_results_of_an_earlier_sweep_are_no_artefacts() {
    let folder = tempfile::tempdir().unwrap();
    copy("reply", &folder.path().join("reply"));
    let all = |out: &str, more: &[&str]| {
        let words = ["--folder", ".", "--kind", "envelope", "--pattern", "*.json", "--out", out, "--format", "json"];
        sweep(folder.path(), &[&words[..], more].concat()).json()
    };
    let first = all("one", &[]);
    let second = all("two", &["--since", "one"]);
    assert_eq!((&second["rows"], &second["judged"]), (&first["rows"], &json!(0)), "{second}");
}
