//! Receipt chain: parents are receipts of the same pack.
//!
//! Spec: Constitutional Receipt Standard v0.1, Parent hashes; ruling EP-11. No topology is demanded.
//!
//! That there is no cycle needs no search: a hash covers the parents, so a receipt in a cycle would have to hold its own
//! hash. Whoever could write one has broken SHA-256.

use std::collections::HashSet;

use crate::episode::model::canonical::prefixed;
use crate::episode::model::findings::Findings;
use crate::episode::model::inquiry::RECEIPTS;
use crate::episode::model::receipt::{Receipt, ReceiptKind};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("episode/receipt-chain");

/// Every receipt has parents, every parent is the recomputed hash of a receipt of the pack, and the open one has none.
pub(crate) fn check(receipts: &[Option<Receipt>], findings: &mut Findings) {
    let known: HashSet<String> = receipts.iter().flatten().map(|receipt| prefixed(receipt.hash)).collect();
    for (index, receipt) in receipts.iter().enumerate() {
        let Some(receipt) = receipt else { continue };
        let place = JsonPointer::root().index(index).member("parent_hashes");
        let mut wrong = |pointer: JsonPointer, message: String| {
            findings.add(RECEIPTS, Finding::error(LAW, pointer, message));
        };
        let Some(parents) = &receipt.parents else {
            wrong(place, "a receipt has an array of strings here".to_owned());
            continue;
        };
        if receipt.kind == Some(ReceiptKind::Open) && !parents.is_empty() {
            wrong(place.clone(), "the receipt that opens an episode has no parents".to_owned());
        }
        for (entry, parent) in parents.iter().enumerate() {
            if !known.contains(parent) {
                wrong(place.index(entry), format!("{parent:?} is the hash of no receipt of this pack"));
            }
        }
    }
}
