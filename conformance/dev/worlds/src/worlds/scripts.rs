//! All relations of dependency between a few steps: which are scripts, and in which order they are replayed.
//!
//! Spec: RCE Profile v0.1, ReplayScript v0, dependency graph, and Verification, phase 4 replay; ruling EP-29.

use std::{collections::BTreeSet, ops::Range};

use assize_packs::Status;
use assize_verifier::operation::Answer;
use serde_json::Value;

use super::episodes::{Step, episode, name};
use crate::{
    ask::{differ, of_files, value, verifier},
    search::{Facts, Tally, World},
};

/// Dependencies of steps.
#[derive(Debug)]
pub(crate) struct Scripts;

/// As many steps may depend on themselves, too; of more only on others.
const WITH_LOOPS: usize = 4;

/// The pairs of steps, each of which the second may depend on the first.
fn pairs(steps: usize) -> Vec<(usize, usize)> {
    let all = (0..steps).flat_map(|from| (0..steps).map(move |to| (from, to)));
    all.filter(|(from, to)| from != to || steps <= WITH_LOOPS).collect()
}

fn relations(steps: usize) -> u64 {
    1 << pairs(steps).len()
}

impl World for Scripts {
    fn facts(&self) -> Facts {
        Facts {
            name: "scripts",
            alphabet: format!(
                "each set of dependencies between named steps, up to {WITH_LOOPS} steps also on themselves; of those without a circle \
                 the order of the replay"
            ),
            bounds: [3, 5],
        }
    }

    fn size(&self, bound: usize) -> u64 {
        (1..=bound).map(relations).sum()
    }

    fn check(&self, _bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String> {
        for place in places {
            let (mut steps, mut rest) = (1, place);
            while rest >= relations(steps) {
                rest -= relations(steps);
                steps += 1;
            }
            let pairs = pairs(steps);
            let chosen = pairs.into_iter().enumerate().filter(|(bit, _)| rest >> bit & 1 == 1).map(|(_, pair)| pair);
            tally.judge(place, judge(steps, &chosen.collect())?);
        }
        Ok(())
    }
}

/// Whether it is a script. The outer error is of a pack that cannot be made.
fn judge(count: usize, depends: &BTreeSet<(usize, usize)>) -> Result<Result<bool, String>, String> {
    let step = |to| {
        let dependencies = (0..count).filter(|from| depends.contains(&(*from, to))).collect();
        Step { dependencies, status: Status::Pass }
    };
    let made = episode(&(0..count).map(step).collect::<Vec<_>>());
    let order = order(count, depends);
    let contract = made.contract.to_string();
    let answer = verifier("episode.contract", &[], &[("contract", contract.as_bytes())]);
    let same = match (&answer, &order) {
        (Answer::Accept { .. }, Some(_)) => true,
        (Answer::Reject { codes, .. }, None) => codes.iter().eq(["episode/script-graph"]),
        _ => false,
    };
    if !same {
        return Ok(Err(differ("episode.contract", contract.as_bytes(), &order, &answer)));
    }
    let Some(order) = order else { return Ok(Ok(false)) };
    let mut files = made.sealed().files;
    for index in 0..count {
        files.insert(format!("recorded_traces/{}.json", name(index)), br#"{"another":"trace"}"#.to_vec());
    }
    let answer = of_files("episode.verify", &[], &[], &files)?;
    let expected: Value = order.iter().map(|index| Value::from(name(*index))).collect();
    let found = match &answer {
        Answer::Accept { out } => value(out, "divergent_step_ids"),
        _ => None,
    };
    if found != Some(&expected) {
        return Ok(Err(differ("episode.verify", contract.as_bytes(), &expected, &answer)));
    }
    Ok(Ok(true))
}

/// The order of the replay, unless there is a circle: all that depend on nothing in the order of their names; then, one after the other,
/// what becomes free by each, in the order of names too.
fn order(count: usize, depends: &BTreeSet<(usize, usize)>) -> Option<Vec<usize>> {
    let is_free = |step: usize, done: &[usize]| depends.iter().all(|(from, to)| *to != step || done.contains(from));
    let mut queue: Vec<_> = (0..count).filter(|step| is_free(*step, &[])).collect();
    let mut taken = 0;
    while taken < queue.len() {
        let done = queue.get(..=taken).unwrap_or_default().to_vec();
        let freed = (0..count).filter(|step| !queue.contains(step) && is_free(*step, &done));
        let freed: Vec<_> = freed.collect();
        queue.extend(freed);
        taken += 1;
    }
    (queue.len() == count).then_some(queue)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the ruling, with names instead of numbers: m before b and z, z before a, b before c, a and c before k.
    #[test]
    fn the_order_of_the_ruling() {
        let names = ["a", "b", "c", "k", "m", "z"];
        let at = |name: &str| names.iter().position(|other| *other == name).unwrap();
        let pairs = [("m", "b"), ("m", "z"), ("z", "a"), ("b", "c"), ("a", "k"), ("c", "k")];
        let depends = pairs.iter().map(|(from, to)| (at(from), at(to))).collect();
        let found: String = order(6, &depends).unwrap().into_iter().map(|index| names[index]).collect();
        assert_eq!(found, "mbzcak");
        assert_eq!(order(2, &[(0, 1), (1, 0)].into()), None);
        assert_eq!(order(1, &[(0, 0)].into()), None);
    }
}
