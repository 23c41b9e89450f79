//! Where the system gives few threads or none, a verb needs longer, and answers the same.
//!
//! The limit is one of all processes of a user, so these runs are those of a user that nobody is.

use std::{io::Write as _, path::Path, process::Command};

use serde_json::Value;

const HARNESS: &str = env!("CARGO_BIN_EXE_assize");
const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Users that nobody is. Each test of each run has its own: what one starts must not count for another.
fn nobody(test: u32) -> String {
    (60_000 + (3 * std::process::id() + test) % 5_000).to_string()
}

/// A command as such a user, where a limit is named with at most so many processes and threads.
fn limited(user: &str, most: Option<u32>, command: &[&str]) -> Command {
    let other = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"];
    let mut run = Command::new("prlimit");
    // Whoever may become another user may lower a limit, too; no limit is raised.
    run.args(most.map(|most| format!("--nproc={most}"))).args(other);
    // Inside the tree, since the user may not reach another folder of this process.
    run.args(command).current_dir(HERE);
    run
}

/// Whether this process can become such a user, who can read what is here.
fn can(user: &str) -> bool {
    let seen = format!("test -x '{HARNESS}' && test -r '{}'", Path::new(HERE).join("Cargo.toml").display());
    match limited(user, None, &["sh", "-c", &seen]).output() {
        Ok(output) if output.status.success() => return true,
        Ok(output) => {
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            let _ = writeln!(std::io::stderr(), "skipped: no run of another user, to whom limits apply: {why}");
        }
        Err(error) => drop(writeln!(std::io::stderr(), "skipped: no run of another user: {error}")),
    }
    false
}

#[test]
fn a_run_with_few_threads_or_none_comes_to_the_same() {
    let user = nobody(0);
    if !can(&user) {
        return;
    }
    let certified = |most: Option<u32>| {
        let asked = ["certify", "--quick", "--seed", "1", "--filter", "canon/i-json", "--format", "json"];
        let output = limited(&user, most, &[&[HARNESS][..], &asked].concat()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "at most {most:?} processes: {said}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["result"].clone()
    };
    let free = certified(None);
    for most in 1..=12 {
        assert_eq!(certified(Some(most)), free, "at most {most} processes");
    }
}

/// However few processes there are, a testee that could not be started is not said to be at fault.
#[test]
fn who_gets_no_process_is_not_blamed() {
    let user = nobody(1);
    if !can(&user) {
        return;
    }
    let run = |most: Option<u32>| {
        let asked =
            ["certify", "--quick", "--seed", "1", "--filter", "canon/i-json", "--format", "json", "--jobs", "1"];
        let output =
            limited(&user, most, &[&[HARNESS][..], &asked, &["--", HARNESS, "testee"]].concat()).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (output.status.code().unwrap(), report, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, _, said) = run(None);
    assert_eq!(code, 0, "{said}");
    let (mut refused, mut whole) = (0, 0);
    for most in [1, 2, 3, 4, 6, 8, 12, 16, 24] {
        let (code, report, said) = run(Some(most));
        match code {
            0 => whole += 1,
            3 => {
                refused += 1;
                let faults = report["result"]["faults"].to_string();
                assert!(faults.contains("no process can be made for the testee"), "at most {most}: {report} {said}");
                assert_eq!(report["result"]["totals"]["fail"], 0, "at most {most}: {report}");
            }
            other => panic!("at most {most} processes end with {other}: {report} {said}"),
        }
    }
    assert!(refused > 0 && whole > 0, "{refused} refused, {whole} whole");
}

/// The same of an examination: a check for which there was no process says so, and breaks no rule.
#[test]
fn who_gets_no_process_is_not_said_to_break_a_rule() {
    let user = nobody(2);
    if !can(&user) {
        return;
    }
    let (mut refused, mut whole) = (0, 0);
    for most in [1, 2, 3, 4, 6, 12, 24] {
        let asked = [HARNESS, "doctor", "--unsealed", "--format", "json", "--", HARNESS, "testee"];
        let output = limited(&user, Some(most), &asked).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let diagnosis: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let checks = diagnosis["checks"].as_array().unwrap_or_else(|| panic!("at most {most}: {said}"));
        assert!(checks.iter().all(|check| check["state"] != "broken"), "at most {most}: {diagnosis:#} {said}");
        match output.status.code() {
            Some(0) => whole += 1,
            Some(3) => {
                refused += 1;
                let skipped = checks.iter().filter(|check| check["state"] == "skipped");
                let why = skipped.map(|check| check["observed"].to_string()).collect::<String>();
                assert!(why.contains("no process can be made for the testee"), "at most {most}: {diagnosis:#}");
            }
            other => panic!("at most {most} processes end with {other:?}: {diagnosis:#} {said}"),
        }
    }
    assert!(refused > 0 && whole > 0, "{refused} refused, {whole} whole");
}
