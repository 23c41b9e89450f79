//! `episode hash` and `episode explain`.

use std::fs;

use assize_packs::{Episode, Outcome, step};
use serde_json::json;

use super::{Ran, run_in, scene, worked};

// Computed separately, as described at `worked`.
const HASHES: [(&str, &str); 4] = [
    ("episode_spec_hash", "sha256:475904d6badd7d5219a397dbc4ee6a27a92c9a5827579ec18ebf1f023faa932d"),
    ("env_fingerprint_hash", "sha256:7aef6ecfc6794ff6ea54699eb59e8dfc38fc2960246825118d62b676e7978a72"),
    ("inputs_hash", "sha256:b3049516ee5c9fc634cd727f0220d3402af99ae5ca45f424b3307f7a84771e61"),
    ("script_hash", "sha256:ab5cefee7a4fa7beb8cbfd5dfc0e6da87e31c10e6ed61a0419c0a72da9e6da2f"),
];

#[test]
fn a_contract_has_four_hashes() {
    let contract = worked().contract.to_string();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("c.json"), &contract).unwrap();
    let at = |args: &[&str]| run_in(folder.path(), &[&["episode", "hash"], args].concat(), contract.as_bytes());
    let wanted: String = HASHES.iter().map(|(name, hash)| format!("{name:<22}{hash}\n")).collect();
    assert_eq!(at(&["c.json"]).exits(0).text(), wanted);
    assert_eq!(at(&["-"]).exits(0).text(), wanted);
    let document = at(&["c.json", "--format", "json"]).exits(0).json();
    let members = HASHES.iter().map(|(name, hash)| (name.to_string(), json!(hash)));
    assert_eq!(document, serde_json::Value::Object(members.collect()));
}

#[test]
fn a_schema_holds_numbers_in_either_form() {
    let mut episode = worked();
    episode.contract["replay_script"]["steps"][1]["output_schema"] = json!({"maximum": 1e300});
    let contract = episode.contract.to_string();
    let hash = |form| {
        let args = ["episode", "hash", "-", "--format", "json", "--numbers", form];
        run_in(".".as_ref(), &args, contract.as_bytes()).exits(0).json()
    };
    let (rfc, assay) = (hash("rfc8785"), hash("assay"));
    assert_eq!(rfc["episode_spec_hash"], episode.spec_hash());
    assert_ne!(rfc["script_hash"], assay["script_hash"]);
    assert_eq!(rfc["inputs_hash"], assay["inputs_hash"]);
}

#[test]
fn what_is_no_contract_is_refused_with_its_place() {
    let mut wrong = worked().contract;
    wrong["inputs"][0]["hash"] = json!("sha256:");
    for (text, exit, says) in [
        ("[1,", 3, "standard input: byte 3, at /1: "),
        ("[]", 1, "no episode contract: the document"),
        (&wrong.to_string(), 1, "no episode contract: /inputs/0/hash"),
        ("{\"a\":1,\"a\":2}", 1, "standard input: "),
    ] {
        let ran = run_in(".".as_ref(), &["episode", "hash", "-"], text.as_bytes()).exits(exit);
        assert!(ran.stdout.is_empty());
        ran.complains(&[says, "help: "]);
    }
}

/// A pack with a step in each state except one.
fn explained(args: &[&str]) -> Ran {
    let wrong = format!("sha256:{}", "0".repeat(64));
    let episode = Episode::new(
        &[("nums.json", "[1,2,3]\n")],
        [
            (step::load("in", "nums.json"), Outcome::pass(json!([1, 2, 3]))),
            (step::apply("sum", &["in"]), Outcome::pass(json!(6))),
            (step::check("is", "in", &wrong), Outcome::asserted(false)),
            (step::after(step::emit("out", "list", "is"), &["is", "sum"]), Outcome::skipped()),
        ],
    );
    let mut pack = episode.sealed();
    pack.put("recorded_traces/sum.json", "7");
    let folder = scene(&[("pack", &pack)]);
    run_in(folder.path(), &[&["episode", "explain", "pack"], args].concat(), b"")
}

#[test]
fn a_script_is_a_graph() {
    let wanted = "\
pack: DIVERGE, 4 steps

step  kind             state           after
in    LOAD_INPUT       PASS, match
is    ASSERT_HASH      FAIL, match     in
sum   APPLY_TRANSFORM  PASS, diverged  in
out   EMIT_OUTPUT      SKIPPED         is, sum
";
    assert_eq!(explained(&[]).exits(0).text(), wanted);
    explained(&["--format", "mermaid"]).exits(0).says(&[
        "flowchart TD\n  s0[\"in<br/>LOAD#95;INPUT<br/>PASS, match\"]:::passed\n",
        "  s2[\"sum<br/>APPLY#95;TRANSFORM<br/>PASS, diverged\"]:::diverged\n",
        "  s0 --> s1\n  s0 --> s2\n  s1 --> s3\n  s2 --> s3\n",
    ]);
    explained(&["--format", "dot"]).exits(0).says(&[
        "digraph {\n  graph [label=\"DIVERGE\\nthe script of an episode, 4 steps\", labelloc=t]\n",
        "  s3 [label=\"out\\nEMIT_OUTPUT\\nSKIPPED\", fillcolor=\"#e0e0e0\", color=\"#757575\", style=\"filled,dashed\"]\n",
        "  s0 -> s1\n  s0 -> s2\n  s1 -> s3\n  s2 -> s3\n}\n",
    ]);
    explained(&["--format", "svg"]).exits(64).complains(&["dot -Tsvg"]);
}

#[test]
fn a_pack_that_fails_later_still_has_a_graph() {
    let mut pack = worked().sealed();
    pack.put("inputs/nums.json", "[]");
    let folder = scene(&[("pack", &pack)]);
    let ran = run_in(folder.path(), &["episode", "explain", "pack"], b"").exits(0);
    ran.says(&["pack: INTEGRITY_FAIL, 2 steps\n", "\nin    LOAD_INPUT   not reached\n"]);
    pack.put("episode_contract.json", "{}");
    let folder = scene(&[("pack", &pack)]);
    let ran = run_in(folder.path(), &["episode", "explain", "pack"], b"").exits(2);
    assert!(ran.stdout.is_empty());
    ran.complains(&["episode/contract-shape", "fails phase 1", "help: `assize pack verify pack` says more"]);
    run_in(folder.path(), &["episode", "explain", "gone"], b"").exits(3).complains(&["cannot be opened as a folder"]);
}

#[test]
fn what_is_too_large_to_be_drawn_is_still_told() {
    let folder = scene(&[("pack", &Episode::wide(5_000, |index| json!(index)).sealed())]);
    for form in ["dot", "mermaid"] {
        run_in(folder.path(), &["episode", "explain", "pack", "--format", form], b"")
            .exits(3)
            .complains(&["5002 steps with 5001 dependencies", "as text"]);
    }
    run_in(folder.path(), &["episode", "explain", "pack"], b"").exits(0).says(&["MATCH, 5002 steps\n"]);
}
