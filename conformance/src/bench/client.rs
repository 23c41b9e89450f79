//! A command of an ecosystem's client, or of Assize itself: run to its end, or ended with all of its group where it takes too long or the
//! bench is to end.

use std::{
    ffi::OsString,
    fs::File,
    io,
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// How long a process that was asked to end is given for it.
const GOODBYE: Duration = Duration::from_secs(10);
/// How often a process is looked at. What ends sooner is noticed so much later.
const PAUSE: Duration = Duration::from_millis(20);

/// Why a command did not come to an end of its own.
#[derive(Debug)]
pub enum Ended {
    /// Somebody wants the whole bench to end.
    Stopped,
    /// It did not start, took too long, or said that it failed; and what it said last.
    Failed(String),
}

/// When a command has to end.
#[derive(Debug, Clone, Copy)]
pub struct Stop<'s> {
    /// Set when the bench is to end.
    pub asked: &'s AtomicBool,
    /// How long one command may take.
    pub patience: Duration,
}

/// Runs a command with what it says in a file, and returns its exit code.
///
/// Both its outputs are one file, so that nothing that it leaves behind can hold this process up.
pub(super) fn run(
    argv: &[OsString],
    folder: &Path,
    environment: &[(String, String)],
    log: &Path,
    stop: Stop<'_>,
) -> Result<i32, Ended> {
    let name = argv.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Ended::Failed(format!("{name} is not installed")),
        _ => Ended::Failed(format!("{name} cannot be started: {error}")),
    };
    let (program, arguments) = argv.split_first().ok_or_else(|| Ended::Failed("no program is named".to_owned()))?;
    let unwritten = |error: io::Error| Ended::Failed(format!("{}: {error}", log.display()));
    let said = File::create(log).map_err(unwritten)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).envs(environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stdout(said.try_clone().map_err(unwritten)?).stderr(said);
    // A group of its own: what it starts is ended with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(failed)?;
    let began = Instant::now();
    loop {
        match child.try_wait() {
            // A signal has no code.
            Ok(Some(status)) => return Ok(status.code().unwrap_or(-1)),
            Ok(None) => {}
            Err(error) => {
                end(&mut child);
                return Err(failed(error));
            }
        }
        if stop.asked.load(Ordering::Relaxed) {
            end(&mut child);
            return Err(Ended::Stopped);
        }
        if began.elapsed() > stop.patience {
            end(&mut child);
            return Err(Ended::Failed(format!("{name} did not end within {} s", stop.patience.as_secs())));
        }
        thread::sleep(PAUSE);
    }
}

/// Asks a process and its group to end, and then ends them.
fn end(child: &mut Child) {
    signal(child, false);
    let began = Instant::now();
    while began.elapsed() < GOODBYE && matches!(child.try_wait(), Ok(None)) {
        thread::sleep(PAUSE);
    }
    signal(child, true);
    // It is gone already, or goes now.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(unix)]
fn signal(child: &Child, kill: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = if kill { Signal::KILL } else { Signal::INT };
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // A group that has ended needs no signal.
        let _ = kill_process_group(group, signal);
    }
}

#[cfg(not(unix))]
fn signal(_: &Child, _: bool) {}
