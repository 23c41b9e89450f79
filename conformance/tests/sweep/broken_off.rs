//! A sweep that ends at any moment goes on where it was, and its results are those of one that was left alone.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use super::{copied, manifest, sweep, timeless};
use crate::support::program;

const ROWS: usize = 300;

/// A folder with a manifest of many artefacts, and its results in `whole`.
fn scene() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copied(Path::new(super::EXAMPLES), folder.path());
    let kinds = [
        json!({"kind": "pack", "paths": ["pack/lawful"]}),
        json!({"kind": "envelope", "paths": ["reply/broken.json"]}),
        json!({"kind": "pair", "paths": ["pair/expected.json", "pair/divergent.json"]}),
        json!({"kind": "run", "paths": ["ledger/lawful.jsonl"]}),
        json!({"kind": "nothing", "paths": []}),
    ];
    let lines: Vec<Value> = kinds.into_iter().cycle().take(ROWS).collect();
    manifest(folder.path(), "m.jsonl", &lines);
    let summary = sweep(folder.path(), &["m.jsonl", "--out", "whole", "--format", "json"]).exits(3).json();
    assert_eq!(summary["judged"], ROWS);
    folder
}

/// Whole rows that are there.
fn there(out: &Path) -> usize {
    fs::read(out.join("results.jsonl")).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// Goes on to the end: what is there is not judged again, and nothing else than a sweep left alone would say is said.
#[track_caller]
fn goes_on(folder: &Path, out: &str) {
    let before = there(&folder.join(out));
    let summary = sweep(folder, &["m.jsonl", "--out", out, "--format", "json"]).exits(3).json();
    assert_eq!(summary["judged"], ROWS - before, "{out}");
    assert_eq!(timeless(&folder.join(out)), timeless(&folder.join("whole")), "{out}");
    assert_eq!(fs::read_dir(folder.join(out)).unwrap().count(), 2, "{out}");
}

#[test]
#[cfg(unix)]
fn a_sweep_that_is_killed_goes_on_where_it_was() {
    let folder = scene();
    let mut cut_short = 0;
    for (signal, jobs, rows) in
        [("KILL", "1", 0), ("KILL", "1", 1), ("KILL", "3", 40), ("KILL", "2", 151), ("INT", "1", 1), ("INT", "2", 80)]
    {
        let out = format!("{signal}-{rows}");
        let mut child = program(env!("CARGO_BIN_EXE_assize"))
            .args(["sweep", "--quiet", "m.jsonl", "--out", &out, "--jobs", jobs])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // One that ends before it is noticed was left alone, and its results have to be the same all the more.
        let mut runs = true;
        while runs && there(&folder.path().join(&out)) < rows {
            thread::sleep(Duration::from_millis(1));
            runs = child.try_wait().unwrap().is_none();
        }
        // The number of one whose end was seen may be another's by now.
        if runs {
            let _ = Command::new("kill").args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        }
        let ended = child.wait_with_output().unwrap();
        let left = there(&folder.path().join(&out));
        if left < ROWS {
            cut_short += 1;
            let said = String::from_utf8(ended.stderr).unwrap();
            match ended.status.code() {
                // An interrupt before anybody listens to it is the system's.
                None => {}
                code => {
                    assert_eq!((signal, code), ("INT", Some(3)), "{said}");
                    assert!(said.contains(&format!("{left} of {ROWS} rows are there")), "{said}");
                    assert!(said.contains("the same command goes on where it was"), "{said}");
                }
            }
        }
        goes_on(folder.path(), &out);
    }
    println!("{cut_short} of 6 were cut short");
}

#[test]
fn whatever_part_of_the_results_is_there_is_gone_on_from() {
    let folder = scene();
    let whole = fs::read_to_string(folder.path().join("whole/results.jsonl")).unwrap();
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    // Rows in another order, and the last one torn somewhere.
    let mixed: String = lines.iter().step_by(2).rev().copied().collect();
    let ends = [0, 1, lines[0].len(), whole.len() / 2, whole.len() - 1];
    for (name, part) in ends
        .map(|end| (format!("cut-{end}"), &whole[..end]))
        .into_iter()
        .chain([("mixed".to_owned(), mixed.as_str()), ("torn".to_owned(), &mixed[..mixed.len() - 7])])
    {
        let out = folder.path().join(&name);
        fs::create_dir(&out).unwrap();
        fs::copy(folder.path().join("whole/sweep.json"), out.join("sweep.json")).unwrap();
        fs::write(out.join("results.jsonl"), part).unwrap();
        goes_on(folder.path(), &name);
    }
    // What was there is taken as it was, and a row of another line is not.
    let marked = whole.replacen("\"warnings\":0", "\"warnings\":77", 1);
    fs::write(folder.path().join("torn/results.jsonl"), &marked).unwrap();
    sweep(folder.path(), &["m.jsonl", "--out", "torn"]).exits(3);
    assert_eq!(fs::read_to_string(folder.path().join("torn/results.jsonl")).unwrap(), marked);
    let other = marked.replacen("\"id\":\"", "\"id\":\"0000", 1);
    let (head, tail) = other.split_once("0000").unwrap();
    let (id, tail) = tail.split_at(64);
    let other = format!("{head}0000{}{tail}", &id[..60]);
    fs::write(folder.path().join("torn/results.jsonl"), other).unwrap();
    sweep(folder.path(), &["m.jsonl", "--out", "torn"]).exits(3);
    assert_eq!(timeless(&folder.path().join("torn")), timeless(&folder.path().join("whole")));
}

#[test]
fn results_of_another_manifest_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    copied(&Path::new(super::EXAMPLES).join("reply"), &folder.path().join("reply"));
    let line = |name: &str| json!({"kind": "envelope", "paths": [format!("reply/{name}.json")]});
    manifest(folder.path(), "m.jsonl", &[line("lawful")]);
    manifest(folder.path(), "n.jsonl", &[line("broken")]);
    sweep(folder.path(), &["m.jsonl", "--out", "out"]).exits(0);
    let before = fs::read(folder.path().join("out/results.jsonl")).unwrap();
    for (args, what) in [
        (&["n.jsonl"][..], "another manifest"),
        (&["m.jsonl", "--root", "reply"], "another folder that paths start from"),
        (&["--folder", ".", "--kind", "envelope", "--pattern", "*.json"], "another manifest"),
    ] {
        let ran = sweep(folder.path(), &[args, &["--out", "out"]].concat()).exits(3);
        ran.complains(&["out: holds the results of", what, "--restart"]);
    }
    assert_eq!(fs::read(folder.path().join("out/results.jsonl")).unwrap(), before);
    sweep(folder.path(), &["n.jsonl", "--out", "out", "--restart"]).exits(1);
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/results.jsonl"), "mine").unwrap();
    for restart in [&[][..], &["--restart"]] {
        let ran = sweep(folder.path(), &[&["m.jsonl", "--out", "mine"], restart].concat()).exits(3);
        ran.complains(&["is there already, and no sweep has written it"]);
    }
    assert_eq!(fs::read(folder.path().join("mine/results.jsonl")).unwrap(), b"mine");
}
