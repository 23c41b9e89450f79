//! Testees that cannot be used, and runs that are interrupted.

use std::{
    fs,
    path::Path,
    process::{Child, Stdio},
};

use assize_corpus::store;
use serde_json::Value;

use super::{ASSIZE, source};
use crate::support::{PATIENT, program, run, run_in, until};

/// What the bank calls NAME.
fn bank(name: &str, args: &[&str]) -> crate::support::Ran {
    let bank = source("tests/wrong_testees/bank.py");
    let order = ["certify", "--config", PATIENT, "--filter", "canon/sovereign"];
    run(&[&order, args, &["--", "python3", &bank, name]].concat())
}

fn report(path: &Path) -> Value {
    let report: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let schema = store::embedded("contracts/interface/report.schema.json").unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_slice(schema).unwrap()).unwrap();
    let errors: Vec<_> =
        schema.iter_errors(&report).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    report
}

#[test]
fn a_testee_that_cannot_be_used_is_named_and_the_report_kept() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plain.txt"), "no program").unwrap();
    for (command, says) in [
        (&["no-such-program-anywhere"][..], "no-such-program-anywhere"),
        (&["./plain.txt"], "plain.txt"),
        (&["cat"], "it sends back what it is sent"),
        (&["sh", "-c", "echo garbage"], "no complete frame"),
        (&["sh", "-c", "echo broken >&2; exit 7"], "exit code 7"),
        (&["sh", "-c", r#"read x; echo '{"t":"refuse","why":"proto","supported":[2]}'"#], "refuses"),
        (&["sh", "-c", r#"read x; echo '{"t":"hello","proto":1}'"#], "no hello frame"),
    ] {
        let args = ["certify", "--config", PATIENT, "--filter", "canon/episode", "--report", "out.json", "--"];
        let ran = run_in(folder.path(), &[&args, command].concat(), b"").exits(4);
        // Of what did not run there is nothing to show.
        assert!(!ran.text().contains("\nlevels\n") && !ran.text().contains("NOT-RUN"), "{}", ran.text());
        ran.says(&["testee unusable: ", says, "assize doctor -- COMMAND"]);
        let report = report(&folder.path().join("out.json"));
        assert_eq!(report["result"]["totals"]["cases"], report["result"]["totals"]["not_run"]);
        assert_eq!(report["result"]["complete"], false);
        fs::remove_file(folder.path().join("out.json")).unwrap();
    }
}

/// What its library did wrong stands on its standard error; the library is charged with nothing.
#[test]
fn a_broken_shim_is_no_verdict_on_the_library_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let shim = format!(
        "import sys; sys.path.insert(0, {:?})\nfrom atp import fault, serve\n\
         def answer(request):\n    print('ImportError: no library here', file=sys.stderr, flush=True)\n    \
             return fault('panic', 'unavailable')\n\
         serve('broken', '1', {{'canon.bytes': {{'profile': ['rfc8785']}}}}, answer)",
        source("shims")
    );
    let args = ["certify", "--config", PATIENT, "--filter", "canon/i-json", "--report", "out.json", "--"];
    let ran = run_in(folder.path(), &[&args[..], &["python3", "-c", &shim]].concat(), b"").exits(4);
    ran.says(&["the shim is broken", "it wrote: ImportError: no library here"]);
    let result = report(&folder.path().join("out.json"))["result"].take();
    let grades = |rows: &str| {
        result[rows].as_array().unwrap().iter().map(|row| row["grade"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(grades("laws"), ["not-asked"]);
    assert!(grades("levels").iter().all(|grade| grade == "not-asked"), "{:?}", grades("levels"));
    assert!(result["totals"]["fail"].as_u64().unwrap() > 0);
}

#[test]
fn a_testee_that_never_says_hello_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let config = "command = [\"sleep\", \"1000000\"]\n[limits]\nstart_ms = 300\n";
    fs::write(folder.path().join("assize.toml"), config).unwrap();
    run_in(folder.path(), &["certify", "--config", "assize.toml"], b"").exits(4).says(&["no hello within 300 ms"]);
}

#[test]
fn one_that_dies_on_every_case_is_asked_no_more() {
    let ran = bank("dies-on-every-case", &["--format", "json"]).exits(3);
    let result = &ran.json()["result"];
    let count =
        |outcome: &str| result["cases"].as_array().unwrap().iter().filter(|row| row["outcome"] == outcome).count();
    assert!(count("CRASH") > 0 && count("NOT-RUN") > 300 && count("PASS") == 0, "{}", result["totals"]);
    assert!(result["unrun"][0]["reason"].as_str().unwrap().contains("20 processes of the testee ended"));
}

#[test]
fn what_stays_behind_is_ended_and_reported() {
    let report = bank("leaves-a-child", &["--format", "json", "--quick"]).exits(1).json();
    assert!(!report["run"]["orphans"].as_array().unwrap().is_empty());
}

/// A run half-way: the testee is held at its tenth case, and continues when the folder is removed. The report is kept
/// up to date, and says that cases have passed.
fn held_run(folder: &Path) -> Child {
    let (testee, shims, bank) = (source("tests/certify/held.py"), source("shims"), source("tests/wrong_testees"));
    let (held, temporary) = (folder.join("held"), folder.join("tmp"));
    fs::create_dir(&temporary).unwrap();
    let mut child = program(ASSIZE)
        .args(["certify", "--unsealed", "--config", PATIENT, "--filter", "canon/sovereign"])
        .args(["--report", "out.json", "--report", "out.html"])
        .args(["--", "python3", &testee, &shims, &bank, "10", held.to_str().unwrap()])
        .current_dir(folder)
        .env("TMPDIR", &temporary)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(&mut child, "the testee is held", || held.exists());
    let passed = |path: &Path| fs::read(path).is_ok_and(|text| text.windows(6).any(|window| window == b"\"PASS\""));
    until(&mut child, "the report says what has passed", || passed(&folder.join("out.json")));
    child
}

#[cfg(unix)]
fn signal(child: &Child, signal: rustix::process::Signal) {
    let id = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(id, signal).unwrap();
}

#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_a_report_that_parses() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = held_run(folder.path());
    signal(&child, rustix::process::Signal::KILL);
    assert!(!child.wait().unwrap().success());
    let report = report(&folder.path().join("out.json"));
    let result = &report["result"];
    assert_eq!((&result["complete"], &result["exit_code"]), (&false.into(), &3.into()));
    assert!(result["totals"]["pass"].as_u64().unwrap() > 0 && result["totals"]["not_run"].as_u64().unwrap() > 0);
    assert!(fs::read_to_string(folder.path().join("out.html")).unwrap().trim_end().ends_with("</html>"));
    // A file that it was writing, as one that is killed in the middle leaves it.
    let half = folder.path().join(".assize-out.json-a1B2c3");
    fs::write(&half, "{").unwrap();
    let temporary = folder.path().join("tmp");
    assert!(left(&temporary) > 0, "it could not remove its scratch folder");
    let next = program(ASSIZE)
        .args(["certify", "--quick", "--config", PATIENT, "--filter", "canon/i-json", "--report", "out.json"])
        .args(["--", ASSIZE, "testee"])
        .current_dir(folder.path())
        .env("TMPDIR", &temporary)
        .output()
        .unwrap();
    assert_eq!(next.status.code(), Some(0), "{}", String::from_utf8_lossy(&next.stderr));
    assert_eq!((left(&temporary), half.exists()), (0, false));
}

/// How much lies in a folder.
#[cfg(unix)]
fn left(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[cfg(unix)]
#[test]
fn a_run_that_is_broken_off_says_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let child = held_run(folder.path());
    signal(&child, rustix::process::Signal::INT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(left(&folder.path().join("tmp")), 0);
    assert!(String::from_utf8(output.stdout).unwrap().contains("incomplete"));
    let report = report(&folder.path().join("out.json"));
    let totals = &report["result"]["totals"];
    // The case at which the testee is held was asked and not answered.
    assert_eq!(totals["pass"], 9, "{totals}");
    assert!(totals["not_run"].as_u64().unwrap() > 0, "{totals}");
    let reasons: Vec<_> = report["result"]["unrun"].as_array().unwrap().iter().map(|case| &case["reason"]).collect();
    assert!(reasons.iter().any(|reason| **reason == "the run was broken off"), "{reasons:?}");
}

/// No thread can have a stack of this size, so the system gives none.
#[cfg(unix)]
#[test]
fn where_the_system_gives_no_thread_the_caller_does_the_work_and_a_testee_is_not_blamed() {
    let folder = tempfile::tempdir().unwrap();
    let certified = |command: &[&str]| {
        program(ASSIZE)
            .args(["certify", "--filter", "canon/i-json", "--report", "out.json"])
            .args(command)
            .env("RUST_MIN_STACK", (1_u64 << 46).to_string())
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    let alone = certified(&[]);
    assert_eq!(alone.status.code(), Some(0), "{}", String::from_utf8_lossy(&alone.stderr));
    assert_eq!(report(&folder.path().join("out.json"))["result"]["grade"], "conforms-strictly");
    let testee = certified(&["--", "sh", "-c", "cat"]);
    assert_eq!(testee.status.code(), Some(3), "{}", String::from_utf8_lossy(&testee.stderr));
    let says = String::from_utf8(testee.stdout).unwrap();
    let first = says.lines().next().unwrap();
    assert!(first.starts_with("incomplete: ") && first.contains("no process can be made for the testee"), "{first}");
    assert_eq!(report(&folder.path().join("out.json"))["result"]["complete"], false);
}

/// `certify` on one question, asked of a shim whose function `answer` has this body. Its limits are hours: whoever waits for one
/// does not end.
fn shim(body: &str, options: &[&str]) -> crate::support::Ran {
    let script = format!(
        "import json, os, signal, sys; sys.path.insert(0, {:?})\nfrom atp import Session, accept, serve\n\
         def answer(request):\n    {body}\n\
         serve('odd', '1', {{'sovereign.deny_code': {{}}}}, answer)",
        source("shims")
    );
    let order = ["certify", "--config", PATIENT, "--quick", "--filter", ASKED];
    run(&[&order, options, &["--", "python3", "-c", &script]].concat())
}

const ASKED: &str = "sovereign/deny-precedence/deny-code-all-backwards";

#[test]
fn a_testee_that_closes_its_output_and_lives_on_is_noticed_at_once() {
    for options in [&[][..], &["--unsealed"]] {
        for body in ["os.close(1); signal.pause()", "os.close(0); os.close(1); os.close(2); signal.pause()"] {
            shim(body, options).exits(1).says(&["CRASH", "its output ends: killed by the harness"]);
        }
    }
    // One that ends is not taken for one that rests.
    shim("os.close(1); sum(range(3000000)); os._exit(9)", &[]).exits(1).says(&["its output ends: exit code 9"]);
}

#[test]
fn a_deep_answer_is_an_answer_or_no_frame_and_never_the_end_of_the_run() {
    let deep = |levels: usize| {
        // The frame and its outputs are two levels more.
        let body = format!(
            "deep = '[' * {levels} + ']' * {levels}; Session.send = lambda self, line: \
             (self.output.write(line.replace(b'\"here\"', deep.encode()) + b'\\n'), self.output.flush()); \
             return accept(deny_code='here')"
        );
        shim(&body, &["--format", "json"]).exits(1).json()["result"]["failures"][0].clone()
    };
    for levels in [1, 60, 64, 65, 100, 120, 124, 125] {
        assert_eq!(deep(levels)["outcome"], "WRONG-OUTPUT", "{levels}");
    }
    for levels in [126, 127, 1000, 100_000] {
        let failure = deep(levels);
        assert_eq!(failure["outcome"], "PROTOCOL", "{levels}");
        assert!(failure.to_string().contains("no frame: it is nested deeper than 127 levels"), "{failure}");
    }
}
