//! A child process can neither hang nor flood nor outlive the harness, whatever it does.
//!
//! The children are one-liners for `sh` and `python3`; what they show holds for any testee.

mod contained;
mod pipes;
mod started;

use std::{
    ffi::OsString,
    time::{Duration, Instant},
};

use assize::testee::process::{Event, Launch, Process};

/// The longest line of these tests.
const LINE: usize = 8 << 20;
/// Far more than anything here takes.
const LONG: Duration = Duration::from_secs(60);

fn launch(argv: &[&str]) -> Launch {
    Launch {
        argv: argv.iter().map(OsString::from).collect(),
        directory: None,
        environment: vec!["PATH".to_owned()],
        line: LINE,
        cpu_s: None,
        memory_mb: None,
    }
}

fn start(argv: &[&str]) -> Process {
    launch(argv).start(None).unwrap()
}

fn sh(script: &str) -> Process {
    start(&["sh", "-c", script])
}

fn python(script: &str) -> Process {
    start(&["python3", "-c", script])
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

/// Whether a process is there; one that has ended and was not reaped is.
fn is_there(pid: &str) -> bool {
    std::path::Path::new("/proc").join(pid.trim()).exists()
}
