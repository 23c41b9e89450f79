//! `kernel.audit`.

use serde_json::Value;

use crate::{
    kernel::{self, Outcome, Ran, Snapshot},
    operation::{Answer, Question, compared, rejected, value},
};

pub(super) fn audit(question: &mut Question<'_>) -> Answer {
    let (ran, before) = (ran(question), question.document("before"));
    let (Some(home), Some(ran)) = (question.root.home(), ran) else {
        return Answer::reject("A_INPUT");
    };
    let before = match before.map(Snapshot::parse).transpose() {
        Ok(before) => before,
        Err(why) => return rejected(&why),
    };
    let findings = kernel::audit(&*home, before.as_ref(), &ran);
    Answer::accept([("findings", value(findings.iter().map(|one| compared(one).into()).collect::<Vec<Value>>()))])
}

/// What the arguments say that ran.
fn ran<'q>(question: &Question<'q>) -> Option<Ran<'q>> {
    let text = |name: &str| match question.args.get(name) {
        None => Some(None),
        Some(value) => value.as_str().map(Some),
    };
    let outcome = text("outcome")?.map(|name| Outcome::from_name(name).ok_or(()));
    Some(Ran { operation: text("operation")?, outcome: outcome.transpose().ok()? })
}
