//! Where the time of a run goes.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// One part of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lap {
    /// What was done.
    pub name: &'static str,
    /// How long it took.
    pub wall: Duration,
    /// What this process computed in it, on all processors; nothing where the system does not count that.
    pub cpu: Option<Duration>,
}

/// The parts of a run, one after the other: each begins where the one before it ends.
#[derive(Debug)]
pub struct Laps(Mutex<(Moment, Vec<Lap>)>);

#[derive(Debug, Clone, Copy)]
struct Moment {
    at: Instant,
    cpu: Option<Duration>,
}

impl Moment {
    fn now() -> Self {
        Self { at: Instant::now(), cpu: cpu() }
    }
}

/// What this process has computed so far.
#[cfg(unix)]
fn cpu() -> Option<Duration> {
    Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime)).ok()
}

#[cfg(not(unix))]
fn cpu() -> Option<Duration> {
    None
}

impl Default for Laps {
    fn default() -> Self {
        Self(Mutex::new((Moment::now(), Vec::new())))
    }
}

impl Laps {
    /// What was done since the end before this one, or since the beginning, was this.
    pub fn end(&self, name: &'static str) {
        let now = Moment::now();
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, laps) = &mut *held;
        let cpu = now.cpu.zip(before.cpu).map(|(now, before)| now.saturating_sub(before));
        laps.push(Lap { name, wall: now.at.saturating_duration_since(before.at), cpu });
        *before = now;
    }

    /// All that have ended.
    #[must_use]
    pub fn all(&self) -> Vec<Lap> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

/// A table in seconds, with their sum.
impl fmt::Display for Laps {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let laps = self.all();
        let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
        let mut row = |name: &str, wall: Duration, cpu: Option<Duration>| {
            writeln!(to, "  {name:<24}{:>9}{:>9}", seconds(wall), cpu.map_or_else(|| "-".to_owned(), seconds))
        };
        for lap in &laps {
            row(lap.name, lap.wall, lap.cpu)?;
        }
        row("all", laps.iter().map(|lap| lap.wall).sum(), laps.iter().map(|lap| lap.cpu).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_begins_where_the_one_before_it_ends() {
        let laps = Laps::default();
        let begun = Instant::now();
        for name in ["first", "second"] {
            laps.end(name);
        }
        let passed = begun.elapsed();
        let [first, second] = &laps.all()[..] else { panic!("{laps:?}") };
        assert_eq!((first.name, second.name), ("first", "second"));
        assert!(second.wall <= passed, "{laps:?} in {passed:?}");
        assert_eq!(first.cpu.is_some(), cfg!(unix));
        // The sum is the last row.
        let table = laps.to_string();
        let names: Vec<_> = table.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, ["first", "second", "all"]);
    }
}
