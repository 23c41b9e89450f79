//! `sovereign.*`.

use std::collections::{BTreeMap, BTreeSet};

use assize_verifier::digest::Digest;
use assize_verifier::files::{Files, Unreadable};
use assize_verifier::sovereign::contract::{self, Contract};
use assize_verifier::sovereign::{self, Inputs, Profiles, Rejection, reference};
use assize_verifier::threads::Threads;
use serde_json::Value;

use super::{compared, document, text_arg};
use crate::disk::{Contained, Parity};
use crate::testee::{Answer, Output, Request};

pub(super) fn compare(request: &Request) -> Answer {
    let (Some(bundle_a), Some(bundle_b)) = (document(request, "bundle_a"), document(request, "bundle_b")) else {
        return Answer::reject("A_INPUT");
    };
    let inputs = Inputs {
        bundle_a,
        bundle_b,
        registry: document(request, "registry"),
        stage_order: document(request, "stage_order"),
    };
    let report = match text_arg(request, "mode") {
        Some("law") => {
            let files = contained(request);
            sovereign::compare(&inputs, &*files, &*files, Threads::Caller)
        }
        Some("reference") => match reference::compare(&inputs, &*parity(request), Threads::Caller) {
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

pub(super) fn audit(request: &Request) -> Answer {
    let Some(turn) = document(request, "turn") else { return Answer::reject("A_INPUT") };
    let mut profiles = Profiles::default();
    let named = match request.args.get("profiles") {
        None => &[],
        Some(Value::Array(named)) => named.as_slice(),
        Some(_) => return Answer::reject("A_INPUT"),
    };
    for name in named {
        if !name.as_str().is_some_and(|name| profiles.add(name)) {
            return Answer::reject("A_INPUT");
        }
    }
    match sovereign::audit(turn, document(request, "attempts"), document(request, "registry"), profiles) {
        Err(why) => rejection(&why),
        Ok(findings) => {
            let findings: Vec<Value> = findings.iter().map(|finding| compared(finding).into()).collect();
            Answer::accept([("findings", Output::Value(findings.into()))])
        }
    }
}

pub(super) fn deny_code(request: &Request) -> Answer {
    let given = document(request, "conditions");
    answer(given.map(sovereign::deny_code), |code| [("deny_code", Output::Value(code.into()))])
}

pub(super) fn select_path(request: &Request) -> Answer {
    let given = document(request, "entry");
    let selected = given.map(|entry| sovereign::select_path(entry, &*contained(request)));
    answer(selected, |path| [("path", Output::Value(path.into()))])
}

pub(super) fn order(request: &Request) -> Answer {
    let given = document(request, "mismatches");
    let ordered = given.map(|mismatches| sovereign::order(mismatches, document(request, "stage_order")));
    answer(ordered, |text| [("mismatches", Output::Doc(text))])
}

pub(super) fn report_id(request: &Request) -> Answer {
    answer(document(request, "report").map(sovereign::report_id), |digest| [("report_id", hex(digest))])
}

pub(super) fn contract(request: &Request) -> Answer {
    let Some(contract) = text_arg(request, "contract").and_then(Contract::from_name) else {
        return Answer::reject("A_INPUT");
    };
    answer(document(request, "doc").map(|doc| contract::check(contract, doc)), |()| [] as [(&str, Output); 0])
}

pub(super) fn decision_id(request: &Request) -> Answer {
    answer(document(request, "record").map(sovereign::decision_id), |digest| [("decision_id", hex(digest))])
}

pub(super) fn registry_digest(request: &Request) -> Answer {
    answer(document(request, "registry").map(sovereign::registry_digest), |digest| [("digest", hex(digest))])
}

/// A case without files has no root: every path is absent then, and the working directory is nobody's business.
struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &[u8], _: &mut Vec<u8>) -> Result<(), Unreadable> {
        Err(Unreadable { reason: "the case has no files" })
    }
}

fn contained(request: &Request) -> Box<dyn Files> {
    match request.root.as_deref().map(Contained::new) {
        Some(Ok(files)) => Box::new(files),
        // A root that cannot be opened holds nothing that can be read.
        Some(Err(_)) | None => Box::new(NoFiles),
    }
}

fn parity(request: &Request) -> Box<dyn Files> {
    match request.root.as_deref() {
        Some(root) => Box::new(Parity::new(root)),
        None => Box::new(NoFiles),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_without_a_root_still_reports() {
        let bundle = r#"{"contract_version":"replay_bundle/v1"}"#.as_bytes().to_vec();
        for mode in ["law", "reference"] {
            let request = Request {
                op: "sovereign.compare".to_owned(),
                args: serde_json::Map::from_iter([("mode".to_owned(), Value::from(mode))]),
                docs: BTreeMap::from([
                    ("bundle_a".to_owned(), bundle.clone()),
                    ("bundle_b".to_owned(), bundle.clone()),
                ]),
                root: None,
            };
            assert!(matches!(compare(&request), Answer::Accept { .. }), "{mode}");
        }
    }
}
