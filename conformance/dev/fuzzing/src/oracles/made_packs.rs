//! `episode.pack`, asked of the verifier and of the Python oracle: each judges what the other made.
//!
//! Spec: ruling EP-48.

use std::collections::BTreeMap;

use assize_inputs::packs::{Files, RecordedEpisode};
use assize_oracle::authority::OracleAnswer;
use assize_oracle::episode::{Made, Question, make};
use assize_verifier::episode::Verdict;
use assize_verifier::files::HomeFiles as _;
use assize_verifier::operation::{self, Answer, MemoryRoot, Output};
use serde_json::{Map, Value};

use super::packs::judge;

/// What the verifier answers, and the pack that it leaves.
///
/// # Errors
/// What the verifier's home does not take.
pub fn verifier(recorded: &RecordedEpisode) -> Result<(Answer, Files), String> {
    let mut root = MemoryRoot::default();
    for (path, bytes) in &recorded.files {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        root.files.create_folder(folder).map_err(|why| format!("{folder}: {why}"))?;
        root.files.create(path, bytes).map_err(|why| format!("{path}: {why}"))?;
    }
    let args = [("now", &recorded.now), ("private_key", &recorded.private_key)];
    let args: Map<String, Value> =
        args.into_iter().map(|(name, value)| (name.to_owned(), value.as_str().into())).collect();
    let docs = BTreeMap::from([("contract".to_owned(), recorded.contract.clone())]);
    let mut question =
        operation::Question { op: "episode.pack", args: &args, docs: &docs, root: &mut root, platform: "test" };
    let answer = operation::answer(&mut question);
    let left = root.files.below("pack").filter_map(|(path, bytes)| Some((path.strip_prefix("pack/")?, bytes?)));
    Ok((answer, left.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect()))
}

/// Demands one answer of both, and that each pack is one in the eyes of the other; the word for the answer.
///
/// # Errors
/// What differs; or the oracle broke.
pub fn agree(recorded: &RecordedEpisode) -> Result<Vec<String>, String> {
    let (answer, pack) = verifier(recorded)?;
    let files = recorded.files.iter().map(|(path, bytes)| (path.clone(), Some(bytes.clone()))).collect();
    let (now, private_key) = (recorded.now.as_str(), recorded.private_key.as_str());
    let question = Question { contract: &recorded.contract, files: &files, now, private_key };
    let made =
        make(&question, (!pack.is_empty()).then_some(&pack)).map_err(|error| format!("the oracle broke: {error}"))?;
    let differs = |what: &str| Err(format!("{what}\noracle:   {:?}\nverifier: {answer:?}", made.answer));
    match (&made.answer, &answer) {
        (OracleAnswer::Reject(codes), Answer::Reject { codes: found, .. }) if codes == found => {
            if pack.is_empty() {
                Ok(codes.iter().cloned().collect())
            } else {
                differs("something is left of a pack")
            }
        }
        (OracleAnswer::Accept(expected), Answer::Accept { out }) => {
            let hash = |text: &String| serde_json::from_str(text).ok().map(Output::Value);
            if expected.len() != out.len() || expected.iter().any(|(name, text)| hash(text).as_ref() != out.get(name)) {
                return differs("the hashes");
            }
            each_takes_the_other(&made, &pack)
        }
        _ => differs("the verdict"),
    }
}

/// Holds the two packs against each other; how the steps ended.
fn each_takes_the_other(made: &Made, pack: &Files) -> Result<Vec<String>, String> {
    for (whose, faults) in ["the oracle's own pack", "the verifier's pack"].iter().zip(&made.faults) {
        if !faults.is_empty() {
            return Err(format!("the oracle says of {whose}: {faults:?}"));
        }
    }
    let statuses = made.steps.as_ref().map(|(statuses, _)| statuses.as_str()).unwrap_or_default();
    let statuses: BTreeMap<String, String> = serde_json::from_str(statuses).map_err(|why| why.to_string())?;
    for (whose, files) in [("the oracle's", &made.pack), ("the verifier's", pack)] {
        let found = judge(files)?;
        let status =
            |step: &assize_verifier::episode::StepState| Some((step.step_id.clone(), step.status?.name().to_owned()));
        let told: BTreeMap<_, _> = found.steps.iter().filter_map(status).collect();
        if found.verdict != Verdict::Match || told != statuses {
            let findings: Vec<_> = found.findings.iter().collect();
            return Err(format!("{whose} pack: {:?}, {told:?}, not {statuses:?}: {findings:?}", found.verdict));
        }
    }
    let mut words: Vec<_> = statuses.into_values().collect();
    words.sort_unstable();
    words.dedup();
    Ok(words)
}
