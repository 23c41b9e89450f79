//! `assize pack verify` and `assize pack`, from the command line, over packs of the builder. Hashes in expectations were
//! computed separately, or are the builder's: neither comes from the verifier.

mod alone;
mod episode;
mod made;
mod many;
mod out;

use std::path::Path;

use crate::support::{Ran, run_in};
use assize_packs::{Episode, Outcome, Pack, TestKey, bulk, canon::hash, step};
use serde_json::{Value, json};

/// A worked example, whose hashes were computed with an RFC 8785 library and SHA-256 that are not the verifier's.
fn worked() -> Episode {
    Episode::new(
        &[("nums.json", "[1,2,3]\n")],
        [
            (step::load("in", "nums.json"), Outcome::pass(json!([1, 2, 3]))),
            (step::emit("out", "list", "in"), Outcome::pass(json!({"list": [1, 2, 3]}))),
        ],
    )
}

/// A folder with these packs below it.
fn scene(packs: &[(&str, &Pack)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, pack) in packs {
        bulk::write(pack, &folder.path().join(name)).unwrap();
    }
    folder
}

/// Runs `assize verify` in a folder.
#[track_caller]
fn verify(folder: &Path, args: &[&str]) -> Ran {
    run_in(folder, &[&["verify"], args].concat(), b"")
}

/// The only pack of a JSON document, with the exit code that the document and the process have.
#[track_caller]
fn only(folder: &Path, args: &[&str], exit: i32) -> Value {
    let document = verify(folder, &[args, &["--format", "json"]].concat()).exits(exit).json();
    assert_eq!((document["packs"].as_array().unwrap().len(), &document["worst_exit"]), (1, &json!(exit)));
    assert_eq!(document["packs"][0]["exit_code"], exit);
    document["packs"][0].clone()
}

#[test]
fn a_match_shows_its_phases_and_warns_of_the_signer() {
    let folder = scene(&[("pack", &worked().sealed())]);
    let signer = TestKey::usual().fingerprint();
    let wanted = format!(
        "\
pack
  phase 1  script validation   passed
  phase 2  pack integrity      passed
  phase 3  completeness        passed
  phase 4  replay comparison   passed: 2 of 2 traces match

MATCH: pack: receipt_integrity PASS, claim_check PASS
  episode claim  PASS: every step passed when it was recorded
  pack's claims  N/A as attested; the verdict does not depend on that
  signer         {signer}
  warning: any key may sign a pack; whoever signs it anew gets the same verdict. Pin the key with --signer.
"
    );
    assert_eq!(verify(folder.path(), &["pack"]).exits(0).text(), wanted);
    let quiet = verify(folder.path(), &["pack", "--quiet"]).exits(0);
    assert_eq!(quiet.text(), "MATCH: pack: receipt_integrity PASS, claim_check PASS\n");
    let found = only(folder.path(), &["pack"], 0);
    for (member, value) in [
        ("path", json!("pack")),
        ("verdict", json!("MATCH")),
        ("phase", json!(4)),
        ("receipt_integrity", json!("PASS")),
        ("claim_check", json!("PASS")),
        ("episode_claim", json!("PASS")),
        ("attested_claim_check", json!("N/A")),
        ("signer", json!(signer)),
        ("signer_pinned", json!(false)),
        ("steps_replayed", json!(2)),
        ("steps_matched", json!(2)),
        ("steps_diverged", json!(0)),
        ("divergences", json!([])),
        ("findings", json!([])),
    ] {
        assert_eq!(found[member], value, "{member}");
    }
    // Computed separately, as described at `worked`.
    let spec_hash = "sha256:475904d6badd7d5219a397dbc4ee6a27a92c9a5827579ec18ebf1f023faa932d";
    assert_eq!(found["replay_result"]["episode_spec_hash"], spec_hash);
    assert_eq!(
        (&found["replay_result"]["verdict"], &found["replay_result"]["dispute"]),
        (&json!("MATCH"), &Value::Null)
    );
}

#[test]
fn a_failed_episode_may_match() {
    let wrong = format!("sha256:{}", "0".repeat(64));
    let episode = Episode::new(
        &[("nums.json", "[1,2,3]\n")],
        [
            (step::load("in", "nums.json"), Outcome::pass(json!([1, 2, 3]))),
            (step::check("is", "in", &wrong), Outcome::asserted(false)),
            (step::emit("out", "list", "is"), Outcome::skipped()),
        ],
    );
    let folder = scene(&[("pack", &episode.sealed())]);
    let found = only(folder.path(), &["pack"], 0);
    assert_eq!((&found["verdict"], &found["episode_claim"]), (&json!("MATCH"), &json!("FAIL")));
    verify(folder.path(), &["pack"]).exits(0).says(&["  episode claim  FAIL: not every step passed"]);
}

#[test]
fn a_divergence_has_both_hashes_and_is_explained() {
    let mut pack = worked().sealed();
    pack.put("recorded_traces/in.json", "[1, 2, 4]");
    pack.put("recorded_traces/out.json", "{\"list\": []}");
    let folder = scene(&[("pack", &pack)]);
    let found = only(folder.path(), &["pack"], 1);
    assert_eq!(
        (&found["verdict"], &found["phase"], &found["steps_diverged"]),
        (&json!("DIVERGE"), &json!(4), &json!(2))
    );
    let [first, second] = found["divergences"].as_array().unwrap().as_slice() else { panic!("{found}") };
    let input = json!({"is": "input", "ref": "nums.json"});
    let wanted = json!({
        "step_id": "in",
        "expected_output_hash": hash(&json!([1, 2, 3])),
        "observed_output_hash": hash(&json!([1, 2, 4])),
        "comparator_tier": "A",
        "vanishes_under_other_number_form": false,
        "explanation": {
            "recorded": input, "against": input, "trace_is": null, "trace": "[1,2,4]",
            "differences": {"places": [{"pointer": "/2", "expected": "3", "observed": "4"}], "more": false},
        },
    });
    assert_eq!(*first, wanted);
    assert_eq!((&second["step_id"], &second["explanation"]["recorded"]), (&json!("out"), &Value::Null));
    verify(folder.path(), &["pack"]).exits(1).says(&[
        "phase 4  replay comparison   failed: 0 of 2 traces match",
        "2 divergences\n  in\n    expected sha256:a615eeae",
        "the receipt stands for the input nums.json as it lies in the pack",
        "      /2: 3 there, 4 in the trace",
        "trace {\"list\":[]}",
        "DIVERGE: pack: receipt_integrity PASS, claim_check FAIL",
    ]);
}

#[test]
fn an_assertion_that_was_turned_round_is_seen_through() {
    let episode = Episode::new(
        &[("nums.json", "[1,2,3]\n")],
        [
            (step::load("in", "nums.json"), Outcome::pass(json!([1, 2, 3]))),
            (step::check("is", "in", &hash(&json!([1, 2, 3]))), Outcome::asserted(true)),
            (step::emit("out", "list", "is"), Outcome::pass(json!({"list": [1, 2, 3]}))),
        ],
    );
    let mut pack = episode.sealed();
    pack.put("recorded_traces/is.json", "{\"assertion_passed\": false}");
    let folder = scene(&[("pack", &pack)]);
    verify(folder.path(), &["pack"])
        .exits(1)
        .says(&["the receipt stands for {\"assertion_passed\":true}", "the trace holds {\"assertion_passed\":false}"]);
}

#[test]
fn a_number_may_be_hashed_in_either_form() {
    let mut episode = worked();
    // RFC 8785 writes 1e+300, the other form 1E300.
    episode.outcomes.insert("in".to_owned(), Outcome::pass(json!([1e300])));
    let folder = scene(&[("pack", &episode.sealed())]);
    only(folder.path(), &["pack"], 0);
    let found = only(folder.path(), &["pack", "--numbers", "assay"], 1);
    assert_eq!(found["divergences"][0]["vanishes_under_other_number_form"], true);
    verify(folder.path(), &["pack", "--numbers", "assay"])
        .exits(1)
        .says(&["the hashes agree if numbers are written in the other form"]);
}

#[test]
fn a_failure_of_integrity_says_where_it_stopped() {
    let (mut script, mut sealed, mut input) = (worked().sealed(), worked().sealed(), worked().sealed());
    script.put("episode_contract.json", "[");
    sealed.put("verify_report.json", "{}");
    input.put("inputs/nums.json", "[1,2,3]");
    for (pack, phase, file) in
        [(&script, 1, "episode_contract.json"), (&sealed, 2, "verify_report.json"), (&input, 3, "inputs/nums.json")]
    {
        let folder = scene(&[("pack", pack)]);
        let found = only(folder.path(), &["pack"], 2);
        assert_eq!((&found["verdict"], &found["phase"]), (&json!("INTEGRITY_FAIL"), &json!(phase)));
        assert_eq!((&found["claim_check"], &found["episode_claim"]), (&Value::Null, &Value::Null));
        let ran = verify(folder.path(), &["pack"]).exits(2);
        ran.says(&["INTEGRITY_FAIL: pack: receipt_integrity FAIL, claim_check N/A", file, "not reached"]);
    }
}

#[test]
fn a_pack_that_was_signed_anew_matches_unless_the_signer_is_named() {
    let mut pack = worked().sealed();
    pack.signed_by(TestKey::other());
    pack.sign();
    let folder = scene(&[("pack", &pack)]);
    let (usual, other) = (TestKey::usual().fingerprint(), TestKey::other().fingerprint());
    verify(folder.path(), &["pack"]).exits(0).says(&[&other, "warning: any key may sign a pack"]);
    let found = only(folder.path(), &["pack", "--signer", &usual], 2);
    assert_eq!((&found["phase"], &found["signer_pinned"]), (&json!(2), &json!(true)));
    verify(folder.path(), &["pack", "--signer", &other]).exits(0).says(&[&format!("{other}, as demanded")]);
}

#[test]
fn the_present_is_an_option() {
    let folder = scene(&[("pack", &worked().sealed())]);
    let later = only(folder.path(), &["pack", "--now", "2026-03-03T00:00:00Z"], 0);
    assert_eq!(later["replay_result"]["timestamp"], "2026-03-03T00:00:00Z");
    // More than 24 hours before the pack was attested.
    assert_eq!(only(folder.path(), &["pack", "--now", "2026-02-01T00:00:00Z"], 2)["phase"], 2);
}

#[cfg(unix)]
#[test]
fn names_of_strangers_do_not_steer() {
    let id = "\u{1b}[31m\u{202e}";
    let mut episode = worked();
    episode.contract["replay_script"]["steps"][0]["step_id"] = json!(id);
    episode.contract["replay_script"]["steps"][1] = step::emit("out", "list", id);
    let outcome = episode.outcomes.remove("in").unwrap();
    episode.outcomes.insert(id.to_owned(), outcome);
    let mut pack = episode.sealed();
    pack.put(&format!("recorded_traces/{id}.json"), "\"\u{9b}2J\"");
    let folder = scene(&[("pa\u{1b}ck", &pack)]);
    for args in [&["verify", "pa\u{1b}ck"][..], &["episode", "explain", "pa\u{1b}ck"]] {
        let ran = run_in(folder.path(), args, b"");
        assert!(!ran.text().contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{}", ran.text());
        ran.says(&["\\u{1b}[31m\\u{202e}", "pa\\u{1b}ck"]);
    }
}

#[test]
fn what_cannot_be_read_has_no_verdict() {
    let folder = scene(&[("pack", &worked().sealed())]);
    for pack in ["gone", "pack/pack_manifest.json"] {
        let ran = verify(folder.path(), &[pack]).exits(3).complains(&[pack, "cannot be opened as a folder", "help: "]);
        assert!(ran.stdout.is_empty());
        let found = only(folder.path(), &[pack], 3);
        assert!(found["error"].as_str().unwrap().starts_with(pack) && found.get("verdict").is_none(), "{found}");
    }
}

#[test]
fn wrong_options_are_said_before_anything_is_read() {
    let zeros = "0".repeat(64);
    for (args, says) in [
        (&["verify", "gone", "--now", "yesterday"][..], "RFC 3339"),
        (&["verify", "gone", "--signer", "ABC"], "64 lower-case hexadecimal"),
        (&["verify", "gone", "--require-claims"], "--pack-only"),
        (&["verify", "gone", "--pack-only", "--out", "x"], "--out"),
        (&["verify", "gone", "--numbers", "none"], "assay"),
        (&["verify", "--signer", &zeros], "PACK"),
        (&["episode", "explain"], "PACK"),
        (&["episode", "hash"], "CONTRACT"),
    ] {
        let ran = run_in(Path::new("."), args, b"").exits(64).complains(&[says]);
        assert!(ran.stdout.is_empty(), "{args:?}");
    }
}
