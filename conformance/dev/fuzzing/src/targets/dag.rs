//! Graphs: ids, refusals and the root hash as the Python oracle gives them, and what the order of operations may not change.
//!
//! Spec: Kernel Contract 0.1.0, 2.5 and 4.3; rulings AU-35 to AU-37, AU-39 and AU-50.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Unstructured;
use assize::minimise::input::Question;
use assize_corpus::handler;
use assize_corpus::node::Node;
use assize_corpus::testee::{Answer, Output};
use assize_inputs::authority::operations;
use assize_verifier::authority;
use serde_json::{Value, json};

use crate::documents::{DocumentError, Documents};
use crate::oracles::authority::{agree, dag};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct Dag;

/// What is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The run that the graph belongs to.
    pub run_id: String,
    /// A JSON list of operations.
    pub operations: Vec<u8>,
}

impl Target for Dag {
    const NAME: &'static str = "dag";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str = "`authority/dag-ids`, `authority/dag-invariants`: a second source in Python answers every list of \
                               operations alike; what was accepted makes no ring, and has the same ids in any order and \
                               when it is repeated";
    type Input = Graph;

    fn decode(octets: &[u8]) -> Option<Graph> {
        let mut u = Unstructured::new(octets);
        let run_id = (*u.choose(&["dag-demo", "", "\u{1f600}"]).ok()?).to_owned();
        Some(Graph { run_id, operations: operations(&mut u).ok()? })
    }

    fn documents(graph: &Graph) -> Documents {
        Documents::default().with("run_id", graph.run_id.as_bytes()).with("operations", &graph.operations)
    }

    fn input(documents: &Documents) -> Result<Graph, DocumentError> {
        let run_id = String::from_utf8_lossy(&documents.octets("run_id")?).into_owned();
        Ok(Graph { run_id, operations: documents.octets("operations")? })
    }

    fn asks(graph: &Graph) -> Vec<Question> {
        vec![Question::of("authority.dag").arg("run_id", &graph.run_id).doc("ops", "operations")]
    }

    fn check(graph: &Graph) -> Result<(), String> {
        let answer = agree(&dag(&graph.run_id, graph.operations.as_slice()))?;
        if let Ok(report) = authority::dag(&graph.run_id, &graph.operations) {
            no_ring(report.dag.edges().iter().map(|edge| (edge.kind.as_str(), edge.from.to_hex(), edge.to.to_hex())))?;
        }
        match Accepted::of(graph, &answer) {
            Some(accepted) => accepted.in_any_order(&graph.run_id),
            None => Ok(()),
        }
    }
}

/// Takes away nodes without predecessors until none is left (Kahn).
fn no_ring<'e>(edges: impl Iterator<Item = (&'e str, String, String)>) -> Result<(), String> {
    let edges: Vec<_> = edges.filter(|(kind, ..)| ["depends_on", "refines"].contains(kind)).collect();
    let mut left: BTreeSet<&str> = edges.iter().flat_map(|(_, from, to)| [from.as_str(), to.as_str()]).collect();
    loop {
        let open = edges.iter().filter(|(_, from, _)| left.contains(from.as_str()));
        let held: BTreeSet<&str> = open.map(|(_, _, to)| to.as_str()).collect();
        let free: Vec<_> = left.difference(&held).copied().collect();
        if free.is_empty() {
            break;
        }
        left.retain(|node| !free.contains(node));
    }
    if left.is_empty() { Ok(()) } else { Err(format!("the accepted edges make a ring of {left:?}")) }
}

/// The operations that were accepted, each with its id.
struct Accepted {
    nodes: Vec<(String, Node)>,
    /// Id, kind, and the ids of both ends.
    edges: Vec<(String, String, [String; 2])>,
    root: Value,
}

impl Accepted {
    /// `None` where nothing was accepted as a graph, or the text is one that a plain reader refuses: then the answer of the second
    /// source is all there is to compare with.
    fn of(graph: &Graph, answer: &Answer) -> Option<Self> {
        let Answer::Accept { out } = answer else { return None };
        let Some(Output::Value(Value::Array(results))) = out.get("results") else { return None };
        let Some(Output::Value(root)) = out.get("dag_root_hash") else { return None };
        let Ok(Node::Array(operations)) = Node::parse(std::str::from_utf8(&graph.operations).ok()?) else {
            return None;
        };
        let mut accepted = Self { nodes: Vec::new(), edges: Vec::new(), root: root.clone() };
        let mut ids = BTreeMap::new();
        for (place, (operation, result)) in operations.iter().zip(results).enumerate() {
            let Some(id) = result.get("id").and_then(Value::as_str) else { continue };
            if let Some(edge) = operation.member("edge") {
                let end = |name: &str| match edge.member(name)? {
                    Node::Number(token) => ids.get(&token.parse::<usize>().ok()?).cloned(),
                    _ => None,
                };
                let kind = edge.member("kind")?.text()?.to_owned();
                accepted.edges.push((id.to_owned(), kind, [end("from")?, end("to")?]));
            } else {
                ids.insert(place, id.to_owned());
                accepted.nodes.push((id.to_owned(), operation.clone()));
            }
        }
        Some(accepted)
    }

    /// By id instead of by time, and everything twice: refused operations left nothing behind, no order of lawful edges is
    /// unlawful, and what is there already is not added again.
    fn in_any_order(mut self, run_id: &str) -> Result<(), String> {
        let counts = [
            self.nodes.iter().map(|(id, _)| id).collect::<BTreeSet<_>>().len(),
            self.edges.iter().map(|(id, ..)| id).collect::<BTreeSet<_>>().len(),
        ];
        self.nodes.sort_by(|one, other| one.0.cmp(&other.0));
        self.edges.sort_by(|one, other| one.0.cmp(&other.0));
        let nodes: Vec<_> = self.nodes.iter().chain(&self.nodes).collect();
        let place = |id: &String| nodes.iter().rposition(|(node, _)| node == id).unwrap_or(usize::MAX);
        let edge = |(_, kind, [from, to]): &(String, String, [String; 2])| {
            json!({"edge": {"kind": kind, "from": place(from), "to": place(to)}}).to_string()
        };
        let texts = nodes.iter().map(|(_, node)| node.canonical());
        let texts: Vec<_> = texts.chain(self.edges.iter().chain(&self.edges).map(edge)).collect();
        let ids = nodes.iter().map(|(id, _)| id).chain(self.edges.iter().chain(&self.edges).map(|(id, ..)| id));
        let expected = Answer::accept([
            ("results", Output::Value(ids.map(|id| json!({"id": id})).collect())),
            ("node_count", Output::Value(counts[0].into())),
            ("edge_count", Output::Value(counts[1].into())),
            ("dag_root_hash", Output::Value(self.root.clone())),
        ]);
        let text = format!("[{}]", texts.join(","));
        let found = handler::answer(&dag(run_id, text.as_str()));
        if found == expected {
            Ok(())
        } else {
            Err(format!("reordered: {text}\nexpected {expected:?}\nfound    {found:?}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(operations: &[(&str, &str, &str)]) -> Result<(), String> {
        no_ring(operations.iter().map(|(kind, from, to)| (*kind, (*from).to_owned(), (*to).to_owned())))
    }

    #[test]
    fn a_ring_is_seen() {
        assert!(ring(&[("depends_on", "a", "b"), ("refines", "b", "c"), ("contradicts", "c", "a")]).is_ok());
        assert!(ring(&[("depends_on", "a", "b"), ("refines", "b", "c"), ("refines", "c", "a")]).is_err());
        assert!(ring(&[("refines", "a", "a")]).is_err());
        assert!(ring(&[]).is_ok());
    }
}
