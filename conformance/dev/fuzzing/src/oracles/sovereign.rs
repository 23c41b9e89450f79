//! What a recorder writes, asked of the verifier and of the Python oracle.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1; ruling SV-25.

use assize_corpus::handler;
use assize_corpus::testee::{Answer, Output, Request};
use assize_oracle::authority::Answer as Said;
use assize_oracle::sovereign;
use serde_json::Value;

use super::authority::same;

/// A question about the records of a turn.
pub fn record(run_id: &str, turn_id: &str, attempts: impl Into<Vec<u8>>) -> Request {
    let docs = [("attempts".to_owned(), attempts.into())].into();
    let args = [("run_id", run_id), ("turn_id", turn_id)].map(|(name, value)| (name.to_owned(), value.into()));
    Request { op: "sovereign.record".to_owned(), args: args.into_iter().collect(), docs, root: None }
}

/// What the oracle says to a request, in the corpus's terms.
///
/// # Errors
/// The oracle broke, or the request is not one of its own.
pub fn oracle(request: &Request) -> Result<Answer, String> {
    let document = |name: &str| request.docs.get(name).map(Vec::as_slice).ok_or(format!("no document {name}"));
    let text = |name: &str| request.args.get(name).and_then(Value::as_str).ok_or(format!("no text {name}"));
    let answer = match request.op.as_str() {
        "sovereign.record" => sovereign::record(text("run_id")?, text("turn_id")?, document("attempts")?),
        other => return Err(format!("{other} is no operation of the oracle")),
    };
    match answer.map_err(|error| format!("the oracle broke: {error}"))? {
        Said::Reject(codes) => Ok(Answer::Reject { codes, out: Default::default() }),
        Said::Accept(outputs) => {
            Ok(Answer::accept(outputs.into_iter().map(|(name, text)| (name, Output::Doc(text))).collect::<Vec<_>>()))
        }
    }
}

/// Asks both sides, and demands one answer but for what an issue says to people; it is the oracle's.
///
/// # Errors
/// Both answers, where they differ; or the oracle broke.
pub fn agree(request: &Request) -> Result<Answer, String> {
    let python = oracle(request)?;
    same(request, &python, &compared(handler::answer(request))?)?;
    Ok(python)
}

/// The answer without the message and the contract version of issues, in canonical text as it was before.
fn compared(answer: Answer) -> Result<Answer, String> {
    let Answer::Accept { mut out } = answer else { return Ok(answer) };
    if let Some(Output::Doc(text)) = out.get_mut("turn") {
        let mut turn: Value = serde_json::from_str(text).map_err(|why| format!("the turn is no JSON: {why}"))?;
        if turn.to_string() != *text {
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
