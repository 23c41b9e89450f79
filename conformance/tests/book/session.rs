//! A shell in a copy of the examples, in which the commands of one page are run one after the other.

use std::{env, fs, path::Path, process::Stdio};

use snapbox::{Assert, IntoData as _, Redactions, assert::Action};
use tempfile::TempDir;

use super::page::Step;

use crate::support::program;

/// What a command printed, on standard output and standard error alike, and how it ended.
pub(super) struct Ran {
    pub(super) output: String,
    pub(super) code: i32,
}

pub(super) struct Session {
    folder: TempDir,
    /// Holds a configuration with limits.
    limits: TempDir,
}

/// `assize` as it is, but that a run which names no limits gets some that suit the busiest machine. A function of the shell, and
/// no file: one that was just written cannot always be started.
const ASSIZE: &str = r#"
exec 2>&1
assize() {
    case " $* " in
    *" --config "* | *" --timeout "*) "$ASSIZE" "$@" ;;
    " certify "*) shift; "$ASSIZE" certify --config "$PATIENT" "$@" ;;
    " doctor "*) shift; "$ASSIZE" doctor --timeout 1800000 "$@" ;;
    " minimise "*) shift; "$ASSIZE" minimise --timeout 1800000 "$@" ;;
    *) "$ASSIZE" "$@" ;;
    esac
}
"#;

impl Session {
    pub(super) fn begin(examples: &Path) -> Self {
        let (folder, limits) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        copy(examples, folder.path());
        let patient = "command = [\"nobody\"]\n[limits]\ncase_ms = 3600000\nstart_ms = 3600000\n";
        fs::write(limits.path().join("patient.toml"), patient).unwrap();
        Self { folder, limits }
    }

    pub(super) fn run(&self, command: &str) -> Ran {
        let mut shell = program("sh");
        shell.arg("-c").arg(format!("{ASSIZE}{command}")).current_dir(self.folder.path()).stdin(Stdio::null());
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("ASSIZE_") {
                shell.env_remove(name);
            }
        }
        shell.env("ASSIZE", env!("CARGO_BIN_EXE_assize")).env("PATIENT", self.limits.path().join("patient.toml"));
        let ran = shell.output().unwrap();
        let output = String::from_utf8(ran.stdout).unwrap();
        assert!(!output.contains("panicked"), "{command}: {output}");
        Ran { output, code: ran.status.code().expect("no signal") }
    }
}

/// What tells what was printed from what is shown; nothing where they agree.
pub(super) fn difference(shown: &Step, ran: &Ran) -> Option<String> {
    let assert = Assert::new().action(Action::Verify).normalize_paths(false).redact_with(Redactions::new());
    // A block cannot show that the last line has no end.
    let mut printed = ran.output.clone();
    if !printed.is_empty() && !printed.ends_with('\n') {
        printed.push('\n');
    }
    let output = assert.try_eq(None, printed.into_data(), shown.output.clone().into_data());
    match (ran.code == shown.code, output) {
        (true, Ok(())) => None,
        (false, _) => Some(format!("ends with {}, and not with {}; it prints\n{}", ran.code, shown.code, ran.output)),
        (true, Err(error)) => Some(error.to_string()),
    }
}

/// A copy of a folder with all that lies in it.
pub(super) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn what_differs_is_told() {
    let shown = |output: &str, code| Step { output: output.to_owned(), code, ..Step::default() };
    let ran = |output: &str, code| Ran { output: output.to_owned(), code };
    for (text, printed) in
        [("", ""), ("a\n", "a"), ("a\n...\nd\n", "a\nb\nc\nd\n"), ("a [..] ms\n", "a 12 ms\n"), ("a\\b\n", "a\\b\n")]
    {
        assert!(difference(&shown(text, 0), &ran(printed, 0)).is_none(), "{text:?} {printed:?}");
    }
    for (text, printed) in
        [("", "a\n"), ("a\n", ""), ("a\n", "a\nb\n"), ("a\n...\nd\n", "a\nb\n"), ("a [..] ms\n", "a 1 s\n")]
    {
        assert!(difference(&shown(text, 0), &ran(printed, 0)).is_some(), "{text:?} {printed:?}");
    }
    assert!(difference(&shown("a\n", 0), &ran("a\n", 1)).unwrap().starts_with("ends with 1"));
}
