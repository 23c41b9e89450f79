//! No two calls have the same trace id.
//!
//! Spec: Canonical Reply System Architecture (Final), 11; rulings RE-36, RE-40. It makes the ids of the reference wrapper; those of
//! others are compared by whoever ran them.

use crate::digest::Digest;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("reply/trace-distinct");

/// A source of trace ids: each is a digest of a seed and of how many came before. A seed cannot hold its own digest, so that no id stands in
/// what a tool was given.
pub(crate) struct Ids<'s> {
    seed: &'s [u8],
    given: u64,
}

impl<'s> Ids<'s> {
    pub(crate) fn of(seed: &'s [u8]) -> Self {
        Self { seed, given: 0 }
    }

    pub(crate) fn next_id(&mut self) -> String {
        self.given = self.given.saturating_add(1);
        Digest::of_parts([&self.given.to_be_bytes()[..], self.seed]).to_hex()
    }
}
