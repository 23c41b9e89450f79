//! A code keeps its meaning, and one that is gone never comes back.
//!
//! Spec: Canonical Reply System Architecture (Final), 6, Properties; ruling RE-31: keys are compared, not texts.

use std::collections::{HashMap, HashSet};

/// What became of every code over the revisions so far.
#[derive(Default)]
pub(super) struct History<'d> {
    codes: HashMap<&'d [u8], Past<'d>>,
    /// Number of the revision that is being read, from 1.
    revision: usize,
}

struct Past<'d> {
    key: Option<&'d [u8]>,
    /// The last revision in which it was active; 0 for one that only was retired.
    active: usize,
    retired: bool,
    /// Brought back while it is retired, and told of as long as it stays.
    back: bool,
}

impl<'d> History<'d> {
    /// Reads the next revision; tells of each reuse that appears in it, by the position of the code.
    pub(super) fn advance(
        &mut self,
        codes: impl Iterator<Item = (&'d [u8], Option<&'d [u8]>)>,
        retired: impl Iterator<Item = &'d [u8]>,
        mut reused: impl FnMut(usize, &'static str),
    ) {
        self.revision += 1;
        let before = self.revision - 1;
        let retired: HashSet<&[u8]> = retired.collect();
        for (position, (code, key)) in codes.enumerate() {
            let gone = retired.contains(code);
            let Some(past) = self.codes.get_mut(code) else {
                self.codes.insert(code, Past { key, active: self.revision, retired: gone, back: false });
                continue;
            };
            if past.active == self.revision {
                // The second row of one revision is a repetition, and no history.
                continue;
            }
            let back = past.active != before || past.retired;
            // Of one that went again in between, the next return is another change.
            let told = past.back && past.active == before;
            if back && !told {
                reused(position, "brought back after it was gone: take a new number");
            } else if past.key.zip(key).is_some_and(|(old, new)| old != new) {
                reused(
                    position,
                    "its meaning changed: keep the message key, and take a new number for the new meaning",
                );
            }
            // One that is back and listed as retired at once is told of once, however long it stays so.
            *past = Past { key: key.or(past.key), active: self.revision, retired: gone, back: back && gone };
        }
        for code in retired {
            let past = self.codes.entry(code).or_insert(Past { key: None, active: 0, retired: true, back: false });
            past.retired = true;
        }
    }

    /// Codes that are neither active in the newest revision nor retired, each with the position of the last that had it.
    pub(super) fn dropped(&self) -> impl Iterator<Item = (&'d [u8], usize)> + '_ {
        let dropped = self.codes.iter().filter(|(_, past)| past.active != self.revision && !past.retired);
        dropped.map(|(code, past)| (*code, past.active.saturating_sub(1)))
    }
}
