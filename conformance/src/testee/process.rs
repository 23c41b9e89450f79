//! One child process with pipes: contained, and never able to hang, flood or outlive the harness.
//!
//! Contract: `contracts/interface/protocol.md`, Clocks and Containment. [`Launch`] starts a [`Process`]; what it writes
//! comes as [`Event`]s, at most a line at a time and never later than asked for; however it ends, nothing of it
//! stays and [`Ended`] tells what had to be removed. Lines are bytes here: what they mean is decided above.
//!
//! With a [`Seal`] a testee reaches nothing but its own, as far as the system offers that. What this does not prove: without
//! one it can reach whatever its user can reach, and is kept from staying, not from acting.

mod barred;
mod containment;
#[cfg(target_os = "linux")]
mod descendants;
#[cfg(not(target_os = "linux"))]
#[path = "process/descendants_elsewhere.rs"]
mod descendants;
mod digests;
mod group;
mod launch;
mod lines;
mod opening;
mod pipes;
mod ring;
mod seal;
mod subject;
mod tended;
mod unstarted;
mod watch;

#[cfg(test)]
pub(crate) use containment::MEASURES;
pub use containment::{Containment, PARTLY, SEALED};
pub(crate) use containment::{finds_orphans, seals};
pub use descendants::start_nothing_else;
pub use launch::{CommandInfo, FileInfo, Launch, Look};
pub use lines::next_line;
pub use seal::{Seal, enter};
pub use subject::{Subject, SubjectInfo};
pub use tended::Tended;
pub use unstarted::StartError;

use std::{
    fmt, io,
    path::{Path, PathBuf},
    process::{Child, ChildStdout, ExitStatus},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
    vec,
};

use assize_corpus::disk::{Below, Scratch};

use self::{
    descendants::Descendants,
    pipes::{Received, Tail},
    watch::Watch,
};
use super::timing::{Clock, Patience, Timing};

/// What every complete line passes through, in the thread that reads: it returns lines for a line, and may let time pass.
pub type Tap = Box<dyn FnMut(Vec<u8>) -> Vec<Vec<u8>> + Send>;

/// What comes from a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A complete line, without its line feed.
    Line(Vec<u8>),
    /// A line that is longer than allowed, of which this is the start; nothing is read after it.
    Overlong(Vec<u8>),
    /// The output ended inside this line.
    Unended(Vec<u8>),
    /// The output has ended, or nothing is read from it any more.
    Eof,
    /// Nothing came in time.
    Expired,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// How it ended by itself; nothing when it was killed here.
    pub status: Option<ExitStatus>,
    /// The same in words.
    pub described: String,
    /// The end of what it wrote to standard error. Control characters stand in it as they came.
    pub stderr: String,
    /// Command lines of processes that had left its group or outlived it, and were ended.
    pub orphans: Vec<String>,
}

/// A child that was just started.
struct Begun {
    child: Child,
    watch: Watch,
    temporary: PathBuf,
    below: Option<Below>,
    /// Whether it has its limits already.
    limited: bool,
}

impl Begun {
    /// Ends it, for one that must not go on.
    #[cfg(target_os = "linux")]
    fn end(mut self) {
        drop(self.watch);
        seal::dismiss(&mut self.child);
    }
}

/// A running process. Dropped, it is killed.
pub struct Process {
    child: Child,
    /// Until the input is closed.
    frames: Option<Sender<Vec<u8>>>,
    received: Receiver<Received>,
    lines: vec::IntoIter<Vec<u8>>,
    /// What the clock showed when the last event was there.
    arrived: Duration,
    /// The output after the last event.
    output: Option<ChildStdout>,
    /// Whether the output has ended.
    silent: bool,
    stderr: Tail,
    /// Until the end.
    descendants: Option<Descendants>,
    /// When they were last looked for.
    swept: Instant,
    /// Whether and how the testee has ended, where that is not the end of the child.
    watch: Watch,
    /// Lives as long as the process.
    _scratch: Scratch,
    /// Where the testee has its temporary files.
    temporary: PathBuf,
    /// Where folders of cases are made, if it sees no others.
    below: Option<Below>,
    timing: Timing,
    /// Once it is set, nothing is waited for any more.
    stop: Stop,
}

impl Process {
    /// Takes over a child that has just been started; when that fails, the child is killed.
    fn new(begun: Begun, scratch: Scratch, mark: String, launch: &Launch, tap: Option<Tap>) -> io::Result<Self> {
        let Begun { mut child, mut watch, temporary, below, limited } = begun;
        let (descendants, timing) = (watch.descendants(Descendants::of(&child, mark)), launch.timing.clone());
        let limits = if limited { Ok(()) } else { launch.bounds().set(&child) };
        let contained = limits.and_then(|()| {
            let piped = || io::Error::from(io::ErrorKind::BrokenPipe);
            let stderr = Tail::of(child.stderr.take().ok_or_else(piped)?)?;
            let received =
                pipes::reader(child.stdout.take().ok_or_else(piped)?, launch.line, tap, timing.clock.clone())?;
            let frames = pipes::writer(child.stdin.take().ok_or_else(piped)?)?;
            Ok((frames, received, stderr))
        });
        match contained {
            Ok((frames, received, stderr)) => Ok(Self {
                child,
                frames: Some(frames),
                received,
                lines: Vec::new().into_iter(),
                arrived: Duration::ZERO,
                output: None,
                silent: false,
                stderr,
                descendants: Some(descendants),
                swept: Instant::now(),
                watch,
                _scratch: scratch,
                temporary,
                below,
                timing,
                stop: Stop::Never,
            }),
            Err(error) => {
                end(&mut child, &mut watch, Some(descendants), false, timing.patience, Stop::Never);
                Err(error)
            }
        }
    }

    /// The folder that `TMPDIR` names: empty at the start, and removed with the process.
    #[must_use]
    pub fn scratch(&self) -> &Path {
        &self.temporary
    }

    /// Where folders of cases are to be made; nothing where any place will do.
    #[must_use]
    pub fn below(&self) -> Option<&Below> {
        self.below.as_ref()
    }

    /// Once this says that the run was interrupted, the end of the process is no longer waited for.
    pub fn heed(&mut self, stop: &'static AtomicBool) {
        self.stop = Stop::Flag(stop);
    }

    /// Hands a frame to the thread that writes; one without its line feed gets it. Never waits. A testee that no longer
    /// reads is not an error here: its end comes as an event.
    pub fn send(&mut self, mut frame: Vec<u8>) {
        if frame.last() != Some(&b'\n') {
            frame.push(b'\n');
        }
        self.send_part(frame);
    }

    /// Hands over bytes as they are: a part of a frame, or something that is not a frame.
    pub fn send_part(&mut self, frame: Vec<u8>) {
        if let Some(frames) = &self.frames {
            let _ = frames.send(frame);
        }
    }

    /// The next event; waits for it until `deadline` at most, or until a tap keeps a line. What is already there comes even when
    /// that has passed.
    pub fn next(&mut self, deadline: Instant) -> Event {
        loop {
            if let Some(line) = self.lines.next() {
                return Event::Line(line);
            }
            match self.received.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                // It is later than it was: whoever waits looks at the clock.
                Ok(Received::Lines(lines, _)) if lines.is_empty() => return Event::Expired,
                Ok(Received::Lines(lines, arrived)) => (self.lines, self.arrived) = (lines.into_iter(), arrived),
                Ok(Received::End(event, arrived, output)) => {
                    (self.output, self.arrived) = (Some(output), arrived);
                    self.silent = !matches!(event, Event::Overlong(_));
                    return event;
                }
                Err(RecvTimeoutError::Timeout) => return Event::Expired,
                Err(RecvTimeoutError::Disconnected) => return Event::Eof,
            }
        }
    }

    /// The next event that was there before the clock showed `deadline`, however late it is looked for; without one, time
    /// has expired. It has too as soon as `given_up` says so. Where this process is stopped meanwhile, time begins again.
    pub fn next_by(&mut self, deadline: Duration, given_up: impl Fn() -> bool) -> Event {
        let (mut deadline, mut last) = (deadline, self.timing.glance());
        loop {
            self.sweep();
            deadline = self.timing.deadline(&mut last, deadline);
            let now = last.now;
            let wait = deadline.saturating_sub(now).min(self.timing.patience.look);
            let event = self.next(Instant::now() + wait);
            deadline = self.timing.deadline(&mut last, deadline);
            match event {
                Event::Expired if given_up() || now >= deadline => return Event::Expired,
                Event::Expired => {}
                _ if self.arrived > deadline => return Event::Expired,
                event => return event,
            }
        }
    }

    /// Reaps what came to this process since the last time, once in a while.
    fn sweep(&mut self) {
        const EVERY: Duration = Duration::from_secs(1);
        if self.swept.elapsed() >= EVERY
            && let Some(descendants) = &mut self.descendants
        {
            descendants.sweep();
            self.swept = Instant::now();
        }
    }

    /// What comes after the last word, before the output or the process ends or this time is up.
    pub(crate) fn afterwards(&mut self, patience: Duration) -> Option<Vec<u8>> {
        let deadline = self.timing.clock.now().saturating_add(patience);
        loop {
            // Looked up first: what an ended process has written is in the pipe by then. A child of it may hold the pipe open.
            let last =
                self.watch.has_ended(&mut self.child) || self.timing.clock.now() >= deadline || self.stop.is_set();
            let Patience { look, helpers, .. } = self.timing.patience;
            match self.next(Instant::now() + if last { helpers } else { look }) {
                Event::Line(text) | Event::Overlong(text) | Event::Unended(text) => return Some(text),
                Event::Eof => return None,
                Event::Expired if last => return None,
                Event::Expired => {}
            }
        }
    }

    /// Closes the input of the testee, once everything sent is written.
    pub fn close_input(&mut self) {
        self.frames = None;
    }

    /// Ends it at once. Only one whose output has ended gets a moment, so that its own end is not taken for ours.
    #[must_use]
    pub fn kill(mut self) -> Ended {
        let grace = if self.silent { self.timing.patience.moment } else { Duration::ZERO };
        self.end(grace)
    }

    /// Closes the input and waits for the end, `grace` at most; then as [`Self::kill`].
    #[must_use]
    pub fn finish(mut self, grace: Duration) -> Ended {
        self.close_input();
        self.end(grace)
    }

    /// Ends one whose output has ended too early: as [`Self::finish`], but for one that rests, which does not intend to end.
    #[must_use]
    pub(crate) fn dismiss(mut self, grace: Duration) -> Ended {
        self.close_input();
        let patience = self.timing.patience;
        if let Some(descendants) = self.descendants.as_mut().filter(|_| self.silent) {
            let has_ended = || self.watch.has_ended(&mut self.child);
            descendants.await_end(grace, patience, has_ended, self.stop);
        }
        self.end(Duration::ZERO)
    }

    fn end(&mut self, grace: Duration) -> Ended {
        let Timing { clock, patience } = self.timing.clone();
        clock.within(grace, || self.watch.has_ended(&mut self.child) || self.stop.is_set());
        let alone = self.watch.has_ended(&mut self.child);
        if alone {
            // A helper may still listen. One that is killed must not see an end of its input and take that for a goodbye.
            self.close_input();
        }
        let descendants = self.descendants.take();
        let (status, orphans) = end(&mut self.child, &mut self.watch, descendants, alone, patience, self.stop);
        let described = match status {
            Some(status) => group::describe(status),
            None => "killed by the harness".to_owned(),
        };
        self.close_input();
        Ended { status, described, stderr: self.stderr.text(patience.dying), orphans }
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process").field("id", &self.child.id()).finish_non_exhaustive()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.descendants.is_some() {
            let descendants = self.descendants.take();
            end(&mut self.child, &mut self.watch, descendants, false, self.timing.patience, Stop::Now);
        }
    }
}

/// Whether the run was interrupted.
#[derive(Debug, Clone, Copy)]
enum Stop {
    /// Nobody can interrupt it.
    Never,
    /// It was.
    Now,
    /// This flag says so.
    Flag(&'static AtomicBool),
}

impl Stop {
    fn is_set(self) -> bool {
        match self {
            Self::Never => false,
            Self::Now => true,
            Self::Flag(flag) => flag.load(Ordering::Relaxed),
        }
    }
}

/// Ends everything that is left of a session and reaps it; `alone` says that its first process has ended by itself. Gives
/// how that one ended, unless it was killed here, and what was found besides.
fn end(
    child: &mut Child,
    watch: &mut Watch,
    descendants: Option<Descendants>,
    alone: bool,
    patience: Patience,
    stop: Stop,
) -> (Option<ExitStatus>, Vec<String>) {
    let mut descendants = descendants;
    if let Some(descendants) = &mut descendants {
        if alone {
            // Honest helpers end when the process that they serve has ended.
            descendants.settle(patience, stop);
        }
        // Before anything is killed, while it can still be seen who started whom. Members of the group that are killed
        // together with it are not orphans.
        descendants.note(alone);
    }
    group::kill(child);
    let orphans = descendants.map(|descendants| descendants.end(alone, patience)).unwrap_or_default();
    // Its number is given back only now. A process that the system cannot end is left to the system.
    let ended = Clock::default().within(patience.dying, || group::has_ended(child));
    let status = if ended { child.try_wait().ok().flatten() } else { None };
    let status = watch.status().or(status);
    if ended {
        descendants::forget(child);
    }
    (status.filter(|status| alone || !group::is_killed(*status)), orphans)
}
