//! `assize ledger` and `assize engine`, from the command line. Ledgers are put together here, record by record, and hashed by
//! the `sha2` crate; the expected hashes are those that the public kernel gave.

mod append;
mod engine;
mod made;
mod show;
mod tampered;
mod unreadable;
mod version;

use std::{fs, path::Path};

use crate::support::{Ran, run_in};
use made::{array, lines, refused, worked};
use serde_json::{Value, json};

/// A folder with a file `ledger` in it.
fn scene(ledger: impl AsRef<[u8]>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ledger"), ledger).unwrap();
    folder
}

/// Runs `assize ledger TASK ledger` over such a file.
#[track_caller]
fn ledger(task: &str, ledger: impl AsRef<[u8]>, args: &[&str]) -> Ran {
    run_in(scene(ledger).path(), &[&["ledger", task, "ledger"], args].concat(), b"")
}

/// The JSON document of the same, with the exit code that the document and the process have.
#[track_caller]
fn document(task: &str, text: impl AsRef<[u8]>, exit: i32) -> Value {
    let document = ledger(task, text, &["--format", "json"]).exits(exit).json();
    assert_eq!((&document["exit_code"], &document["valid"]), (&json!(exit), &json!(exit == 0)), "{document}");
    document
}

#[test]
fn the_worked_example_is_a_chain() {
    let text = lines(&worked());
    let wanted = format!(
        "valid: ledger: 5 records, {} bytes\n  last record_hash  {}\n",
        text.len(),
        "28fb3f250daa973314a46e92766bba76685040ea6833f8565e684493382981df"
    );
    assert_eq!(ledger("verify", &text, &[]).exits(0).text(), wanted);
    assert_eq!(ledger("verify", &text, &["--quiet"]).exits(0).text(), wanted.lines().next().unwrap().to_owned() + "\n");
    let wanted = json!({
        "path": "ledger",
        "valid": true,
        "chain": {
            "records": 5,
            "bytes": text.len(),
            "last_record_hash": "28fb3f250daa973314a46e92766bba76685040ea6833f8565e684493382981df",
        },
        "breach": null,
        "exit_code": 0,
    });
    assert_eq!(document("verify", &text, 0), wanted);
}

#[test]
fn the_worked_example_derives_again() {
    let wanted = "\
success: ledger: run demo-1 derives again
  summary_hash      cea463d173650f8869f6e483f9fed6434b4657103e7bd9e300dc883e2fb81c0f
  dag_root_hash     74c8b1b756ca960b9fe13b4d454c266b467ee3fdf2472fbe3115dfc285531d00
  blueprint hash    c8c4dbcec465aac9b5459f9de5ddfab161dde042630372edba4b6ae0bbd15303
  sealed_last_hash  3b05c357fffeec12ff79f10b8ebc66a5594caf2cf95fcd378ad1294dd0bd1880
  ledger_last_hash  28fb3f250daa973314a46e92766bba76685040ea6833f8565e684493382981df
  interpretation    Brew
  nodes             3: 1 assumption, 1 interpretation, 1 seed
  edges             2
";
    let text = lines(&worked());
    assert_eq!(ledger("replay", &text, &[]).exits(0).text(), wanted);
    assert_eq!(ledger("replay", &text, &["-q"]).exits(0).text(), "success: ledger: run demo-1 derives again\n");
    let hashes = json!({"blueprint": "c8c4dbcec465aac9b5459f9de5ddfab161dde042630372edba4b6ae0bbd15303"});
    let found = document("replay", &text, 0);
    for (member, value) in [
        ("outcome", json!("success")),
        ("run_id", json!("demo-1")),
        ("summary_hash", json!("cea463d173650f8869f6e483f9fed6434b4657103e7bd9e300dc883e2fb81c0f")),
        ("dag_root_hash", json!("74c8b1b756ca960b9fe13b4d454c266b467ee3fdf2472fbe3115dfc285531d00")),
        ("artifact_hashes", hashes),
        ("reason_codes", json!([])),
        ("advisories", json!([])),
        ("breach", Value::Null),
    ] {
        assert_eq!(found[member], value, "{member}");
    }
    assert_eq!(found["golden"]["node_kinds"], json!({"assumption": 1, "interpretation": 1, "seed": 1}));
    assert_eq!(found["chain"]["records"], 5);
}

#[test]
fn a_refusal_derives_again() {
    let text = lines(&refused());
    let wanted = "\
refusal: ledger: run demo-1 derives again
  contradictions_exceeded:1>0
  max_steps_exceeded:2>1
";
    assert_eq!(ledger("replay", &text, &[]).exits(0).text(), wanted);
    let found = document("replay", &text, 0);
    let codes = json!(["contradictions_exceeded:1>0", "max_steps_exceeded:2>1"]);
    assert_eq!((&found["outcome"], &found["reason_codes"]), (&json!("refusal"), &codes));
    for member in ["summary_hash", "dag_root_hash", "golden", "breach"] {
        assert_eq!(found[member], Value::Null, "{member}");
    }
    assert_eq!(found["artifact_hashes"], json!({}));
}

#[test]
fn both_layouts_from_any_source_have_one_verdict() {
    for mut records in [worked(), refused()] {
        for valid in [true, false] {
            if !valid {
                records[1].payload = "{}".to_owned();
            }
            let exit = i32::from(!valid);
            let mut seen = Vec::new();
            for (layout, text) in [("lines", lines(&records)), ("array", array(&records))] {
                let folder = scene(&text);
                for args in [
                    &["ledger"][..],
                    &["-"],
                    &["ledger", "--layout", layout],
                    &["ledger", "--jobs", "1"],
                    &["-", "--jobs", "2", "--layout", layout],
                ] {
                    for task in ["verify", "replay", "show"] {
                        let args = [&["ledger", task], args, &["--format", "json"]].concat();
                        let mut found = run_in(folder.path(), &args, text.as_bytes()).exits(exit).json();
                        assert_eq!(found["chain"]["bytes"], text.len());
                        seen.push((task, found["chain"]["records"].take(), found["breach"]["finding"].take()));
                    }
                }
            }
            assert_eq!(seen.len(), 30);
            for (task, records, finding) in &seen {
                assert_eq!((records, finding), (&seen[0].1, &seen[0].2), "{task}");
                assert_eq!(finding.is_null(), valid);
            }
        }
    }
}

#[test]
fn another_source_is_assumed_on_demand() {
    // Ruling AU-16: the proposal's hash covers source and confidence, which no record holds.
    let text = lines(&worked());
    ledger("replay", &text, &["--source", "heuristic", "--confidence", " null "]).exits(0);
    for args in [&["--source", "llm"][..], &["--confidence", "0.5"], &["--confidence", "-1"]] {
        ledger("replay", &text, args).exits(1).says(&[
            "broken: ledger: record 2, payload/commit_hash: authority/commit-source\n  level     derivation\n",
            "stored    \"b08c5702174faa7eb3a34bee3946d30fa17f28f7d3c97c286be031b21e78400f\"",
            "--source and --confidence",
        ]);
    }
    // The chain does not depend on it.
    document("verify", &text, 0);
}

#[test]
fn an_answer_goes_to_a_file_whole_or_not_at_all() {
    let folder = scene(lines(&worked()));
    for (task, args) in
        [("verify", &[][..]), ("replay", &["--format", "json"]), ("show", &[]), ("show", &["--graph", "dot"])]
    {
        let args = [&["ledger", task, "ledger"], args].concat();
        let told = run_in(folder.path(), &args, b"").exits(0);
        let ran = run_in(folder.path(), &[&args[..], &["--output", "answer"]].concat(), b"").exits(0);
        assert!(ran.stdout.is_empty());
        assert_eq!(fs::read(folder.path().join("answer")).unwrap(), told.stdout, "{args:?}");
        run_in(folder.path(), &[&args[..], &["--output", "no/answer"]].concat(), b"")
            .exits(3)
            .complains(&["cannot be written"]);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn an_answer_never_replaces_the_ledger() {
    let text = lines(&worked());
    let folder = scene(&text);
    for task in ["verify", "replay", "show"] {
        let ran = run_in(folder.path(), &["ledger", task, "ledger", "--output", "./ledger"], b"").exits(64);
        ran.complains(&["--output ./ledger: the answer would replace what it is about"]);
    }
    assert_eq!(fs::read_to_string(folder.path().join("ledger")).unwrap(), text);
}

#[test]
fn wrong_options_are_said_before_anything_is_read() {
    for (args, says) in [
        (&["ledger"][..], "verify"),
        (&["ledger", "verify"], "FILE"),
        (&["ledger", "verify", "gone", "--layout", "tree"], "lines"),
        (&["ledger", "verify", "gone", "--jobs", "many"], "--jobs"),
        (&["ledger", "replay", "gone", "--confidence", "NaN"], "--confidence NaN"),
        (&["ledger", "replay", "gone", "--confidence", "[1"], "help: write it as JSON"),
        (&["ledger", "show", "gone", "--graph", "png"], "mermaid"),
        (&["ledger", "show", "gone", "--graph", "dot", "--format", "json"], "--graph"),
        (&["ledger", "show", "gone", "--graph", "svg"], "dot -Tsvg"),
        (&["engine", "run"], "INPUTS"),
    ] {
        let ran = run_in(Path::new("."), args, b"").exits(64).complains(&[says]);
        assert!(ran.stdout.is_empty(), "{args:?}");
    }
}
