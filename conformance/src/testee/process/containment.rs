//! What keeps a testee contained: what this system offers for that, in the words of a report, and the limits.
//!
//! Contract: `contracts/interface/protocol.md`, Containment. Where a launcher starts the testee, limits are set before its
//! first instruction. Else they are set from outside, right after the start: a testee that forks in the first instant
//! may have a child without them. That child is still ended with the session.

use std::{fmt, io, process::Child};

use serde::Serialize;

use crate::clean::clean;

/// The level of a testee for which every measure was taken.
pub const SEALED: &str = "sealed";

/// The level of a testee for which some were.
pub const PARTLY: &str = "partly";

/// Every measure, sorted; the contract says what each holds.
pub(crate) const MEASURES: [&str; 20] = [
    "closed-reading",
    "core-limit",
    "cpu-limit",
    "environment",
    "file-size-limit",
    "landlock",
    "memory-limit",
    "no-local-sockets",
    "no-network",
    "no-new-privileges",
    "orphan-search",
    "parent-death-signal",
    "pid-namespace",
    "private-root",
    "process-group",
    "process-limit",
    "scratch-folder",
    "scratch-limit",
    "subreaper",
    "user-namespace",
];
/// Measures that are only taken where a caller asks for them.
const ASKED: [&str; 2] = ["cpu-limit", "memory-limit"];

/// The largest file that a testee may write.
#[cfg(target_os = "linux")]
const FILE_SIZE: u64 = 1 << 30;

/// How far the testee was contained.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Containment {
    /// `sealed`, `partly` or `none`: everything that the contract names; less; nothing.
    pub level: &'static str,
    /// What was done, in words, sorted: `process-group`, `subreaper`, `cpu-limit`, `memory-limit`, ...
    pub measures: Vec<&'static str>,
    /// What was not: this system does not offer it, or the caller did not want it.
    pub missing: Vec<&'static str>,
    /// Files and folders that it could read by configuration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
}

/// Whether with these measures no process of a testee can be left behind without being found.
pub(crate) fn finds_orphans<S: AsRef<str>>(measures: &[S]) -> bool {
    holds(measures, "pid-namespace") || holds(measures, "subreaper") && holds(measures, "orphan-search")
}

/// Whether these are all measures, but for those that a caller has to ask for.
pub(crate) fn seals<S: AsRef<str>>(measures: &[S]) -> bool {
    MEASURES.into_iter().all(|name| holds(measures, name) || ASKED.contains(&name))
}

fn holds<S: AsRef<str>>(measures: &[S], name: &str) -> bool {
    measures.iter().any(|measure| measure.as_ref() == name)
}

impl fmt::Display for Containment {
    /// The class, the first of what is missing, and what could be read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 4;
        f.write_str(self.level)?;
        let shown = self.missing.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
        match self.missing.len() {
            0 => {}
            few if few <= SHOWN => write!(f, " (without {shown})")?,
            more => write!(f, " (without {shown} and {} more)", more - SHOWN)?,
        }
        match self.readable.iter().map(|path| clean(path)).collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => Ok(()),
            paths => write!(f, "; it could also read {paths}"),
        }
    }
}

/// What a launcher did for a testee.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Held<'h> {
    /// Names of measures.
    pub(super) measures: &'h [String],
    /// Whether files outside its own could be read.
    pub(super) open: bool,
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
    pub(super) fn containment(self, held: Held<'_>) -> Containment {
        let offered = |name: &str| match name {
            "closed-reading" => {
                !held.open && ["private-root", "landlock"].iter().any(|root| holds(held.measures, root))
            }
            "core-limit" | "cpu-limit" | "file-size-limit" | "memory-limit" => cfg!(target_os = "linux"),
            "environment" | "scratch-folder" => true,
            "orphan-search" => can_search(),
            "process-group" => cfg!(unix),
            "subreaper" => subreaper(),
            _ => holds(held.measures, name),
        };
        let asked = |name: &str| match name {
            "cpu-limit" => self.cpu_s.is_some(),
            "memory-limit" => self.memory_mb.is_some(),
            _ => true,
        };
        let pick = |wanted: bool| {
            let picked = MEASURES.into_iter().filter(|name| asked(name) && offered(name) == wanted);
            picked.collect::<Vec<_>>()
        };
        let missing = pick(false);
        let level = match missing.is_empty() {
            true => SEALED,
            false if cfg!(unix) => PARTLY,
            false => "none",
        };
        Containment { level, measures: pick(true), missing, readable: Vec::new() }
    }

    /// Every limit: what is limited, the bound that a process may handle, and the one that it may not.
    #[cfg(target_os = "linux")]
    pub(super) fn limits(self) -> impl Iterator<Item = (rustix::process::Resource, u64, u64)> {
        use rustix::process::Resource;

        // At the first bound of CPU time a testee gets a signal that it may handle, a second later one that it may not.
        let cpu = self.cpu_s.map(|seconds| (Resource::Cpu, seconds, seconds.saturating_add(1)));
        // Reserved address space is not counted: the runtimes of Go, Java and JavaScript reserve far more than they use.
        let memory = self.memory_mb.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
        let memory = memory.map(|bytes| (Resource::Data, bytes, bytes));
        let always = [(Resource::Core, 0, 0), (Resource::Fsize, FILE_SIZE, FILE_SIZE)];
        cpu.into_iter().chain(memory).chain(always)
    }

    /// Sets the limits of a process that has just been started. None is raised above what the harness itself has.
    #[cfg(target_os = "linux")]
    pub(super) fn set(self, child: &Child) -> io::Result<()> {
        use rustix::process::{Pid, Rlimit, getrlimit, prlimit};

        for (resource, soft, hard) in self.limits() {
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
        let most = Bounds { cpu_s: Some(1), memory_mb: Some(1) }.containment(Held::default());
        assert_eq!(most.level, "partly");
        assert!(most.measures.contains(&"cpu-limit") && most.measures.contains(&"memory-limit"));
        assert!(most.measures.is_sorted() && most.missing.is_sorted());
        let less = Bounds { cpu_s: None, memory_mb: None }.containment(Held::default());
        assert_eq!((less.level, less.measures.len()), ("partly", most.measures.len() - 2));
        assert_eq!(less.missing, most.missing);
    }

    #[test]
    fn sealed_is_said_of_nothing_less_than_everything() {
        let bounds = Bounds { cpu_s: Some(1), memory_mb: Some(1) };
        let missing = bounds.containment(Held::default()).missing;
        let all: Vec<String> =
            missing.iter().filter(|name| **name != "closed-reading").map(ToString::to_string).collect();
        let level = |measures: &[String], open: bool| bounds.containment(Held { measures, open }).level;
        assert_eq!((level(&all, false), level(&all, true)), ("sealed", "partly"));
        for at in 0..all.len() {
            let mut less = all.clone();
            less.remove(at);
            assert_eq!(level(&less, false), "partly", "without {}", all[at]);
        }
    }
}
