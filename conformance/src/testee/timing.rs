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
pub struct Clock(Option<Hand>);

/// Returns how long a held clock has run by now; it never goes back.
type Hand = Arc<dyn Fn() -> Duration + Send + Sync>;

impl Clock {
    /// A clock that shows what `hand` gives.
    pub fn held(hand: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hand)))
    }

    /// How long it has run: since the first time that anybody asked, if it is the system's.
    #[must_use]
    pub fn now(&self) -> Duration {
        static FIRST: OnceLock<Instant> = OnceLock::new();
        match &self.0 {
            Some(hand) => hand(),
            None => FIRST.get_or_init(Instant::now).elapsed(),
        }
    }

    /// What it shows after so many milliseconds.
    #[must_use]
    pub fn after(&self, ms: u64) -> Duration {
        self.now().saturating_add(Duration::from_millis(ms))
    }

    /// A clock that goes with this one, and can leap ahead of it: where nothing can come any more, the rest of a limit need not be
    /// waited for.
    pub(super) fn leaping(&self) -> (Self, Leap) {
        let (below, leap) = (self.clone(), Leap::default());
        let ahead = leap.clone();
        (Self::held(move || below.now().saturating_add(ahead.so_far())), leap)
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
        f.write_str(if self.0.is_some() { "Clock(held)" } else { "Clock(system)" })
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
