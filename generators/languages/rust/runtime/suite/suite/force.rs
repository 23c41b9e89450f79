//! How much a failing check weighs.

use super::{
    case::{Case, Force},
    judge::Verdict,
};

/// Names the variable that says which failures count.
pub(super) const FAIL_ON: &str = "ASSIZE_FAIL_ON";

/// How much a failing check weighs, the lightest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Against a convention of the protocol.
    Interface,
    /// Against a ruling.
    Ruling,
    /// Against a specification.
    Spec,
}

/// The least weight that fails a test, as the environment says it.
pub(super) fn counted(said: Option<&str>) -> Result<Weight, String> {
    match said {
        None | Some("" | "spec") => Ok(Weight::Spec),
        Some("ruling") => Ok(Weight::Ruling),
        Some("remark") => Ok(Weight::Interface),
        Some(said) => Err(format!("{FAIL_ON} is {said:?}: write spec, ruling or remark")),
    }
}

impl Verdict {
    /// That of the strongest check that does not hold.
    pub(super) fn weight(&self) -> Option<Weight> {
        let weigh = |force: &Force| match force {
            Force::Spec => Weight::Spec,
            Force::Ruling(_) => Weight::Ruling,
            Force::Interface => Weight::Interface,
        };
        self.mismatches.iter().map(|mismatch| weigh(&mismatch.force)).max()
    }

    /// Those that the answer is against.
    pub(super) fn rulings(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = Vec::new();
        for mismatch in &self.mismatches {
            if let Force::Ruling(id) = &mismatch.force {
                ids.push(id);
            }
        }
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// In one line what does not count.
    pub(super) fn brief(&self, case: &Case) -> String {
        let places: Vec<&str> = self.mismatches.iter().map(|mismatch| mismatch.pointer.as_str()).collect();
        let (outcome, id) = (self.outcome.name(), &case.id);
        format!("{outcome} of {id} at {}; {FAIL_ON}=remark shows more", places.join(", "))
    }
}
