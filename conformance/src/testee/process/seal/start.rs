//! The harness's side of a start: streams, orders, and what the launcher says.

use std::{
    fs::File,
    io::{self, Read as _},
    os::{
        fd::{AsFd as _, AsRawFd as _, OwnedFd},
        unix::{net::UnixStream, process::CommandExt as _},
    },
    path::{Path, PathBuf},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    time::Duration,
};

use assize_corpus::disk::Below;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::Pid,
};

use super::super::{Clock, descendants, group, unstarted::is_short};
use super::{
    launcher::{self, STAGES},
    view,
    wire::{self, Note, Plan, Stage},
};

/// Far more than any system needs to make namespaces; a disk that does not answer must not hold up the harness for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a launcher may take to end.
const ENDING: Duration = Duration::from_secs(5);

/// Why no testee began.
#[derive(Debug)]
pub(crate) enum Unstarted {
    /// The system is short of what every start takes.
    Short(String),
    /// A measure cannot be taken, or the launcher cannot be started.
    Refused(io::Error),
    /// The system would not start the program.
    Program(io::Error),
}

impl Unstarted {
    fn refused(why: impl ToString) -> Self {
        Self::Refused(io::Error::other(why.to_string()))
    }

    /// What an error of this process comes to.
    fn here(error: io::Error) -> Self {
        if is_short(error.raw_os_error()) { Self::Short(error.to_string()) } else { Self::Refused(error) }
    }
}

/// A testee that has begun.
#[derive(Debug)]
pub(crate) struct Launched {
    /// The testee, or the launcher before it; the testee's three streams are its own.
    pub(crate) child: Child,
    /// Names of the measures that hold.
    pub(crate) held: Vec<String>,
    /// Process 1 of its namespace; nothing without one.
    pub(crate) init: Option<Init>,
}

/// The process that reaps for a testee and tells its end.
#[derive(Debug)]
pub(crate) struct Init {
    socket: UnixStream,
    /// Its number here.
    pub(crate) pid: Pid,
    /// The testee's number here; nothing for one that had ended before it was asked for.
    pub(crate) testee: Option<Pid>,
    /// The folder of its cases, which lies in no file system that can be seen from here.
    cases: OwnedFd,
    status: Option<ExitStatus>,
}

impl Init {
    /// How the testee has ended; nothing while it runs.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() && is_readable(&self.socket) {
            // Without a note the launcher was ended, and its own end tells the rest.
            if let Ok(Some((Note::Ended(raw), _))) = wire::receive(&self.socket) {
                self.status = Some(launcher::status(raw));
            }
        }
        self.status
    }

    /// Where folders of cases are made.
    pub(crate) fn below(&self, scratch: &Path) -> Below {
        let here = PathBuf::from(format!("/proc/self/fd/{}", self.cases.as_raw_fd()));
        Below { here, there: scratch.join(view::CASES) }
    }
}

fn is_readable(socket: &UnixStream) -> bool {
    let mut ends = [PollFd::new(socket, PollFlags::IN)];
    poll(&mut ends, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
}

/// Starts the launcher and waits until the testee has begun.
pub(crate) fn start(launcher: &Path, namespaces: bool, plan: &Plan) -> Result<Launched, Unstarted> {
    let (socket, theirs) = UnixStream::pair().map_err(Unstarted::here)?;
    let (input, stdin) = io::pipe().map_err(Unstarted::here)?;
    let (stdout, output) = io::pipe().map_err(Unstarted::here)?;
    let (stderr, errors) = io::pipe().map_err(Unstarted::here)?;
    let mut command = Command::new(launcher);
    command.arg0(STAGES[0]).env_clear().process_group(0);
    command.stdin(Stdio::from(OwnedFd::from(theirs))).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = descendants::spawn(&mut command).map_err(Unstarted::here)?;
    // What the launcher was given is closed here, so that its end can be seen.
    drop(command);
    let begun = socket
        .set_read_timeout(Some(PATIENCE))
        .and_then(|()| wire::send(&socket, &Stage { namespaces }, &[]))
        .and_then(|()| wire::send(&socket, plan, &[input.as_fd(), output.as_fd(), errors.as_fd()]));
    drop((input, output, errors));
    // A launcher that reads no more has said why.
    let begun = match (received(socket, namespaces), begun) {
        (Err(_), Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => Err(Unstarted::here(error)),
        (heard, _) => heard,
    };
    match begun {
        Ok((held, init)) => {
            child.stdin = Some(ChildStdin::from(OwnedFd::from(stdin)));
            child.stdout = Some(ChildStdout::from(OwnedFd::from(stdout)));
            child.stderr = Some(ChildStderr::from(OwnedFd::from(stderr)));
            Ok(Launched { child, held, init })
        }
        Err(why) => {
            dismiss(&mut child);
            Err(why)
        }
    }
}

/// Ends a launcher whose socket is closed: it reaps process 1 and ends by itself, and is ended if it does not.
pub(crate) fn dismiss(child: &mut Child) {
    Clock::default().within(ENDING, || group::has_ended(child));
    group::kill(child);
    let _ = child.wait();
    descendants::forget(child);
}

/// Waits for what the launcher says.
fn received(socket: UnixStream, namespaces: bool) -> Result<(Vec<String>, Option<Init>), Unstarted> {
    let (held, files) = match note(&socket)? {
        Some((Note::Ready(held), files)) => (held, files),
        Some((other, _)) => return Err(failed(other)),
        None => return Err(Unstarted::refused("the launcher has ended")),
    };
    if !namespaces {
        // The socket closes when the launcher becomes the testee.
        return match note(&socket)? {
            None => Ok((held, None)),
            Some((other, _)) => Err(failed(other)),
        };
    }
    let [init, testee, cases] =
        <[OwnedFd; 3]>::try_from(files).map_err(|_| Unstarted::refused("the launcher names no testee"))?;
    let pid = number(&init).ok_or_else(|| Unstarted::refused("process 1 has no number here"))?;
    // A testee that has ended by now has none any more, and nobody is looked for by it.
    let testee = number(&testee);
    Ok((held, Some(Init { socket, pid, testee, cases, status: None })))
}

fn note(socket: &UnixStream) -> Result<Option<(Note, Vec<OwnedFd>)>, Unstarted> {
    wire::receive(socket).map_err(Unstarted::here)
}

fn failed(note: Note) -> Unstarted {
    match note {
        Note::Unstarted(number, why) | Note::Refused(number, why) if is_short(number) => Unstarted::Short(why),
        Note::Unstarted(Some(number), _) => Unstarted::Program(io::Error::from_raw_os_error(number)),
        Note::Unstarted(None, why) => Unstarted::Program(io::Error::other(why)),
        Note::Refused(_, why) => Unstarted::refused(why),
        Note::Ready(_) | Note::Ended(_) => Unstarted::refused("the launcher says what does not fit"),
    }
}

/// The number that a process has here, from a handle that was opened in another namespace.
fn number(handle: &OwnedFd) -> Option<Pid> {
    let mut text = String::new();
    File::open(format!("/proc/self/fdinfo/{}", handle.as_raw_fd())).ok()?.read_to_string(&mut text).ok()?;
    let number = text.lines().find_map(|line| line.strip_prefix("Pid:"))?;
    Pid::from_raw(number.trim().parse().ok().filter(|number| *number > 0)?)
}
