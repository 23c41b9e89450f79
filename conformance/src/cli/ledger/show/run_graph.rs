//! The graph of a run: as it was derived, or as its record says.

use std::{collections::HashMap, io::Read};

use assize_verifier::{
    authority::{Dag, LedgerError, Reading, Records},
    json::{Dialect, Document, NodeRef},
};

use crate::cli::graph::{Edge, Graph, Line, Look, Node, Terms};

/// The record of a run that holds its graph.
const GRAPH: u64 = 3;

const fn look(name: &'static str, fill: &'static str, border: &'static str) -> Look {
    Look { name, fill, border, line: Line::Plain }
}

static TERMS: Terms = Terms {
    nodes: ["node", "nodes"],
    edges: "edges",
    subject: "the graph of a run",
    looks: &[SEED, INTERPRETATION, ASSUMPTION, CLAIM, DECISION, ARTIFACT, OTHER, MISSING],
};

const SEED: Look = look("seed", "#c8e6c9", "#2e7d32");
const INTERPRETATION: Look = look("interpretation", "#bbdefb", "#1565c0");
const ASSUMPTION: Look = look("assumption", "#fff9c4", "#8d7b00");
const CLAIM: Look = look("claim", "#e1bee7", "#7b1fa2");
const DECISION: Look = look("decision", "#ffe0b2", "#b26a00");
const ARTIFACT: Look = look("artifact", "#e0e0e0", "#757575");
const OTHER: Look = Look { line: Line::Dashed, ..look("other", "#ffffff", "#757575") };
/// An end of an edge that is not among the nodes.
const MISSING: Look = Look { line: Line::Heavy, ..look("missing", "#ffcdd2", "#c62828") };

/// The graph that was derived, every node with its text.
pub(super) fn derived(dag: &Dag) -> Graph {
    let mut drawing = Drawing::default();
    for node in dag.nodes() {
        let id = node.id.to_hex();
        drawing.node(&id, &node.kind, text(&node.payload), format!("{}…", id.get(..12).unwrap_or_default()));
    }
    for edge in dag.edges() {
        drawing.edge(&edge.kind, &edge.from.to_hex(), &edge.to.to_hex());
    }
    Graph { terms: &TERMS, nodes: drawing.nodes }
}

/// The text of a payload: its one telling member, or all of it.
fn text(payload: &[u8]) -> String {
    let telling = |document: &Document<'_>| {
        let value = ["seed_text", "name", "assumption"].iter().find_map(|name| document.root().get(name))?;
        value.as_string().map(|text| text.to_text_lossy().into_owned())
    };
    let document = Document::parse(payload, &Dialect::AUTHORITY).ok();
    document.as_ref().and_then(telling).unwrap_or_else(|| String::from_utf8_lossy(payload).into_owned())
}

/// What the record says; none if it says nothing of the kind.
pub(super) fn recorded(source: impl Read, reading: &Reading) -> Result<Option<Graph>, LedgerError> {
    let mut records = Records::new(source, reading.layout);
    while let Some(record) = records.next()? {
        if record.index == GRAPH {
            let document = Document::parse(record.text, &Dialect::AUTHORITY).map_err(|error| record.locate(error))?;
            return Ok(document.root().get("payload").and_then(entries));
        }
    }
    Ok(None)
}

fn entries(payload: NodeRef<'_>) -> Option<Graph> {
    let list = |name| payload.get(name).filter(|list| list.is_array());
    let mut drawing = Drawing::default();
    for node in list("nodes")?.elements() {
        let id = string(node, "id")?;
        drawing.node(&id, &string(node, "kind")?, id.clone(), "as recorded".to_owned());
    }
    for edge in list("edges")?.elements() {
        drawing.edge(&string(edge, "kind")?, &string(edge, "from")?, &string(edge, "to")?);
    }
    Some(Graph { terms: &TERMS, nodes: drawing.nodes })
}

fn string(value: NodeRef<'_>, name: &str) -> Option<String> {
    value.get(name)?.as_string().map(|text| text.to_text_lossy().into_owned())
}

#[derive(Default)]
struct Drawing {
    nodes: Vec<Node>,
    places: HashMap<String, usize>,
}

impl Drawing {
    fn node(&mut self, id: &str, kind: &str, name: String, words: String) {
        let look = TERMS.looks.iter().find(|look| look.name == kind && **look != MISSING).unwrap_or(&OTHER);
        self.add(id, Node { name, kind: kind.to_owned(), words, look, after: Vec::new() });
    }

    fn edge(&mut self, kind: &str, from: &str, to: &str) {
        let (from, to) = (self.place(from), self.place(to));
        if let Some(node) = self.nodes.get_mut(to) {
            node.after.push(Edge { from, kind: Some(kind.to_owned()) });
        }
    }

    /// Where a node stands; one that is not there is drawn as missing.
    fn place(&mut self, id: &str) -> usize {
        if let Some(&place) = self.places.get(id) {
            return place;
        }
        let (name, kind, words) = (id.to_owned(), "missing".to_owned(), "named by an edge".to_owned());
        self.add(id, Node { name, kind, words, look: &MISSING, after: Vec::new() })
    }

    fn add(&mut self, id: &str, node: Node) -> usize {
        let place = self.nodes.len();
        self.places.entry(id.to_owned()).or_insert(place);
        self.nodes.push(node);
        place
    }
}
