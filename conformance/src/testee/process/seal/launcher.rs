//! The harness's own binary as the process that starts a testee: small, with one thread, and gone or out of reach for it.
//!
//! The first stage makes the namespaces and waits. The second is process 1 in them: it builds the view, restricts itself,
//! starts the testee, reaps everything, and says how the testee ended. When it ends the system ends all that is left.
//! Where there are no namespaces the first stage restricts itself and becomes the testee.

use std::{
    env,
    error::Error,
    fs, io,
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::{
            net::UnixStream,
            process::{CommandExt as _, ExitStatusExt as _},
        },
    },
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
};

use nix::sched::{CloneFlags, unshare};
use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::{Mode, OFlags},
    process::{
        DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, pidfd_open,
        set_dumpable_behavior, set_parent_process_death_signal, wait,
    },
    thread::{CapabilitySet, capabilities, configure_capability_in_ambient_set, set_capabilities},
};

use super::{
    rules, view,
    wire::{self, Note, Plan, Stage},
};

/// What the stages are called by; nobody types that.
pub(super) const STAGES: [&str; 2] = ["assize: launcher", "assize: first process"];
/// How a stage ends that could not do its work; it has said why.
const FAILED: u8 = 70;
/// The number that the administrator of the system has inside: one that stands for nobody.
const NOBODY: u32 = 65_534;

/// Runs a stage if this process was started as one; nothing otherwise. The first thing that `main` does: there is one thread.
#[must_use]
pub fn enter() -> Option<u8> {
    let name = env::args_os().next()?;
    let stage = STAGES.iter().position(|stage| name == **stage)?;
    let closed = close_inherited();
    let Ok(socket) = std::io::stdin().as_fd().try_clone_to_owned() else { return Some(FAILED) };
    let socket = UnixStream::from(socket);
    let stage = if stage == 0 { first } else { second };
    let done = at("inherited files", closed).and_then(|()| stage(&socket));
    Some(done.unwrap_or_else(|Stopped { number, why }| {
        // The harness may be gone.
        let _ = wire::send(&socket, &Note::Refused(number, why), &[]);
        FAILED
    }))
}

/// Closes what a caller of the harness has left open for all its children: a testee would find it open too, and gets nothing
/// where it is not known what that is.
fn close_inherited() -> io::Result<()> {
    // Names alone: an entry holds the folder open until it is dropped, and the folder's number is among those closed below.
    let names = fs::read_dir("/proc/self/fd")?.map(|file| Ok(file?.file_name())).collect::<io::Result<Vec<_>>>()?;
    let numbers = names.iter().filter_map(|name| name.to_str()?.parse::<i32>().ok());
    for number in numbers.filter(|number| *number > 2) {
        // Nothing in this process knows any of these.
        let _ = nix::unistd::close(number);
    }
    Ok(())
}

/// Why a stage cannot do its work.
struct Stopped {
    /// The system's number for it, where it gave one.
    number: Option<i32>,
    why: String,
}

/// An error with what was tried.
fn at<T, E: Into<io::Error>>(step: &str, done: Result<T, E>) -> Result<T, Stopped> {
    done.map_err(|error| {
        let error = error.into();
        Stopped { number: number(&error), why: format!("{step}: {error}") }
    })
}

/// The system's own number, in an error or among the causes of a library's: that tells a system which is short of something from one
/// that has no such rules.
fn number(error: &(dyn Error + 'static)) -> Option<i32> {
    let known = error.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    known.or_else(|| error.source().and_then(number))
}

fn order<T: serde::de::DeserializeOwned>(socket: &UnixStream) -> Result<(T, Vec<OwnedFd>), Stopped> {
    at("order", at("order", wire::receive(socket))?.ok_or_else(|| io::Error::other("the harness has gone")))
}

fn first(socket: &UnixStream) -> Result<u8, Stopped> {
    let (stage, _): (Stage, _) = order(socket)?;
    if !stage.namespaces {
        return become_testee(socket);
    }
    at("namespaces", isolate())?;
    let mut child = at("process 1", successor())?;
    let handle = at("process 1", pidfd_open(Pid::from_child(&child), PidfdFlags::empty()))?;
    loop {
        let mut ends = [PollFd::new(&handle, PollFlags::IN), PollFd::new(socket, PollFlags::HUP | PollFlags::RDHUP)];
        at("process 1", rustix::io::retry_on_intr(|| poll(&mut ends, None)))?;
        let [child_ended, harness_gone] = ends.map(|end| !end.revents().is_empty());
        if child_ended || harness_gone {
            // Without its harness a session is over: the end of this process ends process 1, and that all the others.
            let _ = child.kill();
            return Ok(at("process 1", child.wait())?
                .code()
                .and_then(|code| u8::try_from(code).ok())
                .unwrap_or_else(killed));
        }
    }
}

/// Ends this process as one that was killed: so the harness sees that nobody has told how the testee ended.
fn killed() -> u8 {
    let _ = kill_process(getpid(), Signal::KILL);
    FAILED
}

/// Moves this process into namespaces of its own; those of processes begin with its first child.
fn isolate() -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    unshare(
        CloneFlags::CLONE_NEWUSER
            | CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWPID
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC,
    )?;
    let inside = |id: u32| if id == 0 { NOBODY } else { id };
    fs::write("/proc/self/setgroups", "deny")?;
    let (user, group) = (user.as_raw(), group.as_raw());
    fs::write("/proc/self/uid_map", format!("{} {user} 1", inside(user)))?;
    fs::write("/proc/self/gid_map", format!("{} {group} 1", inside(group)))?;
    // The next stage mounts; nobody is administrator inside, so that it keeps only what is handed on.
    let mut sets = capabilities(None)?;
    sets.inheritable = CapabilitySet::SYS_ADMIN;
    set_capabilities(None, sets)?;
    Ok(configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)?)
}

fn successor() -> io::Result<Child> {
    Command::new("/proc/self/exe").arg0(STAGES[1]).env_clear().spawn()
}

fn second(socket: &UnixStream) -> Result<u8, Stopped> {
    at("parent-death signal", set_parent_process_death_signal(Some(Signal::KILL)))?;
    let (plan, files): (Plan, _) = order(socket)?;
    at("mount namespace", view::enter(&plan))?;
    let scratch = Path::new(&plan.scratch);
    let cases = scratch.join(view::CASES);
    let cases = at("scratch folder", rustix::fs::open(&cases, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()))?;
    at("limits", rules::limit(&plan, true))?;
    at("capabilities", rules::disarm())?;
    // Nobody inside can read, trace or copy this process.
    at("process 1", set_dumpable_behavior(DumpableBehavior::NotDumpable))?;
    let restricted = at("rules", rules::restrict(&plan, scratch))?;
    let mut held = vec![
        "core-limit",
        "file-size-limit",
        "no-network",
        "parent-death-signal",
        "pid-namespace",
        "private-root",
        "scratch-limit",
        "user-namespace",
    ];
    held.extend(restricted);
    held.extend(rules::holds_processes(&plan).then_some("process-limit"));
    let note = Note::Ready(held.into_iter().map(str::to_owned).collect());
    let own = at("process 1", pidfd_open(getpid(), PidfdFlags::empty()))?;
    if plan.is_a_try() {
        at("harness", wire::send(socket, &note, &[own.as_fd(), own.as_fd(), cases.as_fd()]))?;
        let _ = wire::receive::<Note>(socket);
        return Ok(0);
    }
    let mut command = at("open files", testee(&plan, files))?;
    command.process_group(0);
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return unstarted(socket, &error),
    };
    drop(command);
    let handle = at("process 1", pidfd_open(Pid::from_child(&child), PidfdFlags::empty()))?;
    at("harness", wire::send(socket, &note, &[own.as_fd(), handle.as_fd(), cases.as_fd()]))?;
    drop((own, handle, cases));
    reap(socket, &child);
    Ok(0)
}

/// Reaps everything, and tells the end of the testee. Ends when the harness closes, if it is not ended by it before.
fn reap(socket: &UnixStream, child: &Child) {
    let testee = Pid::from_child(child);
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == testee => {
                let _ = wire::send(socket, &Note::Ended(status.as_raw()), &[]);
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            // Nobody is left. Only the harness may say that this is the end.
            Err(_) => break,
        }
    }
    let _ = wire::receive::<Note>(socket);
}

/// Without namespaces: restricts this process, and turns it into the testee.
fn become_testee(socket: &UnixStream) -> Result<u8, Stopped> {
    let (plan, files): (Plan, _) = order(socket)?;
    at("limits", rules::limit(&plan, false))?;
    let restricted = at("rules", rules::restrict(&plan, Path::new(&plan.scratch)))?;
    let mut held = vec!["core-limit", "file-size-limit"];
    held.extend(restricted);
    at("harness", wire::send(socket, &Note::Ready(held.into_iter().map(str::to_owned).collect()), &[]))?;
    if plan.is_a_try() {
        return Ok(0);
    }
    let mut command = at("open files", testee(&plan, files))?;
    // Comes back only if it fails; otherwise the socket closes.
    let error = command.exec();
    unstarted(socket, &error)
}

fn unstarted(socket: &UnixStream, error: &io::Error) -> Result<u8, Stopped> {
    at("harness", wire::send(socket, &Note::Unstarted(error.raw_os_error(), error.to_string()), &[]))?;
    Ok(FAILED)
}

/// The command of the testee, with its own three streams and no other open file.
fn testee(plan: &Plan, files: Vec<OwnedFd>) -> io::Result<Command> {
    let [input, output, errors] =
        <[OwnedFd; 3]>::try_from(files).map_err(|_| io::Error::other("three streams belong to a testee"))?;
    let mut words = plan.argv.iter();
    let mut command = Command::new(&plan.program);
    command.arg0(words.next().unwrap_or(&plan.program)).args(words);
    command.env_clear().envs(plan.environment.iter().map(|(name, value)| (name, value)));
    command.current_dir(&plan.directory);
    command.stdin(Stdio::from(input)).stdout(Stdio::from(output)).stderr(Stdio::from(errors));
    Ok(command)
}

/// How a process ended, from the number that the system has for it.
pub(super) fn status(raw: i32) -> ExitStatus {
    ExitStatus::from_raw(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_the_system_outlives_a_library_and_its_words_stay() {
        let of = |number| io::Error::other(seccompiler::Error::Seccomp(io::Error::from_raw_os_error(number)));
        let Err(stopped) = at::<(), _>("rules", Err(of(12))) else { panic!("an error") };
        assert_eq!(stopped.number, Some(12));
        assert_eq!(stopped.why, format!("rules: {}", of(12)));
        assert_eq!(number(&io::Error::other(seccompiler::Error::EmptyFilter)), None);
    }
}
