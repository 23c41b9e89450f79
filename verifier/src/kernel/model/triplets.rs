//! What a tree's folder of triplets holds, and what is known of the bodies of its records.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 3 and 4. Which file is what are the laws kernel/shadowing and
//! kernel/link-visibility.

use std::collections::{BTreeMap, BTreeSet};

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

/// Which bodies of a tree's records carry which identities, as far as anybody has looked.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    /// Stems of records whose body nobody has looked at.
    pub(crate) unread: BTreeSet<Stem>,
    carriers: BTreeMap<Identity, BTreeSet<Stem>>,
    carried: BTreeMap<Stem, Identity>,
    absent: BTreeSet<Digest>,
}

impl Bodies {
    /// Nobody has looked at the body of any of these records.
    pub(crate) fn of(records: &Records) -> Self {
        Self { unread: records.keys().cloned().collect(), ..Self::default() }
    }

    /// The stems of records whose body carries an identity.
    pub(crate) fn carriers(&self, identity: &Identity) -> impl Iterator<Item = &Stem> {
        self.carriers.get(identity).into_iter().flatten()
    }

    /// The body of a stem's record was looked at, and carries this.
    pub(crate) fn carries(&mut self, stem: Stem, identity: Identity) {
        self.carriers.entry(identity.clone()).or_default().insert(stem.clone());
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
        if let Some(identity) = self.carried.remove(stem)
            && let Some(carriers) = self.carriers.get_mut(&identity)
        {
            carriers.remove(stem);
        }
        if is_there {
            self.unread.insert(stem.clone());
        } else {
            self.unread.remove(stem);
        }
    }
}
