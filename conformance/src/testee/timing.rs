//! What time is counted by: the clock of every limit, and how long to wait where no limit of the run says it.
//!
//! A limit that decides over a testee is a configured one. The waits of [`Patience`] decide how an end is described and how
//! often it is looked for; none of them makes an honest testee fail, however busy the machine is.

use std::{
    fmt,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Clock and waits of a run.
#[derive(Debug, Clone, Default)]
pub struct Timing {
    /// What limits are counted by.
    pub clock: Clock,
    /// Waits without a limit.
    pub patience: Patience,
}

/// What limits are counted by: the clock of the system, unless somebody else moves it.
///
/// A limit that has to run out in one place of a run and must not in another cannot be waited for: on a busy machine the
/// honest part is as slow as the other. There the clock stands still until the one who holds it says that time has passed.
#[derive(Clone, Default)]
pub struct Clock {
    hand: Option<Hand>,
    pulse: Option<Hand>,
}

/// Returns how long a held clock has run by now; it never goes back.
type Hand = Arc<dyn Fn() -> Duration + Send + Sync>;

/// How long the system's clock has run: since the first time that anybody asked.
fn system() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

impl Clock {
    /// A clock that shows what `hand` gives. As far as it tells, this process never stands still.
    pub fn held(hand: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { hand: Some(Arc::new(hand)), pulse: Some(Arc::new(|| Duration::ZERO)) }
    }

    /// The same clock for a process whose own pauses are measured by what `pulse` gives.
    #[must_use]
    pub fn with_pulse(self, pulse: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { pulse: Some(Arc::new(pulse)), ..self }
    }

    /// How long it has run.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.hand.as_ref().map_or_else(system, |hand| hand())
    }

    /// What pauses of this process are measured by: no leap of the clock is one.
    fn pulse(&self) -> Duration {
        self.pulse.as_ref().map_or_else(system, |pulse| pulse())
    }

    /// What it shows after so many milliseconds.
    #[must_use]
    pub fn after(&self, ms: u64) -> Duration {
        self.now().saturating_add(Duration::from_millis(ms))
    }

    /// A clock that goes with this one, and can leap ahead of it: where nothing can come any more, the rest of a limit need not be
    /// waited for.
    pub(super) fn leaping(&self) -> (Self, Leap) {
        let (below, real, leap) = (self.clone(), self.clone(), Leap::default());
        let ahead = leap.clone();
        let leaping = Self::held(move || below.now().saturating_add(ahead.so_far())).with_pulse(move || real.pulse());
        (leaping, leap)
    }

    /// Looks until there is something to see or time is up; the last look is taken when it is.
    pub(super) fn within(&self, patience: Duration, mut seen: impl FnMut() -> bool) -> bool {
        /// The longest pause between two looks.
        const PAUSE: Duration = Duration::from_millis(4);
        let deadline = self.now().saturating_add(patience);
        let mut pause = Duration::from_micros(100);
        loop {
            let now = self.now();
            if seen() {
                return true;
            }
            if now >= deadline {
                return false;
            }
            thread::sleep(pause.min(deadline - now));
            pause = (pause * 2).min(PAUSE);
        }
    }
}

/// When a wait was last seen to go on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glance {
    /// By the clock of limits.
    pub(super) now: Duration,
    pulse: Duration,
    /// How often the wait has begun again.
    again: u32,
}

impl Timing {
    /// The beginning of a wait.
    pub(super) fn glance(&self) -> Glance {
        // The pulse first: what it shows is never ahead of the clock.
        let pulse = self.clock.pulse();
        Glance { now: self.clock.now(), pulse, again: 0 }
    }

    /// When a wait is over that was last looked at then. It begins again, with what was left of it, where this process itself stood
    /// still since: a line that came meanwhile was read when it went on, and nobody knows when it was there. It begins again so often
    /// and no more: a testee that takes every processor, so that looks come late, is not waited for without end.
    pub(super) fn deadline(&self, last: &mut Glance, deadline: Duration) -> Duration {
        /// How many looks a pause is as long as that is no look any more.
        const FAR: u32 = 20;
        /// How often a wait begins again at most.
        const OFTEN: u32 = 60;
        let (before, far) = (*last, self.patience.look.saturating_mul(FAR));
        *last = Glance { again: before.again, ..self.glance() };
        if last.pulse.saturating_sub(before.pulse) <= far || before.again == OFTEN {
            return deadline;
        }
        last.again += 1;
        // Whatever was there by then has to be read first.
        last.now.saturating_add(deadline.saturating_sub(before.now).max(far))
    }
}

/// What lets time pass at once on the clock that it came with.
#[derive(Debug, Clone, Default)]
pub(super) struct Leap(Arc<AtomicU64>);

impl Leap {
    /// Lets this much time pass.
    pub(super) fn by(&self, time: Duration) {
        let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        // A sum beyond all clocks stays where it is: the clock never goes back.
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |so_far| so_far.checked_add(ms));
    }

    fn so_far(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::SeqCst))
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.hand.is_some() { "Clock(held)" } else { "Clock(system)" })
    }
}

/// The multiple of the limit that a case gets when it timed out alone and is tried again.
pub(super) const AGAIN: u64 = 5;

/// Waits that no limit of a run gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// How often a wait checks whether the run was interrupted.
    pub look: Duration,
    /// How long a process has at least to end after it closed its output or said goodbye; as long as an answer may take,
    /// where that is longer.
    pub grace: Duration,
    /// How long a process that is ended for another reason has to end by itself after its output, so that its own end is reported.
    pub moment: Duration,
    /// How long helpers may rest after the process that they serve has ended. While one of them computes or waits for a
    /// processor, it may be about to end, and nothing is counted.
    pub helpers: Duration,
    /// How long helpers that never rest have.
    pub busy: Duration,
    /// How long killed processes may take to end, and what they wrote to standard error to be read.
    pub dying: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            look: Duration::from_millis(50),
            grace: Duration::from_millis(500),
            moment: Duration::from_millis(100),
            helpers: Duration::from_millis(100),
            busy: Duration::from_secs(10),
            dying: Duration::from_secs(10),
        }
    }
}

impl Patience {
    /// How long a process has to end by itself where an answer may take this many milliseconds.
    pub(crate) fn ending(&self, ms: u64) -> Duration {
        self.grace.max(Duration::from_millis(ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_clock_moves_by_its_hand_alone() {
        let hand = Arc::new(AtomicU64::new(0));
        let shown = Arc::clone(&hand);
        let clock = Clock::held(move || Duration::from_secs(shown.load(Ordering::SeqCst)));
        let deadline = clock.after(2_000);
        // However many looks it takes: the limit runs out when the hand says so.
        let mut looks = 0;
        assert!(!clock.within(Duration::from_secs(2), || {
            looks += 1;
            if looks == 9 {
                hand.store(2, Ordering::SeqCst);
            }
            false
        }));
        assert!(looks >= 10 && clock.now() == deadline, "{looks} looks");
    }

    #[test]
    fn a_leap_passes_time_on_its_own_clock_alone() {
        let (under, clock) = (Clock::held(|| Duration::from_secs(7)), Clock::held(|| Duration::from_secs(7)));
        let (clock, leap) = clock.leaping();
        assert_eq!(clock.now(), under.now());
        leap.by(Duration::from_secs(3_600));
        leap.by(Duration::from_millis(1));
        assert_eq!((clock.now(), under.now()), (Duration::from_millis(3_607_001), Duration::from_secs(7)));
        leap.by(Duration::MAX);
        assert_eq!(clock.now(), Duration::from_millis(3_607_001));
    }

    #[test]
    fn a_wait_begins_again_where_the_process_itself_stood_still() {
        let (hand, pulse) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let shows = |hand: &Arc<AtomicU64>| {
            let hand = Arc::clone(hand);
            move || Duration::from_millis(hand.load(Ordering::SeqCst))
        };
        let clock = Clock::held(shows(&hand)).with_pulse(shows(&pulse));
        let timing = Timing { clock, patience: Patience { look: Duration::from_millis(50), ..Patience::default() } };
        let mut last = timing.glance();
        let mut after = |clock: u64, paused: u64, deadline: u64| {
            hand.fetch_add(clock, Ordering::SeqCst);
            pulse.fetch_add(paused, Ordering::SeqCst);
            timing.deadline(&mut last, Duration::from_millis(deadline)).as_millis()
        };
        // Looks as they should be, and on a busy machine; a clock that was moved, over a limit too.
        assert_eq!(after(50, 50, 2_000), 2_000);
        assert_eq!(after(1_000, 1_000, 2_000), 2_000);
        assert_eq!(after(500, 0, 2_000), 2_000);
        assert_eq!(after(8_450, 50, 2_000), 2_000);
        // At 10 s, with 2 s left, the process is stopped for a minute.
        assert_eq!(after(60_000, 60_000, 12_000), 72_000);
        // With less left than it takes to read what was there.
        assert_eq!(after(60_000, 60_000, 70_010), 131_000);
        // Who keeps it from its looks for ever gains no more than that.
        let stops = (0..100).map(|_| after(2_000, 2_000, 70_010)).take_while(|&deadline| deadline > 70_010).count();
        assert_eq!(stops, 58);
        // The clock of a control leaps, and its process has a pulse all the same.
        let (leaping, leap) = timing.clock.leaping();
        leap.by(Duration::from_secs(5));
        assert_eq!(leaping.pulse(), timing.clock.pulse());
        assert_eq!(leaping.now(), timing.clock.now().saturating_add(Duration::from_secs(5)));
    }

    #[test]
    fn the_last_look_is_taken_when_time_is_up() {
        let mut looks = 0;
        assert!(!Clock::default().within(Duration::ZERO, || {
            looks += 1;
            false
        }));
        assert_eq!(looks, 1);
        assert!(Clock::default().within(Duration::ZERO, || true));
    }
}
