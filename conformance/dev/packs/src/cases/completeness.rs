//! Cases of `completeness`: everything that the replay needs is there, and the receipts agree with the contract.

mod artifacts;
mod due;
mod members;
mod receipts;

use super::base::sum;
use crate::{
    Pack, Stage,
    pack::RECEIPTS,
    place::Place,
    vector::{Case, Law},
};

pub(super) const LAW: Law = Law {
    slug: "episode/completeness",
    place: Place::Profile("Verification, phase 3 completeness"),
    file: Some(RECEIPTS),
    cases,
};

fn cases() -> Vec<Case> {
    let mut cases = receipts::cases();
    cases.extend(members::cases());
    cases.extend(due::cases());
    cases.extend(artifacts::cases());
    cases
}

/// Fails in phase 3, beside the complete pack.
fn breaks(name: &'static str, rationale: &'static str, pack: &Pack) -> Case {
    Case::fails(name, rationale, 3, pack).twin("complete")
}

/// Matches like the complete pack.
fn holds(name: &'static str, rationale: &'static str, pack: &Pack) -> Case {
    Case::matches(name, rationale, &sum(), pack)
}

/// The episode of all four opcodes with a fault planted.
fn planted(stage: Stage, fault: impl FnOnce(&mut Pack)) -> Pack {
    sum().planted(stage, fault)
}
