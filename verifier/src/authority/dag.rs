//! A graph built by a list of operations, each judged by itself.

use crate::canon::{Canonicalizer, Profile};
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::law::Law;
use crate::rejection::Rejection;

use super::laws::canonical_form;
use super::laws::dag_invariants::{self, Dag, EdgeKind, NodeKind};
use super::model::member::{self, Misfit};

/// What became of a list of graph operations.
#[derive(Clone, Debug)]
pub struct DagReport {
    /// The id that each operation gave, or the law that refused it.
    pub results: Vec<Result<Digest, Law>>,
    /// The graph in the end.
    pub dag: Dag,
    /// Kinds that the contract does not declare; they get ids all the same (AU-37).
    pub findings: Vec<Finding>,
}

/// Builds a graph by operations `{node: {kind, payload}}` and `{edge: {kind, from, to}}`, whose ends are indexes into `ops`.
///
/// # Errors
/// If `ops` is not JSON, or not such an array.
pub fn dag(run_id: &str, ops: &[u8]) -> Result<DagReport, Rejection> {
    let document = Document::parse(ops, &Dialect::AUTHORITY)?;
    let operations: Result<Vec<_>, _> = member::elements(document.root(), &JsonPointer::root())?
        .map(|(op, place)| Operation::parse(op, place))
        .collect();
    let mut building = Building::new(run_id);
    for operation in operations? {
        let result = building.apply(operation);
        building.report.results.push(result);
    }
    Ok(building.report)
}

enum Operation<'d> {
    Node { kind: NodeRef<'d>, kind_place: JsonPointer, payload: NodeRef<'d> },
    Edge { kind: NodeRef<'d>, kind_place: JsonPointer, ends: [String; 2] },
}

impl<'d> Operation<'d> {
    fn parse(op: NodeRef<'d>, place: JsonPointer) -> Result<Self, Misfit> {
        member::closed(op, &place, &[], &["node", "edge"])?;
        let typed = |value: NodeRef<'d>, place: &JsonPointer, members: &[&str]| {
            member::closed(value, place, members, &[])?;
            let (kind, kind_place) = member::member(value, place, "kind")?;
            member::string(kind, &kind_place).map(|_| (kind, kind_place))
        };
        match (op.get("node"), op.get("edge")) {
            (Some(node), None) => {
                let place = place.member("node");
                let (kind, kind_place) = typed(node, &place, &["kind", "payload"])?;
                Ok(Self::Node { kind, kind_place, payload: member::member(node, &place, "payload")?.0 })
            }
            (None, Some(edge)) => {
                let place = place.member("edge");
                let (kind, kind_place) = typed(edge, &place, &["kind", "from", "to"])?;
                let end = |name| {
                    let (value, place) = member::member(edge, &place, name)?;
                    member::integer(value, &place)
                };
                Ok(Self::Edge { kind, kind_place, ends: [end("from")?, end("to")?] })
            }
            _ => Err(Misfit::new(place, "an operation has one member: node or edge")),
        }
    }
}

struct Building {
    canonicalizer: Canonicalizer,
    report: DagReport,
    /// What each operation added, if that was a node.
    nodes: Vec<Option<Digest>>,
}

impl Building {
    fn new(run_id: &str) -> Self {
        let report = DagReport { results: Vec::new(), dag: Dag::new(run_id), findings: Vec::new() };
        Self { canonicalizer: Canonicalizer::new(Profile::Authority.rules()), report, nodes: Vec::new() }
    }

    fn apply(&mut self, operation: Operation<'_>) -> Result<Digest, Law> {
        let mut added = None;
        let result = match operation {
            Operation::Node { kind, kind_place, payload } => self.node(kind, &kind_place, payload).inspect(|id| {
                added = Some(*id);
            }),
            Operation::Edge { kind, kind_place, ends } => self.edge(kind, &kind_place, &ends),
        };
        self.nodes.push(added);
        result
    }

    fn node(&mut self, kind: NodeRef<'_>, place: &JsonPointer, payload: NodeRef<'_>) -> Result<Digest, Law> {
        let kind = self.kind(kind, place, &NodeKind::ALL.map(NodeKind::name))?;
        let payload = canonical_form::payload(&mut self.canonicalizer, payload)?;
        Ok(self.report.dag.add_node(&kind, payload))
    }

    fn edge(&mut self, kind: NodeRef<'_>, place: &JsonPointer, ends: &[String; 2]) -> Result<Digest, Law> {
        let [from, to] = dag_invariants::ends(&self.nodes, ends)?;
        let kind = self.kind(kind, place, &EdgeKind::ALL.map(EdgeKind::name))?;
        self.report.dag.add_edge(&kind, from, to)
    }

    /// The text of a kind; one that is not declared is a finding.
    fn kind(&mut self, kind: NodeRef<'_>, place: &JsonPointer, declared: &[&str]) -> Result<String, Law> {
        let text = canonical_form::kind(kind)?;
        self.report.findings.extend(dag_invariants::undeclared(&text, declared, place));
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_that_are_not_declared_get_ids_and_findings() {
        let ops = br#"[
            {"node": {"kind": "claim", "payload": 1}}, {"node": {"kind": "wish", "payload": 2}},
            {"edge": {"kind": "hopes", "from": 0, "to": 0}}, {"edge": {"kind": "refines", "from": 1, "to": 0}},
            {"edge": {"kind": "refines", "from": 0, "to": 9}}
        ]"#;
        let report = dag("r", ops).expect("a list of operations");
        let refused: Vec<_> = report.results.iter().map(|result| result.as_ref().err().copied()).collect();
        assert_eq!(refused, [None, None, None, None, Some(dag_invariants::LAW)]);
        let places: Vec<_> = report.findings.iter().map(|finding| finding.pointer.as_str()).collect();
        assert_eq!(places, ["/1/node/kind", "/2/edge/kind"]);
    }
}
