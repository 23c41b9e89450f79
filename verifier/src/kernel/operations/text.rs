//! `kernel.event`, `kernel.issue_order` and `kernel.registry`: what is judged without a home.

use serde_json::Value;

use crate::{
    kernel::{self, Event, RevisionFinding},
    operation::{Answer, Output, Question, compared, rejected, value},
};

pub(super) fn event(question: &mut Question<'_>) -> Answer {
    let Some(line) = question.document("line") else {
        return Answer::reject("A_INPUT");
    };
    match Event::parse(line) {
        Ok(event) => Answer::accept([
            ("level", value(event.level.name())),
            ("stage", value(event.stage)),
            ("code", value(event.code)),
            ("location", value(event.location)),
            ("text", value(event.text)),
            ("pairs", value(event.pairs)),
            ("findings", value(event.findings().iter().map(|one| compared(one).into()).collect::<Vec<Value>>())),
        ]),
        Err(why) => rejected(&why),
    }
}

pub(super) fn issue_order(question: &mut Question<'_>) -> Answer {
    let Some(issues) = question.document("issues") else {
        return Answer::reject("A_INPUT");
    };
    match kernel::issue_order(issues) {
        Ok(sorted) => Answer::accept([("issues", Output::Doc(String::from_utf8_lossy(&sorted).into_owned()))]),
        Err(why) => rejected(&why),
    }
}

pub(super) fn registry(question: &mut Question<'_>) -> Answer {
    let Some(revisions) = question.document("revisions") else {
        return Answer::reject("A_INPUT");
    };
    match kernel::registry(revisions) {
        Ok(findings) => {
            Answer::accept([("findings", value(findings.into_iter().map(about_a_code).collect::<Vec<_>>()))])
        }
        Err(why) => rejected(&why),
    }
}

/// The compared members of a finding, whose code is one of the judged registry.
fn about_a_code(judged: RevisionFinding) -> Value {
    let mut members = compared(&judged.finding);
    members.insert("code".to_owned(), judged.code.into());
    members.into()
}
