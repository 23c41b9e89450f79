//! `kernel.*`.

mod audit;
mod text;

use serde_json::Value;

use crate::{
    json::{Dialect, Elements},
    kernel::{HomeFailure, Rejection, Report, Scenario, Step},
    operation::{Answer, Handler, Question, rejected, value},
};

/// The operations of the system.
pub(crate) const TABLE: &[(&str, Handler)] = &[
    ("kernel.scenario", scenario),
    ("kernel.audit", audit::audit),
    ("kernel.issue_order", text::issue_order),
    ("kernel.event", text::event),
    ("kernel.registry", text::registry),
];

fn scenario(question: &mut Question<'_>) -> Answer {
    let operations = question.document("operations");
    let (Some(operations), Some(home)) = (operations, question.root.home()) else {
        return Answer::reject("A_INPUT");
    };
    let read = Elements::read(operations, &Dialect::STRICT).map_err(Rejection::from).and_then(Scenario::read);
    match read.map(|scenario| scenario.run(home)) {
        Ok(Ok(report)) => ran(&report),
        Ok(Err(failure)) => broken(&failure),
        Err(why) => rejected(&why),
    }
}

fn ran(report: &Report) -> Answer {
    let steps: Vec<_> = report.steps.iter().map(|step| plain(&Step::canonical(step))).collect();
    Answer::accept([("steps", value(steps)), ("view", value(plain(&report.view)))])
}

/// A document that the verifier has written, as a plain value: its numbers are small counts.
fn plain(canonical: &[u8]) -> Value {
    serde_json::from_slice(canonical).unwrap_or_default()
}

/// A home that does not do what it is asked gives no judgement.
fn broken(failure: &HomeFailure) -> Answer {
    Answer::Fault { kind: "io".to_owned(), message: failure.to_string() }
}
