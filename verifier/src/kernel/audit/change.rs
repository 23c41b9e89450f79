//! What became of the committed tree since a snapshot.
//!
//! Spec: Kernel v1 Requirements Pack, Law 1 and Spec-002, 7; rulings KE-2, KE-49. Only a promotion may change
//! committed, and with it changes the ledger; whether the change is the right one is not asked here.

use std::collections::BTreeSet;

use super::super::layout::{COMMITTED, Tree};
use super::super::snapshot::Snapshot;
use super::{Audit, Outcome, Ran};
use crate::law::Law;

impl Audit<'_> {
    pub(super) fn change(&mut self, before: &Snapshot, ran: &Ran<'_>) {
        let (after, left_out) = Snapshot::below(self.home, COMMITTED);
        let within =
            |path: &&str| path.strip_prefix(COMMITTED).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let paths = before.paths().filter(within).chain(after.paths());
        let changed: BTreeSet<_> = paths.filter(|path| before.get(path) != after.get(path)).collect();
        let ledger = Tree::committed().ledger();
        // A run's end may promote some turns and fail at the next; a promotion that fails is none.
        let promoted = match ran.operation {
            Some("promote") => ran.outcome != Some(Outcome::Fail),
            Some("finish_run" | "crash") => true,
            _ => false,
        };
        if promoted && before.get(&ledger) != after.get(&ledger) {
            return;
        }
        let (law, message) = match ran.operation {
            Some("promote" | "finish_run" | "crash") => (
                Law::KernelPromotionAtomicity,
                "committed changed without a whole promotion: compare with the snapshot",
            ),
            _ => (Law::KernelFortress, "only a promotion may change committed: compare with the snapshot"),
        };
        let untaken = left_out.iter().map(|left_out| left_out.path.as_str());
        for path in changed.into_iter().chain(untaken).collect::<BTreeSet<_>>() {
            self.find(law, path, message);
        }
    }
}
