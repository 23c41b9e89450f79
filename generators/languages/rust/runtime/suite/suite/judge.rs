//! Holds an answer against the answers that are right.

use super::{
    case::{Case, Check, Demand, Force},
    examine::examine,
};
use crate::call::Answer;

/// How much of a value a message shows.
const LONGEST: usize = 600;

/// What a case comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    // In order of their distance from right.
    Pass,
    WrongOutput,
    WrongCode,
    WrongVerdict,
    BrokenPromise,
    Fault,
}

impl Outcome {
    /// As reports name it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::WrongOutput => "WRONG-OUTPUT",
            Self::WrongCode => "WRONG-CODE",
            Self::WrongVerdict => "WRONG-VERDICT",
            Self::BrokenPromise => "BROKEN-PROMISE",
            Self::Fault => "FAULT",
        }
    }
}

/// A check that does not hold.
#[derive(Debug)]
pub(super) struct Mismatch {
    pub(super) pointer: String,
    pub(super) force: Force,
    pub(super) expected: String,
    pub(super) actual: String,
}

/// An outcome with its reasons.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) outcome: Outcome,
    pub(super) mismatches: Vec<Mismatch>,
}

/// The verdict on an answer: a pass if all checks of one alternative hold, and else that of the alternative that weighs
/// least, or of several that which comes closest.
pub(super) fn judge(alternatives: &[Vec<Check>], answer: &Answer) -> Verdict {
    let verdicts = alternatives.iter().map(|checks| judge_one(checks, answer));
    let best = verdicts.min_by_key(|verdict| (verdict.weight(), verdict.outcome, verdict.mismatches.len()));
    // No case is without an alternative.
    best.unwrap_or(Verdict { outcome: Outcome::WrongVerdict, mismatches: Vec::new() })
}

fn judge_one(checks: &[Check], answer: &Answer) -> Verdict {
    let mut verdict = Verdict { outcome: Outcome::Pass, mismatches: Vec::new() };
    for check in checks {
        let Some(mismatch) = examine(check, answer) else { continue };
        if check.pointer == "/is" {
            // Codes and outputs of the wrong verdict tell nothing.
            return Verdict { outcome: Outcome::WrongVerdict, mismatches: vec![mismatch] };
        }
        let codes = matches!(check.demand, Demand::Codes(_) | Demand::Registered(_));
        verdict.outcome = verdict.outcome.max(if codes { Outcome::WrongCode } else { Outcome::WrongOutput });
        verdict.mismatches.push(mismatch);
    }
    verdict
}

impl Verdict {
    /// What is wrong with a case, and how to run it alone.
    pub(super) fn message(&self, case: &Case) -> String {
        let Case { id, law, rationale, spec, .. } = case;
        let mut text = format!("{}: {id}\n", self.outcome.name());
        text.push_str(&format!("law:       {law}\nrationale: {rationale}\nspec:      {spec}\n"));
        for Mismatch { pointer, force, expected, actual } in &self.mismatches {
            text.push_str(&format!("at {pointer} ({})\n", force.name()));
            text.push_str(&format!("  expected {}\n  actual   {}\n", cut(expected), cut(actual)));
        }
        text.push_str(&format!("again:     cargo test --test conformance -- --exact {id}\n"));
        text.push_str(&format!("explained: assize explain {id}"));
        text
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}... ({} characters)", &text[..end], text.chars().count()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
