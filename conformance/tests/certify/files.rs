//! Files around a run: configuration, known failures, keys, certificates, reports.

use std::fs;

use tempfile::TempDir;

use super::{ASSIZE, piped, source};
use crate::support::{PATIENT, Ran, program, run, run_in};

const JCS: &str = "canon/episode";
/// Cases of two profiles, lawful ones and others: enough to be wrong in and to have a grade, few enough to be asked often.
const SOME: [&str; 6] =
    ["--filter", "canon/episode/keys-*", "--filter", "canon/sovereign/keys-*", "--filter", "canon/sovereign/token-*"];

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn at(folder: &TempDir, args: &[&str]) -> Ran {
    run_in(folder.path(), args, b"")
}

#[test]
fn a_configuration_names_command_limits_and_filters() {
    let config =
        format!("command = [{ASSIZE:?}, \"testee\"]\nsystems = [\"canon\"]\nseed = 7\n[limits]\ncase_ms = 500000\n");
    let folder = folder(&[("assize.toml", &config)]);
    let report = at(&folder, &["certify", "--config", "assize.toml", "--quick", "--format", "json"]).exits(0).json();
    assert_eq!(report["result"]["selection"], serde_json::json!({"systems": ["canon"]}));
    assert_eq!((&report["result"]["seed"], &report["result"]["limits"]["case_ms"]), (&7.into(), &500_000.into()));
    let flags = ["--quick", "--timeout", "400000", "--seed", "8", "--system", "sovereign", "--shard", "1/50"];
    let args = [&["certify", "--config", "assize.toml", "--format", "json"], &flags[..]].concat();
    let report = at(&folder, &args).exits(0).json();
    assert_eq!(report["result"]["selection"], serde_json::json!({"systems": ["sovereign"], "shard": "1/50"}));
    assert_eq!((&report["result"]["seed"], &report["result"]["limits"]["case_ms"]), (&8.into(), &400_000.into()));
}

/// What a testee says of its folders is the same each time, and so is its answer, though their names are new.
#[cfg(unix)]
#[test]
fn folders_behind_a_link_are_taken_out_of_answers_too() {
    let folder = folder(&[]);
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink("real", &link).unwrap();
    let script = format!(
        r#"
import os, sys
sys.path.insert(0, {:?})
from atp import fault, serve

def answer(request):
    return fault("told", " ".join(map(os.path.realpath, [request.root, os.environ["TMPDIR"]])))

serve("tells", "1", {{"sovereign.select_path": {{}}}}, answer)
"#,
        source("shims")
    );
    let ran = program(ASSIZE)
        .args(["certify", "--unsealed", "--config", PATIENT, "--quick", "--challenges", "none", "--format", "json"])
        .args(["--filter", "sovereign/path-selection/select-absolute-skipped", "--", "python3", "-c", &script])
        .current_dir(folder.path())
        .env("TMPDIR", &link)
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(report["result"]["failures"][0]["note"], "told: <root> <tmp>");
}

#[test]
fn a_file_of_known_failures_begins_with_a_failing_run() {
    let folder = folder(&[]);
    let shim = source("tests/wrong_testees/bank.py");
    let order = ["certify", "--config", PATIENT, "--filter", "canon/sovereign/*-*", "--challenges", "none", "--strict"];
    let testee = ["--", "python3", &shim, "sovereign-utf16-order"];
    let files = ["--report", "json:run", "--report", "markdown:summary"];
    at(&folder, &[&order[..], &files, &testee].concat()).exits(1);
    assert!(fs::read_to_string(folder.path().join("summary")).unwrap().starts_with('#'));
    let known = at(&folder, &["expectations", "run"]).exits(0);
    fs::write(folder.path().join("known.toml"), known.text()).unwrap();
    known.says(&["[[failure]]", "outcome = \"WRONG-OUTPUT\"", "canon/sovereign/keys-"]);
    at(&folder, &[&order[..], &["--expectations", "known.toml"], &testee].concat())
        .exits(0)
        .says(&["ruling  expected"]);
    at(&folder, &["expectations", "summary"]).exits(3).complains(&["summary: no report of a run", "help: "]);
    at(&folder, &["certify", "--quick", "--filter", "canon/i-json", "--report", "json:fine"]).exits(0);
    at(&folder, &["expectations", "fine"]).exits(3).complains(&["no case of the corpus failed"]);
    at(&folder, &["certify", "--report", "prose:run"]).exits(64).complains(&["markdown:PATH"]);
}

#[test]
fn malformed_files_say_where_and_what_to_do() {
    let folder = folder(&[
        ("typo.toml", "comand = [\"x\"]\n"),
        ("value.toml", "command = [\"x\"]\n[limits]\ncase_ms = 0\n"),
        (
            "known.toml",
            "\n[[failure]]\ncases = [\"canon/episode\"]\noutcome = \"PASS\"\nreason = \"r\"\nlink = \"l\"\n",
        ),
    ]);
    let fails = |args: &[&str], of: &[&str]| at(&folder, &[&["certify"], args].concat()).exits(3).complains(of);
    fails(&["--config", "typo.toml"], &["typo.toml:1:1", "command"]);
    fails(&["--config", "value.toml"], &["value.toml:3:", "help: "]);
    fails(&["--config", "gone.toml"], &["gone.toml", "help: "]);
    fails(&["--expectations", "known.toml"], &["known.toml:4:", "PASS"]);
    at(&folder, &["certify", "--report", "out.doc"]).exits(64).complains(&["out.doc", ".html"]);
    at(&folder, &["certify", "--shard", "3/2"]).exits(64).complains(&["no part 3 of 2"]);
    at(&folder, &["certify", "--level", "none"]).exits(64).complains(&["comparator-law"]);
    at(&folder, &["certify", "--filter", JCS, "--report", "no/such/out.json"]).exits(3).complains(&["no/such"]);
}

#[test]
fn known_failures_that_no_longer_fail_turn_the_run_red() {
    let entry = |cases: &str| {
        format!("[[failure]]\ncases = [{cases:?}]\noutcome = \"WRONG-OUTPUT\"\nreason = \"r\"\nlink = \"l\"\n")
    };
    let folder = folder(&[("stale.toml", &entry(JCS)), ("none.toml", &entry("canon/episode/no-such-case"))]);
    let certify = |file: &str| at(&folder, &["certify", "--filter", JCS, "--expectations", file]).exits(2);
    certify("stale.toml").says(&["stale", "line 2", "remove"]);
    certify("none.toml").says(&["unmatched", "canon/episode/no-such-case"]);
}

#[test]
fn a_certificate_is_issued_checked_and_replayed() {
    // What it consists of beside its program: nothing that the harness or its caller writes here.
    let folder = folder(&[("own", "")]);
    at(&folder, &["keygen", "mine"]).exits(0);
    let order = [
        &["certify", "--config", PATIENT, "--report", "out.json", "--statement", "s.json", "--subject", "own"],
        &SOME[..],
    ]
    .concat();
    let ran = at(&folder, &[&order[..], &["--", ASSIZE, "testee"]].concat()).exits(0);
    ran.complains(&["statement: s.json, not signed"]);
    let signed = at(&folder, &["sign", "s.json", "--key", "mine.key", "--output", "c.json"]).exits(0);
    assert!(signed.stdout.is_empty());
    let check =
        ["verify-certificate", "c.json", "--key", "mine.pub", "--report", "out.json", "--require-containment", "none"];
    // A test build reads the corpus there, this testee too.
    let repository = source("..");
    at(&folder, &check).exits(0).says(&["valid", "does not prove"]);
    let answer = at(&folder, &[&check[..], &["--format", "json"]].concat()).exits(0).json();
    // Parts of two laws are neither of the two.
    assert_eq!(answer["statement"]["predicate"]["passedTests"], serde_json::json!([]));
    let replayed = at(
        &folder,
        &[&check[..], &["--replay", "--readable", &repository, "--subject", "own", "--", ASSIZE, "testee"]].concat(),
    )
    .exits(0);
    replayed.says(&[
        "holds: replay: with the seed ",
        "holds: replay, other seed: ",
        "ends with 0 and makes the same statement",
    ]);
    // Another program is not what was certified, even if it answers the same.
    let other = folder.path().join("other");
    let mut program = fs::read(ASSIZE).unwrap();
    program.push(b'\n');
    fs::write(&other, program).unwrap();
    fs::set_permissions(&other, fs::metadata(ASSIZE).unwrap().permissions()).unwrap();
    let other = at(
        &folder,
        &[
            &check[..],
            &["--replay", "--readable", &repository, "--subject", "own", "--", other.to_str().unwrap(), "testee"],
        ]
        .concat(),
    )
    .exits(1);
    other.says(&["another way", "/subject/0/digest/sha256: "]);
    let broken = at(&folder, &[&order[..], &["--", "sh", "-c", "exit 7"]].concat()).exits(4);
    broken.complains(&["no statement: ", "s.json is from an earlier run"]);
}

#[test]
fn what_does_not_conform_gets_no_certificate() {
    let folder = folder(&[]);
    let bank = source("tests/wrong_testees/bank.py");
    for (name, why) in [("wrong-chain", "receipt"), ("sovereign-unsorted", "exit")] {
        let order = [&["certify", "--config", PATIENT, "--statement", "s.json"], &SOME[..]].concat();
        let ran = at(&folder, &[&order[..], &["--", "python3", &bank, name]].concat()).exits(1);
        ran.complains(&["no statement: ", why]);
        assert!(!folder.path().join("s.json").exists(), "{name}");
    }
    at(&folder, &["certify", "--quick", "--statement", "s.json"]).exits(64);
}

#[test]
fn certify_takes_no_key() {
    let folder = folder(&[]);
    for args in [&["--key", "mine.key"][..], &["--certificate", "c.json"], &["--certificate", "c", "--key", "k"]] {
        let ran = at(&folder, &[&["certify"], args, &["--", "touch", "started"]].concat()).exits(64);
        ran.complains(&["certify signs nothing", "assize certify --statement", "assize sign", "--key KEY"]);
        assert!(!folder.path().join("started").exists());
    }
}

/// What a testee sees of the harness: its arguments, its environment, its open files.
#[cfg(target_os = "linux")]
#[test]
fn a_testee_finds_no_key_at_the_harness() {
    let shims = source("shims");
    let spy = format!(
        r#"
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, {shims:?})
from atp import Session, reject
harness = f"/proc/{{os.getppid()}}"
seen = [open(f"{{harness}}/{{name}}", "rb").read() for name in ("cmdline", "environ")]
for fd in os.listdir(f"{{harness}}/fd"):
    try:
        seen.append(os.readlink(f"{{harness}}/fd/{{fd}}").encode())
    except OSError:
        pass  # closed meanwhile
open("seen", "wb").write(b"\n".join(seen))
sys.exit(Session("spy", "1", {{"canon.bytes": {{"profile": ["episode"]}}}}, lambda request: reject("A_JSON")).run())
"#
    );
    let folder = folder(&[("spy.py", &spy)]);
    at(&folder, &["keygen", "mine"]).exits(0);
    let order = ["certify", "--config", PATIENT, "--filter", JCS, "--statement", "s.json", "--report", "out.json"];
    // Sealed it would see no harness at all, and could write nothing here.
    at(&folder, &[&order[..], &["--unsealed", "--", "python3", "spy.py"]].concat());
    let seen = String::from_utf8_lossy(&fs::read(folder.path().join("seen")).unwrap()).into_owned();
    assert!(seen.contains("certify") && seen.contains("PATH="), "it did look: {seen}");
    assert!(!seen.contains("mine.key") && !seen.contains("PRIVATE KEY"), "{seen}");
}

#[test]
fn every_form_of_report_is_written() {
    let folder = folder(&[]);
    let names = ["a.json", "a.xml", "a.tap", "a.md", "a.html", "a.svg", "a.txt"];
    let reports: Vec<&str> = names.iter().flat_map(|name| ["--report", name]).collect();
    at(&folder, &[&["certify", "--filter", JCS], &reports[..]].concat()).exits(0);
    let starts = ["{", "<?xml", "TAP version 14", "#", "<!DOCTYPE html>", "<svg", "conforms strictly: "];
    for (name, start) in names.iter().zip(starts) {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.to_lowercase().starts_with(&start.to_lowercase()), "{name}");
    }
    // How long a case took stands where it has a place, whatever it is.
    let junit = fs::read_to_string(folder.path().join("a.xml")).unwrap();
    let cases = junit.lines().filter(|line| line.contains("<testcase ")).collect::<Vec<_>>();
    assert!(cases.len() > 100 && cases.iter().all(|case| case.contains(" time=\"")), "{junit}");
    for form in ["human", "json", "junit", "tap", "markdown", "html", "badge", "annotations"] {
        let ran = piped(&["--quick", "--filter", JCS, "--format", form]).exits(0);
        assert!(!ran.stdout.is_empty());
    }
}

/// What a run did is told in the order in which it did it, also where the testee cannot be used.
#[test]
fn timings_name_every_part_of_a_run() {
    const HEAD: &str = "timings: seconds, and seconds of processor without the testee's\n";
    let ran = piped(&["--filter", JCS, "--challenges", "none", "--timings"]).exits(0);
    let (_, table) = ran.stderr.split_once(HEAD).unwrap();
    let names = |table: &str| {
        let name = |row: &str| row.split("  ").find(|word| !word.is_empty()).unwrap().to_owned();
        table.lines().map(name).collect::<Vec<_>>()
    };
    assert_eq!(
        names(table),
        [
            "corpus",
            "challenges",
            "subject",
            "hello",
            "cases",
            "limits, fresh processes",
            "null testees",
            "controls",
            "sum",
            "subject again",
            "report",
            "all"
        ]
    );
    for row in table.lines() {
        let seconds = row
            .split_whitespace()
            .rev()
            .take(2)
            .filter(|word| *word != "-")
            .map(str::parse)
            .collect::<Result<Vec<f64>, _>>();
        assert!(seconds.is_ok_and(|seconds| !seconds.is_empty()), "{row}");
    }
    let unusable =
        run(&["certify", "--unsealed", "--filter", JCS, "--challenges", "none", "--timings", "--", "true"]).exits(4);
    let (_, table) = unusable.stderr.split_once(HEAD).unwrap();
    assert_eq!(names(table), ["corpus", "challenges", "subject", "hello", "sum", "subject again", "report", "all"]);
    assert!(!piped(&["--quick", "--filter", JCS]).exits(0).stderr.contains("timings"));
}

/// A code host shows what fails in the file of the case, if that lies on disk.
#[test]
fn failures_are_annotated_in_their_files() {
    let folder = folder(&[]);
    let law = folder.path().join("mine/canon/episode");
    fs::create_dir_all(&law).unwrap();
    let case = r#"{
  "id": "canon/episode/a", "op": "canon.bytes", "args": {"profile": "episode"},
  "spec": {"document": "d", "section": "s"}, "force": "spec", "rationale": "100 % wrong: a, b", "flags": [],
  "provenance": "hand", "in": {"doc": {"text": "[1]"}},
  "expect": {"is": "accept", "out": {"bytes": {"text": "[2]"}}},
  "agreement": "exact"
}"#;
    fs::write(law.join("a.json"), case).unwrap();
    let order = ["certify", "--challenges", "none", "--corpus", "mine", "--report", "annotations:out/put"];
    at(&folder, &order).exits(3).complains(&["out/put"]);
    let order = ["certify", "--challenges", "none", "--corpus", "mine", "--format", "annotations"];
    let ran = at(&folder, &order).exits(1);
    let shown = "::error file=mine/canon/episode/a.json,line=5,title=WRONG-OUTPUT canon/episode/a::/out/bytes";
    ran.says(&[shown, "%0A100 %25 wrong: a, b%0Aalone: assize certify ", "\n::error title=assize::"]);
    let order = ["certify", "--filter", JCS, "--report", "annotations:annotations"];
    at(&folder, &order).exits(0);
    let text = fs::read_to_string(folder.path().join("annotations")).unwrap();
    assert!(text.starts_with("::notice title=assize::") && text.lines().count() == 1, "{text}");
}
