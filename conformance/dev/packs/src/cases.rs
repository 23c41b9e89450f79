//! The vectors of the laws that packs show, a module for each law.
//!
//! `cargo run -p assize-packs --example write` writes them; a test holds the committed files to what is declared here.

mod base;
mod completeness;
mod derived_hashes;
mod dispute;
mod exit_codes;
mod pack_integrity;
mod path_safety;
mod receipt_chain;
mod receipt_envelope;
mod replay_comparison;
mod replay_result;
mod status_propagation;
mod verdict_precedence;

use std::collections::BTreeMap;

use crate::vector::Law;

/// The laws whose folders are written from here, but for the cases that begin with `made-`.
pub const LAWS: [Law; 11] = [
    status_propagation::LAW,
    receipt_chain::LAW,
    pack_integrity::LAW,
    path_safety::LAW,
    completeness::LAW,
    derived_hashes::LAW,
    replay_comparison::LAW,
    verdict_precedence::LAW,
    exit_codes::LAW,
    replay_result::LAW,
    dispute::LAW,
];

/// The law whose folder holds cases of other operations too: those from here begin with `pack-`.
pub const SHARED: Law = receipt_envelope::LAW;

/// Every file below `vectors/` that this crate writes.
///
/// # Panics
/// If two cases share a name.
#[must_use]
pub fn corpus() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for law in LAWS.iter().chain([&SHARED]) {
        let cases = (law.cases)();
        for (path, content) in cases.iter().flat_map(|case| case.files(law)) {
            assert!(files.insert(path.clone(), content).is_none(), "{path} is written twice");
        }
    }
    files
}
