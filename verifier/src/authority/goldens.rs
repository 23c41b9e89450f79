//! authority/goldens: what a golden fixture has to lock.
//!
//! Spec: Kernel Contract 0.1.0, 4.6; ruling AU-9: no published golden holds a hash, so Assize has its own.

use std::collections::BTreeMap;

use crate::digest::Digest;

use super::dag_invariants::Dag;

/// The values of a successful run that a golden fixture locks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Golden {
    /// The summary hash.
    pub summary_hash: Digest,
    /// `record_hash` of the final record.
    pub ledger_last_hash: Digest,
    /// `record_hash` of the record before it, which the verification pack seals (AU-2).
    pub sealed_last_hash: Digest,
    /// The hash over all ids of the graph.
    pub dag_root_hash: Digest,
    /// Hashes of the artefacts that have one.
    pub artifact_hashes: Vec<(&'static str, Digest)>,
    /// Name of the interpretation that was chosen.
    pub interpretation: String,
    /// Nodes of the graph.
    pub node_count: usize,
    /// Edges of the graph.
    pub edge_count: usize,
    /// How many nodes there are of each kind.
    pub node_kinds: BTreeMap<String, usize>,
}

impl Golden {
    /// The structure of a graph, with the hashes of its run.
    pub(super) fn of(dag: &Dag, interpretation: &str, hashes: &Hashes) -> Self {
        let mut node_kinds = BTreeMap::new();
        for node in dag.nodes() {
            *node_kinds.entry(node.kind.clone()).or_default() += 1;
        }
        Self {
            summary_hash: hashes.summary,
            ledger_last_hash: hashes.final_record,
            sealed_last_hash: hashes.sealed,
            dag_root_hash: hashes.root,
            artifact_hashes: vec![(super::artifact_hashes::BLUEPRINT, hashes.blueprint)],
            interpretation: interpretation.to_owned(),
            node_count: dag.nodes().len(),
            edge_count: dag.edges().len(),
            node_kinds,
        }
    }
}

/// The hashes of a successful run.
pub(super) struct Hashes {
    pub(super) summary: Digest,
    pub(super) root: Digest,
    pub(super) blueprint: Digest,
    /// Of the last record before the artefacts'.
    pub(super) sealed: Digest,
    pub(super) final_record: Digest,
}
