//! Tampers with ledgers, and hashes them again so that the chain holds.

use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};
use assize_corpus::node::Node;
use assize_oracle::authority;

use crate::generate::{int, number, object, odds, spoil, text};
use crate::spelling::{LONE, plain};

/// Makes a chain of the records from one place on: parents and both hashes. What has no canonical form keeps its hash.
pub(crate) fn hash_again(records: &mut [Node], from: usize) {
    for place in from..records.len() {
        let parent = match place.checked_sub(1).and_then(|before| records[before].member("record_hash")) {
            Some(hash) => hash.clone(),
            None => Node::Null,
        };
        let Node::Object(record) = &mut records[place] else { continue };
        record.insert("parent".to_owned(), parent);
        if let Some(hash) = record.get("payload").and_then(hash) {
            record.insert("payload_hash".to_owned(), hash);
        }
        let covered = ["v", "ts", "kind", "parent", "payload_hash"];
        let metadata: BTreeMap<_, _> = record
            .iter()
            .filter(|(name, _)| covered.contains(&name.as_str()))
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect();
        if let Some(hash) = hash(&Node::Object(metadata)) {
            record.insert("record_hash".to_owned(), hash);
        }
    }
}

/// `H` of a node.
pub(crate) fn hash(node: &Node) -> Option<Node> {
    authority::hash(&plain(node)).expect("the oracle works").map(Node::Text)
}

/// Changes a ledger in one to three ways. `other` is a ledger of other inputs, to take parts from.
pub(crate) fn tamper(u: &mut Unstructured<'_>, records: &mut Vec<Node>, other: &[Node]) -> Result<()> {
    for _ in 0..=*u.choose(&[0, 0, 0, 0, 1, 2])? {
        let first = change(u, records, other)?;
        if odds(u, 4, 5)? {
            hash_again(records, first);
            if odds(u, 1, 3)? {
                seal_again(records);
            }
        }
    }
    Ok(())
}

/// One change, and the first record that it touches.
fn change(u: &mut Unstructured<'_>, records: &mut Vec<Node>, other: &[Node]) -> Result<usize> {
    let Some(last) = records.len().checked_sub(1) else { return Ok(0) };
    let at = int(u, last)?;
    match int(u, 15)? {
        0 => {
            let to = int(u, last)?;
            records.swap(at, to);
            return Ok(at.min(to));
        }
        1 => records.truncate(at),
        2 => {
            records.remove(at);
        }
        3 => {
            let again = records[at].clone();
            records.push(again);
            return Ok(records.len() - 1);
        }
        4 | 5 => {
            let (name, value) = envelope(u, at)?;
            set(&mut records[at], name, value);
        }
        6 => {
            let name = *u.choose(&["payload_hash", "record_hash", "parent"])?;
            if let Some(Node::Text(hash)) = member_mut(&mut records[at], name) {
                hash.make_ascii_uppercase();
            }
        }
        7 | 8 => {
            if let Some(payload) = other.get(at).and_then(|record| record.member("payload")) {
                set(&mut records[at], "payload", payload.clone());
            }
        }
        9 => spoil(u, &mut records[at])?,
        _ => {
            if let Some(payload) = member_mut(&mut records[at], "payload") {
                spoil(u, payload)?;
            }
        }
    }
    Ok(at)
}

fn envelope(u: &mut Unstructured<'_>, place: usize) -> Result<(&'static str, Node)> {
    Ok(match int(u, 9)? {
        0 => ("v", number(u.choose(&["1.0", "2", "-0", "NaN", "1e0"])?)),
        1 => ("v", text("1")),
        2 => ("v", Node::Bool(true)),
        3 => ("ts", number(place)),
        4 => ("ts", text(u.choose(&["T0", "#0000", "T0#0000", "T0#00001", "T0#1"])?)),
        5 => ("ts", Node::Text(LONE.to_string())),
        6 => ("kind", Node::Null),
        7 => ("kind", text(u.choose(&["commit", "artifact", "Proposal", "seedpack"])?)),
        8 => ("kind", number("NaN")),
        _ => ("parent", text("")),
    })
}

/// Lets the verification pack follow from the records before it, as a careful forger would.
fn seal_again(records: &mut [Node]) {
    let Some(last) = records.len().checked_sub(1).filter(|last| *last > 0) else { return };
    let Some(ledger_last_hash) = records[last - 1].member("record_hash").cloned() else { return };
    let payload = member_mut(&mut records[last], "payload");
    let Some(artifacts @ Node::Object(_)) = payload else { return };
    let blueprint = artifacts.member("blueprint").and_then(hash);
    let Some(pack @ Node::Object(_)) = member_mut(artifacts, "verification") else { return };
    set(pack, "ledger_last_hash", ledger_last_hash);
    if let Some(blueprint) = blueprint {
        set(pack, "artifact_hashes", object([("blueprint", blueprint)]));
    }
    let summary = ["ledger_last_hash", "dag_root_hash", "artifact_hashes"]
        .map(|name| (name, pack.member(name).cloned().unwrap_or(Node::Null)));
    if let Some(summary_hash) = hash(&object(summary)) {
        set(pack, "expected_summary_hash", summary_hash);
    }
    hash_again(records, last);
}

fn set(node: &mut Node, name: &str, value: Node) {
    if let Node::Object(members) = node {
        members.insert(name.to_owned(), value);
    }
}

fn member_mut<'n>(node: &'n mut Node, name: &str) -> Option<&'n mut Node> {
    if let Node::Object(members) = node { members.get_mut(name) } else { None }
}
