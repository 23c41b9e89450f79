//! authority/goldens: what a golden fixture has to lock.
//!
//! Spec: Kernel Contract 0.1.0, 4.6; rulings AU-9 (no published golden holds a hash, so Assize has its own) and AU-48.

use std::collections::BTreeMap;

use crate::authority::model::canonical::quoted;
use crate::authority::model::release::Release;
use crate::canon::compose;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

use super::artifact_hashes::BLUEPRINT;
use super::dag_invariants::{Dag, EdgeKind, NodeKind};
use super::proposal_boundary::Interpretation;

pub(crate) const LAW: Law = Law::named("authority/goldens");

/// What a golden fixture locks, by the names of its members: `contracts/authority/tables/goldens.json`.
pub(crate) use crate::tables::authority::goldens::MEMBER as LOCKED;

/// The members that golden fixtures of a release lack (AU-48); `place` is where the release stands.
pub(crate) fn incomplete(release: &Release, place: &JsonPointer) -> Vec<Finding> {
    let goldens = place.member("goldens");
    let lacking = release.goldens.iter().flat_map(|(name, golden)| {
        let place = goldens.member(name);
        let missing = LOCKED.iter().filter(|member| !golden.contains_key(**member));
        missing.map(move |member| place.member(member))
    });
    lacking.map(|place| Finding::error(LAW, place, "a golden locks this member too")).collect()
}

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
    pub(crate) fn of(dag: &Dag, interpretation: &str, hashes: &Hashes) -> Self {
        let mut node_kinds = BTreeMap::new();
        for node in dag.nodes() {
            *node_kinds.entry(node.kind.clone()).or_default() += 1;
        }
        Self {
            summary_hash: hashes.summary,
            ledger_last_hash: hashes.final_record,
            sealed_last_hash: hashes.sealed,
            dag_root_hash: hashes.root,
            artifact_hashes: vec![(BLUEPRINT, hashes.blueprint)],
            interpretation: interpretation.to_owned(),
            node_count: dag.nodes().len(),
            edge_count: dag.edges().len(),
            node_kinds,
        }
    }
}

/// The hashes of a successful run.
pub(crate) struct Hashes {
    pub(crate) summary: Digest,
    pub(crate) root: Digest,
    pub(crate) blueprint: Digest,
    /// Of the last record before the artefacts'.
    pub(crate) sealed: Digest,
    pub(crate) final_record: Digest,
}

/// The graph of a committed interpretation, and the id of its node.
pub(crate) fn graph(run_id: &str, seed_text: &str, seed_hash: Digest, winner: &Interpretation) -> (Dag, Digest) {
    let mut dag = Dag::new(run_id);
    let seed = compose::object(&[("seed_text", compose::string(seed_text)), ("seed_hash", quoted(seed_hash).to_vec())]);
    let seed = dag.add_node(NodeKind::Seed.name(), seed);
    let root = compose::object(&[
        ("name", compose::string(&winner.name)),
        ("intent_summary", compose::string(&winner.intent_summary)),
    ]);
    let root = dag.add_node(NodeKind::Interpretation.name(), root);
    // Every edge leads from a node to one that was added later, so none is refused.
    let _ = dag.add_edge(EdgeKind::Refines.name(), seed, root);
    for assumption in &winner.assumptions {
        let payload = compose::object(&[("assumption", compose::string(assumption))]);
        let node = dag.add_node(NodeKind::Assumption.name(), payload);
        let _ = dag.add_edge(EdgeKind::DependsOn.name(), root, node);
    }
    (dag, root)
}
