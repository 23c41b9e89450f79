//! Whether the verifier may use more than the thread that calls it.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Whether a judgement may use more than the calling thread.
///
/// Other crates of a build may switch on the feature `parallel`, and with it a variant: whoever matches says what else holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Threads {
    /// Only the calling thread.
    Caller,
    /// The global thread pool of the `rayon` crate.
    #[cfg(feature = "parallel")]
    Pool,
}

impl Threads {
    /// Maps items in order. Each thread has scratch memory of its own, and takes at least `least` items at a time.
    pub(crate) fn map<T: Sync, S, R: Send>(
        self,
        items: &[T],
        #[cfg_attr(not(feature = "parallel"), expect(unused_variables, reason = "one thread takes them all"))]
        least: usize,
        scratch: impl Fn() -> S + Sync + Send,
        one: impl Fn(&mut S, &T) -> R + Sync + Send,
    ) -> Vec<R> {
        match self {
            Self::Caller => {
                let mut scratch = scratch();
                items.iter().map(|item| one(&mut scratch, item)).collect()
            }
            #[cfg(feature = "parallel")]
            Self::Pool => items.par_iter().with_min_len(least).map_init(scratch, one).collect(),
        }
    }

    /// Does both, at the same time where that is allowed.
    pub(crate) fn both<A: Send, B: Send>(
        self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        match self {
            Self::Caller => (first(), second()),
            #[cfg(feature = "parallel")]
            Self::Pool => rayon::join(first, second),
        }
    }
}
