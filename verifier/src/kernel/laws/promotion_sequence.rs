//! kernel/promotion-sequence: turn N of a run is promoted directly after turn N-1 of that run, once.
//!
//! Spec: Kernel v1 Requirements Pack, Law 2; rulings KE-12, KE-39.

use std::cmp::Ordering;

use crate::kernel::model::issue::{Details, Issue, Stage};
use crate::kernel::model::layout::{Tree, location};
use crate::kernel::model::ledger::Ledger;
use crate::kernel::model::token::Turn;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/promotion-sequence");

/// Refuses a turn that is not the next of its run.
pub(crate) fn check(ledger: &Ledger, turn: &Turn) -> Result<(), Issue> {
    let last = ledger.last(&turn.run);
    let reason = match turn.id.number().cmp(&last.number().saturating_add(1)) {
        Ordering::Equal => return Ok(()),
        Ordering::Less => "already_applied",
        Ordering::Greater => "out_of_order",
    };
    let details = Details::texts(&[
        ("reason", reason),
        ("turn_id", &turn.id.to_string()),
        ("last_promoted_turn_id", &last.to_string()),
    ]);
    let place = location(&Tree::committed().ledger());
    Err(Issue::fail(Stage::Promotion, "E_LSI_PROMOTION_FAILED", place).with_details(details))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::model::token::{RunId, TurnId};

    #[test]
    fn turns_follow_each_other_in_their_run() {
        let run = |name| RunId::parse(name).expect("a run");
        let turn = |name, id| Turn { run: run(name), id: TurnId::parse(id).expect("a turn") };
        let ledger = Ledger::default().with(&run("r"), TurnId::parse("turn-0002").expect("a turn"));
        for (name, id, reason) in [
            ("r", "turn-0003", None),
            ("r", "turn-0002", Some("already_applied")),
            ("r", "turn-0000", Some("already_applied")),
            ("r", "turn-0004", Some("out_of_order")),
            ("other", "turn-0001", None),
            ("other", "turn-0002", Some("out_of_order")),
            ("other", "turn-0000", Some("already_applied")),
        ] {
            let told = check(&ledger, &turn(name, id)).err();
            assert_eq!(told.is_some(), reason.is_some(), "{name} {id}");
            let Some((issue, reason)) = told.zip(reason) else { continue };
            let details = String::from_utf8(issue.details.as_slice().to_vec()).expect("UTF-8");
            assert!(details.contains(&format!("\"reason\":\"{reason}\"")), "{details}");
            assert_eq!(issue.location.as_str(), "/index/committed/index/run_ledger.json");
        }
    }
}
