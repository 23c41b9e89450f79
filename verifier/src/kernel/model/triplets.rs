//! What a tree's folder of triplets holds, and what is known of the bodies of its records.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 3 and 4. Which file is what are the laws kernel/shadowing and
//! kernel/link-visibility.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::digest::Digest;

use super::record::Records;
use super::token::Stem;

/// What a tree's folder of triplets holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Triplets {
    pub(crate) records: Records,
    /// Stems of records that are not spelled as the kernel spells them.
    pub(crate) respelled: BTreeSet<Stem>,
    /// Stems of tombstones, lawful or not.
    pub(crate) tombstones: BTreeSet<Stem>,
    /// Paths of files that are named like records and are not records.
    pub(crate) corrupt: BTreeSet<String>,
}

/// A type and an id, by which references point at a body.
pub(crate) type Identity = (String, String);

/// An identity in one text, which has room once however many hold it.
type Written = Arc<str>;

/// Which bodies of a tree's records carry which identities, as far as anybody has looked.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    /// Stems of records whose body nobody has looked at.
    pub(crate) unread: BTreeSet<Stem>,
    /// Identities with each stem that carries them. Most have one, so that a set for each would be mostly empty.
    carriers: BTreeSet<(Written, Stem)>,
    carried: BTreeMap<Stem, Written>,
    absent: BTreeSet<Digest>,
}

impl Bodies {
    /// Nobody has looked at the body of any of these records.
    pub(crate) fn of(records: &Records) -> Self {
        Self { unread: records.keys().cloned().collect(), ..Self::default() }
    }

    /// The stems of records whose body carries an identity.
    pub(crate) fn carriers(&self, identity: &Identity) -> impl Iterator<Item = &Stem> {
        let from = (written(identity), Stem("".into()));
        let carriers = self.carriers.range(from.clone()..);
        carriers.take_while(move |(carried, _)| *carried == from.0).map(|(_, stem)| stem)
    }

    /// The body of a stem's record was looked at, and carries this.
    pub(crate) fn carries(&mut self, stem: Stem, identity: &Identity) {
        let identity = written(identity);
        self.carriers.insert((Arc::clone(&identity), stem.clone()));
        self.carried.insert(stem, identity);
    }

    /// A body was looked for, and is not there.
    pub(crate) fn is_absent(&mut self, body: Digest) {
        self.absent.insert(body);
    }

    /// Whether a body was looked for in vain.
    pub(crate) fn lacks(&self, body: Digest) -> bool {
        self.absent.contains(&body)
    }

    /// The record of a stem is another one now, or none.
    pub(crate) fn changed(&mut self, stem: &Stem, is_there: bool) {
        if let Some(identity) = self.carried.remove(stem) {
            self.carriers.remove(&(identity, stem.clone()));
        }
        if is_there {
            self.unread.insert(stem.clone());
        } else {
            self.unread.remove(stem);
        }
    }
}

/// The length of the type tells where the id begins.
fn written((kind, id): &Identity) -> Written {
    format!("{}:{kind}{id}", kind.len()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_leads_to_the_stems_that_carry_it_now() {
        let stem = |text: &str| Stem::parse(text).expect("a stem");
        let identity = |kind: &str, id: &str| (kind.to_owned(), id.to_owned());
        let mut bodies = Bodies::default();
        let carriers = |bodies: &Bodies, kind: &str, id: &str| {
            bodies.carriers(&identity(kind, id)).map(ToString::to_string).collect::<Vec<_>>()
        };
        for (name, kind, id) in [("b", "t", "x"), ("a", "t", "x"), ("c", "tx", ""), ("d", "", "tx"), ("e", "t", "xy")] {
            bodies.carries(stem(name), &identity(kind, id));
        }
        assert_eq!(carriers(&bodies, "t", "x"), ["a", "b"]);
        assert_eq!([carriers(&bodies, "tx", ""), carriers(&bodies, "", "tx")], [["c"], ["d"]]);
        bodies.changed(&stem("a"), true);
        bodies.changed(&stem("d"), false);
        assert_eq!(carriers(&bodies, "t", "x"), ["b"]);
        assert!(carriers(&bodies, "", "tx").is_empty() && bodies.unread.contains("a"));
    }
}
