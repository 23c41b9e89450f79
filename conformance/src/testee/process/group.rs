//! The process group of a session: made at the start, ended as a whole, and never mistaken for another.
//!
//! A number of a process, and of its group, is free for another as soon as the process is reaped. So its end is observed
//! without reaping it; that comes last.

use std::process::{Child, Command, ExitStatus};

/// Gives the process a group of its own, and the name that it was called by.
#[cfg(unix)]
pub(super) fn prepare(command: &mut Command, name: &std::ffi::OsStr) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0).arg0(name);
}

/// Nothing is offered here.
#[cfg(not(unix))]
pub(super) fn prepare(_: &mut Command, _: &std::ffi::OsStr) {}

/// Whether the process has ended.
#[cfg(all(unix, not(target_os = "openbsd")))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // Errors are left to the reaping, which knows an end that was already seen.
    waitid(WaitId::Pid(Pid::from_child(child)), look).map_or(true, |status| status.is_some())
}

/// Whether the process has ended; the look reaps it.
#[cfg(not(all(unix, not(target_os = "openbsd"))))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Ends the process and its group; the process is not reaped yet.
pub(super) fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // There may be no process left.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    // It may have left its group.
    let _ = child.kill();
}

/// Asks the process and its group to end.
pub(super) fn interrupt(child: &Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // There may be no process left.
        let _ = kill_process_group(Pid::from_child(child), Signal::INT);
    }
    #[cfg(not(unix))]
    let _ = child;
}

/// How an end is described.
pub(super) fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return match name(signal) {
                Some(name) => format!("signal {signal} ({name})"),
                None => format!("signal {signal}"),
            };
        }
    }
    status.code().map_or_else(|| status.to_string(), |code| format!("exit code {code}"))
}

/// Whether the end is one that [`kill`] brings.
pub(super) fn is_killed(status: ExitStatus) -> bool {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status) == Some(rustix::process::Signal::KILL.as_raw());
    #[cfg(not(unix))]
    return !status.success();
}

/// Names of the signals that end a process, in words where a limit sends them.
#[cfg(unix)]
fn name(signal: i32) -> Option<&'static str> {
    use rustix::process::Signal;
    let names = [
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::USR1, "SIGUSR1"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::USR2, "SIGUSR2"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::ALARM, "SIGALRM"),
        (Signal::TERM, "SIGTERM"),
        (Signal::XCPU, "SIGXCPU: the limit on CPU time"),
        (Signal::XFSZ, "SIGXFSZ: the limit on the size of a file"),
        (Signal::SYS, "SIGSYS"),
    ];
    names.into_iter().find(|(known, _)| known.as_raw() == signal).map(|(_, name)| name)
}
