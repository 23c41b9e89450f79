//! Large graphs and runs. No time is asserted, but what grew with the square of its input would be felt here.

use assize_packs::canon::sha256;
use assize_verifier::authority::{self, Inputs, Outcome};
use serde_json::{Value, json};

const NODES: usize = 20_000;

/// Id of a node without content but its number (Kernel Contract 0.1.0, 2.5).
fn node_id(number: usize) -> String {
    let payload_hash = sha256(number.to_string().as_bytes());
    sha256(format!(r#"{{"kind":"claim","payload_hash":"{payload_hash}","run_id":"r","t":"node"}}"#).as_bytes())
}

fn edge_id(from: &str, to: &str) -> String {
    sha256(format!(r#"{{"from":"{from}","kind":"depends_on","run_id":"r","t":"edge","to":"{to}"}}"#).as_bytes())
}

/// A chain of nodes joined by these edges, each from a number to another, and then one edge that would close it.
fn joined(edges: impl Iterator<Item = (usize, usize)>, closing: (usize, usize)) {
    let edges: Vec<_> = edges.collect();
    let nodes = (0..NODES).map(|number| json!({"node": {"kind": "claim", "payload": number}}));
    let edge = |&(from, to): &(usize, usize)| json!({"edge": {"kind": "depends_on", "from": from, "to": to}});
    let ops: Vec<Value> = nodes.chain(edges.iter().map(edge)).chain([edge(&closing)]).collect();
    let report = authority::dag("r", json!(ops).to_string().as_bytes()).unwrap();

    let node_ids: Vec<_> = (0..NODES).map(node_id).collect();
    let edge_ids: Vec<_> = edges.iter().map(|&(from, to)| edge_id(&node_ids[from], &node_ids[to])).collect();
    let found: Vec<_> =
        report.results.iter().map(|result| result.map(|id| id.to_hex()).map_err(|law| law.slug())).collect();
    let expected = node_ids.iter().chain(&edge_ids).map(|id| Ok(id.clone())).chain([Err("authority/dag-invariants")]);
    assert!(found.into_iter().eq(expected));
    assert_eq!((report.dag.nodes().len(), report.dag.edges().len()), (NODES, NODES - 1));

    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        json!(ids).to_string()
    };
    let root = format!(r#"{{"edge_ids":{},"node_ids":{}}}"#, sorted(edge_ids), sorted(node_ids));
    assert_eq!(report.dag.root_hash().to_hex(), sha256(root.as_bytes()));
}

#[test]
fn a_chain_of_twenty_thousand_nodes() {
    let last = NODES - 1;
    // Along the order of insertion, from its begin and from its end.
    joined((0..last).map(|number| (number, number + 1)), (last, 0));
    joined((0..last).rev().map(|number| (number, number + 1)), (last, 0));
    // Against it, likewise.
    joined((0..last).map(|number| (number + 1, number)), (0, last));
    joined((0..last).rev().map(|number| (number + 1, number)), (0, last));
}

/// Five thousand interpretations with fifty assumptions each, the same fifty for all.
fn inputs(contradiction_budget: usize) -> Vec<u8> {
    let assumptions: Vec<_> = (0..SHARED).map(|number| format!("assumption {number}")).collect();
    let interpretation = |number: usize| {
        // The cheapest stands in the middle.
        let summary = if number == 2_500 { "short" } else { "longer than that" };
        json!({"name": format!("i{number:04}"), "assumptions": assumptions, "intent_summary": summary})
    };
    let inputs = json!({
        "run_id": "r",
        "seed_text": "seed",
        "pin": null,
        "policy": {"max_interpretations": 10, "max_nodes": 10, "max_depth": 3, "contradiction_budget": contradiction_budget, "max_steps": 9},
        "interpretations": (0..PROPOSED).map(interpretation).collect::<Vec<_>>(),
        "ts_base": "T",
    });
    inputs.to_string().into_bytes()
}

const PROPOSED: usize = 5_000;
const SHARED: usize = 50;

#[test]
fn five_thousand_interpretations_with_fifty_shared_assumptions() {
    let repeated = SHARED * (PROPOSED - 1);
    let run = authority::run(&Inputs::parse(&inputs(repeated)).unwrap());
    assert_eq!(run.outcome(), Outcome::Success);
    let assumptions = SHARED * (10 + 5 * (PROPOSED - 1));
    let costs: Vec<_> =
        run.candidates().iter().map(|candidate| (candidate.name.as_str(), candidate.cost, candidate.kept)).collect();
    assert_eq!(costs.len(), PROPOSED);
    assert_eq!(costs[0], ("i2500", 5 + assumptions, true));
    assert_eq!(costs[1], ("i0000", 16 + assumptions, true));
    assert_eq!(costs[9], ("i0008", 16 + assumptions, true));
    assert_eq!(costs[10], ("i0009", 16 + assumptions, false));
    assert_eq!((run.dag().nodes().len(), run.dag().edges().len()), (SHARED + 2, SHARED + 1));
    let ledger = run.ledger();
    let replayed = authority::replay(ledger.as_slice(), &Default::default(), &Default::default()).unwrap();
    let derived = replayed.outcome.unwrap();
    assert_eq!(derived.summary_hash, run.golden().map(|golden| golden.summary_hash));

    let run = authority::run(&Inputs::parse(&inputs(repeated - 1)).unwrap());
    assert_eq!(run.outcome(), Outcome::Refusal);
    let code = format!("contradictions_exceeded:{repeated}>{}", repeated - 1);
    assert_eq!(run.reason_codes().collect::<Vec<_>>(), [code]);
}
