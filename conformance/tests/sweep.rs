//! `assize sweep`: rows say what the verbs say, whatever the manifest holds and wherever a sweep is broken off.

mod archives;
mod broken_off;
mod damage;
mod lines;
mod since;
mod tables;
mod verbs;

use std::{fs, path::Path};

use assize_corpus::store;
use serde_json::{Value, json};

use crate::support::{Ran, run_in};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples");

#[track_caller]
fn sweep(folder: &Path, args: &[&str]) -> Ran {
    run_in(folder, &[&["sweep", "--quiet"], args].concat(), b"")
}

/// The rows of a folder of results, each of the shape of its contract.
#[track_caller]
fn rows(out: &Path) -> Vec<Value> {
    let text = fs::read_to_string(out.join("results.jsonl")).unwrap();
    let schema = store::embedded("contracts/interface/sweep.schema.json").unwrap();
    let mut schema: Value = serde_json::from_slice(schema).unwrap();
    let definitions = schema["$defs"].clone();
    schema = definitions["row"].clone();
    schema["$defs"] = definitions;
    let schema = jsonschema::validator_for(&schema).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for row in &rows {
        let errors: Vec<_> =
            schema.iter_errors(row).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:?} in {row}");
    }
    rows
}

/// The bytes of results without their milliseconds, which are the last member.
#[track_caller]
fn timeless(out: &Path) -> String {
    let text = fs::read_to_string(out.join("results.jsonl")).unwrap();
    let lines = text.lines().map(|line| {
        let (line, ms) = line.rsplit_once(",\"ms\":").unwrap();
        assert!(ms.strip_suffix('}').unwrap().parse::<u64>().is_ok(), "{ms}");
        format!("{line}\n")
    });
    lines.collect()
}

/// Copies a file or folder of the examples.
fn copy(from: &str, to: &Path) {
    copied(&Path::new(EXAMPLES).join(from), to);
}

fn copied(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copied(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}

fn manifest(folder: &Path, name: &str, lines: &[Value]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(folder.join(name), text).unwrap();
}

#[test]
fn the_summary_has_the_shape_of_its_contract() {
    let folder = tempfile::tempdir().unwrap();
    copy("reply", &folder.path().join("reply"));
    let line = |name: &str| json!({"kind": "envelope", "paths": [format!("reply/{name}.json")]});
    manifest(
        folder.path(),
        "m.jsonl",
        &[line("lawful"), line("broken"), line("gone"), json!({"kind": "none", "paths": ["x"]})],
    );
    let summary = sweep(folder.path(), &["m.jsonl", "--out", "out", "--format", "json"]).exits(3).json();
    let schema: Value =
        serde_json::from_slice(store::embedded("contracts/interface/sweep.schema.json").unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = schema.iter_errors(&summary).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(summary["verdicts"], json!({"lawful": 1, "unlawful": 1, "unreadable": 2}));
    assert_eq!(summary["kinds"], json!({"envelope": {"lawful": 1, "unlawful": 1, "unreadable": 1}}));
    assert_eq!(summary["laws"], json!({"reply/status-agrees": {"artefacts": 1, "findings": 1}}));
    let numbers = ["rows", "judged", "without_kind", "exit_code"].map(|name| summary[name].as_u64().unwrap());
    assert_eq!(numbers, [4, 4, 1, 3]);
    let text = sweep(folder.path(), &["m.jsonl", "--out", "out"]).exits(3);
    text.says(&["envelope  unlawful    1\n", "reply/status-agrees  1          1\n", "4 artefacts; exit code 3"]);
}

#[test]
fn a_manifest_without_a_line_has_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("m.jsonl", "\n \n"), ("m.csv", "kind,path\n")] {
        fs::write(folder.path().join(name), text).unwrap();
        let ran = sweep(folder.path(), &[name, "--out", name.trim_start_matches("m.")]).exits(3);
        ran.says(&["0 artefacts"]);
    }
}
