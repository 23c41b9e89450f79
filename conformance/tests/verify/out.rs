//! `--out` and `--output`: what is written, and where nothing is.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Value, json};

use super::{only, scene, verify, worked};

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with("}\n"), "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
    files
}

#[test]
fn both_files_are_written_and_written_again() {
    let folder = scene(&[("pack", &worked().sealed())]);
    let at = folder.path();
    for _ in 0..2 {
        let found = only(at, &["pack", "--out", "new/results"], 0);
        assert_eq!(read(&at.join("new/results/rce_replay_result.json")), found["replay_result"]);
        let details = read(&at.join("new/results/rce_replay_details.json"));
        assert_eq!((&details["phase"], &details["divergent_steps"]), (&json!(4), &json!([])));
    }
    fs::write(at.join("new/results/rce_replay_details.json"), "notes").unwrap();
    verify(at, &["pack", "--out", "new/results"])
        .exits(3)
        .complains(&["rce_replay_details.json: is there already, and no earlier result", "help: "]);
    assert_eq!(fs::read(at.join("new/results/rce_replay_details.json")).unwrap(), b"notes");
}

#[test]
fn several_packs_are_numbered() {
    let mut other = worked().sealed();
    other.put("recorded_traces/in.json", "[]");
    let folder = scene(&[("a/pack", &worked().sealed()), ("b/pack", &other)]);
    let at = folder.path();
    verify(at, &["a/pack", "gone", "b/pack", "--out", "out", "--quiet"]).exits(3);
    assert_eq!(read(&at.join("out/1-pack/rce_replay_result.json"))["verdict"], "MATCH");
    let diverged = read(&at.join("out/3-pack/rce_replay_result.json"));
    assert_eq!((&diverged["verdict"], &diverged["divergent_step_ids"]), (&json!("DIVERGE"), &json!(["in"])));
    assert_eq!(fs::read_dir(at.join("out")).unwrap().count(), 2, "an unreadable pack has no result");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_into_a_pack() {
    let folder = scene(&[("pack", &worked().sealed()), ("other", &worked().sealed())]);
    let at = folder.path();
    std::os::unix::fs::symlink("pack/inputs", at.join("link")).unwrap();
    let before = files(at);
    for args in [
        &["pack", "--out", "pack"][..],
        &["pack", "--out", "pack/results"],
        &["pack", "--out", "link/results"],
        &["pack", "other", "--out", "other/results"],
        &["other", "pack", "--out", "link"],
        &["pack", "--output", "pack/verdict.json"],
        &["pack", "--pack-only", "--output", "link/verdict.json"],
    ] {
        let ran = verify(at, args).exits(64).complains(&["lies in the pack", "help: "]);
        assert!(ran.stdout.is_empty(), "{args:?}");
    }
    super::run_in(at, &["episode", "explain", "pack", "--output", "link/graph.svg"], b"").exits(64);
    assert_eq!(files(at), before);
}

#[test]
fn a_report_may_go_to_a_file() {
    let folder = scene(&[("pack", &worked().sealed())]);
    let at = folder.path();
    let ran = verify(at, &["pack", "--format", "json", "--output", "verdict.json"]).exits(0);
    assert!(ran.stdout.is_empty());
    assert_eq!(read(&at.join("verdict.json"))["packs"][0]["verdict"], "MATCH");
}
