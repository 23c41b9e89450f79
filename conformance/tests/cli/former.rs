//! What verbs were called before they stood behind the name of an artefact: the same answers about the same files.

use std::{fs, path::Path};

use serde_json::json;

use crate::support::{run_in, scene, write};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples");

/// Both names say the same about what lies in a folder, and end alike; `code` shows that they looked at it.
#[track_caller]
fn same(folder: &Path, former: &[&str], now: &[&str], stdin: &str, code: i32) {
    let said = run_in(folder, now, stdin.as_bytes()).exits(code);
    let before = run_in(folder, former, stdin.as_bytes()).exits(code);
    assert!(!said.stdout.is_empty() || !said.stderr.is_empty(), "{now:?} says nothing");
    assert_eq!((before.stdout, before.stderr), (said.stdout, said.stderr), "{former:?}");
}

#[test]
fn artefacts_are_judged_alike_under_both_names() {
    let examples = Path::new(EXAMPLES);
    for (former, now, code) in [
        (&["compare"][..], &["bundle", "compare", "pair/expected.json", "pair/equal.json"][..], 0),
        (&["compare"], &["bundle", "compare", "pair/expected.json", "pair/divergent.json", "--format", "human"], 1),
        (&["audit"], &["bundle", "audit", "pair/turn-expected.json"], 0),
        (&["audit"], &["bundle", "audit", "pair/turn-float.json"], 1),
        (&["verify"], &["pack", "verify", "pack/lawful"], 0),
        (&["verify"], &["pack", "verify", "pack/broken", "--format", "json"], 2),
        (&["episode", "explain"], &["pack", "explain", "pack/diverged"], 0),
        (&["episode", "hash"], &["pack", "hash", "pack/lawful/episode_contract.json"], 0),
        (&["lint", "replies"], &["reply", "lint", "registry/lawful.json"], 0),
        (&["lint", "replies"], &["reply", "lint", "registry/broken.json", "--history", "registry/revisions"], 1),
    ] {
        let former = [former, now.get(2..).unwrap()].concat();
        same(examples, &former, now, "", code);
    }
}

#[test]
fn artefacts_are_written_alike_under_both_names() {
    let folder = scene();
    let attempts = json!([{"tool_name": "fs", "action": "write", "conditions": ["E_CAPABILITY_DENIED"]}]).to_string();
    let record = ["record", "-", "--run", "run-1", "--turn", "turn-0001"];
    same(folder.path(), &record, &[&["bundle"], &record[..]].concat(), &attempts, 0);

    let zeros = "0".repeat(64);
    let digests = json!({
        "policy_digest": zeros, "runtime_profile_digest": zeros, "contract_registry_snapshot_digest": zeros,
    });
    write(&folder, "digests.json", digests.to_string());
    write(&folder, "turns.json", json!([{"turn_id": "turn-0001", "paths": ["a/1.json"]}]).to_string());
    let made = ["turns.json", "--run", "run-1", "--workflow", "wf", "--digests", "digests.json"];
    let [former, now] = [&["bundle"][..], &["bundle", "make"]].map(|name| [name, &made[..]].concat());
    same(folder.path(), &former, &now, "", 0);

    // A key for tests: 32 bytes of zero.
    write(&folder, "key", format!("{}=", "A".repeat(43)));
    let pack = |name: &[&str], out: &str| {
        let lawful = format!("{EXAMPLES}/pack/lawful");
        let (contract, inputs) = (format!("{lawful}/episode_contract.json"), format!("{lawful}/inputs"));
        let outputs = format!("{lawful}/recorded_traces");
        let files = [contract.as_str(), "--inputs", &inputs, "--outputs", &outputs, "--key", "key", "--out", out];
        let args = [name, &files, &["--now", "2026-01-01T00:00:00Z"]].concat();
        let said = run_in(folder.path(), &args, b"").exits(0);
        (said.stdout, folder.path().join(out))
    };
    let ((said, now), (before, former)) = (pack(&["pack", "make"], "now"), pack(&["episode", "pack"], "former"));
    assert!(said == before && !said.is_empty());
    for file in ["receipt_pack.jsonl", "pack_manifest.json", "episode_contract.json"] {
        assert_eq!(fs::read(former.join(file)).unwrap(), fs::read(now.join(file)).unwrap(), "{file}");
    }
}
