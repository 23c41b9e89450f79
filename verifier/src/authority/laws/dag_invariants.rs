//! authority/dag-invariants: edges join nodes that are there, and depends_on and refines make no cycle.
//!
//! Spec: Kernel Contract 0.1.0, 2.5 and 4.3; rulings AU-35 to AU-37 and AU-39. Which kinds there are, and which of them are bound,
//! `contracts/authority/tables` states. A refused edge leaves the
//! graph as it was; the kernel keeps it.

use std::collections::HashMap;

use crate::authority::model::topology::Topology;
use crate::canon::compose;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

use super::dag_ids::{Edge, Node, root_hash};

pub(crate) const LAW: Law = Law::named("authority/dag-invariants");

authority_node_kinds_kind! {
    /// Kinds of nodes that the contract declares.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum NodeKind
}

authority_edge_kinds_kind! {
    /// Kinds of edges that the contract declares.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum EdgeKind
}

impl NodeKind {
    pub(crate) fn name(self) -> &'static str {
        self.row().kind
    }
}

impl EdgeKind {
    pub(crate) fn name(self) -> &'static str {
        self.row().kind
    }

    /// Whether an edge of this kind may join two nodes, as far as the nodes decide; what closes a cycle shows in the graph.
    fn admits(self, from: Digest, to: Digest) -> bool {
        self.row().loops || from != to
    }

    /// Whether edges of this kind may make a cycle.
    fn may_cycle(self) -> bool {
        self.row().cycles
    }
}

/// A kind that is not declared; it gets ids all the same (AU-37).
pub(crate) fn undeclared(kind: &str, declared: &[&str], place: &JsonPointer) -> Option<Finding> {
    if declared.contains(&kind) {
        return None;
    }
    let message = format!("{kind:?} is not a declared kind; there are {}", declared.join(", "));
    Some(Finding::error(LAW, place.clone(), message))
}

/// The nodes that an edge joins; `nodes` is what each operation added, if that was a node, and the ends are indexes into it.
pub(crate) fn ends(nodes: &[Option<Digest>], ends: &[String; 2]) -> Result<[Digest; 2], Law> {
    let node = |end: &String| end.parse::<usize>().ok().and_then(|index| nodes.get(index).copied().flatten());
    match ends.each_ref().map(node) {
        [Some(from), Some(to)] => Ok([from, to]),
        _ => Err(LAW),
    }
}

/// A graph whose edges hold the invariants.
#[derive(Clone, Debug)]
pub struct Dag {
    run_id: String,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    node_ids: HashMap<Digest, usize>,
    edge_ids: HashMap<Digest, usize>,
    /// The edges that may make no cycle.
    topology: Topology,
}

impl Dag {
    pub(crate) fn new(run_id: &str) -> Self {
        Self {
            run_id: run_id.to_owned(),
            nodes: Vec::new(),
            edges: Vec::new(),
            node_ids: HashMap::new(),
            edge_ids: HashMap::new(),
            topology: Topology::default(),
        }
    }

    /// Adds a node, its payload in canonical form; one that is there already is not added again.
    pub(crate) fn add_node(&mut self, kind: &str, payload: Vec<u8>) -> Digest {
        let node = Node::new(&self.run_id, kind, payload);
        let id = node.id;
        if !self.node_ids.contains_key(&id) {
            self.node_ids.insert(id, self.nodes.len());
            self.nodes.push(node);
            self.topology.add_node();
        }
        id
    }

    /// Adds an edge; one that is there already is not added again.
    pub(crate) fn add_edge(&mut self, kind: &str, from: Digest, to: Digest) -> Result<Digest, Law> {
        let ends = (self.node_ids.get(&from).copied(), self.node_ids.get(&to).copied());
        let (Some(from_index), Some(to_index)) = ends else {
            return Err(LAW);
        };
        let edge = Edge::new(&self.run_id, kind, from, to);
        let id = edge.id;
        if self.edge_ids.contains_key(&id) {
            return Ok(id);
        }
        // A kind that is not declared is bound by nothing (AU-37).
        if let Some(kind) = EdgeKind::of_spelling(kind.as_bytes()) {
            if !kind.admits(from, to) {
                return Err(LAW);
            }
            if !kind.may_cycle() {
                self.topology.add_edge(from_index, to_index).map_err(|_| LAW)?;
            }
        }
        self.edge_ids.insert(id, self.edges.len());
        self.edges.push(edge);
        Ok(id)
    }

    /// The nodes in order of insertion.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The edges in order of insertion.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The hash over all ids.
    #[must_use]
    pub fn root_hash(&self) -> Digest {
        root_hash(&self.nodes, &self.edges)
    }

    /// Canonical bytes of `{nodes, edges}` in their own forms.
    #[must_use]
    pub fn document(&self) -> Vec<u8> {
        compose::object(&[
            ("nodes", compose::array(self.nodes.iter().map(Node::document))),
            ("edges", compose::array(self.edges.iter().map(Edge::document))),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demo() -> (Dag, Digest, Digest) {
        let mut dag = Dag::new("dag-demo");
        let claim = dag.add_node("claim", br#"{"n":1}"#.to_vec());
        let decision = dag.add_node("decision", br#"{"n":2}"#.to_vec());
        (dag, claim, decision)
    }

    #[test]
    fn the_ids_of_the_fact_sheet() {
        let (mut dag, claim, decision) = demo();
        assert_eq!(claim.to_hex(), "e108071feb1295ce73461f4860ff517c93f7aa1830baa8b7cc584499ca66e07a");
        assert_eq!(decision.to_hex(), "158e574721c9bb9438bdbcb996c0c42efc86e235d258fcc61512a42d8ef3a783");
        let contradicts = dag.add_edge("contradicts", claim, decision).expect("lawful");
        let depends_on = dag.add_edge("depends_on", claim, decision).expect("lawful");
        assert_eq!(contradicts.to_hex(), "b960756b442d9da2a91527fadccabc025d64de216e8fb71371697bbddc114a88");
        assert_eq!(depends_on.to_hex(), "a8b0cc33c692009ddc84e13d9871111521b5d5baddb8336db0fd184dd9581683");
        let empty = Dag::new("").root_hash().to_hex();
        assert_eq!(empty, "106d09310b3afe47c29f25d6be93914bb2f94ada02c60c2f8530c5da065ce815");
    }

    #[test]
    fn a_refused_edge_leaves_the_graph_as_it_was() {
        let (mut dag, claim, decision) = demo();
        dag.add_edge("depends_on", claim, decision).expect("lawful");
        let before = dag.document();
        for kind in ["refines", "depends_on"] {
            assert_eq!(dag.add_edge(kind, decision, claim), Err(LAW));
            assert_eq!(dag.add_edge(kind, claim, claim), Err(LAW));
        }
        assert_eq!(dag.add_edge("contradicts", claim, claim), Err(LAW));
        assert_eq!(dag.add_edge("refines", claim, Digest::of(b"")), Err(LAW));
        assert_eq!(dag.document(), before);
        for (kind, from, to) in
            [("contradicts", decision, claim), ("refines", claim, decision), ("other", claim, claim)]
        {
            assert!(dag.add_edge(kind, from, to).is_ok(), "{kind}");
        }
        assert_eq!(dag.edges().len(), 4);
    }
}
