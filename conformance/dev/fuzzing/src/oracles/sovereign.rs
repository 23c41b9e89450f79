//! What a recorder writes, which file is read and what an audit finds, asked of the verifier and of the Python oracle.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deterministic Path Selection Law; rulings SV-25, SV-26.

use std::collections::BTreeMap;

use assize_corpus::store;
use assize_corpus::testee::{Answer, Output, Request};
use assize_corpus::vector::{self, Case};
use assize_oracle::authority;
use assize_oracle::sovereign::{self, Entry, Run, Told};
use assize_verifier::files::{Files, HomeFiles, PackFiles};
use assize_verifier::operation::{Question, Root};
use serde_json::Value;

use super::authority::{in_terms, same};
use super::memory_files::MemoryFiles;

/// What the oracle leaves open in an audit.
const OPEN: &str = "open";

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

/// A question about a turn.
pub fn audit(turn: &[u8], attempts: Option<Vec<u8>>, registry: Option<Vec<u8>>, profiles: &[&str]) -> Request {
    let documents = [("turn", Some(turn.to_vec())), ("attempts", attempts), ("registry", registry)];
    let docs = documents.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?))).collect();
    let args = [("profiles".to_owned(), profiles.into())].into_iter().collect();
    Request { op: "sovereign.audit".to_owned(), args, docs, root: None }
}

/// Whether the oracle answers an operation.
#[must_use]
pub fn knows(op: &str) -> bool {
    ["sovereign.record", "sovereign.bundle", "sovereign.select_path", "sovereign.audit"].contains(&op)
}

/// What the oracle says to a request over these files, in the corpus's terms.
///
/// # Errors
/// The oracle broke, or the request is not one of its own.
pub fn oracle(request: &Request, files: &BTreeMap<String, Entry>) -> Result<Answer, String> {
    let document = |name: &str| request.docs.get(name).map(Vec::as_slice).ok_or(format!("no document {name}"));
    let text = |name: &str| request.args.get(name).and_then(Value::as_str).ok_or(format!("no text {name}"));
    let value = |name: &str| request.args.get(name).map(Value::to_string).ok_or(format!("no argument {name}"));
    let sealed = store::embedded("contracts/sovereign/error-codes-v1.json").ok_or("no sealed registry")?;
    let registry = document("registry").unwrap_or(sealed);
    let answer = match request.op.as_str() {
        "sovereign.audit" => {
            let profiles = request.args.get("profiles").and_then(Value::as_array).into_iter().flatten();
            let profiles: Vec<_> = profiles.filter_map(|name| name.as_str().map(str::to_owned)).collect();
            let told = Told { attempts: document("attempts").ok(), registry, profiles: &profiles };
            sovereign::audit(document("turn")?, &told)
        }
        "sovereign.record" => sovereign::record(text("run_id")?, text("turn_id")?, document("attempts")?),
        "sovereign.select_path" => sovereign::select_path(document("entry")?, files),
        "sovereign.bundle" => {
            let (digests, turns) = (value("digests")?, value("turns")?);
            let run = Run {
                run_id: text("run_id")?,
                workflow_id: text("workflow_id")?,
                digests: digests.as_bytes(),
                turns: turns.as_bytes(),
                registry,
            };
            sovereign::bundle(&run, files)
        }
        other => return Err(format!("{other} is not an operation of the oracle")),
    };
    let mut said = answer.map_err(|error| format!("the oracle broke: {error}"))?;
    let open = match &mut said {
        authority::OracleAnswer::Accept(outputs) => outputs.remove(OPEN),
        authority::OracleAnswer::Reject(_) => None,
    };
    let mut answer = in_terms(&request.op, said)?;
    if let (Answer::Accept { out }, Some(open)) = (&mut answer, open) {
        let open = serde_json::from_str(&open).map_err(|why| format!("{open}: {why}"))?;
        out.insert(OPEN.to_owned(), Output::Value(open));
    }
    Ok(answer)
}

/// What the oracle says to a case of the corpus.
///
/// # Errors
/// As [`oracle`], or it leaves something open.
pub fn of_case(case: &Case) -> Result<Answer, String> {
    match oracle(&case.request(None), &entries(case))? {
        Answer::Accept { mut out } => match out.remove(OPEN) {
            Some(Output::Value(Value::Array(open))) if !open.is_empty() => Err(format!("{open:?} is open")),
            _ => Ok(Answer::Accept { out }),
        },
        other => Ok(other),
    }
}

/// What lies below the root of a case.
pub(crate) fn entries(case: &Case) -> BTreeMap<String, Entry> {
    let entry = |entry: &vector::Entry| match entry {
        vector::Entry::File(document) => Some(Entry::File(document.bytes())),
        vector::Entry::Directory => Some(Entry::Folder),
        vector::Entry::Symlink { to } => Some(Entry::Link(to.clone())),
        // To whoever looks for a file that can be read, it is not there.
        vector::Entry::Unreadable { .. } => None,
    };
    case.files.iter().filter_map(|(path, found)| Some((path.clone(), entry(found)?))).collect()
}

/// Asks both sides about files in memory, and demands one answer but for what an issue says to people; it is the oracle's.
///
/// # Errors
/// Both answers, where they differ; or the oracle broke.
pub fn agree(request: &Request, files: &BTreeMap<String, Vec<u8>>) -> Result<Answer, String> {
    let entries = files.iter().map(|(path, octets)| (path.clone(), Entry::File(octets.clone()))).collect();
    let mut python = oracle(request, &entries)?;
    let mut rust = compared(verifier(request, files))?;
    if let Answer::Accept { out } = &mut python {
        let open = out.remove(OPEN);
        settled(out, open.as_ref());
        if let Answer::Accept { out } = &mut rust {
            settled(out, open.as_ref());
        }
    }
    same(request, &python, &rust)?;
    Ok(python)
}

/// Leaves out the findings that are open, and makes one mark of several, by which half a surrogate pair is shown.
fn settled(out: &mut BTreeMap<String, Output>, open: Option<&Output>) {
    let Some(Output::Value(Value::Array(findings))) = out.get_mut("findings") else { return };
    let open = match open {
        Some(Output::Value(Value::Array(open))) => open.as_slice(),
        _ => &[],
    };
    findings.retain(|finding| {
        let place = [finding.get("pointer"), finding.get("law")];
        !open.iter().any(|pair| [pair.get(0), pair.get(1)] == place)
    });
    for finding in findings.iter_mut() {
        if let Some(Value::String(pointer)) = finding.get_mut("pointer") {
            while pointer.contains("\u{fffd}\u{fffd}") {
                *pointer = pointer.replace("\u{fffd}\u{fffd}", "\u{fffd}");
            }
        }
    }
    findings.sort_by_key(Value::to_string);
    findings.dedup();
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
        let mut turn: Value = serde_json::from_str(text).map_err(|why| format!("the turn is not JSON: {why}"))?;
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
