//! The choices of a challenge: drawn from a digest of what it is for, the same on every platform.

use sha2::{Digest as _, Sha256};

/// A stream of choices (SplitMix64).
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// The stream of these words; words that are divided otherwise are other words.
    pub(super) fn of(words: &[&str]) -> Self {
        let mut digest = Sha256::new();
        for word in words {
            digest.update((word.len() as u64).to_be_bytes());
            digest.update(word.as_bytes());
        }
        let mut state = [0; 8];
        for (place, byte) in state.iter_mut().zip(digest.finalize()) {
            *place = byte;
        }
        Self(u64::from_be_bytes(state))
    }

    /// The next word.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 where there is none.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX);
        usize::try_from(self.next().checked_rem(end).unwrap_or(0)).unwrap_or(0)
    }

    /// A number from `first` to `last`.
    pub(super) fn from(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last.saturating_sub(first) + 1)
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub(super) fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// Puts a list into another order.
    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }

    /// A word of small letters.
    pub(super) fn word(&mut self, length: usize) -> String {
        (0..length).map(|_| self.letter(b"abcdefghijklmnopqrstuvwxyz")).collect()
    }

    /// Digits of a digest.
    pub(super) fn hex(&mut self, length: usize) -> String {
        (0..length).map(|_| self.letter(b"0123456789abcdef")).collect()
    }

    fn letter(&mut self, of: &[u8]) -> char {
        char::from(self.one(of).copied().unwrap_or(b'x'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_that_of_its_words() {
        let first = |words: &[&str]| Random::of(words).next();
        assert_eq!(first(&["a", "b"]), first(&["a", "b"]));
        assert_ne!(first(&["a", "b"]), first(&["ab", ""]));
        // Other builds have to make the same sets.
        assert_eq!(Random(0).next(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn choices_reach_every_place() {
        let mut random = Random::of(&["places"]);
        let seen: std::collections::BTreeSet<_> = (0..200).map(|_| random.from(3, 6)).collect();
        assert_eq!(seen, [3, 4, 5, 6].into());
        let mut list = [1, 2, 3, 4, 5, 6, 7, 8];
        random.shuffle(&mut list);
        assert_ne!(list, [1, 2, 3, 4, 5, 6, 7, 8]);
        list.sort_unstable();
        assert_eq!(list, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(random.below(0), 0);
    }
}
