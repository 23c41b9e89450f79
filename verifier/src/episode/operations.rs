//! `episode.*`.

use serde_json::Value;

use crate::{
    episode::{self, ContractHashes, Maker, Numbers, Options, PackFinding, Recording, Rejection, Verification},
    files::{HomeError, PackFileError, PackFiles},
    operation::{Answer, Handler, Output, Question, compared, rejected, value},
    threads::Threads,
};

/// The operations of the system.
pub(crate) const TABLE: &[(&str, Handler)] = &[
    ("episode.contract", contract),
    ("episode.hashes", hashes),
    ("episode.verify", verify),
    ("episode.receipt", receipt),
    ("episode.pack", pack),
];

fn contract(question: &mut Question<'_>) -> Answer {
    answer(question.document("contract").map(episode::contract), |()| [] as [(&str, Output); 0])
}

fn hashes(question: &mut Question<'_>) -> Answer {
    let given = question.document("contract");
    answer(given.map(|contract| episode::hashes(contract, Numbers::Rfc8785)), |hashes| named(&hashes))
}

fn named(hashes: &ContractHashes) -> [(&'static str, Output); 4] {
    [
        ("episode_spec_hash", value(hashes.episode_spec_hash.as_str())),
        ("env_fingerprint_hash", value(hashes.env_fingerprint_hash.as_str())),
        ("inputs_hash", value(hashes.inputs_hash.as_str())),
        ("script_hash", value(hashes.script_hash.as_str())),
    ]
}

/// The folder that a pack is written to.
const PACK: &str = "pack";

fn pack(question: &mut Question<'_>) -> Answer {
    let (Some(contract), Some(now), Some(key)) =
        (question.document("contract"), question.text_arg("now"), question.text_arg("private_key"))
    else {
        return Answer::reject("A_INPUT");
    };
    let Some(root) = question.root.pack() else { return Answer::reject("A_INPUT") };
    let recording = Recording { inputs: &Below(&*root, "inputs"), outputs: &Below(&*root, "outputs") };
    let made = match Maker::new(now, key).and_then(|maker| maker.make(contract, &recording)) {
        Ok(made) => made,
        Err(why) => return rejected(&why),
    };
    drop(root);
    let Some(home) = question.root.home() else { return Answer::reject("A_INPUT") };
    match made.write(home, PACK) {
        Ok(()) => Answer::accept(named(&made.hashes)),
        // The pack is absent before.
        Err(HomeError::Occupied) => Answer::reject("A_INPUT"),
        Err(why) => Answer::Fault { kind: "io".to_owned(), message: format!("the pack is not written: {why}") },
    }
}

/// A folder of files, as if it were all there is.
struct Below<'r>(&'r dyn PackFiles, &'static str);

impl Below<'_> {
    fn path(&self, path: &str) -> String {
        format!("{}/{path}", self.1)
    }
}

impl PackFiles for Below<'_> {
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        self.0.read(&self.path(path), limit, into)
    }

    fn exists(&self, path: &str) -> bool {
        self.0.exists(&self.path(path))
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        Err(PackFileError::Unreadable("the folder is not listed"))
    }
}

fn verify(question: &mut Question<'_>) -> Answer {
    let (Some(pack), Ok(now)) = (question.root.pack(), optional_text(question, "now")) else {
        return Answer::reject("A_INPUT");
    };
    let options =
        Options { now, numbers: Numbers::Rfc8785, signer: None, platform: question.platform, threads: Threads::Caller };
    answer(Some(episode::verify(&*pack, &options)), verified)
}

fn receipt(question: &mut Question<'_>) -> Answer {
    let Ok(public_key) = optional_text(question, "public_key") else {
        return Answer::reject("A_INPUT");
    };
    let given = question.document("receipt");
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
fn optional_text<'q>(question: &Question<'q>, name: &str) -> Result<Option<&'q str>, ()> {
    match question.args.get(name) {
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
