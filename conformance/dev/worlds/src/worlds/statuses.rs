//! All tables of step statuses over all graphs of a few steps, with all changes of traces.
//!
//! Spec: RCE Profile v0.1, Step status, Verdicts, and Verification, phases 3 and 4 of it; rulings EP-12, EP-17, EP-39.
//!
//! The packs are those of their own builder; what is to be said of them is defined here.

use std::ops::Range;

use assize_packs::Status;
use assize_verifier::operation::Answer;
use serde_json::{Value, json};

use super::episodes::{Step, episode, name};
use crate::{
    ask::{differ, of_files, value},
    search::{Facts, Tally, World},
    sequences::Mixed,
};

/// Tables of statuses.
#[derive(Debug)]
pub(crate) struct Statuses;

const STATUSES: [Status; 3] = [Status::Pass, Status::Fail, Status::Skipped];
/// A status, and whether the trace of the step is changed.
const KINDS: u64 = 6;

/// Sets of dependencies of so many steps, each on earlier ones.
fn graphs(steps: usize) -> u64 {
    1 << (steps * steps.saturating_sub(1) / 2)
}

fn tables(steps: usize) -> u64 {
    (0..steps).fold(graphs(steps), |product, _| product * KINDS)
}

impl World for Statuses {
    fn facts(&self) -> Facts {
        Facts {
            name: "statuses",
            alphabet: "each graph of steps that depend on earlier ones, each of three statuses for each step, and for each step whether \
                       its trace is changed"
                .to_owned(),
            bounds: [2, 4],
        }
    }

    fn size(&self, bound: usize) -> u64 {
        (1..=bound).map(tables).sum()
    }

    fn batch(&self) -> u64 {
        128
    }

    fn check(&self, _bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String> {
        for place in places {
            let (mut steps, mut rest) = (1, place);
            while rest >= tables(steps) {
                rest -= tables(steps);
                steps += 1;
            }
            tally.judge(place, judge(steps, rest)?);
        }
        Ok(())
    }
}

/// Whether the pack is a MATCH. The outer error is of a pack that cannot be made.
fn judge(count: usize, place: u64) -> Result<Result<bool, String>, String> {
    let mut rest = Mixed(place);
    let steps: Vec<_> = (0..count)
        .map(|index| Step {
            dependencies: (0..index).filter(|_| rest.flag()).collect(),
            status: STATUSES.get(rest.take(STATUSES.len())).copied().unwrap_or(Status::Pass),
        })
        .collect();
    let changed: Vec<_> = steps.iter().map(|_| rest.flag()).collect();
    let mut files = episode(&steps).sealed().files;
    for (index, _) in changed.iter().enumerate().filter(|(_, changed)| **changed) {
        files.insert(format!("recorded_traces/{}.json", name(index)), br#"{"another":"trace"}"#.to_vec());
    }
    let answer = of_files("episode.verify", &[], &[], &files)?;
    let expected = Expected::of(&steps, &changed).members();
    let same = match &answer {
        Answer::Accept { out } => expected.iter().all(|(name, member)| value(out, name) == Some(member)),
        _ => false,
    };
    if !same {
        let told: Vec<_> = steps
            .iter()
            .zip(&changed)
            .map(|(step, changed)| {
                format!("{:?} {}{}", step.dependencies, step.status.name(), if *changed { " changed" } else { "" })
            })
            .collect();
        return Ok(Err(differ("episode.verify", told.join(", ").as_bytes(), &expected, &answer)));
    }
    Ok(Ok(expected.first().is_some_and(|(_, verdict)| verdict == "MATCH")))
}

/// What is to be said of a table.
enum Expected {
    /// A step is skipped although nothing before it failed, or the other way round.
    Unlawful,
    /// Whether every step passed, and which steps diverge.
    Replayed(bool, Vec<usize>),
}

impl Expected {
    fn of(steps: &[Step], changed: &[bool]) -> Self {
        let blocked = |step: &Step| {
            step.dependencies.iter().filter_map(|other| steps.get(*other)).any(|other| other.status != Status::Pass)
        };
        if steps.iter().any(|step| blocked(step) != (step.status == Status::Skipped)) {
            return Self::Unlawful;
        }
        let ran = steps.iter().zip(changed).enumerate().filter(|(_, (step, _))| step.status != Status::Skipped);
        let diverging = ran.filter(|(_, (_, changed))| **changed).map(|(index, _)| index).collect();
        Self::Replayed(steps.iter().all(|step| step.status == Status::Pass), diverging)
    }

    fn members(&self) -> Vec<(&'static str, Value)> {
        let (verdict, integrity, check, claim, exit_code, phase, diverged) = match self {
            Self::Unlawful => ("INTEGRITY_FAIL", "FAIL", json!(null), json!(null), 2, 3, 0),
            Self::Replayed(passed, diverging) => {
                let claim = json!(if *passed { "PASS" } else { "FAIL" });
                match diverging.len() {
                    0 => ("MATCH", "PASS", json!("PASS"), claim, 0, 4, 0),
                    count => ("DIVERGE", "PASS", json!("FAIL"), claim, 1, 4, count),
                }
            }
        };
        vec![
            ("verdict", json!(verdict)),
            ("receipt_integrity", json!(integrity)),
            ("claim_check", check),
            ("episode_claim", claim),
            ("exit_code", json!(exit_code)),
            ("phase", json!(phase)),
            ("steps_diverged", json!(diverged)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(dependencies: &[usize], status: Status) -> Step {
        Step { dependencies: dependencies.to_vec(), status }
    }

    #[test]
    fn what_a_failure_blocks_is_skipped_and_nothing_else() {
        let is_lawful = |steps: &[Step]| matches!(Expected::of(steps, &[false; 3]), Expected::Replayed(..));
        assert!(is_lawful(&[step(&[], Status::Fail), step(&[0], Status::Skipped), step(&[], Status::Pass)]));
        assert!(!is_lawful(&[step(&[], Status::Fail), step(&[0], Status::Pass), step(&[], Status::Pass)]));
        assert!(!is_lawful(&[step(&[], Status::Pass), step(&[0], Status::Skipped), step(&[], Status::Pass)]));
        assert!(!is_lawful(&[step(&[], Status::Skipped), step(&[], Status::Pass), step(&[], Status::Pass)]));
    }
}
