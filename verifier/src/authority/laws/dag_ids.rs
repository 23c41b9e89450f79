//! authority/dag-ids: ids of nodes and edges, and the hash over all of them, follow from what they say.
//!
//! Spec: Kernel Contract 0.1.0, 2.5 and 2.6; rulings AU-3, AU-38 and AU-41.

use crate::authority::breach::Breach;
use crate::authority::model::canonical::quoted;
use crate::authority::model::recorded::Placed;
use crate::canon::compose;
use crate::digest::Digest;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("authority/dag-ids");

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Follows from the run, the kind and the payload hash.
    pub id: Digest,
    /// One of the declared kinds, or any other text.
    pub kind: String,
    /// Canonical bytes.
    pub payload: Vec<u8>,
    /// Digest of those bytes.
    pub payload_hash: Digest,
}

impl Node {
    pub(crate) fn new(run_id: &str, kind: &str, payload: Vec<u8>) -> Self {
        let payload_hash = Digest::of(&payload);
        let id = Digest::of(&compose::object(&[
            ("t", compose::string("node")),
            ("run_id", compose::string(run_id)),
            ("kind", compose::string(kind)),
            ("payload_hash", quoted(payload_hash).to_vec()),
        ]));
        Self { id, kind: kind.to_owned(), payload, payload_hash }
    }

    /// Canonical bytes of the node's own form.
    pub(crate) fn document(&self) -> Vec<u8> {
        compose::object(&[
            ("id", quoted(self.id).to_vec()),
            ("kind", compose::string(&self.kind)),
            ("payload", self.payload.clone()),
            ("payload_hash", quoted(self.payload_hash).to_vec()),
        ])
    }

    /// Canonical bytes of what record 3 keeps of it.
    pub(crate) fn entry(&self) -> Vec<u8> {
        compose::object(&[("id", quoted(self.id).to_vec()), ("kind", compose::string(&self.kind))])
    }
}

/// A directed edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Follows from the run, the kind and both ends.
    pub id: Digest,
    /// One of the declared kinds, or any other text.
    pub kind: String,
    /// Id of the node that it leaves.
    pub from: Digest,
    /// Id of the node that it reaches.
    pub to: Digest,
}

impl Edge {
    pub(crate) fn new(run_id: &str, kind: &str, from: Digest, to: Digest) -> Self {
        let id = Digest::of(&compose::object(&[
            ("t", compose::string("edge")),
            ("run_id", compose::string(run_id)),
            ("kind", compose::string(kind)),
            ("from", quoted(from).to_vec()),
            ("to", quoted(to).to_vec()),
        ]));
        Self { id, kind: kind.to_owned(), from, to }
    }

    /// Canonical bytes of the edge's own form, where the ends are `from_id` and `to_id`.
    pub(crate) fn document(&self) -> Vec<u8> {
        self.written("from_id", "to_id")
    }

    /// Canonical bytes of what record 3 keeps of it, where the ends are `from` and `to`.
    pub(crate) fn entry(&self) -> Vec<u8> {
        self.written("from", "to")
    }

    fn written(&self, from: &str, to: &str) -> Vec<u8> {
        compose::object(&[
            ("id", quoted(self.id).to_vec()),
            ("kind", compose::string(&self.kind)),
            (from, quoted(self.from).to_vec()),
            (to, quoted(self.to).to_vec()),
        ])
    }
}

/// The hash over all ids, each list sorted: the same whatever the order of insertion.
pub(crate) fn root_hash(nodes: &[Node], edges: &[Edge]) -> Digest {
    let sorted = |mut ids: Vec<Digest>| {
        ids.sort_unstable();
        compose::array(ids.into_iter().map(quoted))
    };
    Digest::of(&compose::object(&[
        ("node_ids", sorted(nodes.iter().map(|node| node.id).collect())),
        ("edge_ids", sorted(edges.iter().map(|edge| edge.id).collect())),
    ]))
}

/// Holds the payload of record 3 against a graph, entry by entry, order included.
pub(crate) fn check(payload: &Placed<'_>, nodes: &[Node], edges: &[Edge]) -> Result<(), Box<Breach>> {
    entries(payload, "nodes", nodes.iter().map(Node::entry))?;
    entries(payload, "edges", edges.iter().map(Edge::entry))
}

fn entries(
    payload: &Placed<'_>,
    name: &str,
    expected: impl ExactSizeIterator<Item = Vec<u8>>,
) -> Result<(), Box<Breach>> {
    let list = payload.member(name).map_err(Breach::of(LAW))?;
    let stored = list.array().map_err(Breach::of(LAW))?;
    let count = expected.len();
    for (entry, expected) in stored.iter().zip(expected) {
        let message = "not the id, kind and ends that the records before give";
        entry.expect(&expected, message).map_err(Breach::of(LAW))?;
    }
    if stored.len() == count {
        return Ok(());
    }
    let message = format!("{} entries, where the records before give {count}", stored.len());
    Err(Breach::of(LAW)(list.wrong(message)))
}
