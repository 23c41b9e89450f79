//! kernel/turn-sequence: a run goes forward turn by turn, and uses no turn id twice.
//!
//! Spec: Kernel v1 Requirements Pack, Law 2; ruling KE-51. A turn that failed was not a turn. Gaps are lawful here: promotion
//! alone asks for the next turn.

use crate::files::HomeReader;
use crate::json::JsonPointer;
use crate::kernel::laws::path_safety::refusal;
use crate::kernel::model::executed::Executed;
use crate::kernel::model::home::{HomeFailure, Stop};
use crate::kernel::model::issue::{Details, Issue};
use crate::kernel::model::layout::Tree;
use crate::kernel::model::ledger::Ledger;
use crate::kernel::model::token::{Turn, TurnId};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/turn-sequence");

/// Refuses a turn that was executed or promoted, or lies below one that was. A ledger that cannot be read stops promotions
/// alone (KE-31) and names no turn here.
pub(crate) fn refused(home: &dyn HomeReader, turn: &Turn, executed: &Executed) -> Result<Option<Issue>, HomeFailure> {
    let ledger = match Ledger::load(home, &Tree::committed()) {
        Ok(ledger) => ledger,
        Err(Stop::Refused(_)) => Ledger::default(),
        Err(Stop::Home(failure)) => return Err(failure),
    };
    let reason = reason(turn.id, ledger.last(&turn.run), executed.last(&turn.run), executed.contains(turn));
    let details = |reason| Details::texts(&[("reason", reason)]);
    Ok(reason.map(|reason| refusal(JsonPointer::from_text("/turn_id")).with_details(details(reason))))
}

/// Why a turn cannot be executed any more, given the last turns of its run that were promoted and executed.
fn reason(turn: TurnId, promoted: TurnId, executed: TurnId, again: bool) -> Option<&'static str> {
    const OUT_OF_ORDER: &str = "turn_out_of_order";
    // It stands for a run without turns, and is none.
    if turn == TurnId::NONE {
        return Some(OUT_OF_ORDER);
    }
    if turn <= promoted || again {
        return Some("turn_id_not_unique");
    }
    (turn < executed).then_some(OUT_OF_ORDER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_forward_and_uses_no_id_twice() {
        let turn = |id| TurnId::parse(id).expect("a turn");
        let [promoted, executed] = ["turn-0002", "turn-0006"].map(turn);
        for (id, again, due) in [
            ("turn-0009", false, None),
            ("turn-0007", false, None),
            ("turn-0006", true, Some("turn_id_not_unique")),
            ("turn-0005", false, Some("turn_out_of_order")),
            ("turn-0004", true, Some("turn_id_not_unique")),
            ("turn-0003", false, Some("turn_out_of_order")),
            ("turn-0002", false, Some("turn_id_not_unique")),
            ("turn-0001", false, Some("turn_id_not_unique")),
            ("turn-0000", false, Some("turn_out_of_order")),
        ] {
            assert_eq!(reason(turn(id), promoted, executed, again), due, "{id}");
        }
        assert_eq!(reason(turn("turn-0001"), TurnId::NONE, TurnId::NONE, false), None);
        assert_eq!(reason(turn("turn-0000"), TurnId::NONE, TurnId::NONE, false), Some("turn_out_of_order"));
    }
}
