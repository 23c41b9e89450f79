//! What keeps a testee contained: what this system offers for that, in the words of a report, and the limits.
//!
//! Contract: `contracts/interface/protocol.md`, Containment. A limit is set from outside, right after the start: a
//! testee that forks in the first instant may have a child without it. That child is still ended with the
//! session.

use std::{io, process::Child};

use serde::Serialize;

/// The largest file that a testee may write.
#[cfg(target_os = "linux")]
const FILE_SIZE: u64 = 1 << 30;

/// How far the testee was contained.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Containment {
    /// `full`, `group` or `none`: everything below; a process group of its own; nothing.
    pub level: &'static str,
    /// What was done, in words, sorted: `process-group`, `subreaper`, `cpu-limit`, `memory-limit`, ...
    pub measures: Vec<&'static str>,
    /// What this system did not offer.
    pub missing: Vec<&'static str>,
}

/// What a testee may use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Seconds of CPU time.
    pub(super) cpu_s: Option<u64>,
    /// Mebibytes of data.
    pub(super) memory_mb: Option<u64>,
}

impl Bounds {
    /// What there is on this system.
    pub(super) fn containment(self) -> Containment {
        let limits = cfg!(target_os = "linux");
        let all = [
            ("core-limit", limits, true),
            ("cpu-limit", limits, self.cpu_s.is_some()),
            ("environment", true, true),
            ("file-size-limit", limits, true),
            ("memory-limit", limits, self.memory_mb.is_some()),
            ("orphan-search", can_search(), true),
            // If the harness is killed with SIGKILL, a testee sees the end of its input and gets no signal.
            ("parent-death-signal", false, true),
            ("process-group", cfg!(unix), true),
            ("scratch-folder", true, true),
            ("subreaper", subreaper(), true),
        ];
        let pick = |wanted: bool| {
            let picked = all.into_iter().filter(|(_, offered, asked)| *asked && *offered == wanted);
            picked.map(|(name, ..)| name).collect::<Vec<_>>()
        };
        let missing = pick(false);
        let level = match missing.as_slice() {
            ["parent-death-signal"] => "full",
            _ if cfg!(unix) => "group",
            _ => "none",
        };
        Containment { level, measures: pick(true), missing }
    }

    /// Sets the limits of a process that has just been started. None is raised above what the harness itself has.
    #[cfg(target_os = "linux")]
    pub(super) fn set(self, child: &Child) -> io::Result<()> {
        use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

        // At the first bound of CPU time a testee gets a signal that it may handle, a second later one that it may not.
        let cpu = self.cpu_s.map(|seconds| (Resource::Cpu, seconds, seconds.saturating_add(1)));
        // Reserved address space is not counted: the runtimes of Go, Java and JavaScript reserve far more than they use.
        let memory = self.memory_mb.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
        let memory = memory.map(|bytes| (Resource::Data, bytes, bytes));
        let always = [(Resource::Core, 0, 0), (Resource::Fsize, FILE_SIZE, FILE_SIZE)];
        for (resource, soft, hard) in cpu.into_iter().chain(memory).chain(always) {
            let own = getrlimit(resource).maximum.unwrap_or(u64::MAX);
            let limit = Rlimit { current: Some(soft.min(own)), maximum: Some(hard.min(own)) };
            match prlimit(Some(Pid::from_child(child)), resource, limit) {
                // It has ended already.
                Ok(_) | Err(rustix::io::Errno::SRCH) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// No limit can be set from outside here, and the containment says so.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn set(self, _: &Child) -> io::Result<()> {
        Ok(())
    }
}

/// Makes this process the one that adopts orphans; once is enough.
#[cfg(target_os = "linux")]
pub(super) fn subreaper() -> bool {
    use std::sync::OnceLock;

    use rustix::process::{getpid, set_child_subreaper};

    static SET: OnceLock<bool> = OnceLock::new();
    *SET.get_or_init(|| set_child_subreaper(Some(getpid())).is_ok())
}

/// Orphans go to the first process of the system.
#[cfg(not(target_os = "linux"))]
pub(super) fn subreaper() -> bool {
    false
}

/// Whether there is a table of processes to search for those that have escaped.
fn can_search() -> bool {
    cfg!(target_os = "linux") && std::path::Path::new("/proc/self/environ").exists()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_asked_for_is_neither_there_nor_missing() {
        let full = Bounds { cpu_s: Some(1), memory_mb: Some(1) }.containment();
        assert_eq!((full.level, full.missing.as_slice()), ("full", ["parent-death-signal"].as_slice()));
        assert!(full.measures.contains(&"cpu-limit") && full.measures.contains(&"memory-limit"));
        assert!(full.measures.is_sorted());
        let less = Bounds { cpu_s: None, memory_mb: None }.containment();
        assert_eq!((less.level, less.measures.len()), ("full", full.measures.len() - 2));
    }
}
