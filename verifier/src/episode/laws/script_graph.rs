//! Script graph: unique steps, dependencies that exist, no cycle, and an output at the end.
//!
//! Spec: RCE Profile v0.1, ReplayScript v0, dependency graph; rulings EP-32, EP-36.

use std::collections::{HashMap, HashSet};

use super::replay_comparison;
use crate::episode::model::contract::{Contract, Operation, step_place as place};
use crate::episode::model::proof::Script;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("episode/script-graph");

fn error(pointer: JsonPointer, message: impl Into<String>) -> Finding {
    Finding::error(LAW, pointer, message)
}

/// Judges the graph; every breach is named.
pub(crate) fn check(contract: Contract) -> Result<Script, Vec<Finding>> {
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
        match whole_order(&contract, &dependencies) {
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

/// The order of the replay, if it comes to every step: those in a circle wait for each other.
fn whole_order(contract: &Contract, dependencies: &[Vec<usize>]) -> Result<Vec<usize>, Finding> {
    let ids: Vec<&str> = contract.steps.iter().map(|step| step.step_id.as_str()).collect();
    let (order, waiting) = replay_comparison::order(&ids, dependencies);
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
pub(crate) fn doubtful_references(script: &Script) -> Vec<Finding> {
    let steps = &script.contract.steps;
    let mut found = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let reference = match &step.operation {
            Operation::AssertHash { target, .. } => target,
            Operation::EmitOutput { output_ref } => output_ref,
            Operation::LoadInput { .. } | Operation::ApplyTransform => continue,
        };
        let name = step.opcode.names().unwrap_or_default();
        if !script.index_of.contains_key(reference) {
            let message = format!("{reference:?} is the id of no step");
            found.push(error(place(index).member("params").member(name), message).as_warning());
        }
    }
    found
}
