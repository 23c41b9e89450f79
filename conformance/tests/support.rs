//! Runs the binary, and writes small runs to compare.

use std::{
    collections::BTreeSet,
    env, fs,
    io::Write as _,
    path::Path,
    process::{Child, Stdio},
    thread,
    time::Duration,
};

use assize_verifier::{contracts, sovereign};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

mod held;
#[cfg(target_os = "linux")]
mod seals;
mod start;

pub(crate) use held::{held_clock, held_setup};
#[cfg(target_os = "linux")]
pub(crate) use seals::sealed;
pub(crate) use start::{PYTHON, program};

/// The result of a run of the binary.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Exit code.
    pub(crate) code: i32,
    /// Exact bytes.
    pub(crate) stdout: Vec<u8>,
    /// As text.
    pub(crate) stderr: String,
}

impl Ran {
    /// Standard output as text.
    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("UTF-8")
    }

    /// Standard output as JSON, which ends in exactly one line feed.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let text = self.text().strip_suffix('\n').unwrap_or_else(|| panic!("no final line feed: {self:?}"));
        assert!(!text.ends_with('\n'));
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\n{}", String::from_utf8_lossy(&self.stdout), self.stderr);
        self
    }

    /// Asserts that standard error says each of these.
    #[track_caller]
    pub(crate) fn complains(self, of: &[&str]) -> Self {
        for part in of {
            assert!(self.stderr.contains(part), "{part:?} is not in {:?}", self.stderr);
        }
        self
    }

    /// Asserts that standard output says each of these.
    #[track_caller]
    pub(crate) fn says(self, of: &[&str]) -> Self {
        for part in of {
            assert!(self.text().contains(part), "{part:?} is not in {}", self.text());
        }
        self
    }
}

/// Runs the binary in a folder, with these bytes on standard input. A panic is never an answer.
#[track_caller]
pub(crate) fn run_in(folder: &Path, args: &[&str], stdin: &[u8]) -> Ran {
    let mut child = program(env!("CARGO_BIN_EXE_assize"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let output = thread::scope(|scope| {
        scope.spawn(move || {
            // A verb that does not read its input may have ended by now.
            let _ = pipe.write_all(stdin);
        });
        child.wait_with_output().expect("the binary ends")
    });
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!stderr.contains("panicked"), "{stderr}");
    Ran { code: output.status.code().expect("no signal"), stdout: output.stdout, stderr }
}

/// A configuration with limits that suit the busiest machine; the command is given separately.
pub(crate) const PATIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/patient.toml");

/// Waits until something has happened, however long that takes. A run that has ended can no longer make it happen.
#[track_caller]
pub(crate) fn until(child: &mut Child, what: &str, mut happened: impl FnMut() -> bool) {
    while !happened() {
        if let Some(status) = child.try_wait().expect("a child of this process") {
            panic!("{what}: the run has ended without that, {status}");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Runs the binary where it does not matter.
#[track_caller]
pub(crate) fn run(args: &[&str]) -> Ran {
    run_in(Path::new("."), args, b"")
}

/// A folder with a bundle `a.json` and one `b.json` that name `a/1.json` and `b/1.json`, both the lawful turn.
pub(crate) fn scene() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for side in ["a", "b"] {
        fs::create_dir(folder.path().join(side)).expect("a folder");
        write(&folder, &format!("{side}/1.json"), turn().to_string());
        write(&folder, &format!("{side}.json"), bundle(&[("turn-0001", &format!("{side}/1.json"))]).to_string());
    }
    folder
}

/// Writes a file of the scene.
pub(crate) fn write(folder: &tempfile::TempDir, path: &str, bytes: impl AsRef<[u8]>) {
    fs::write(folder.path().join(path), bytes).expect("written");
}

/// A lawful bundle with these turns.
pub(crate) fn bundle(turns: &[(&str, &str)]) -> Value {
    let registry = sovereign::registry_digest(contracts::ERROR_CODES.as_bytes()).expect("a digest").to_hex();
    let zeros = "0".repeat(64);
    let turns: Vec<_> =
        turns.iter().map(|(id, path)| json!({"turn_id": id, "turn_result_digest": zeros, "paths": [path]})).collect();
    json!({
        "contract_version": "replay_bundle/v1",
        "run_envelope": {"run_id": "run-1", "workflow_id": "wf"},
        "registry_digest": registry,
        "digests": {
            "policy_digest": zeros, "runtime_profile_digest": zeros, "contract_registry_snapshot_digest": zeros,
        },
        "turn_results": turns,
    })
}

/// A turn result that is lawful as far as a comparison looks.
pub(crate) fn turn() -> Value {
    let zeros = "0".repeat(64);
    json!({
        "run_id": "run-1",
        "turn_id": "turn-0001",
        "transition": {"prior_state_digest": zeros, "proposed_state_digest": zeros, "inputs_digest": zeros},
        "capabilities": {"decisions": []},
        "issues": [{
            "contract_version": "kernel_api/v1", "level": "INFO", "stage": "ci", "code": "I_F", "location": "/f",
            "message": "m", "details": {"n": 1},
        }],
        "events": [],
    })
}

/// Whether this word is among those of `ASSIZE_LANGUAGES`.
pub(crate) fn is_said(word: &str) -> bool {
    env::var("ASSIZE_LANGUAGES").is_ok_and(|said| said.split(',').any(|one| one == word))
}

/// A number of things and a seed, as in `60@any-text`; nothing where a text is not of this form.
pub(crate) fn sample(text: &str) -> Option<(usize, &str)> {
    let (count, seed) = text.split_once('@')?;
    Some((count.parse().unwrap_or_else(|_| panic!("{text}: {count:?} is not a number")), seed))
}

/// So many of them, in their order, chosen by a hash of seed and name: another seed chooses others, so that all have their turn.
pub(crate) fn sampled<T>(all: Vec<T>, (count, seed): (usize, &str), name: impl Fn(&T) -> String) -> Vec<T> {
    assert!(count > 0, "0@{seed}: none are asked for");
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_cached_key(|place| Sha256::digest(format!("{seed}/{}", name(&all[*place]))));
    order.truncate(count);
    let mut place = 0..;
    all.into_iter().filter(|_| place.next().is_some_and(|place| order.contains(&place))).collect()
}

#[test]
fn a_sample_follows_its_seed() {
    let of = |text: &str| sampled(vec!["a", "b", "c", "d", "e"], sample(text).unwrap(), |name| (*name).to_owned());
    assert_eq!(of("2@x"), of("2@x"));
    let seen: BTreeSet<_> = (0..40).flat_map(|seed| of(&format!("2@{seed}"))).collect();
    assert_eq!(seen.len(), 5);
    assert!(of("3@x").is_sorted() && of("3@x").len() == 3);
    assert_eq!(of("9@x").len(), 5);
    assert_eq!(sample("all"), None);
}
