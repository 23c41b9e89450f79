//! Where the system gives few threads or none, a verb needs longer, and answers the same.
//!
//! The limit is one of all processes of a user, so these runs are those of a user that nobody is.

use std::{io::Write as _, path::Path, process::Command};

use serde_json::Value;

const HARNESS: &str = env!("CARGO_BIN_EXE_assize");
const HERE: &str = env!("CARGO_MANIFEST_DIR");
const NOBODY: &str = "64123";

/// A command as the user that nobody is, where a limit is named with at most so many processes and threads.
fn limited(most: Option<u32>, command: &[&str]) -> Command {
    let other = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"];
    let mut run = Command::new("prlimit");
    // Whoever may become another user may lower a limit, too; no limit is raised.
    run.args(most.map(|most| format!("--nproc={most}"))).args(other);
    // Inside the tree, since the user may not reach another folder of this process.
    run.args(command).current_dir(HERE);
    run
}

/// Whether this process can become that user, who can read what is here.
fn can() -> bool {
    let seen = format!("test -x '{HARNESS}' && test -r '{}'", Path::new(HERE).join("Cargo.toml").display());
    match limited(None, &["sh", "-c", &seen]).output() {
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
    if !can() {
        return;
    }
    let certified = |most: Option<u32>| {
        let asked = ["certify", "--quick", "--seed", "1", "--filter", "canon/i-json", "--format", "json"];
        let output = limited(most, &[&[HARNESS][..], &asked].concat()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "at most {most:?} processes: {said}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["result"].clone()
    };
    let free = certified(None);
    for most in 1..=12 {
        assert_eq!(certified(Some(most)), free, "at most {most} processes");
    }
}
