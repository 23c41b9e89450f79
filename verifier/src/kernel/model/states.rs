//! The digest of triplet records in the order of their stems, without hashing again what stands before a change.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-003, TurnResult; ruling KE-45.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::digest::{Digest, Running};

use super::record::{Records, TripletRecord};
use super::token::Stem;

/// So many records stand between two marks.
const STEP: usize = 64;

/// Digests on their way, each by the stem of the last record that it has taken.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    after: BTreeMap<Stem, Course>,
}

impl Marks {
    /// The record of a stem has changed, come or gone.
    pub(crate) fn changed(&mut self, stem: &Stem) {
        self.after.split_off(stem);
    }

    /// The digest of all records.
    pub(crate) fn digest(&mut self, records: &Records) -> Digest {
        let last = self.after.last_key_value();
        let (mut course, from) = last.map_or((Course::default(), Bound::Unbounded), |(stem, course)| {
            (course.clone(), Bound::Excluded(stem.clone()))
        });
        let mut rest = records.range((from, Bound::Unbounded)).enumerate().peekable();
        while let Some((index, (stem, record))) = rest.next() {
            course.take(record);
            if index % STEP == STEP - 1 || rest.peek().is_none() {
                self.after.insert(stem.clone(), course.clone());
            }
        }
        course.digest()
    }

    /// What all records before a stem come to, as far as that is known: the last stem of those, and their digest.
    pub(crate) fn before(&self, stem: &Stem) -> (Bound<Stem>, Course) {
        let mark = self.after.range::<Stem, _>(..stem).next_back();
        mark.map_or((Bound::Unbounded, Course::default()), |(stem, course)| {
            (Bound::Excluded(stem.clone()), course.clone())
        })
    }
}

/// The digest of an array of records, on its way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    running: Running,
    begun: bool,
}

impl Course {
    /// Takes the next record.
    pub(crate) fn take(&mut self, record: &TripletRecord) {
        self.running.take(if self.begun { b"," } else { b"[" });
        self.begun = true;
        self.running.take(&record.canonical());
    }

    /// The digest of the records that were taken.
    pub(crate) fn digest(mut self) -> Digest {
        self.running.take(if self.begun { b"]" } else { b"[]" });
        self.running.digest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canon::compose;
    use crate::kernel::model::token::TurnId;

    fn record(stem: &str, content: &[u8]) -> TripletRecord {
        let digest = Digest::of(content);
        let turn = TurnId::parse("turn-0001").expect("a turn");
        let stem = Stem::parse(stem).expect("a stem");
        TripletRecord { stem, body: digest, links: digest, manifest: digest, updated_at_turn: turn }
    }

    fn put(records: &mut Records, marks: &mut Marks, stem: &str, content: &[u8]) {
        let record = record(stem, content);
        marks.changed(&record.stem);
        records.insert(record.stem.clone(), record);
    }

    fn whole(records: &Records) -> Digest {
        Digest::of(&compose::array(records.values().map(TripletRecord::canonical)))
    }

    #[test]
    fn what_is_hashed_from_a_mark_on_is_the_digest_of_all() {
        let (mut records, mut marks) = (Records::new(), Marks::default());
        assert_eq!(marks.digest(&records), whole(&records), "nothing");
        for place in [5, 300, 100, 0, 299, 64, 63, 65, 128, 1] {
            for near in place..place + 40 {
                put(&mut records, &mut marks, &format!("s{near:03}"), b"one");
            }
            assert_eq!(marks.digest(&records), whole(&records), "{place}");
            assert_eq!(marks.digest(&records), whole(&records), "{place} again");
        }
        put(&mut records, &mut marks, "s070", b"another");
        assert_eq!(marks.digest(&records), whole(&records), "a change");
        let gone = Stem::parse("s101").expect("a stem");
        marks.changed(&gone);
        records.remove(&gone);
        assert_eq!(marks.digest(&records), whole(&records), "a removal");
        for stem in ["a", "s064", "s0645", "z"] {
            let (from, mut course) = marks.before(&Stem::parse(stem).expect("a stem"));
            records.range((from, Bound::Unbounded)).for_each(|(_, record)| course.take(record));
            assert_eq!(course.digest(), whole(&records), "from before {stem} on");
        }
    }
}
