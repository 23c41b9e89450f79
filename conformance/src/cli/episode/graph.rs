//! Steps on levels: each one level below the lowest of those that it depends on.

use std::collections::HashMap;

use assize_verifier::episode::{StepState, StepStatus};

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Passed when it was recorded, and its trace matches.
    Passed,
    /// Failed when it was recorded, and its trace matches.
    Failed,
    /// Not run when it was recorded, so not replayed.
    Skipped,
    /// Its trace does not match its receipt.
    Diverged,
    /// The pack failed before this step was replayed.
    NotReached,
}

impl State {
    pub(super) const ALL: [Self; 5] = [Self::Passed, Self::Failed, Self::Skipped, Self::Diverged, Self::NotReached];

    fn of(step: &StepState) -> Self {
        match (step.status, step.matched) {
            (Some(StepStatus::Skipped), _) => Self::Skipped,
            (_, Some(false)) => Self::Diverged,
            (Some(StepStatus::Pass), Some(true)) => Self::Passed,
            (Some(StepStatus::Fail), Some(true)) => Self::Failed,
            (_, None) | (None, Some(true)) => Self::NotReached,
        }
    }

    /// A name for style sheets.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::Diverged => "diverged",
            Self::NotReached => "unreached",
        }
    }

    /// Fill and border; dark text on each fill, and each border on white and on black, can be told apart.
    pub(super) fn colours(self) -> (&'static str, &'static str) {
        match self {
            Self::Passed => ("#c8e6c9", "#2e7d32"),
            Self::Failed => ("#ffe0b2", "#b26a00"),
            Self::Skipped => ("#e0e0e0", "#757575"),
            Self::Diverged => ("#ffcdd2", "#c62828"),
            Self::NotReached => ("#ffffff", "#757575"),
        }
    }
}

/// A step with its place in the graph.
#[derive(Debug)]
pub(super) struct Node<'v> {
    pub(super) step: &'v StepState,
    pub(super) state: State,
    pub(super) level: usize,
    /// Indices of the steps that it depends on.
    pub(super) after: Vec<usize>,
}

impl Node<'_> {
    /// The status of the receipt and what the replay made of the step, in a few words.
    pub(super) fn words(&self) -> &'static str {
        match (self.step.status, self.step.matched) {
            (None, _) => "not reached",
            (Some(StepStatus::Skipped), _) => "SKIPPED",
            (Some(StepStatus::Pass), Some(true)) => "PASS, match",
            (Some(StepStatus::Pass), Some(false)) => "PASS, diverged",
            (Some(StepStatus::Pass), None) => "PASS, not replayed",
            (Some(StepStatus::Fail), Some(true)) => "FAIL, match",
            (Some(StepStatus::Fail), Some(false)) => "FAIL, diverged",
            (Some(StepStatus::Fail), None) => "FAIL, not replayed",
        }
    }
}

/// The script, steps in the order of the replay.
#[derive(Debug)]
pub(super) struct Graph<'v> {
    pub(super) nodes: Vec<Node<'v>>,
}

impl<'v> Graph<'v> {
    /// Lays out steps that stand in an order in which each comes after those that it depends on.
    pub(super) fn of(steps: &'v [StepState]) -> Self {
        let mut places: HashMap<&str, usize> = HashMap::with_capacity(steps.len());
        let mut nodes: Vec<Node<'v>> = Vec::with_capacity(steps.len());
        for step in steps {
            let after: Vec<usize> = step.depends_on.iter().filter_map(|id| places.get(id.as_str()).copied()).collect();
            let below = after.iter().filter_map(|&place| nodes.get(place)).map(|node| node.level + 1);
            let level = below.max().unwrap_or(0);
            places.insert(&step.step_id, nodes.len());
            nodes.push(Node { step, state: State::of(step), level, after });
        }
        Self { nodes }
    }

    /// Indices of the steps on each level, in the order of the replay.
    pub(super) fn levels(&self) -> Vec<Vec<usize>> {
        let deepest = self.nodes.iter().map(|node| node.level + 1).max().unwrap_or(0);
        let mut levels = vec![Vec::new(); deepest];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(level) = levels.get_mut(node.level) {
                level.push(index);
            }
        }
        levels
    }

    /// How many dependencies there are.
    pub(super) fn edges(&self) -> usize {
        self.nodes.iter().map(|node| node.after.len()).sum()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A step by its id, dependencies, status and match.
    pub(in crate::cli::episode) fn step(
        id: &str,
        after: &[&str],
        status: Option<StepStatus>,
        matched: Option<bool>,
    ) -> StepState {
        StepState {
            step_id: id.to_owned(),
            opcode: if after.is_empty() { "LOAD_INPUT" } else { "EMIT_OUTPUT" },
            loads: None,
            depends_on: after.iter().map(ToString::to_string).collect(),
            status,
            matched,
        }
    }

    /// The example of the fact sheet, section 4, with one step in each state.
    pub(in crate::cli::episode) fn example() -> Vec<StepState> {
        let (pass, fail, skipped) = (Some(StepStatus::Pass), Some(StepStatus::Fail), Some(StepStatus::Skipped));
        vec![
            step("m", &[], pass, Some(true)),
            step("b", &["m"], fail, Some(true)),
            step("z", &["m"], pass, Some(false)),
            step("c", &["b"], skipped, None),
            step("a", &["z"], pass, Some(true)),
            step("k", &["a", "c"], None, None),
        ]
    }

    #[test]
    fn a_step_stands_below_all_that_it_depends_on() {
        let mut steps = example();
        steps.push(step("late", &["m", "k"], None, None));
        let graph = Graph::of(&steps);
        assert_eq!(graph.levels(), [vec![0], vec![1, 2], vec![3, 4], vec![5], vec![6]]);
        assert_eq!(graph.nodes[5].after, [4, 3]);
        assert_eq!(graph.edges(), 8);
        let states: Vec<_> = graph.nodes.iter().map(|node| node.state.name()).collect();
        assert_eq!(states, ["passed", "failed", "diverged", "skipped", "passed", "unreached", "unreached"]);
    }

    #[test]
    fn a_chain_of_many_steps_is_no_trouble() {
        let steps: Vec<_> = (0..100_000_u32)
            .map(|n| match n {
                0 => step("0", &[], None, None),
                n => step(&n.to_string(), &[&(n - 1).to_string()], None, None),
            })
            .collect();
        assert_eq!(Graph::of(&steps).levels().len(), 100_000);
    }
}
