//! The values of a run that a golden fixture locks, as engine and replay show them.

use std::collections::BTreeMap;

use assize_verifier::authority::Golden;
use serde::Serialize;

use super::output;

/// The values for machines.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    summary_hash: String,
    dag_root_hash: String,
    artifact_hashes: BTreeMap<&'a str, String>,
    sealed_last_hash: String,
    ledger_last_hash: String,
    interpretation: &'a str,
    node_count: usize,
    edge_count: usize,
    node_kinds: &'a BTreeMap<String, usize>,
}

impl<'a> Document<'a> {
    pub(super) fn of(golden: &'a Golden) -> Self {
        Self {
            summary_hash: golden.summary_hash.to_hex(),
            dag_root_hash: golden.dag_root_hash.to_hex(),
            artifact_hashes: golden.artifact_hashes.iter().map(|(name, hash)| (*name, hash.to_hex())).collect(),
            sealed_last_hash: golden.sealed_last_hash.to_hex(),
            ledger_last_hash: golden.ledger_last_hash.to_hex(),
            interpretation: &golden.interpretation,
            node_count: golden.node_count,
            edge_count: golden.edge_count,
            node_kinds: &golden.node_kinds,
        }
    }
}

/// The values for people, one a line. What the verification pack calls `ledger_last_hash` is the sealed one: the pack
/// stands in the record after it.
pub(super) fn lines(golden: &Golden) -> String {
    let kinds: Vec<_> = golden.node_kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let mut rows = vec![
        ("summary_hash".to_owned(), golden.summary_hash.to_hex()),
        ("dag_root_hash".to_owned(), golden.dag_root_hash.to_hex()),
    ];
    rows.extend(golden.artifact_hashes.iter().map(|(name, hash)| (format!("{name} hash"), hash.to_hex())));
    rows.extend([
        ("sealed_last_hash".to_owned(), golden.sealed_last_hash.to_hex()),
        ("ledger_last_hash".to_owned(), golden.ledger_last_hash.to_hex()),
        ("interpretation".to_owned(), output::middle(&golden.interpretation).into_owned()),
        ("nodes".to_owned(), format!("{}: {}", golden.node_count, kinds.join(", "))),
        ("edges".to_owned(), golden.edge_count.to_string()),
    ]);
    rows.iter().map(|(name, value)| format!("  {name:<18}{}\n", output::clean(value))).collect()
}
