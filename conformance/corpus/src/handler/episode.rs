//! `episode.*`.

use assize_verifier::episode::{self, Numbers, Options, PackFinding, Rejection, Verification};
use assize_verifier::threads::Threads;
use serde_json::Value;

use super::{compared, document, rejected, value};
use crate::disk::PackFolder;
use crate::testee::{Answer, Output, Request};

pub(super) fn contract(request: &Request) -> Answer {
    answer(document(request, "contract").map(episode::contract), |()| [] as [(&str, Output); 0])
}

pub(super) fn hashes(request: &Request) -> Answer {
    let given = document(request, "contract");
    answer(given.map(|contract| episode::hashes(contract, Numbers::Rfc8785)), |hashes| {
        [
            ("episode_spec_hash", value(hashes.episode_spec_hash)),
            ("env_fingerprint_hash", value(hashes.env_fingerprint_hash)),
            ("inputs_hash", value(hashes.inputs_hash)),
            ("script_hash", value(hashes.script_hash)),
        ]
    })
}

pub(super) fn verify(request: &Request) -> Answer {
    let (Some(root), Ok(now)) = (request.root.as_deref(), optional_text(request, "now")) else {
        return Answer::reject("A_INPUT");
    };
    let Ok(pack) = PackFolder::open(root) else {
        return Answer::reject("A_INPUT");
    };
    let options = Options {
        now,
        numbers: Numbers::Rfc8785,
        signer: None,
        platform: std::env::consts::OS,
        threads: Threads::Caller,
    };
    answer(Some(episode::verify(&pack, &options)), verified)
}

pub(super) fn receipt(request: &Request) -> Answer {
    let Ok(public_key) = optional_text(request, "public_key") else {
        return Answer::reject("A_INPUT");
    };
    let given = document(request, "receipt");
    answer(given.map(|receipt| episode::receipt(receipt, public_key)), |report| {
        [
            ("receipt_hash", value(report.receipt_hash)),
            ("declared_matches", value(report.declared_matches)),
            ("signature", value(report.signature.name())),
        ]
    })
}

fn verified(found: Verification) -> [(&'static str, Output); 12] {
    let divergent: Vec<Value> = found.divergences.iter().map(|step| step.step_id.as_str().into()).collect();
    let findings: Vec<Value> = found.findings.iter().map(finding).collect();
    [
        ("verdict", value(found.verdict.name())),
        ("receipt_integrity", value(found.verdict.receipt_integrity())),
        ("claim_check", value(found.verdict.claim_check())),
        ("episode_claim", value(found.claim_word())),
        ("exit_code", value(found.exit_code())),
        ("phase", value(found.phase.number())),
        ("steps_replayed", value(found.steps_replayed)),
        ("steps_matched", value(found.steps_matched)),
        ("steps_diverged", value(found.divergences.len())),
        ("divergent_step_ids", value(divergent)),
        ("findings", value(findings)),
        ("replay_result", Output::Doc(found.replay_result)),
    ]
}

fn finding(found: &PackFinding) -> Value {
    let mut members = compared(&found.finding);
    members.insert("file".to_owned(), found.file.as_str().into());
    members.into()
}

/// An argument that may be absent, and is a string if it is not.
fn optional_text<'r>(request: &'r Request, name: &str) -> Result<Option<&'r str>, ()> {
    match request.args.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(()),
    }
}

/// Turns a judgement into an answer; an absent document is outside every operation's domain.
fn answer<T, const N: usize>(
    judged: Option<Result<T, Rejection>>,
    out: impl FnOnce(T) -> [(&'static str, Output); N],
) -> Answer {
    match judged {
        None => Answer::reject("A_INPUT"),
        Some(Ok(judged)) => Answer::accept(out(judged)),
        Some(Err(why)) => rejected(&why),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::{handler, operation};

    fn request(op: &str, args: Value, root: Option<&Path>) -> Request {
        let Value::Object(args) = args else { panic!("{args}") };
        Request { op: op.to_owned(), args, docs: Default::default(), root: root.map(Path::to_path_buf) }
    }

    #[test]
    fn questions_outside_the_domain_are_no_verdicts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "{}").unwrap();
        for (op, args, root) in [
            ("episode.verify", json!({}), None),
            ("episode.verify", json!({}), Some(file.as_path())),
            ("episode.verify", json!({}), Some(&*folder.path().join("gone"))),
            ("episode.verify", json!({"now": 7}), Some(folder.path())),
            ("episode.verify", json!({"now": null}), Some(folder.path())),
            ("episode.verify", json!({"now": "yesterday"}), Some(folder.path())),
            ("episode.contract", json!({}), None),
            ("episode.hashes", json!({}), None),
            ("episode.receipt", json!({}), None),
            ("episode.receipt", json!({"public_key": 7}), None),
        ] {
            assert_eq!(
                handler::answer(&request(op, args.clone(), root)),
                Answer::reject("A_INPUT"),
                "{op} {args} {root:?}"
            );
        }
    }

    #[test]
    fn an_empty_folder_is_a_pack_without_files() {
        let folder = tempfile::tempdir().unwrap();
        let answer = handler::answer(&request("episode.verify", json!({}), Some(folder.path())));
        let Answer::Accept { out } = answer else { panic!("{answer:?}") };
        let said = |name: &str| out.get(name).cloned().unwrap();
        let said_value = |name: &str| match said(name) {
            Output::Value(value) => value,
            other => panic!("{name}: {other:?}"),
        };
        for (name, expected) in [
            ("verdict", json!("INTEGRITY_FAIL")),
            ("receipt_integrity", json!("FAIL")),
            ("claim_check", json!(null)),
            ("episode_claim", json!(null)),
            ("exit_code", json!(2)),
            ("phase", json!(1)),
            ("steps_replayed", json!(0)),
            ("steps_matched", json!(0)),
            ("steps_diverged", json!(0)),
            ("divergent_step_ids", json!([])),
        ] {
            assert_eq!(said_value(name), expected, "{name}");
        }
        let findings = said_value("findings");
        assert!(
            findings.as_array().unwrap().iter().any(|finding| finding["file"] == "episode_contract.json"),
            "{findings}"
        );
        let operation = operation::table().find("episode.verify").unwrap();
        assert_eq!(out.len(), operation.accept.len());
        for (output, stated) in operation.accept.iter().map(|stated| (said(&stated.name), stated)) {
            assert_eq!(output.kind(), stated.kind, "{}", stated.name);
        }
    }
}
