//! The processes that belong to a session besides its first: found wherever they went, ended, and reaped.
//!
//! Contract: `contracts/interface/protocol.md`, Containment. This process is the subreaper, so every process of a
//! session stays below it, and only those below it are looked at. One belongs to the session when it is in its group,
//! below a process that belongs to it, carries its mark in the environment, or can write to its output. One that left the
//! group, lost its parent, closed its output and was started with another environment, all before the first look, is a
//! child of this process that this process never started: where nothing but testees is started, that is enough.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs, io,
    os::unix::fs::MetadataExt as _,
    process::{Child, Command},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rustix::{
    fd::AsFd,
    process::{Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, pidfd_open, pidfd_send_signal, waitpid},
};

use super::{Clock, Patience, Stop};

/// What is kept of a command line.
const QUOTED: usize = 256;

/// Children of this process that are not strangers, by their numbers.
static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
/// Whether all others are.
static ALONE: AtomicBool = AtomicBool::new(false);

/// Says that this process starts nothing but testees: every other child of it has been left behind by one, and is ended and
/// reported as such. Children that it has already are its caller's, and stay; the first process of a system gets everybody's.
pub fn start_nothing_else() {
    if std::process::id() == 1 {
        return;
    }
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    for children in children {
        started().extend(children.split_whitespace().filter_map(|number| number.parse::<i32>().ok()));
    }
    ALONE.store(true, Ordering::Relaxed);
}

fn started() -> MutexGuard<'static, BTreeSet<i32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a process that is not a stranger to any look from its first moment on.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    // Held over the start: whoever sees the process in the table waits here for its number.
    let mut started = started();
    let child = command.spawn()?;
    started.insert(Pid::from_child(&child).as_raw_pid());
    Ok(child)
}

/// A number that will be given to somebody else, once its process was reaped.
pub(super) fn forget(child: &Child) {
    started().remove(&Pid::from_child(child).as_raw_pid());
}

/// Start and number of a process: the number alone may pass to a later one.
type Identity = (u64, i32);

/// The processes of a session, and how they are recognised.
#[derive(Debug)]
pub(super) struct Descendants {
    /// Nothing for a testee that ended before its number was known.
    leader: Option<Pid>,
    /// The processes that stand before it, from the child of this one to the leader's parent; none without namespaces.
    before: Vec<Pid>,
    mark: Vec<u8>,
    pipes: Vec<u64>,
    known: BTreeMap<Identity, Known>,
    /// Whether a child that this process never started belongs to it, where nothing but testees is started.
    strays: bool,
}

/// What is remembered of a process.
#[derive(Debug)]
struct Known {
    /// Its command line, for one that should not have been there.
    orphan: Option<String>,
    alive: bool,
}

impl Descendants {
    /// `mark` is an entry of the environment that no other session has.
    pub(super) fn of(child: &Child, mark: String) -> Self {
        let inode = |pipe: &dyn AsFd| rustix::fs::fstat(pipe.as_fd()).ok().map(|stat| stat.st_ino);
        let stdout = child.stdout.as_ref().and_then(|pipe| inode(pipe));
        let stderr = child.stderr.as_ref().and_then(|pipe| inode(pipe));
        Self {
            leader: Some(Pid::from_child(child)),
            before: Vec::new(),
            mark: mark.into_bytes(),
            pipes: stdout.into_iter().chain(stderr).collect(),
            known: BTreeMap::new(),
            strays: true,
        }
    }

    /// The same, for what runs beside others: what cannot be recognised may be one of theirs.
    pub(super) fn without_strays(mut self) -> Self {
        self.strays = false;
        self
    }

    /// The same, behind a launcher: the child that was started, and process 1 below it. Everything below belongs.
    pub(super) fn behind(mut self, init: Pid, testee: Option<Pid>) -> Self {
        // It comes to this process when the child that was started ends before it.
        started().insert(init.as_raw_pid());
        self.before = self.leader.into_iter().chain([init]).collect();
        self.leader = testee;
        self
    }

    /// Gives the processes time to end by themselves: until all that are left have rested for as long as helpers may, or the
    /// run is interrupted.
    pub(super) fn settle(&mut self, patience: Patience, stop: Stop) {
        let mut rest = Rest::new();
        Clock::default().within(patience.busy.max(patience.helpers), || {
            let living = self.look().living;
            let rested = rest.after(living.iter().any(Entry::is_busy));
            living.is_empty() || rested >= patience.helpers || stop.is_set()
        });
    }

    /// Gives a testee that has closed its output time to end by itself, as [`Self::settle`] does to what it leaves, and
    /// no more than `grace`.
    pub(super) fn await_end(
        &mut self,
        grace: Duration,
        patience: Patience,
        mut has_ended: impl FnMut() -> bool,
        stop: Stop,
    ) {
        let mut rest = Rest::new();
        Clock::default().within(grace.min(patience.busy.max(patience.helpers)), || {
            let leader = self.leader.and_then(Entry::read).filter(|leader| !leader.dead);
            let busy = leader.iter().chain(&self.look().living).any(Entry::is_busy);
            has_ended() || rest.after(busy) >= patience.helpers || stop.is_set()
        });
    }

    /// Remembers those that are alive and should not be: all, or those outside the group.
    pub(super) fn note(&mut self, all: bool) {
        let living = self.look().living;
        self.remember(&living, all);
    }

    /// Remembers who is there, and reaps those that came to this process: while their parents live, it shows where they belong.
    pub(super) fn sweep(&mut self) {
        if self.before.is_empty() {
            self.look();
        }
    }

    /// Ends and reaps all of them. What [`Self::note`] or this found alive comes back as command lines.
    pub(super) fn end(mut self, all: bool, patience: Patience) -> Vec<String> {
        Clock::default().within(patience.dying, || {
            let Found { living, unreaped } = self.look();
            self.remember(&living, all);
            living.iter().for_each(Entry::kill);
            living.is_empty() && !unreaped
        });
        let mut numbers = started();
        for pid in self.before.iter().skip(1) {
            numbers.remove(&pid.as_raw_pid());
        }
        drop(numbers);
        let orphans = self.known.into_values().filter_map(|known| {
            let command = known.orphan?;
            Some(if known.alive { format!("{command} (could not be ended)") } else { command })
        });
        orphans.collect()
    }

    fn remember(&mut self, living: &[Entry], all: bool) {
        let group = self.leader.map(Pid::as_raw_pid);
        for entry in living.iter().filter(|entry| all || Some(entry.group) != group) {
            if let Some(known) = self.known.get_mut(&entry.identity()) {
                known.orphan.get_or_insert_with(|| command_line(entry.pid));
            }
        }
    }

    /// Finds those that are alive, and reaps those that are not and came to this process.
    fn look(&mut self) -> Found {
        let own = getpid();
        let mut children: HashMap<i32, Vec<Entry>> = HashMap::new();
        // Looked up before the table and after it: one may begin, and another may end, while it is read.
        let mut familiar = started().clone();
        for entry in table() {
            children.entry(entry.parent).or_default().push(entry);
        }
        familiar.extend(started().iter());
        let alone = self.strays && ALONE.load(Ordering::Relaxed);
        let is_stray = |parent: i32, entry: &Entry| {
            let known = familiar.contains(&entry.pid.as_raw_pid()) || familiar.contains(&entry.group);
            alone && parent == own.as_raw_pid() && !known
        };
        self.known.values_mut().for_each(|known| known.alive = false);
        let mut found = Found { living: Vec::new(), unreaped: false };
        let mut next = vec![(own.as_raw_pid(), false)];
        while let Some((parent, belongs)) = next.pop() {
            for entry in children.remove(&parent).unwrap_or_default() {
                let stray = is_stray(parent, &entry);
                let belongs = belongs || stray || self.owns(&entry);
                next.push((entry.pid.as_raw_pid(), belongs));
                if !belongs || Some(entry.pid) == self.leader || self.before.first() == Some(&entry.pid) {
                    continue;
                }
                if self.before.contains(&entry.pid) && !entry.dead {
                    // It ends as the last of them, and when it does not, nothing has ended.
                    found.unreaped = true;
                    continue;
                }
                if stray {
                    let orphan = Some(command_line(entry.pid));
                    self.known.entry(entry.identity()).or_insert(Known { orphan, alive: false });
                }
                if entry.dead {
                    // Nothing else in this process knows one that it has adopted; the others come when their parent ends.
                    found.unreaped |=
                        parent != own.as_raw_pid() || waitpid(Some(entry.pid), WaitOptions::NOHANG).is_err();
                    continue;
                }
                let known = self.known.entry(entry.identity());
                known.or_insert(Known { orphan: None, alive: true }).alive = true;
                found.living.push(entry);
            }
        }
        found
    }

    fn owns(&self, entry: &Entry) -> bool {
        Some(entry.pid) == self.leader
            || self.before.contains(&entry.pid)
            || self.is_of_group(entry)
            || self.known.contains_key(&entry.identity())
            || !entry.dead && (self.is_marked(entry) || self.can_write(entry))
    }

    fn is_of_group(&self, entry: &Entry) -> bool {
        self.leader.is_some_and(|leader| leader.as_raw_pid() == entry.group)
    }

    fn is_marked(&self, entry: &Entry) -> bool {
        let environment = fs::read(entry.path("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == self.mark)
    }

    /// Whether the process holds the writing end of a pipe that this one reads. The reading end proves nothing: between
    /// fork and exec every child of this process has it.
    fn can_write(&self, entry: &Entry) -> bool {
        let Ok(open) = fs::read_dir(entry.path("fd")) else {
            return false;
        };
        open.flatten().any(|file| {
            let at = file.path();
            fs::metadata(&at).is_ok_and(|pipe| self.pipes.contains(&pipe.ino()))
                && fs::symlink_metadata(&at).is_ok_and(|link| link.mode() & 0o200 != 0)
        })
    }
}

/// How long processes have rested, one look after the other.
struct Rest {
    before: Instant,
    rested: Duration,
}

impl Rest {
    fn new() -> Self {
        Self { before: Instant::now(), rested: Duration::ZERO }
    }

    /// How long it is by now, where this look finds them busy or not.
    fn after(&mut self, busy: bool) -> Duration {
        /// The most time that one look counts for: what they did while this process itself got no processor is not known.
        const STEP: Duration = Duration::from_millis(10);
        self.rested = if busy { Duration::ZERO } else { self.rested + self.before.elapsed().min(STEP) };
        self.before = Instant::now();
        self.rested
    }
}

/// What a look finds.
struct Found {
    living: Vec<Entry>,
    /// Whether some have ended and wait for a parent that has not.
    unreaped: bool,
}

/// A line of the table of processes.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    pid: Pid,
    parent: i32,
    group: i32,
    start: u64,
    dead: bool,
}

impl Entry {
    fn identity(&self) -> Identity {
        (self.start, self.pid.as_raw_pid())
    }

    fn read(pid: Pid) -> Option<Self> {
        Self::parse(pid, &fs::read(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?)
    }

    fn parse(pid: Pid, stat: &[u8]) -> Option<Self> {
        // The name of the program may hold anything, a closing bracket too; nothing after it does.
        let name = stat.iter().rposition(|byte| *byte == b')')?;
        let rest = str::from_utf8(stat.get(name + 1..)?).ok()?;
        let fields: Vec<_> = rest.split_ascii_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<i64>().ok();
        // The first thread may have ended before the others: that process lives.
        let dead = matches!(*fields.first()?, "Z" | "X" | "x") && number(17)? < 2;
        let small = |at: usize| i32::try_from(number(at)?).ok();
        Some(Self { pid, parent: small(1)?, group: small(2)?, start: u64::try_from(number(19)?).ok()?, dead })
    }

    fn path(&self, name: &str) -> String {
        format!("/proc/{}/{name}", self.pid.as_raw_pid())
    }

    /// Whether it computes, waits for a processor, or for a disk. The end of the process that it serves has woken a helper
    /// by now: one in which every thread sleeps does not intend to end.
    fn is_busy(&self) -> bool {
        let threads = fs::read_dir(self.path("task")).into_iter().flatten().flatten();
        threads.filter_map(|thread| fs::read(thread.path().join("stat")).ok()).any(|stat| {
            let state = stat.iter().rposition(|byte| *byte == b')').and_then(|name| stat.get(name + 2));
            matches!(state, Some(b'R' | b'D'))
        })
    }

    /// Ends this process, and never another that has got its number since.
    fn kill(&self) {
        let handle = pidfd_open(self.pid, PidfdFlags::empty());
        if Self::read(self.pid).is_none_or(|now| now.start != self.start) {
            return;
        }
        // What cannot be ended is found alive again, and reported.
        let _ = match handle {
            Ok(handle) => pidfd_send_signal(handle, Signal::KILL),
            Err(_) => kill_process(self.pid, Signal::KILL),
        };
    }
}

/// Every process that can be seen.
fn table() -> Vec<Entry> {
    let Ok(folder) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let numbers = folder.flatten().filter_map(|file| file.file_name().to_str()?.parse().ok());
    numbers.filter_map(|number| Entry::read(Pid::from_raw(number)?)).collect()
}

/// The start of a command line, or the name of a program that has wiped it.
fn command_line(pid: Pid) -> String {
    let read = |name: &str| fs::read(format!("/proc/{}/{name}", pid.as_raw_pid())).unwrap_or_default();
    let words = read("cmdline");
    let words = words.get(..words.len().min(QUOTED)).unwrap_or_default();
    let words: Vec<_> = words.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
    let line = words.join(" ");
    match line.trim() {
        "" => format!("[{}]", String::from_utf8_lossy(&read("comm")).trim()),
        line => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_table_is_read_behind_the_name() {
        let pid = Pid::from_raw(7).unwrap();
        let line = |state: &str, threads: u32| {
            let stat = format!("7 (a) Z 1 (b) {state} 3 5 6 0 -1 0 0 0 0 0 0 0 0 0 20 0 {threads} 0 4711 9 9");
            Entry::parse(pid, stat.as_bytes()).unwrap()
        };
        assert_eq!(line("S", 1), Entry { pid, parent: 3, group: 5, start: 4711, dead: false });
        assert!(line("Z", 1).dead && !line("Z", 2).dead);
        assert_eq!(Entry::parse(pid, b"7 (cut) S 3"), None);
    }

    #[test]
    fn this_process_is_in_the_table() {
        let own = getpid();
        let entry = table().into_iter().find(|entry| entry.pid == own).unwrap();
        assert!(!entry.dead && entry.start > 0);
        assert!(!command_line(own).is_empty());
    }
}
