//! Graphs as text, Mermaid or SVG: nodes on levels, each one level below the lowest of those that lead to it.
//!
//! What nodes are called comes from strangers; every form writes it so that it stays text.

mod mermaid;
mod svg;
mod text;

use assize::report::Paint;
use clap::ValueEnum;

use super::{error::CliError, output};

/// How a graph is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For a terminal, level by level.
    Text,
    /// A Mermaid flowchart, for Markdown.
    Mermaid,
    /// A drawing by itself.
    Svg,
}

/// What the nodes and edges of a graph are, and how they may look.
#[derive(Debug)]
pub(crate) struct Terms {
    /// One node, and many.
    pub(crate) nodes: [&'static str; 2],
    /// Many edges.
    pub(crate) edges: &'static str,
    /// What is drawn.
    pub(crate) subject: &'static str,
    /// All looks of nodes.
    pub(crate) looks: &'static [Look],
}

/// How a sort of nodes is drawn.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// A name for style sheets.
    pub(crate) name: &'static str,
    pub(crate) fill: &'static str,
    /// Dark text on each fill, and each border on white and on black, can be told apart.
    pub(crate) border: &'static str,
    pub(crate) line: Line,
    pub(crate) tone: Tone,
}

/// The line around a node, for those who see no colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    Plain,
    Dashed,
    Heavy,
}

/// The colour of a node's words on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Bad,
}

/// A node: three short texts in a box.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) words: String,
    pub(crate) look: &'static Look,
    /// Edges that lead here.
    pub(crate) after: Vec<Edge>,
}

/// An edge that leads to the node that holds it.
#[derive(Debug)]
pub(crate) struct Edge {
    /// Index of the node that it leaves.
    pub(crate) from: usize,
    /// What it says; nothing where all edges are alike.
    pub(crate) kind: Option<String>,
}

/// Nodes with their places.
#[derive(Debug)]
pub(crate) struct Graph {
    terms: &'static Terms,
    nodes: Vec<Node>,
    /// Indices of the nodes on each level, in their order.
    levels: Vec<Vec<usize>>,
}

impl Graph {
    /// Lays out nodes that stand after those that lead to them. An edge that leads backwards is drawn, and moves nothing.
    pub(crate) fn new(terms: &'static Terms, nodes: Vec<Node>) -> Self {
        let mut level_of: Vec<usize> = Vec::with_capacity(nodes.len());
        let mut levels: Vec<Vec<usize>> = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let above = node.after.iter().filter_map(|edge| level_of.get(edge.from));
            let level = above.max().map_or(0, |level| level + 1);
            level_of.push(level);
            if levels.len() == level {
                levels.push(Vec::new());
            }
            if let Some(same) = levels.get_mut(level) {
                same.push(index);
            }
        }
        Self { terms, nodes, levels }
    }

    /// The graph under a name and a verdict.
    pub(crate) fn write(&self, form: Form, name: &str, verdict: &str, paint: Paint) -> Result<String, CliError> {
        match form {
            Form::Text => Ok(text::write(name, self, verdict, paint)),
            Form::Mermaid => self.drawable(name).map(mermaid::write),
            Form::Svg => self.drawable(name).map(|graph| svg::write(graph, verdict)),
        }
    }

    /// Refuses what no reader of drawings would get through.
    fn drawable(&self, name: &str) -> Result<&Self, CliError> {
        const NODES: usize = 5_000;
        const EDGES: usize = 20_000;
        let (nodes, edges) = (self.nodes.len(), self.edges());
        if nodes <= NODES && edges <= EDGES {
            return Ok(self);
        }
        let ([_, many], links) = (self.terms.nodes, self.terms.edges);
        let message = format!(
            "{name}: {nodes} {many} with {edges} {links} are more than can be drawn ({NODES} {many}, {EDGES} {links})"
        );
        Err(CliError::unreadable(message, "as text the graph has no such limit"))
    }

    fn edges(&self) -> usize {
        self.nodes.iter().map(|node| node.after.len()).sum()
    }

    /// How many nodes there are, in words.
    fn counted(&self) -> String {
        let [one, many] = self.terms.nodes;
        output::counted(self.nodes.len(), one, many)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) static TERMS: Terms = Terms {
        nodes: ["step", "steps"],
        edges: "dependencies",
        subject: "an example",
        looks: &[
            look("passed", Line::Plain, Tone::Good),
            look("skipped", Line::Dashed, Tone::Plain),
            look("diverged", Line::Heavy, Tone::Bad),
        ],
    };

    const fn look(name: &'static str, line: Line, tone: Tone) -> Look {
        Look { name, fill: "#ffffff", border: "#757575", line, tone }
    }

    /// A node by its name, what leads to it, and its look.
    pub(super) fn node(name: &str, after: &[usize], look: usize) -> Node {
        Node {
            name: name.to_owned(),
            kind: if after.is_empty() { "LOAD_INPUT" } else { "EMIT_OUTPUT" }.to_owned(),
            words: TERMS.looks[look].name.to_uppercase(),
            look: &TERMS.looks[look],
            after: after.iter().map(|&from| Edge { from, kind: None }).collect(),
        }
    }

    pub(super) fn graph(nodes: Vec<Node>) -> Graph {
        Graph::new(&TERMS, nodes)
    }

    /// One node above two, a chain below each of them, and a node below both.
    pub(super) fn example() -> Vec<Node> {
        vec![
            node("m", &[], 0),
            node("b", &[0], 0),
            node("z", &[0], 2),
            node("c", &[1], 1),
            node("a", &[2], 0),
            node("k", &[4, 3], 1),
        ]
    }

    /// The example with kinds of edges, one of which leads backwards.
    pub(super) fn with_kinds() -> Graph {
        let mut nodes = example();
        for (index, kind) in [(1, "refines"), (5, "a_b|\"<c>")] {
            nodes[index].after[0].kind = Some(kind.to_owned());
        }
        nodes[2].after.push(Edge { from: 5, kind: Some("contradicts".to_owned()) });
        graph(nodes)
    }

    #[test]
    fn a_node_stands_below_all_that_leads_to_it() {
        let mut nodes = example();
        nodes.push(node("late", &[0, 5], 0));
        let graph = graph(nodes);
        assert_eq!(graph.levels, [vec![0], vec![1, 2], vec![3, 4], vec![5], vec![6]]);
        assert_eq!(graph.edges(), 8);
    }

    #[test]
    fn an_edge_that_leads_backwards_moves_nothing() {
        let cycle = graph(vec![node("a", &[1], 0), node("b", &[0, 1], 0)]);
        assert_eq!((cycle.levels.as_slice(), cycle.edges()), ([vec![0], vec![1]].as_slice(), 3));
        assert_eq!(with_kinds().levels, [vec![0], vec![1, 2], vec![3, 4], vec![5]]);
    }

    #[test]
    fn a_chain_of_many_nodes_is_no_trouble() {
        let before = |n: usize| n.checked_sub(1).into_iter().collect::<Vec<_>>();
        let nodes = (0..100_000).map(|n| node("n", &before(n), 0)).collect();
        assert_eq!(graph(nodes).levels.len(), 100_000);
    }

    #[test]
    fn what_is_too_large_is_not_drawn() {
        let draw = |count: usize, form| {
            graph((0..count).map(|_| node("n", &[], 0)).collect()).write(form, "g", "MATCH", Paint::Plain)
        };
        for form in [Form::Mermaid, Form::Svg] {
            assert!(draw(5_000, form).is_ok());
            let refused = draw(5_001, form).unwrap_err().to_string();
            assert!(refused.starts_with("g: 5001 steps with 0 dependencies are more"), "{refused}");
        }
        assert!(draw(5_001, Form::Text).is_ok());
    }
}
