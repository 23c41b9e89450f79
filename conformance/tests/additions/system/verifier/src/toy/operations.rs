//! `toy.*`.

use crate::operation::{Answer, Handler, Question, rejected, value};

/// The operations of the system.
pub(crate) const TABLE: &[(&str, Handler)] = &[("toy.halve", halve)];

fn halve(question: &mut Question<'_>) -> Answer {
    match question.document("number").map(super::halve) {
        None => Answer::reject("A_INPUT"),
        Some(Ok(half)) => Answer::accept([("half", value(half))]),
        Some(Err(why)) => rejected(&why),
    }
}
