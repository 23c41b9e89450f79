//! What a recorder writes, and which file is read, asked of the verifier and of the Python oracle.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deterministic Path Selection Law; rulings SV-25, SV-26.

use std::collections::BTreeMap;

use assize_corpus::store;
use assize_corpus::testee::{Answer, Output, Request};
use assize_corpus::vector::{self, Case};
use assize_oracle::sovereign::{self, Entry, Run};
use assize_verifier::files::{Files, HomeFiles, PackFiles};
use assize_verifier::operation::{Question, Root};
use serde_json::Value;

use super::authority::{in_terms, same};
use super::memory_files::MemoryFiles;

/// A question about the records of a turn.
pub fn record(run_id: &str, turn_id: &str, attempts: impl Into<Vec<u8>>) -> Request {
    let docs = [("attempts".to_owned(), attempts.into())].into();
    let args = [("run_id", run_id), ("turn_id", turn_id)].map(|(name, value)| (name.to_owned(), value.into()));
    Request { op: "sovereign.record".to_owned(), args: args.into_iter().collect(), docs, root: None }
}

/// A question about the bundle of a run.
pub fn bundle(run_id: &str, digests: Value, turns: Value, registry: Option<Vec<u8>>) -> Request {
    let docs = registry.map(|registry| ("registry".to_owned(), registry)).into_iter().collect();
    let args = [("run_id", run_id.into()), ("workflow_id", "wf".into()), ("digests", digests), ("turns", turns)];
    let args = args.map(|(name, value)| (name.to_owned(), value));
    Request { op: "sovereign.bundle".to_owned(), args: args.into_iter().collect(), docs, root: None }
}

/// A question about the file of a turn.
pub fn select_path(entry: impl Into<Vec<u8>>) -> Request {
    let docs = [("entry".to_owned(), entry.into())].into();
    Request { op: "sovereign.select_path".to_owned(), args: Default::default(), docs, root: None }
}

/// Whether the oracle answers an operation.
#[must_use]
pub fn knows(op: &str) -> bool {
    ["sovereign.record", "sovereign.bundle", "sovereign.select_path"].contains(&op)
}

/// What the oracle says to a request over these files, in the corpus's terms.
///
/// # Errors
/// The oracle broke, or the request is not one of its own.
pub fn oracle(request: &Request, files: &BTreeMap<String, Entry>) -> Result<Answer, String> {
    let document = |name: &str| request.docs.get(name).map(Vec::as_slice).ok_or(format!("no document {name}"));
    let text = |name: &str| request.args.get(name).and_then(Value::as_str).ok_or(format!("no text {name}"));
    let value = |name: &str| request.args.get(name).map(Value::to_string).ok_or(format!("no argument {name}"));
    let answer = match request.op.as_str() {
        "sovereign.record" => sovereign::record(text("run_id")?, text("turn_id")?, document("attempts")?),
        "sovereign.select_path" => sovereign::select_path(document("entry")?, files),
        "sovereign.bundle" => {
            let (digests, turns) = (value("digests")?, value("turns")?);
            let sealed = store::embedded("contracts/sovereign/error-codes-v1.json").ok_or("no sealed registry")?;
            let run = Run {
                run_id: text("run_id")?,
                workflow_id: text("workflow_id")?,
                digests: digests.as_bytes(),
                turns: turns.as_bytes(),
                registry: document("registry").unwrap_or(sealed),
            };
            sovereign::bundle(&run, files)
        }
        other => return Err(format!("{other} is no operation of the oracle")),
    };
    in_terms(&request.op, answer.map_err(|error| format!("the oracle broke: {error}"))?)
}

/// What the oracle says to a case of the corpus.
///
/// # Errors
/// As [`oracle`].
pub fn of_case(case: &Case) -> Result<Answer, String> {
    let entry = |entry: &vector::Entry| match entry {
        vector::Entry::File(document) => Some(Entry::File(document.bytes())),
        vector::Entry::Directory => Some(Entry::Folder),
        vector::Entry::Symlink { to } => Some(Entry::Link(to.clone())),
        // To whoever looks for a file that can be read, it is not there.
        vector::Entry::Unreadable { .. } => None,
    };
    let files = case.files.iter().filter_map(|(path, found)| Some((path.clone(), entry(found)?))).collect();
    oracle(&case.request(None), &files)
}

/// Asks both sides about files in memory, and demands one answer but for what an issue says to people; it is the oracle's.
///
/// # Errors
/// Both answers, where they differ; or the oracle broke.
pub fn agree(request: &Request, files: &BTreeMap<String, Vec<u8>>) -> Result<Answer, String> {
    let entries = files.iter().map(|(path, octets)| (path.clone(), Entry::File(octets.clone()))).collect();
    let python = oracle(request, &entries)?;
    same(request, &python, &compared(verifier(request, files))?)?;
    Ok(python)
}

/// What the verifier says to a request over files in memory.
#[must_use]
pub fn verifier(request: &Request, files: &BTreeMap<String, Vec<u8>>) -> Answer {
    let mut root = TurnFiles(files);
    let (args, docs) = (&request.args, &request.docs);
    assize_verifier::operation::answer(&mut Question { op: &request.op, args, docs, root: &mut root, platform: "any" })
}

/// Turn files in memory, and nothing else.
struct TurnFiles<'f>(&'f BTreeMap<String, Vec<u8>>);

impl Root for TurnFiles<'_> {
    fn turn_files(&self) -> Box<dyn Files + '_> {
        Box::new(MemoryFiles(self.0))
    }

    fn parity_files(&self) -> Box<dyn Files + '_> {
        Box::new(MemoryFiles(self.0))
    }

    fn pack(&self) -> Option<Box<dyn PackFiles + '_>> {
        None
    }

    fn home(&mut self) -> Option<&mut dyn HomeFiles> {
        None
    }
}

/// The answer without the message and the contract version of issues, in canonical text as it was before.
fn compared(answer: Answer) -> Result<Answer, String> {
    let Answer::Accept { mut out } = answer else { return Ok(answer) };
    if let Some(Output::Doc(text)) = out.get_mut("turn") {
        let mut turn: Value = serde_json::from_str(text).map_err(|why| format!("the turn is no JSON: {why}"))?;
        let canonical = turn.to_string();
        if canonical != *text {
            return Err(format!("the turn is not in canonical text: {text}"));
        }
        let issues = turn.get_mut("issues").and_then(Value::as_array_mut).ok_or("no issues")?;
        for issue in issues.iter_mut().filter_map(Value::as_object_mut) {
            let message = issue.remove("message");
            if !message.is_some_and(|message| message.is_string()) {
                return Err(format!("an issue without a message in {text}"));
            }
            issue.remove("contract_version");
        }
        *text = turn.to_string();
    }
    Ok(Answer::Accept { out })
}
