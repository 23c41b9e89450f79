//! Small episodes, and what is to be said of them.

use assize_packs::{Episode, Outcome, Status, step};
use serde_json::{Value, json};

/// Names of steps, in their own order.
pub(crate) const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A step that has run, or not.
pub(crate) struct Step {
    pub(crate) dependencies: Vec<usize>,
    pub(crate) status: Status,
}

pub(crate) fn name(index: usize) -> &'static str {
    NAMES.get(index).copied().unwrap_or_default()
}

pub(crate) fn trace(index: usize) -> Value {
    json!({"step": index})
}

/// An episode of these steps. What nothing depends on emits, anything else transforms.
pub(crate) fn episode(steps: &[Step]) -> Episode {
    let told = steps.iter().enumerate().map(|(index, one)| {
        let dependencies: Vec<_> = one.dependencies.iter().map(|dependency| name(*dependency)).collect();
        let is_last = !steps.iter().any(|other| other.dependencies.contains(&index));
        let outcome = match one.status {
            Status::Pass => Outcome::pass(trace(index)),
            Status::Fail => Outcome::fail(trace(index)),
            Status::Skipped => Outcome::skipped(),
        };
        let made = if is_last {
            let from = dependencies.first().copied().unwrap_or(name(index));
            step::after(step::emit(name(index), "claim", from), &dependencies)
        } else {
            step::apply(name(index), &dependencies)
        };
        (made, outcome)
    });
    Episode::new(&[("seed.json", "{\"seed\":1}\n")], told)
}
