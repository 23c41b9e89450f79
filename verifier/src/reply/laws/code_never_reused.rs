//! A code keeps its meaning, and one that is gone never comes back.
//!
//! Spec: Canonical Reply System Architecture (Final), 6, Properties; ruling RE-31: keys are compared, not texts.

use std::collections::{HashMap, HashSet};

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::registry::{Registries, Registry};
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/code-never-reused");

/// The codes that a registry lists as retired.
pub(crate) struct Retired<'r>(HashSet<&'r [u8]>);

impl<'r> Retired<'r> {
    pub(crate) fn of(registry: &'r Registry<'_>) -> Self {
        Self(registry.retired.iter().map(|code| &**code).collect())
    }

    /// Objects to an active code that is retired as well.
    pub(crate) fn judge(&self, active: &[u8], at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
        if self.0.contains(active) {
            let message = format!("{} is active and retired at once: take it out of one of the two", quoted(active));
            found.meaning(LAW, at(), message);
        }
    }
}

/// Reads the revisions oldest first, and objects to each reuse where it appears.
pub(crate) fn judge(registries: &Registries<'_>, root: &JsonPointer, found: &mut Judgement) {
    let mut history = History::default();
    let earlier = root.member("earlier");
    for (index, revision) in registries.earlier.iter().enumerate() {
        let place = |position: usize| {
            let code = revision.codes.get(position).map(|(code, _)| String::from_utf8_lossy(code));
            earlier.index(index).member("codes").member(&code.unwrap_or_default())
        };
        let codes = revision.codes.iter().map(|(code, key)| (&**code, key.as_deref()));
        history.advance(codes, revision.retired.iter().map(|code| &**code), |position, message| {
            found.meaning(LAW, place(position), message);
        });
    }
    if let Some(registry) = registries.newest() {
        let place = root.member("registries").index(0).member("active");
        let codes = registry.active.iter().map(|row| (&*row.code, row.key.as_deref()));
        history.advance(codes, registry.retired.iter().map(|code| &**code), |position, message| {
            found.meaning(LAW, place.index(position), message);
        });
    }
    for (code, revision) in history.dropped() {
        let place = earlier.index(revision).member("codes").member(&String::from_utf8_lossy(code));
        found.advise(LAW, place, "removed and not retired: list it as retired, so that it stays reserved");
    }
    if registries.earlier.is_empty() && registries.all.iter().all(|registry| registry.retired.is_empty()) {
        let text = "not checked: one snapshot cannot show reuse; give earlier revisions or the retired codes";
        found.advise(LAW, earlier, text);
    }
}

/// What became of every code over the revisions so far.
#[derive(Default)]
struct History<'d> {
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
    fn advance(
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
    fn dropped(&self) -> impl Iterator<Item = (&'d [u8], usize)> + '_ {
        let dropped = self.codes.iter().filter(|(_, past)| past.active != self.revision && !past.retired);
        dropped.map(|(code, past)| (*code, past.active.saturating_sub(1)))
    }
}
