//! `sovereign.*`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{
    digest::Digest,
    operation::{Answer, Handler, Output, Question, compared},
    sovereign::{
        self, Inputs, Profiles, Rejection, Run,
        contract::{self, Contract},
        reference,
    },
    threads::Threads,
};

/// The operations of the system.
pub(crate) const TABLE: &[(&str, Handler)] = &[
    ("sovereign.compare", compare),
    ("sovereign.audit", audit),
    ("sovereign.deny_code", deny_code),
    ("sovereign.select_path", select_path),
    ("sovereign.order", order),
    ("sovereign.report_id", report_id),
    ("sovereign.contract", contract),
    ("sovereign.decision_id", decision_id),
    ("sovereign.registry_digest", registry_digest),
    ("sovereign.record", record),
    ("sovereign.bundle", bundle),
];

fn compare(question: &mut Question<'_>) -> Answer {
    let (Some(bundle_a), Some(bundle_b)) = (question.document("bundle_a"), question.document("bundle_b")) else {
        return Answer::reject("A_INPUT");
    };
    let inputs = Inputs {
        bundle_a,
        bundle_b,
        registry: question.document("registry"),
        stage_order: question.document("stage_order"),
    };
    let report = match question.text_arg("mode") {
        Some("law") => {
            let files = question.root.turn_files();
            sovereign::compare(&inputs, &*files, &*files, Threads::Caller)
        }
        Some("reference") => match reference::compare(&inputs, &*question.root.parity_files(), Threads::Caller) {
            Ok(report) => report,
            Err(abort) => {
                return Answer::Reject {
                    codes: BTreeSet::from(["ABORT".to_owned()]),
                    out: BTreeMap::from([("exception".to_owned(), Output::Value(abort.name().into()))]),
                };
            }
        },
        _ => return Answer::reject("A_INPUT"),
    };
    Answer::accept([("report", Output::Doc(report.text))])
}

fn audit(question: &mut Question<'_>) -> Answer {
    let Some(turn) = question.document("turn") else { return Answer::reject("A_INPUT") };
    let mut profiles = Profiles::default();
    let named = match question.args.get("profiles") {
        None => &[],
        Some(Value::Array(named)) => named.as_slice(),
        Some(_) => return Answer::reject("A_INPUT"),
    };
    for name in named {
        if !name.as_str().is_some_and(|name| profiles.add(name)) {
            return Answer::reject("A_INPUT");
        }
    }
    match sovereign::audit(turn, question.document("attempts"), question.document("registry"), profiles) {
        Err(why) => rejection(&why),
        Ok(findings) => {
            let findings: Vec<Value> = findings.iter().map(|finding| compared(finding).into()).collect();
            Answer::accept([("findings", Output::Value(findings.into()))])
        }
    }
}

fn deny_code(question: &mut Question<'_>) -> Answer {
    let given = question.document("conditions");
    answer(given.map(sovereign::deny_code), |code| [("deny_code", Output::Value(code.into()))])
}

fn select_path(question: &mut Question<'_>) -> Answer {
    let given = question.document("entry");
    let selected = given.map(|entry| sovereign::select_path(entry, &*question.root.turn_files()));
    answer(selected, |path| [("path", Output::Value(path.into()))])
}

fn order(question: &mut Question<'_>) -> Answer {
    let given = question.document("mismatches");
    let ordered = given.map(|mismatches| sovereign::order(mismatches, question.document("stage_order")));
    answer(ordered, |text| [("mismatches", Output::Doc(text))])
}

fn report_id(question: &mut Question<'_>) -> Answer {
    answer(question.document("report").map(sovereign::report_id), |digest| [("report_id", hex(digest))])
}

fn contract(question: &mut Question<'_>) -> Answer {
    let Some(contract) = question.text_arg("contract").and_then(Contract::from_name) else {
        return Answer::reject("A_INPUT");
    };
    answer(question.document("doc").map(|doc| contract::check(contract, doc)), |()| [] as [(&str, Output); 0])
}

fn decision_id(question: &mut Question<'_>) -> Answer {
    answer(question.document("record").map(sovereign::decision_id), |digest| [("decision_id", hex(digest))])
}

fn registry_digest(question: &mut Question<'_>) -> Answer {
    answer(question.document("registry").map(sovereign::registry_digest), |digest| [("digest", hex(digest))])
}

fn record(question: &mut Question<'_>) -> Answer {
    let (Some(run_id), Some(turn_id)) = (question.text_arg("run_id"), question.text_arg("turn_id")) else {
        return Answer::reject("A_INPUT");
    };
    let given = question.document("attempts");
    answer(given.map(|attempts| sovereign::record(run_id, turn_id, attempts)), |turn| [("turn", text(turn))])
}

fn bundle(question: &mut Question<'_>) -> Answer {
    let (Some(run_id), Some(workflow_id)) = (question.text_arg("run_id"), question.text_arg("workflow_id")) else {
        return Answer::reject("A_INPUT");
    };
    let (Some(digests), Some(turns)) = (question.args.get("digests"), question.args.get("turns")) else {
        return Answer::reject("A_INPUT");
    };
    let (digests, turns) = (digests.to_string(), turns.to_string());
    let registry = question.document("registry");
    let run = Run { run_id, workflow_id, digests: digests.as_bytes(), turns: turns.as_bytes(), registry };
    let made = sovereign::bundle(&run, &*question.root.turn_files());
    answer(Some(made), |bundle| [("bundle", text(bundle))])
}

/// Canonical text, which is UTF-8.
fn text(canonical: Vec<u8>) -> Output {
    Output::Doc(String::from_utf8(canonical).unwrap_or_default())
}

fn hex(digest: Digest) -> Output {
    Output::Value(digest.to_hex().into())
}

fn rejection(why: &Rejection) -> Answer {
    Answer::reject(why.code())
}

/// Turns a verdict into an answer; an absent document is outside every operation's domain.
fn answer<T, const N: usize>(
    verdict: Option<Result<T, Rejection>>,
    out: impl FnOnce(T) -> [(&'static str, Output); N],
) -> Answer {
    match verdict {
        None => Answer::reject("A_INPUT"),
        Some(Err(why)) => rejection(&why),
        Some(Ok(value)) => Answer::accept(out(value)),
    }
}
