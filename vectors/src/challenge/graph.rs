//! A graph under another run id: its ids are computed here, by the formulas of the contract.
//!
//! Spec: Kernel Contract 0.1.0, ids of nodes and edges, root hash. The formulas have to give what the corpus expects of the case
//! before they say anything of the challenge.

use std::collections::BTreeSet;

use super::{
    digests::sha256,
    draft::{Draft, Seat},
    order::names_a_row,
    random::Random,
    tree::{Tree, quoted},
};
use crate::vector::{Case, Verdict};

/// The same operations under another run id.
pub(super) fn rerun(base: &Case, random: &mut Random) -> Option<Case> {
    if base.expect.is != Verdict::Accept || !base.any_of.is_empty() {
        return None;
    }
    let mut draft = Draft::of(base)?;
    let run_id = base.args.get("run_id")?.as_str()?;
    let ops = draft.document("ops")?.clone();
    let results = draft.trees.get(&Seat::Output(0, "results".to_owned()))?.clone();
    let graph = |run_id: &str| Graph::of(run_id, &ops, &results);
    let expects = |draft: &Draft, graph: &Graph| {
        draft.trees.get(&Seat::Output(0, "results".to_owned())) == Some(&graph.results)
            && draft
                .trees
                .get(&Seat::Output(0, "dag_root_hash".to_owned()))
                .is_none_or(|root| root.says() == Some(&graph.root))
    };
    if !expects(&draft, &graph(run_id)?) {
        return None;
    }
    let other = format!("{}-{}", random.word(5), random.below(100));
    let graph = graph(&other)?;
    draft.trees.insert(Seat::Argument("run_id".to_owned()), Tree::text(&other));
    draft.trees.insert(Seat::Output(0, "results".to_owned()), graph.results);
    if let Some(root) = draft.trees.get_mut(&Seat::Output(0, "dag_root_hash".to_owned())) {
        *root = Tree::text(&graph.root);
    }
    draft.case(base)
}

/// A node more behind the last operation: it has the id and the graph the root that the formulas give.
pub(super) fn further(base: &Case, random: &mut Random) -> Option<Case> {
    if base.expect.is != Verdict::Accept || !base.any_of.is_empty() {
        return None;
    }
    let mut draft = Draft::of(base)?;
    let run_id = base.args.get("run_id")?.as_str()?.to_owned();
    let output = |name: &str| Seat::Output(0, name.to_owned());
    let (mut ops, mut results) = (draft.document("ops")?.clone(), draft.trees.get(&output("results"))?.clone());
    let known = Graph::of(&run_id, &ops, &results)?;
    let root = draft.trees.get(&output("dag_root_hash"));
    if known.results != results || root.is_some_and(|root| root.says() != Some(&known.root)) {
        return None;
    }
    let kind = random.one(&["claim", "decision", "artifact", "assumption"]).copied()?;
    let payload = serde_json::json!({ random.word(5): random.word(9) });
    let node = serde_json::json!({"node": {"kind": kind, "payload": payload}});
    let (Tree::Array(asked), Tree::Array(answered)) = (&mut ops, &mut results) else { return None };
    asked.push(Tree::parse(&node.to_string())?);
    answered.push(Tree::parse(r#"{"id":""}"#)?);
    let graph = Graph::of(&run_id, &ops, &results)?;
    draft.trees.insert(Seat::Document("ops".to_owned()), ops);
    draft.trees.insert(output("results"), graph.results);
    if let Some(root) = draft.trees.get_mut(&output("dag_root_hash")) {
        *root = Tree::text(&graph.root);
    }
    if let Some(Tree::Word(count)) = draft.trees.get_mut(&output("node_count")) {
        *count = (count.parse::<usize>().ok()? + 1).to_string();
    }
    draft.case(base)
}

/// The same graph where two nodes that follow one another have changed places: edges name them by their new places, and the ids are as
/// they were, since places are in none.
pub(super) fn permuted(base: &Case, random: &mut Random) -> Option<Case> {
    if base.expect.is != Verdict::Accept || !base.any_of.is_empty() {
        return None;
    }
    let mut draft = Draft::of(base)?;
    let answered = Seat::Output(0, "results".to_owned());
    let results = draft.trees.get(&answered)?.items().to_vec();
    let ops = draft.document("ops")?.items().to_vec();
    if ops.len() != results.len() {
        return None;
    }
    let is_node = |place: usize| {
        ops.get(place).is_some_and(|op| op.member("node").is_some())
            && results.get(place).is_some_and(|result| result.member("id").is_some())
    };
    let named = |place: usize| names_a_row(base, |row| row == place || row + 1 == place);
    let is_pair = |place: &usize| is_node(place - 1) && is_node(*place) && !named(*place);
    let pairs: Vec<usize> = (1..ops.len()).filter(is_pair).collect();
    let second = *random.one(&pairs)?;
    let first = second - 1;
    let (was, is) = ([first.to_string(), second.to_string()], [second.to_string(), first.to_string()]);
    for seat in [Seat::Document("ops".to_owned()), answered] {
        let Tree::Array(items) = draft.trees.get_mut(&seat)? else { return None };
        items.swap(first, second);
    }
    let Tree::Array(ops) = draft.document("ops")? else { return None };
    for end in ops.iter_mut().filter_map(|op| op.member_mut("edge")) {
        for name in ["from", "to"] {
            let Some(Tree::Word(word)) = end.member_mut(name) else { continue };
            if let Some(place) = was.iter().position(|was| was == word) {
                word.clone_from(is.get(place)?);
            } else if word.parse::<usize>().is_err() || word.starts_with('0') && word != "0" {
                // `-0` and `1e0` may name a place too.
                return None;
            }
        }
    }
    draft.case(base)
}

struct Graph {
    results: Tree,
    root: String,
}

impl Graph {
    /// The graph that these operations make; which of them are refused, and that no id stands for two things, is as it was.
    fn of(run_id: &str, ops: &Tree, results: &Tree) -> Option<Self> {
        let run_id = quoted(run_id);
        let (mut ids, mut nodes, mut edges): (Vec<Option<String>>, _, _) =
            (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for (op, result) in ops.items().iter().zip(results.items()) {
            if result.member("id").is_none() {
                ids.push(None);
                continue;
            }
            let id = if let Some(node) = op.member("node") {
                let payload_hash = sha256(node.member("payload")?.canonical()?);
                let kind = node.member("kind")?.canonical()?;
                let id = sha256(format!(
                    "{{\"kind\":{kind},\"payload_hash\":\"{payload_hash}\",\"run_id\":{run_id},\"t\":\"node\"}}"
                ));
                nodes.insert(id.clone());
                id
            } else {
                let edge = op.member("edge")?;
                let end = |name: &str| -> Option<String> {
                    let position: usize = edge.member(name)?.print().parse().ok()?;
                    ids.get(position)?.clone()
                };
                let (kind, from, to) = (edge.member("kind")?.canonical()?, end("from")?, end("to")?);
                let id = sha256(format!(
                    "{{\"from\":\"{from}\",\"kind\":{kind},\"run_id\":{run_id},\"t\":\"edge\",\"to\":\"{to}\"}}"
                ));
                edges.insert(id.clone());
                id
            };
            ids.push(Some(id));
        }
        if ops.items().len() != results.items().len() {
            return None;
        }
        let mut results = results.clone();
        if let Tree::Array(items) = &mut results {
            for (item, id) in items.iter_mut().zip(&ids) {
                if let (Some(id), Some(place)) = (id, item.member_mut("id")) {
                    *place = Tree::text(id);
                }
            }
        }
        let list = |ids: &BTreeSet<String>| ids.iter().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(",");
        let root = sha256(format!("{{\"edge_ids\":[{}],\"node_ids\":[{}]}}", list(&edges), list(&nodes)));
        Some(Self { results, root })
    }
}
