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
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn cpu() -> Option<Duration> {
    Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime)).ok()
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
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
        self.end_at(name, Moment::now());
    }

    fn end_at(&self, name: &'static str, now: Moment) {
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
        let begun = Instant::now();
        let moment = |at, cpu: Option<u64>| Moment {
            at: begun + Duration::from_millis(at),
            cpu: cpu.map(Duration::from_millis),
        };
        let laps = Laps(Mutex::new((moment(0, Some(500)), Vec::new())));
        laps.end_at("first", moment(1000, Some(2250)));
        laps.end_at("second, third", moment(1250, Some(2300)));
        let [first, second] = &laps.all()[..] else { panic!("{laps:?}") };
        assert_eq!((first.wall, second.wall), (Duration::from_millis(1000), Duration::from_millis(250)));
        assert_eq!((first.cpu, second.cpu), (Some(Duration::from_millis(1750)), Some(Duration::from_millis(50))));
        let rows = ["first  1.000 1.750", "second, third  0.250 0.050", "all  1.250 1.800"];
        let words = |row: &str| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(laps.to_string().lines().map(words).collect::<Vec<_>>(), rows.map(words));
        // What is not counted is not nothing.
        laps.end_at("fourth", moment(1251, None));
        assert_eq!(laps.to_string().lines().rev().take(2).filter(|row| row.ends_with(" -")).count(), 2);
    }
}
