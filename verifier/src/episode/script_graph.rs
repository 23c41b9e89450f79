//! Script graph: unique steps, dependencies that exist, no cycle, and an output at the end.
//!
//! Spec: RCE Profile v0.1, ReplayScript v0, dependency graph; rulings EP-28, EP-29, EP-32, EP-36.

use std::collections::{HashMap, HashSet, VecDeque};

use super::contract_shape::{Contract, Operation};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

/// A contract whose script can be run: the proof that phase 1 was passed.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) contract: Contract,
    /// Indices by step id.
    pub(super) index_of: HashMap<String, usize>,
    /// Indices of the steps that each step depends on, as written.
    pub(super) dependencies: Vec<Vec<usize>>,
    /// The order of the replay.
    pub(super) order: Vec<usize>,
}

/// Place of a step in the contract.
pub(super) fn place(index: usize) -> JsonPointer {
    JsonPointer::from_text("/replay_script/steps").index(index)
}

fn error(pointer: JsonPointer, message: impl Into<String>) -> Finding {
    Finding::error(Law::ScriptGraph, pointer, message)
}

/// Judges the graph; every breach is named.
pub(super) fn check(contract: Contract) -> Result<Script, Vec<Finding>> {
    let mut found = Vec::new();
    let mut index_of: HashMap<String, usize> = HashMap::with_capacity(contract.steps.len());
    for (index, step) in contract.steps.iter().enumerate() {
        let pointer = || place(index).member("step_id");
        if step.step_id.is_empty() {
            found.push(error(pointer(), "a step id is not empty: give the step a name"));
        }
        if index_of.insert(step.step_id.clone(), index).is_some() {
            found.push(error(pointer(), format!("the step id {:?} comes twice", step.step_id)));
        }
    }
    let mut dependencies = Vec::with_capacity(contract.steps.len());
    for (index, step) in contract.steps.iter().enumerate() {
        let mut resolved = Vec::with_capacity(step.depends_on.len());
        for (entry, name) in step.depends_on.iter().enumerate() {
            match index_of.get(name) {
                Some(&dependency) => resolved.push(dependency),
                None => {
                    let pointer = place(index).member("depends_on").index(entry);
                    found.push(error(pointer, format!("no step is called {name:?}")));
                }
            }
        }
        dependencies.push(resolved);
    }
    if !has_final_output(&contract, &dependencies) {
        let pointer = JsonPointer::from_text("/replay_script/steps");
        found.push(error(pointer, "no EMIT_OUTPUT stands at an end of the script: add one that no step depends on"));
    }
    // Order and cycles mean something only where names do.
    if found.is_empty() {
        match order(&contract, &dependencies) {
            Ok(order) => return Ok(Script { contract, index_of, dependencies, order }),
            Err(cycle) => found.push(cycle),
        }
    }
    Err(found)
}

/// Whether some EMIT_OUTPUT is terminal: no step depends on it.
fn has_final_output(contract: &Contract, dependencies: &[Vec<usize>]) -> bool {
    let inner: HashSet<usize> = dependencies.iter().flatten().copied().collect();
    let outputs = contract.steps.iter().enumerate().filter(|(_, step)| is_output(&step.operation));
    outputs.into_iter().any(|(index, _)| !inner.contains(&index))
}

fn is_output(operation: &Operation) -> bool {
    matches!(operation, Operation::EmitOutput { .. })
}

/// First in, first out: all roots by id; then each step's children by id, as their last dependency is done
/// (ruling EP-29).
fn order(contract: &Contract, dependencies: &[Vec<usize>]) -> Result<Vec<usize>, Finding> {
    let ids: Vec<&str> = contract.steps.iter().map(|step| step.step_id.as_str()).collect();
    // Ids compare by code point (ruling EP-28), which is how Rust compares strings.
    let mut by_id: Vec<usize> = (0..ids.len()).collect();
    by_id.sort_by_key(|&index| ids.get(index));
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); ids.len()];
    let mut waiting: Vec<usize> = dependencies.iter().map(Vec::len).collect();
    for &child in &by_id {
        for &dependency in dependencies.get(child).into_iter().flatten() {
            if let Some(of) = children.get_mut(dependency) {
                of.push(child);
            }
        }
    }
    let mut queue: VecDeque<usize> = by_id.into_iter().filter(|&index| waiting.get(index) == Some(&0)).collect();
    let mut order = Vec::with_capacity(ids.len());
    while let Some(step) = queue.pop_front() {
        order.push(step);
        for &child in children.get(step).into_iter().flatten() {
            if let Some(left) = waiting.get_mut(child) {
                *left -= 1;
                if *left == 0 {
                    queue.push_back(child);
                }
            }
        }
    }
    if order.len() == ids.len() { Ok(order) } else { Err(cycle(&ids, dependencies, &waiting)) }
}

/// Names one cycle: from any step that still waits, dependencies that still wait lead into it.
fn cycle(ids: &[&str], dependencies: &[Vec<usize>], waiting: &[usize]) -> Finding {
    const SHOWN: usize = 8;
    let stuck = |index: &usize| waiting.get(*index).is_some_and(|&left| left > 0);
    let mut seen: HashMap<usize, usize> = HashMap::new();
    let mut path = Vec::new();
    let mut at = (0..ids.len()).find(stuck);
    while let Some(index) = at {
        if let Some(&start) = seen.get(&index) {
            path.drain(..start);
            break;
        }
        seen.insert(index, path.len());
        path.push(index);
        at = dependencies.get(index).into_iter().flatten().copied().find(|dependency| stuck(dependency));
    }
    let names: Vec<String> =
        path.iter().take(SHOWN).filter_map(|&index| ids.get(index)).map(|id| format!("{id:?}")).collect();
    let more = if path.len() > SHOWN { format!(" and {} more", path.len() - SHOWN) } else { String::new() };
    let pointer = path.first().map(|&index| place(index).member("depends_on"));
    let message = format!("the steps depend on each other in a circle: {}{more}", names.join(" on "));
    error(pointer.unwrap_or_default(), message)
}

/// References that lead to no step: doubtful, but no breach (ruling EP-32).
pub(super) fn doubtful_references(script: &Script) -> Vec<Finding> {
    let steps = &script.contract.steps;
    let mut found = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let (name, reference) = match &step.operation {
            Operation::AssertHash { target, .. } => ("target", target),
            Operation::EmitOutput { output_ref } => ("output_ref", output_ref),
            Operation::LoadInput { .. } | Operation::ApplyTransform => continue,
        };
        if !script.index_of.contains_key(reference) {
            let message = format!("{reference:?} is the id of no step");
            found.push(error(place(index).member("params").member(name), message).as_warning());
        }
    }
    found
}
