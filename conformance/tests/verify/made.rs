//! `episode pack`: packs that `verify` takes, and that no byte can be changed of.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{Ran, only, run_in, verify, worked};

/// Contract, inputs, outputs and key of the worked example.
fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("contract.json", &worked().contract.to_string());
    put("in/nums.json", "[1,2,3]\n");
    put("out/out.json", "{\"list\": [1, 2, 3]}");
    put("test.key", &format!("{}\n", STANDARD.encode([7; 32])));
    folder
}

const ARGS: [&str; 13] = [
    "episode",
    "pack",
    "contract.json",
    "--inputs",
    "in",
    "--outputs",
    "out",
    "--now",
    "2026-03-02T09:00:00Z",
    "--key",
    "test.key",
    "--out",
    "pack",
];

#[track_caller]
fn pack(folder: &Path, more: &[&str]) -> Ran {
    run_in(folder, &[&ARGS[..], more].concat(), b"")
}

/// Names of what lies directly in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Files below a folder.
fn files(folder: &Path) -> BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut files(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
    found
}

#[test]
fn a_made_pack_matches_and_has_the_contracts_hashes() {
    let folder = recorded();
    let ran = pack(folder.path(), &["--format", "json"]).exits(0);
    // Computed separately, as described at `worked`.
    assert_eq!(
        ran.json()["episode_spec_hash"],
        "sha256:475904d6badd7d5219a397dbc4ee6a27a92c9a5827579ec18ebf1f023faa932d"
    );
    ran.complains(&["pack: 9 files, every step passed"]);
    let found = only(folder.path(), &["pack"], 0);
    assert_eq!((&found["verdict"], &found["findings"]), (&json!("MATCH"), &json!([])));
    assert_eq!((&found["episode_claim"], &found["steps_matched"]), (&json!("PASS"), &json!(2)));
    assert_eq!(names(folder.path()), ["contract.json", "in", "out", "pack", "test.key"]);
    // The same again, byte for byte: nothing in it comes from a clock or from chance.
    let first = files(&folder.path().join("pack"));
    fs::rename(folder.path().join("pack"), folder.path().join("old")).unwrap();
    pack(folder.path(), &[]).exits(0);
    assert_eq!(files(&folder.path().join("pack")), first);
}

#[test]
fn no_byte_of_a_made_pack_can_be_another() {
    let folder = recorded();
    pack(folder.path(), &[]).exits(0);
    let made = files(&folder.path().join("pack"));
    assert_eq!(made.len(), 9);
    for (path, bytes) in &made {
        // The first, the last and some between: a process for every byte would take minutes.
        let step = (bytes.len() / 5).max(1);
        for place in (0..bytes.len()).step_by(step).chain([bytes.len() - 1]) {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            fs::write(path, &changed).unwrap();
            verify(folder.path(), &["pack", "--quiet"]).exits(2);
        }
        fs::remove_file(path).unwrap();
        verify(folder.path(), &["pack", "--quiet"]).exits(2);
        fs::write(path, bytes).unwrap();
    }
    verify(folder.path(), &["pack", "--quiet"]).exits(0);
}

#[test]
fn a_failed_assertion_is_in_the_pack() {
    let folder = recorded();
    let mut contract = worked();
    let steps = contract.contract["replay_script"]["steps"].as_array_mut().unwrap();
    let check = json!({"step_id": "is", "opcode": "ASSERT_HASH", "depends_on": ["in"],
        "params": {"target": "in", "expected_hash": format!("sha256:{}", "0".repeat(64))}});
    steps.insert(1, check);
    steps[2]["depends_on"] = json!(["in", "is"]);
    fs::write(folder.path().join("contract.json"), contract.contract.to_string()).unwrap();
    pack(folder.path(), &[]).exits(0).complains(&["not every step passed"]);
    let found = only(folder.path(), &["pack"], 0);
    assert_eq!((&found["verdict"], &found["episode_claim"]), (&json!("MATCH"), &json!("FAIL")));
    assert_eq!(found["attested_claim_check"], "FAIL");
    assert!(!folder.path().join("pack/recorded_traces/out.json").exists());
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left() {
    let folder = recorded();
    fs::create_dir(folder.path().join("pack")).unwrap();
    fs::write(folder.path().join("pack/mine"), "kept").unwrap();
    pack(folder.path(), &[]).exits(3).complains(&["pack: is there already"]);
    assert_eq!(names(&folder.path().join("pack")), ["mine"]);
    fs::remove_dir_all(folder.path().join("pack")).unwrap();
    let unchanged = ["contract.json", "in", "out", "test.key"];
    for (path, text, exit, says) in [
        ("in/nums.json", "[1,2,3]", 1, "episode/completeness"),
        ("out/out.json", "{", 1, "episode/completeness"),
        ("test.key", "AAAA", 64, "base64 of 32 bytes"),
        ("contract.json", "{", 3, "contract.json: byte 1"),
        ("contract.json", "{}", 1, "no episode contract"),
    ] {
        let path = folder.path().join(path);
        let before = fs::read(&path).unwrap();
        fs::write(&path, text).unwrap();
        let ran = pack(folder.path(), &[]).exits(exit);
        assert_eq!(ran.text(), "");
        ran.complains(&[says]);
        fs::write(&path, before).unwrap();
        assert_eq!(names(folder.path()), unchanged);
    }
    for op in ["LLM_CALL", "TOOL_CALL", "COMPARE_SEMANTIC", "ANCHOR", "FETCH"] {
        let mut contract: Value = worked().contract;
        contract["replay_script"]["steps"][1]["opcode"] = json!(op);
        fs::write(folder.path().join("contract.json"), contract.to_string()).unwrap();
        pack(folder.path(), &[]).exits(1).complains(&["/replay_script/steps/1/opcode"]);
    }
    fs::write(folder.path().join("contract.json"), worked().contract.to_string()).unwrap();
    for (name, value) in [("--out", "gone/pack"), ("--inputs", "gone"), ("--out", "in/nums.json/pack")] {
        let mut args = ARGS;
        let place = args.iter().position(|arg| *arg == name).unwrap();
        args[place + 1] = value;
        run_in(folder.path(), &args, b"").exits(3);
        assert_eq!(names(folder.path()), unchanged);
    }
}
