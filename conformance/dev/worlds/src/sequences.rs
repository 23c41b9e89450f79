//! Numbers for all sequences of symbols, the shorter ones first.

/// How many sequences of at most so many symbols there are.
pub(crate) fn count(symbols: usize, longest: usize) -> u64 {
    (0..=longest).map(|length| power(symbols, length)).sum()
}

/// How many of exactly that length.
pub(crate) fn power(symbols: usize, length: usize) -> u64 {
    (0..length).fold(1, |product: u64, _| product.saturating_mul(symbols as u64))
}

/// The sequence at a place, as indices of symbols.
pub(crate) fn at(symbols: usize, mut place: u64) -> Vec<usize> {
    let mut length = 0;
    while place >= power(symbols, length) {
        place -= power(symbols, length);
        length += 1;
    }
    of_length(symbols, length, place)
}

/// The sequence of that length at a place among those.
pub(crate) fn of_length(symbols: usize, length: usize, place: u64) -> Vec<usize> {
    let mut radices = Mixed(place);
    let mut sequence: Vec<_> = (0..length).map(|_| radices.take(symbols)).collect();
    sequence.reverse();
    sequence
}

/// A number from which one choice after the other is taken.
pub(crate) struct Mixed(pub(crate) u64);

impl Mixed {
    /// One of so many, and the rest stays.
    pub(crate) fn take(&mut self, choices: usize) -> usize {
        let choices = choices.max(1) as u64;
        let taken = self.0 % choices;
        self.0 /= choices;
        // It is less than a number that was a usize.
        usize::try_from(taken).unwrap_or_default()
    }

    /// Yes or no.
    pub(crate) fn flag(&mut self) -> bool {
        self.take(2) == 1
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_sequence_has_one_number() {
        let all: BTreeSet<_> = (0..count(3, 4)).map(|place| at(3, place)).collect();
        assert_eq!((count(3, 4), all.len()), (121, 121));
        assert!(all.iter().all(|sequence| sequence.len() <= 4 && sequence.iter().all(|symbol| *symbol < 3)));
        assert_eq!((at(3, 0), at(3, 1), at(3, 120)), (vec![], vec![0], vec![2; 4]));
    }

    #[test]
    fn choices_are_taken_one_by_one() {
        let all: BTreeSet<_> = (0..24)
            .map(|place| {
                let mut rest = Mixed(place);
                (rest.take(3), rest.flag(), rest.take(4))
            })
            .collect();
        assert_eq!(all.len(), 24);
    }
}
