//! A command of an ecosystem's client, or of Assize itself: run to its end, or ended where it takes too long or the bench is to end;
//! and what it has started ends with it.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::testee::process::Tended;

/// How long a process that was asked to end is given for it.
const GOODBYE: Duration = Duration::from_secs(10);
/// How often a process is looked at. What ends sooner is noticed so much later.
const PAUSE: Duration = Duration::from_millis(20);
/// The most that a command may say, in bytes: what says more fills a disk.
const MOST_SAID: u64 = 64 << 20;
/// How long [`end_all`] waits for what was killed.
const DYING: Duration = Duration::from_secs(15);

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

/// Set when no command may run any more.
static OVER: AtomicBool = AtomicBool::new(false);
/// How many run.
static RUNNING: Mutex<usize> = Mutex::new(0);
/// Told when one has ended.
static FEWER: Condvar = Condvar::new();

/// Ends every command of this process at once, and lets none begin: for whoever ends the process itself.
pub fn end_all() {
    OVER.store(true, Ordering::SeqCst);
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    // Whoever runs one looks at the flag and kills it.
    drop(FEWER.wait_timeout_while(running, DYING, |running| *running > 0));
}

/// One that runs, as long as this value lives.
struct Running;

impl Running {
    fn begin() -> Result<Self, Ended> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        // Looked up while the number is held: whoever sets the flag either sees this one or keeps it from beginning.
        if OVER.load(Ordering::SeqCst) {
            return Err(Ended::Stopped);
        }
        *running += 1;
        Ok(Self)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        *running = running.saturating_sub(1);
        FEWER.notify_all();
    }
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
    clear(log).map_err(unwritten)?;
    let said = File::create_new(log).map_err(unwritten)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).envs(environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stdout(said.try_clone().map_err(unwritten)?).stderr(said);
    let _running = Running::begin()?;
    let mut tended = Tended::start(&mut command).map_err(failed)?;
    let began = Instant::now();
    while !tended.has_ended() {
        if stop.asked.load(Ordering::Relaxed) {
            dismiss(tended);
            return Err(Ended::Stopped);
        }
        if began.elapsed() > stop.patience {
            dismiss(tended);
            return Err(Ended::Failed(format!("{name} did not end within {} s", stop.patience.as_secs())));
        }
        if fs::metadata(log).is_ok_and(|log| log.len() > MOST_SAID) {
            dismiss(tended);
            return Err(Ended::Failed(format!("{name} said more than {MOST_SAID} bytes")));
        }
        thread::sleep(PAUSE);
    }
    // A signal has no code.
    Ok(tended.end().and_then(|status| status.code()).unwrap_or(-1))
}

/// Removes what is at a place of a file. A pipe that a client has laid there would be waited for.
pub(super) fn clear(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Asks a command to end, and ends it with all that it has started.
fn dismiss(mut tended: Tended) {
    tended.ask();
    let began = Instant::now();
    while began.elapsed() < GOODBYE && !OVER.load(Ordering::SeqCst) && !tended.has_ended() {
        thread::sleep(PAUSE);
    }
}
