//! authority/summary-hash: one hash over the ledger, the graph and the artefacts of a run.
//!
//! Spec: Kernel Contract 0.1.0, 2.6; rulings AU-2, AU-3, AU-4 and AU-6.

use crate::authority::breach::Breach;
use crate::authority::model::canonical::quoted;
use crate::authority::model::recorded::{Members, Placed};
use crate::canon::compose;
use crate::digest::Digest;
use crate::law::Law;

use super::dag_invariants::Dag;

pub(crate) const LAW: Law = Law::named("authority/summary-hash");

/// The summary hash; `last_hash` is that of the last record before the artefacts' own.
pub(crate) fn summary_hash(last_hash: Digest, root_hash: Digest, artifact_hashes: &[u8]) -> Digest {
    Digest::of(&compose::object(&[
        ("ledger_last_hash", quoted(last_hash).as_slice()),
        ("dag_root_hash", &quoted(root_hash)),
        ("artifact_hashes", artifact_hashes),
    ]))
}

/// The members of a verification pack that seal the run; `last_hash` is that of the last record before the artefacts' own.
pub(crate) fn seals(last_hash: Digest, root_hash: Digest, summary: Digest) -> Members<3> {
    [
        ("ledger_last_hash", quoted(last_hash).to_vec()),
        ("dag_root_hash", quoted(root_hash).to_vec()),
        ("expected_summary_hash", quoted(summary).to_vec()),
    ]
}

/// Holds the seals of a recorded verification pack against those of its run.
pub(crate) fn check(pack: &Placed<'_>, seals: &Members<3>, dag: &Dag) -> Result<(), Box<Breach>> {
    for (name, expected) in seals {
        let stored = pack.member(name).map_err(Breach::of(LAW))?;
        let message = match *name {
            "ledger_last_hash" => "not the record_hash of the record before this one",
            "dag_root_hash" => {
                root_misread(dag, &stored.canonical()).unwrap_or("not the hash over the ids of the graph")
            }
            _ => "not the hash of ledger_last_hash, dag_root_hash and artifact_hashes in this pack",
        };
        stored.expect(expected, message).map_err(Breach::of(LAW))?;
    }
    Ok(())
}

/// A known misreading of the contract that gives just this root hash (AU-3).
fn root_misread(dag: &Dag, stored: &[u8]) -> Option<&'static str> {
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
