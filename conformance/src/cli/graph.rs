//! Graphs as a table, as Mermaid or as DOT. Where nodes stand is up to the program that draws Mermaid or DOT.
//!
//! What nodes are called comes from strangers; every form writes it so that it stays text.

mod dot;
mod mermaid;
mod text;

use std::ffi::OsStr;

use clap::{
    Arg, Command, ValueEnum,
    builder::{EnumValueParser, PossibleValue, TypedValueParser},
    error::ErrorKind,
};

use super::{error::CliError, output};

/// How a graph is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A table of the nodes.
    Text,
    /// A Mermaid flowchart, for Markdown.
    Mermaid,
    /// A digraph for Graphviz: `dot -Tsvg` draws it.
    Dot,
}

impl Form {
    /// Reads a form; a request for a picture is answered with the way to get one.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        FormParser
    }
}

#[derive(Debug, Clone, Copy)]
struct FormParser;

impl TypedValueParser for FormParser {
    type Value = Form;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Form, clap::Error> {
        if value == "svg" {
            let message = "pictures are drawn by Graphviz: write the form dot, and give it to `dot -Tsvg`";
            return Err(command.clone().error(ErrorKind::InvalidValue, message));
        }
        EnumValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Form::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
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

/// How a kind of node is drawn.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// A name for style sheets.
    pub(crate) name: &'static str,
    pub(crate) fill: &'static str,
    /// Dark text on each fill, and each border on white and on black, can be told apart.
    pub(crate) border: &'static str,
    pub(crate) line: Line,
}

/// The line around a node, for those who see no colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    Plain,
    Dashed,
    Heavy,
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

/// Nodes and the edges between them.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) terms: &'static Terms,
    pub(crate) nodes: Vec<Node>,
}

impl Graph {
    /// The graph under a name and a verdict.
    pub(crate) fn write(&self, form: Form, name: &str, verdict: &str) -> Result<String, CliError> {
        match form {
            Form::Text => Ok(text::write(name, self, verdict)),
            Form::Mermaid => self.drawable(name).map(mermaid::write),
            Form::Dot => self.drawable(name).map(|graph| dot::write(graph, verdict)),
        }
    }

    /// Refuses graphs that are too large to be drawn usefully.
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
        looks: &[look("passed", Line::Plain), look("skipped", Line::Dashed), look("diverged", Line::Heavy)],
    };

    const fn look(name: &'static str, line: Line) -> Look {
        Look { name, fill: "#ffffff", border: "#757575", line }
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
        Graph { terms: &TERMS, nodes }
    }

    /// One node before two, a chain after each of them, and a node after both.
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
    fn what_is_too_large_is_not_drawn() {
        let draw =
            |count: usize, form| graph((0..count).map(|_| node("n", &[], 0)).collect()).write(form, "g", "MATCH");
        for form in [Form::Mermaid, Form::Dot] {
            assert!(draw(5_000, form).is_ok());
            let refused = draw(5_001, form).unwrap_err().to_string();
            assert!(refused.starts_with("g: 5001 steps with 0 dependencies are more"), "{refused}");
        }
        assert!(draw(5_001, Form::Text).is_ok());
    }
}
