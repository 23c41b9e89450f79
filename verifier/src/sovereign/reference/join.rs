//! Joining turns by their ids.
//!
//! Spec: Sealed comparator v1.2.1, `compare` (step 4); rulings TURN-01 to TURN-10.

use std::borrow::Cow;
use std::collections::HashMap;

use super::python::{self, Value};
use super::{Abort, Bundle, Cell, foreign};
use crate::json::{Kind, NodeRef};

/// A turn of either bundle, with the entries that name it.
pub(super) struct Joined<'d> {
    pub(super) id: TurnId<'d>,
    pub(super) a: Option<NodeRef<'d>>,
    pub(super) b: Option<NodeRef<'d>>,
}

/// A turn id in the spelling of the first bundle that has it.
pub(super) enum TurnId<'d> {
    /// A string, in WTF-8.
    Text(Cow<'d, [u8]>),
    /// Any other value that has a hash.
    Other(NodeRef<'d>),
}

impl TurnId<'_> {
    pub(super) fn cell(&self) -> Cell {
        match self {
            Self::Text(bytes) => text_cell(bytes),
            Self::Other(node) => foreign(*node),
        }
    }

    /// `f"/turn_results/{turn_id}<end>"`.
    pub(super) fn path(&self, end: &str) -> Cell {
        let id = match self {
            Self::Text(bytes) => bytes.to_vec(),
            Self::Other(node) => Value::of(*node).to_text(),
        };
        text_cell(&[b"/turn_results/", &*id, end.as_bytes()].concat())
    }
}

/// A string cell; one with a lone surrogate keeps an escaped source, so that canonicalizing it raises.
fn text_cell(wtf8: &[u8]) -> Cell {
    match std::str::from_utf8(wtf8) {
        Ok(text) => Cell::Text(text.into()),
        Err(_) => Cell::Foreign(Box::new(super::Foreign {
            value: Value::Str(wtf8.into()),
            // Any lone surrogate raises the same exception, so one stands for the string.
            source: (*br#""\ud800""#).into(),
        })),
    }
}

/// Joins the entries of both bundles and sorts the turns.
pub(super) fn join<'d>(a: &Bundle<'d>, b: &Bundle<'d>) -> Result<Vec<Joined<'d>>, Abort> {
    let entries_a = entries(a)?;
    let entries_b = entries(b)?;
    let all_text = entries_a.iter().chain(&entries_b).all(|entry| matches!(entry.id, TurnId::Text(_)));
    if all_text { Ok(join_texts(entries_a, entries_b)) } else { join_values(entries_a, entries_b) }
}

struct Entry<'d> {
    id: TurnId<'d>,
    node: NodeRef<'d>,
}

/// The keys and values of `{t["turn_id"]: t for t in turn_results}`, repeated keys included.
fn entries<'d>(bundle: &Bundle<'d>) -> Result<Vec<Entry<'d>>, Abort> {
    let turns = super::subscript(bundle.root, "turn_results")?;
    match turns.kind() {
        Kind::Array => {}
        // Iterating gives characters or names, which have no members; without any there is nothing to fail on.
        Kind::String if turns.as_string().is_some_and(|text| text.as_bytes().is_empty()) => return Ok(Vec::new()),
        Kind::Object if turns.members().next().is_none() => return Ok(Vec::new()),
        _ => return Err(Abort::TypeError),
    }
    let mut entries = Vec::with_capacity(turns.elements().count());
    for node in turns.elements() {
        let id = super::subscript(node, "turn_id")?;
        let id = match id.as_string() {
            Some(text) => TurnId::Text(text.into_bytes()),
            None if matches!(id.kind(), Kind::Array | Kind::Object) => return Err(Abort::TypeError),
            None => TurnId::Other(id),
        };
        entries.push(Entry { id, node });
    }
    Ok(entries)
}

/// The usual case: sort both sides by id, keep the last of equal ids, merge.
fn join_texts<'d>(a: Vec<Entry<'d>>, b: Vec<Entry<'d>>) -> Vec<Joined<'d>> {
    let count = a.len().max(b.len());
    let (mut a, mut b) = (last_of_each(a), last_of_each(b));
    let mut joined = Vec::with_capacity(count);
    let (mut next_a, mut next_b) = (a.next(), b.next());
    loop {
        let order = match (&next_a, &next_b) {
            (None, None) => return joined,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(x), Some(y)) => text_of(x).cmp(text_of(y)),
        };
        let entry_a = if order.is_le() { std::mem::replace(&mut next_a, a.next()) } else { None };
        let entry_b = if order.is_ge() { std::mem::replace(&mut next_b, b.next()) } else { None };
        let (node_a, node_b) = (entry_a.as_ref().map(|e| e.node), entry_b.as_ref().map(|e| e.node));
        if let Some(entry) = entry_a.or(entry_b) {
            joined.push(Joined { id: entry.id, a: node_a, b: node_b });
        }
    }
}

fn text_of<'e>(entry: &'e Entry<'_>) -> &'e [u8] {
    match &entry.id {
        TurnId::Text(bytes) => bytes,
        TurnId::Other(_) => &[],
    }
}

/// Entries in order of their ids, the last of equal ones alone.
fn last_of_each<'d>(mut entries: Vec<Entry<'d>>) -> impl Iterator<Item = Entry<'d>> {
    entries.sort_by(|a, b| text_of(a).cmp(text_of(b)));
    let mut entries = entries.into_iter().peekable();
    std::iter::from_fn(move || {
        let mut entry = entries.next()?;
        while let Some(next) = entries.next_if(|next| text_of(next) == text_of(&entry)) {
            entry = next;
        }
        Some(entry)
    })
}

/// Ids of any type: equal keys join, the first spelling stays, and sorting may raise.
fn join_values<'d>(a: Vec<Entry<'d>>, b: Vec<Entry<'d>>) -> Result<Vec<Joined<'d>>, Abort> {
    let mut order: Vec<(Value, Joined<'d>)> = Vec::new();
    let mut by_key: HashMap<Vec<u8>, usize> = HashMap::new();
    for (side_b, entry) in a.into_iter().map(|e| (false, e)).chain(b.into_iter().map(|e| (true, e))) {
        let value = match &entry.id {
            TurnId::Text(bytes) => Value::Str(bytes.as_ref().into()),
            TurnId::Other(node) => Value::of(*node),
        };
        let key = value.hash_key()?;
        let at = *by_key.entry(key).or_insert(order.len());
        if at == order.len() {
            order.push((value, Joined { id: entry.id, a: None, b: None }));
        }
        if let Some((_, joined)) = order.get_mut(at) {
            let slot = if side_b { &mut joined.b } else { &mut joined.a };
            *slot = Some(entry.node);
        }
    }
    let sorted = python::sort(order, &|(a, _), (b, _)| a.less_than(b))?;
    Ok(sorted.into_iter().map(|(_, joined)| joined).collect())
}
