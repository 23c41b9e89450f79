//! A child process cannot hang, flood or outlive the harness, whatever it does.
//!
//! The children are one-liners for `sh` and `python3`; what they show holds for any testee.

mod contained;
mod pipes;
mod sealed;
mod started;

use std::{
    ffi::OsString,
    fs, thread,
    time::{Duration, Instant},
};

use assize::testee::{
    Patience, Subject, Timing,
    process::{Event, Launch, Process},
};

use crate::support::PYTHON;

/// The longest line of these tests.
const LINE: usize = 8 << 20;
/// Far more than anything here needs.
const LONG: Duration = Duration::from_secs(3600);
/// No time at all, where something never comes.
const SHORT: Duration = Duration::from_millis(50);

fn launch(argv: &[&str]) -> Launch {
    Launch {
        argv: argv.iter().map(OsString::from).collect(),
        directory: None,
        environment: vec!["PATH".to_owned()],
        line: LINE,
        cpu_s: None,
        memory_mb: None,
        timing: Timing { patience: PATIENCE, ..Timing::default() },
        seal: None,
        subject: Subject::default(),
    }
}

/// What has to come is waited for, however long that takes. Only a helper that rests counts as not about to end.
const PATIENCE: Patience = Patience { look: SHORT, grace: LONG, moment: LONG, helpers: SHORT, busy: LONG, dying: LONG };

fn start(argv: &[&str]) -> Process {
    launch(argv).start(None).unwrap()
}

fn sh(script: &str) -> Process {
    start(&["sh", "-c", script])
}

fn python(script: &str) -> Process {
    start(&[PYTHON.to_str().unwrap(), "-c", script])
}

fn soon() -> Instant {
    Instant::now() + LONG
}

/// The next line, which must come.
fn line(process: &mut Process) -> String {
    match process.next(soon()) {
        Event::Line(line) => String::from_utf8(line).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// How long something takes.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

/// Waits until a process has become this command: by then it has left the group that it was started in.
fn becomes(pid: &str, command: &str) {
    let words = std::path::Path::new("/proc").join(pid.trim()).join("cmdline");
    while String::from_utf8_lossy(&fs::read(&words).unwrap()).replace('\0', " ").trim_end() != command {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Whether a process exists; one that has ended and was not reaped does.
fn is_there(pid: &str) -> bool {
    std::path::Path::new("/proc").join(pid.trim()).exists()
}
