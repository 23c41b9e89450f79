//! `reply.*`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    operation::{Answer, Handler, Output, Question, compared, rejected, value},
    reply::{self, Judgement, Rejection, Reply},
};

/// The operations of the system.
pub(crate) const TABLE: &[(&str, Handler)] = &[
    ("reply.code", code),
    ("reply.registry", registry),
    ("reply.envelope", envelope),
    ("reply.trace", trace),
    ("reply.tool_result", tool_result),
    ("reply.source", source),
    ("reply.action", action),
    ("reply.build", build),
    ("reply.wrap", wrap),
];

fn code(question: &mut Question<'_>) -> Answer {
    let Some(text) = question.document("code") else {
        return Answer::reject("A_INPUT");
    };
    let (code, found) = reply::code(text);
    let members = code.map(|code| {
        [
            ("layer", value(code.layer.name())),
            ("area", value(code.area)),
            ("type", value(code.kind.letter())),
            ("number", value(code.number)),
        ]
    });
    judged(&found, members.into_iter().flatten(), [])
}

fn registry(question: &mut Question<'_>) -> Answer {
    plain(question, "registry", reply::registry)
}

fn envelope(question: &mut Question<'_>) -> Answer {
    plain(question, "envelope", reply::envelope)
}

fn source(question: &mut Question<'_>) -> Answer {
    plain(question, "source", reply::source)
}

fn trace(question: &mut Question<'_>) -> Answer {
    match question.document("trace").map(reply::trace) {
        None => Answer::reject("A_INPUT"),
        Some(Err(why)) => rejected(&why),
        Some(Ok(trace)) => {
            let first = ("first_illegal", value(trace.first_illegal));
            judged(&trace.judgement, [first.clone()], [first])
        }
    }
}

fn tool_result(question: &mut Question<'_>) -> Answer {
    match question.document("result").map(reply::tool_result) {
        None => Answer::reject("A_INPUT"),
        Some(Err(why)) => rejected(&why),
        Some(Ok(result)) => judged(&result.judgement, [("skip", value(result.skip))], []),
    }
}

fn action(question: &mut Question<'_>) -> Answer {
    match question.document("envelope").map(reply::action) {
        None => Answer::reject("A_INPUT"),
        Some(Err(why)) => rejected(&why),
        Some(Ok(acted)) if acted.judgement.is_lawful() => {
            let name = acted.action.map(reply::Action::name);
            Answer::accept([("action", value(name)), ("trace_id", value(acted.trace_id))])
        }
        Some(Ok(acted)) => judged(&acted.judgement, [], []),
    }
}

fn build(question: &mut Question<'_>) -> Answer {
    match question.document("script").map(reply::build) {
        None => Answer::reject("A_INPUT"),
        Some(Err(why)) => rejected(&why),
        Some(Ok(built)) => {
            let results: Vec<Value> = built.replies.iter().map(|reply| result(reply.as_ref())).collect();
            Answer::accept([("results", value(results)), ("mutated", value(built.mutated))])
        }
    }
}

/// What came of one call.
fn result(reply: Option<&Reply>) -> Value {
    let Some(reply) = reply else { return json!({"got": "raised"}) };
    let mut members = reply.members();
    members.insert("got".to_owned(), "reply".into());
    members.into()
}

fn wrap(question: &mut Question<'_>) -> Answer {
    match question.document("script").map(reply::wrap) {
        None => Answer::reject("A_INPUT"),
        Some(Err(why)) => rejected(&why),
        Some(Ok(envelopes)) => {
            let envelopes: Vec<Value> = envelopes.iter().map(|envelope| envelope.to_json().into()).collect();
            Answer::accept([("envelopes", value(envelopes))])
        }
    }
}

/// An operation that answers with findings and advice alone.
fn plain(question: &Question<'_>, name: &str, judge: fn(&[u8]) -> Result<Judgement, Rejection>) -> Answer {
    match question.document(name).map(judge) {
        None => Answer::reject("A_INPUT"),
        Some(Err(why)) => rejected(&why),
        Some(Ok(found)) => judged(&found, [], []),
    }
}

/// An acceptance with the advice, or a rejection by the laws with the findings; each with outputs of its own.
fn judged(
    found: &Judgement,
    accepted: impl IntoIterator<Item = (&'static str, Output)>,
    refused: impl IntoIterator<Item = (&'static str, Output)>,
) -> Answer {
    if found.is_lawful() {
        return Answer::accept(accepted.into_iter().chain([("advice", value(advice(found)))]));
    }
    let out = refused.into_iter().chain([("findings", value(findings(found)))]);
    let out: BTreeMap<String, Output> = out.map(|(name, output)| (name.to_owned(), output)).collect();
    Answer::Reject { codes: found.laws().iter().map(|law| law.slug().to_owned()).collect(), out }
}

fn findings(found: &Judgement) -> Vec<Value> {
    let findings = found.findings.iter().map(|breach| {
        let mut members = compared(&breach.finding);
        members.insert("class".to_owned(), breach.class.name().into());
        if !breach.blame.is_empty() {
            let parties: Vec<_> = breach.blame.iter().map(|party| party.name()).collect();
            members.insert("blame".to_owned(), parties.into());
        }
        members.into()
    });
    findings.collect()
}

fn advice(found: &Judgement) -> Vec<Value> {
    let advice = found.advice.iter();
    advice.map(|one| json!({"law": one.law.slug(), "text": one.message, "pointer": one.pointer.as_str()})).collect()
}
