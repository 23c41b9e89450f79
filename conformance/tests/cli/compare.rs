//! `compare` on runs that can be read.

use std::fs;

use serde_json::{Value, json};

use crate::support::{bundle, run_in, scene, turn, write};

#[test]
fn equal_runs_are_equivalent() {
    let folder = scene();
    let ran = run_in(folder.path(), &["compare", "a.json", "b.json"], b"").exits(0);
    assert_eq!(ran.json()["status"], "EQUIVALENT");
    assert_eq!(ran.stderr, "EQUIVALENT: a.json against b.json\n");
    let quiet = run_in(folder.path(), &["compare", "a.json", "b.json", "--quiet"], b"").exits(0);
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (ran.stdout.clone(), ""));
    let reference = run_in(folder.path(), &["compare", "a.json", "b.json", "--mode", "reference", "-q"], b"").exits(0);
    assert_eq!(reference.stdout, ran.stdout);
}

#[test]
fn different_runs_are_divergent_in_either_mode_and_format() {
    let folder = scene();
    let mut other = turn();
    other["issues"][0]["details"]["n"] = 2.into();
    write(&folder, "b/1.json", other.to_string());
    for mode in ["law", "reference"] {
        let ran = run_in(folder.path(), &["compare", "a.json", "b.json", "--mode", mode], b"").exits(1);
        let report = ran.json();
        assert_eq!((&report["status"], &report["mismatches"][0]["surface"]), (&"DIVERGENT".into(), &"issue".into()));
        ran.complains(&[
            "DIVERGENT: a.json against b.json: ",
            " in 1 turn\n",
            "  turn turn-0001: issue at /f differs: expected ",
            "\n    /issues/0/details/n: expected 1, got 2\n",
            "\n    the same difference, from the other side\n",
        ]);
        let args = ["compare", "a.json", "b.json", "--mode", mode, "--format", "human"];
        let ran = run_in(folder.path(), &args, b"").exits(1);
        assert_eq!(ran.stderr, "");
        let id = report["report_id"].as_str().unwrap().to_owned();
        let ran =
            ran.says(&["turn       stage", "E_REPLAY_EQUIVALENCE_FAILED", "DIVERGENT: a.json against b.json", &id]);
        ran.says(&["\nvalues\n  turn turn-0001, issue at /f\n    /issues/0/details/n: expected 1, got 2\n"]);
    }
}

/// A report has digests alone; beside them stands what either run has where they first part.
#[test]
fn values_stand_beside_digests() {
    let long = "x".repeat(10_000);
    let record = |capability: &str| {
        json!({
            "decision_id": "d", "ordinal": 0, "capability": capability, "tool_name": "t", "action": "a",
            "outcome": "allow", "reason_code": "", "stage": "capability",
        })
    };
    type Change = (&'static str, Value, Value);
    let issue = turn()["issues"][0].clone();
    let mut other = issue.clone();
    other["location"] = "/g".into();
    let mut level = issue.clone();
    level["level"] = "WARN".into();
    let changes: [(Change, &[&str]); 5] = [
        (("issues", json!([issue]), json!([level])), &["/issues/0/level: expected \"INFO\", got \"WARN\"\n"]),
        (
            ("issues", json!([other, issue]), json!([issue])),
            &["    expected {", "\"location\":\"/g\"", " at /issues/0, got none to compare with it\n"],
        ),
        (
            ("issues", json!([issue]), json!([issue, other])),
            &["    expected none to compare with it, got {", " at /issues/1\n"],
        ),
        (("issues", json!([issue, issue]), json!([issue])), &["    expected 2 such issues, got 1: {"]),
        (
            ("issues", json!([issue, other]), json!([other, level])),
            &["expected \"INFO\" at /issues/0/level, got \"WARN\" at /issues/1/level\n"],
        ),
    ];
    for ((member, a, b), said) in changes {
        for mode in ["law", "reference"] {
            let folder = scene();
            for (side, value) in [("a", &a), ("b", &b)] {
                let mut turn = turn();
                turn[member] = value.clone();
                write(&folder, &format!("{side}/1.json"), turn.to_string());
            }
            run_in(folder.path(), &["compare", "a.json", "b.json", "--mode", mode], b"").exits(1).complains(said);
        }
    }
    let folder = scene();
    for (side, capability) in [("a", long.as_str()), ("b", "read")] {
        let mut turn = turn();
        turn["capabilities"]["decisions"] = json!([record(capability)]);
        write(&folder, &format!("{side}/1.json"), turn.to_string());
    }
    let args = ["compare", "a.json", "b.json", "--mode", "reference"];
    let ran = run_in(folder.path(), &args, b"").exits(1);
    ran.complains(&["/capabilities/decisions/0/capability: expected \"xxx", "...xxx", "xxx\", got \"read\"\n"]);
    write(&folder, "a/1.json", turn().to_string());
    let ran = run_in(folder.path(), &args, b"").exits(1).complains(&["    expected 0 records, got 1 record\n"]);
    assert!(ran.stderr.len() < 1000, "{}", ran.stderr);
}

#[test]
fn a_turn_of_one_bundle_alone_says_whose_it_is() {
    let folder = scene();
    write(&folder, "b.json", bundle(&[]).to_string());
    for mode in ["law", "reference"] {
        let ran = run_in(folder.path(), &["compare", "a.json", "b.json", "--mode", mode], b"").exits(1);
        ran.complains(&["\n    listed in a.json, not in b.json\n"]);
    }
}

/// Whoever cannot be given a file is told which were tried, and why each was passed over.
#[test]
fn paths_that_were_tried_are_named() {
    let folder = scene();
    let mut many = bundle(&[("turn-0001", "gone")]);
    many["turn_results"][0]["paths"] = json!(["", "a", "gone-1", "gone-2", "gone-3", "gone-4", "n".repeat(9000)]);
    write(&folder, "b.json", many.to_string());
    let tried = "none of the paths can be read: tried \"\" (no file can have this name), \"a\" (a folder), \"gone-1\" \
                 (no such file), \"gone-2\" (no such file), \"gone-3\" (no such file) and 2 more";
    let ran = run_in(folder.path(), &["compare", "a.json", "b.json"], b"").exits(3).complains(&[tried]);
    assert!(ran.json()["mismatches"][0]["diagnostic"]["message"].as_str().unwrap().ends_with(tried));
    let reference = ["compare", "a.json", "b.json", "--mode", "reference"];
    run_in(folder.path(), &reference, b"").exits(1).complains(&[tried]);
    let entry = many["turn_results"][0].to_string();
    run_in(folder.path(), &["sovereign", "select-path", "-"], entry.as_bytes()).exits(3).complains(&[tried]);
    // The file that was chosen is named too, where it is not JSON.
    write(&folder, "b.json", bundle(&[("turn-0001", "b/1.json")]).to_string());
    write(&folder, "b/1.json", "[");
    run_in(folder.path(), &["compare", "a.json", "b.json"], b"").exits(3).complains(&["\"b/1.json\": "]);
    run_in(folder.path(), &reference, b"").exits(1).complains(&["b.json: b/1.json: "]);
    // Both sides in one row, each with its own paths.
    write(&folder, "a.json", bundle(&[("turn-0001", "lost")]).to_string());
    write(&folder, "b.json", bundle(&[("turn-0001", "gone")]).to_string());
    let ran = run_in(folder.path(), &["compare", "a.json", "b.json"], b"").exits(3);
    assert_eq!(
        ran.json()["mismatches"][0]["diagnostic"]["message"],
        "a: none of the paths can be read: tried \"lost\" (no such file); b: none of the paths can be read: tried \
         \"gone\" (no such file)"
    );
}

/// Law mode starts at each bundle's folder, reference mode at the working directory; `--root` moves both.
#[test]
fn paths_start_where_the_mode_says() {
    let folder = scene();
    let outside = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a.json"), folder.path().join("b.json"));
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    run_in(outside.path(), &["compare", a, b], b"").exits(0);
    run_in(outside.path(), &["compare", a, b, "--mode", "reference"], b"").exits(1).complains(&["/paths"]);
    let root = folder.path().to_str().unwrap();
    run_in(outside.path(), &["compare", a, b, "--mode", "reference", "--root", root], b"").exits(0);
    let empty = outside.path().to_str().unwrap();
    let ran = run_in(folder.path(), &["compare", a, b, "--root", empty], b"").exits(3);
    assert_eq!(ran.json()["mismatches"][0]["reason_code"], "E_REPLAY_INPUT_MISSING");
    run_in(folder.path(), &["compare", a, b, "--root", "gone"], b"")
        .exits(3)
        .complains(&["gone: cannot be opened as a folder", "--root"]);
}

#[test]
fn an_abort_names_the_exception_and_leaves_standard_output_empty() {
    let folder = scene();
    let mut no_run = bundle(&[]);
    no_run["run_envelope"] = serde_json::json!({});
    write(&folder, "b.json", no_run.to_string());
    write(&folder, "a.json", no_run.to_string());
    let args = ["compare", "a.json", "b.json", "--mode", "reference"];
    let ran = run_in(folder.path(), &args, b"").exits(3).complains(&["ends in KeyError", "absent", "law mode"]);
    assert!(ran.stdout.is_empty());
    write(&folder, "b.json", br#"{"run_envelope": [1, x]}"#);
    let ran = run_in(folder.path(), &args, b"").exits(3);
    assert!(ran.stdout.is_empty());
    ran.complains(&["ends in ValueError", "b.json: byte 21, at /run_envelope/1: unexpected `x`", "correct the syntax"]);
}

#[test]
fn output_is_whole_or_absent() {
    let folder = scene();
    let printed = run_in(folder.path(), &["compare", "a.json", "b.json", "-q"], b"").stdout;
    let ran = run_in(folder.path(), &["compare", "a.json", "b.json", "-q", "--output", "report.json"], b"").exits(0);
    assert!(ran.stdout.is_empty());
    assert_eq!(fs::read(folder.path().join("report.json")).unwrap(), printed);
    write(&folder, "report.json", "an older one");
    let human = ["compare", "a.json", "b.json", "--format", "human", "-o", "report.json"];
    run_in(folder.path(), &human, b"").exits(0);
    let text = fs::read_to_string(folder.path().join("report.json")).unwrap();
    assert!(text.starts_with("EQUIVALENT: a.json against b.json\n"), "{text}");
    for (place, message) in
        [("gone/report.json", "cannot be written"), ("a", "no regular file"), ("/dev/null", "no regular file")]
    {
        let ran = run_in(folder.path(), &["compare", "a.json", "b.json", "-o", place], b"").exits(3);
        assert!(ran.stdout.is_empty());
        ran.complains(&[place, message]);
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "{left:?}");
}

#[test]
fn another_registry_or_stage_order_is_looked_at() {
    let folder = scene();
    write(&folder, "registry.json", r#"{"contract_version":"kernel_api/v1","codes":{}}"#);
    let args = ["compare", "a.json", "b.json", "--registry", "registry.json"];
    let ran = run_in(folder.path(), &args, b"").exits(1);
    assert_eq!(ran.json()["mismatches"][0]["reason_code"], "E_REGISTRY_DIGEST_MISMATCH");
    write(&folder, "stages.json", "[");
    run_in(folder.path(), &["compare", "a.json", "b.json", "--stage-order", "stages.json"], b"")
        .exits(3)
        .complains(&["stages.json: ", "ends inside a value at byte 1"]);
}
