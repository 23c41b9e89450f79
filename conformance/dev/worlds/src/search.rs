//! What a world is, and how one is searched.

use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
};

/// What a world says of itself; the rest is [`Declared`](crate::declared::Declared).
#[derive(Debug, Clone)]
pub struct Facts {
    /// One word, by which it is called.
    pub name: &'static str,
    /// What its inputs are made of.
    pub alphabet: String,
    /// The bound of a test, and that of a search.
    pub bounds: [usize; 2],
}

/// Inputs that can be searched whole.
pub trait World: Sync {
    /// What is said of it.
    fn facts(&self) -> Facts;

    /// How many places there are below a bound. A place holds one case, unless the world counts otherwise.
    fn size(&self, bound: usize) -> u64;

    /// How many places are asked together.
    fn batch(&self) -> u64 {
        256
    }

    /// Asks both sides about everything at these places.
    ///
    /// # Errors
    /// The oracle broke, or an input could not be made: nothing is known of the verifier then.
    fn check(&self, bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String>;
}

/// One input of which the two sides say different things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its place in the world, by which it can be asked again.
    pub place: u64,
    /// The input, and what both say.
    pub text: String,
}

/// What a search has found.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Cases that were asked.
    pub count: u64,
    /// Cases of which both sides said that they are lawful.
    pub accepted: u64,
    /// How many differ.
    pub differing: u64,
    /// The first of those that differ.
    pub differences: Vec<Difference>,
}

/// Differences that are kept; all are counted.
const KEPT: usize = 20;

impl Tally {
    /// Counts one case, and what is to be said of it.
    pub fn judge(&mut self, place: u64, verdict: Result<bool, String>) {
        self.count += 1;
        match verdict {
            Ok(accepted) => self.accepted += u64::from(accepted),
            Err(text) => {
                self.differing += 1;
                self.differences.push(Difference { place, text });
                self.differences.truncate(KEPT);
            }
        }
    }

    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.accepted += other.accepted;
        self.differing += other.differing;
        self.differences.extend(other.differences);
        self.differences.sort_by_key(|difference| difference.place);
        self.differences.truncate(KEPT);
    }
}

/// How a search is made.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Threads that ask.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { threads: 2 }
    }
}

/// How far a search has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Places that are done.
    pub done: u64,
    /// All places.
    pub size: u64,
    /// Differences so far.
    pub differing: u64,
}

/// Searches a world below a bound, whole, and tells of its progress after each batch.
///
/// # Errors
/// What broke beside the verifier.
pub fn search(
    world: &dyn World,
    bound: usize,
    limits: &Limits,
    told: &(dyn Fn(Progress) + Sync),
) -> Result<Tally, String> {
    let (size, batch) = (world.size(bound), world.batch().max(1));
    let (next, found, broken) = (AtomicU64::new(0), Mutex::new((Tally::default(), 0)), AtomicBool::new(false));
    let work = || -> Result<(), String> {
        while !broken.load(Ordering::Relaxed) {
            let start = next.fetch_add(batch, Ordering::Relaxed);
            if start >= size {
                break;
            }
            let places = start..size.min(start + batch);
            let (mut tally, done) = (Tally::default(), places.end - places.start);
            world.check(bound, places, &mut tally).inspect_err(|_| broken.store(true, Ordering::Relaxed))?;
            let mut all = found.lock().unwrap_or_else(PoisonError::into_inner);
            all.0.add(tally);
            all.1 += done;
            told(Progress { done: all.1, size, differing: all.0.differing });
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..limits.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let ends = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err("a thread broke".to_owned())));
        ends.collect::<Result<Vec<_>, _>>()
    })?;
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner).0)
}

/// Asks again about what lies at one place.
///
/// # Errors
/// As [`search`].
pub fn item(world: &dyn World, bound: usize, place: u64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    if place < world.size(bound) {
        world.check(bound, place..place + 1, &mut tally)?;
    }
    Ok(tally)
}
