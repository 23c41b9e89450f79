//! authority/summary-hash: one hash over the ledger, the graph and the artefacts of a run.
//!
//! Spec: Kernel Contract 0.1.0, 2.6; rulings AU-2, AU-3, AU-4 and AU-6.

use crate::canon::compose;
use crate::digest::Digest;

use super::dag_invariants::Dag;
use super::ledger_integrity::quoted;

/// The summary hash; `last_hash` is that of the last record before the artefacts' own.
pub(super) fn summary_hash(last_hash: Digest, root_hash: Digest, artifact_hashes: &[u8]) -> Digest {
    Digest::of(&compose::object(&[
        ("ledger_last_hash", quoted(last_hash).as_slice()),
        ("dag_root_hash", &quoted(root_hash)),
        ("artifact_hashes", artifact_hashes),
    ]))
}

/// A known misreading of the contract that gives just this root hash (AU-3).
pub(super) fn root_misread(dag: &Dag, stored: &[u8]) -> Option<&'static str> {
    let ids = |sorted: bool| {
        let list = |mut ids: Vec<Digest>| {
            if sorted {
                ids.sort_unstable();
            }
            compose::array(ids.into_iter().map(quoted))
        };
        let nodes = list(dag.nodes().iter().map(|node| node.id).collect());
        [nodes, list(dag.edges().iter().map(|edge| edge.id).collect())]
    };
    let root = |names: [&str; 2], [nodes, edges]: [Vec<u8>; 2]| {
        let [node_name, edge_name] = names;
        quoted(Digest::of(&compose::object(&[(node_name, nodes), (edge_name, edges)])))
    };
    let literal = ["sorted_node_ids", "sorted_edge_ids"];
    if stored == root(literal, ids(true)) {
        Some("the members are called node_ids and edge_ids, not sorted_node_ids and sorted_edge_ids")
    } else if stored == root(["node_ids", "edge_ids"], ids(false)) {
        Some("the ids are sorted before they are hashed")
    } else {
        None
    }
}
