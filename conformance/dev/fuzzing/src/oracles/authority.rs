//! The authority operations, asked of the verifier and of the Python oracle.
//!
//! Spec: Kernel Contract 0.1.0; rulings AU-1 to AU-48.

use assize_corpus::handler;
use assize_corpus::operation::{self, Kind};
use assize_corpus::testee::{Answer, Output, Request};
use assize_oracle::authority::{self, Provenance};
use serde_json::Value;

/// A request with one document.
pub fn request(op: &str, document: &str, text: impl Into<Vec<u8>>) -> Request {
    let docs = [(document.to_owned(), text.into())].into();
    Request { op: op.to_owned(), args: Default::default(), docs, root: None }
}

/// A question about what follows a ledger.
pub fn append(records: &[u8], ts: &str, kind: &str, payload: &[u8]) -> Request {
    let mut request = request("authority.append", "records", records);
    request.docs.insert("payload".to_owned(), payload.to_vec());
    request.args.insert("ts".to_owned(), ts.into());
    request.args.insert("kind".to_owned(), kind.into());
    request
}

/// A question about a graph.
pub fn dag(run_id: &str, operations: impl Into<Vec<u8>>) -> Request {
    let mut request = request("authority.dag", "ops", operations);
    request.args.insert("run_id".to_owned(), run_id.into());
    request
}

/// What the oracle says to a request, in the corpus's terms.
///
/// # Errors
/// The oracle broke, or the request is not one of its own.
pub fn oracle(request: &Request) -> Result<Answer, String> {
    let document = |name: &str| request.docs.get(name).map(Vec::as_slice).ok_or(format!("no document {name}"));
    let argument = |name: &str| request.args.get(name);
    let answer = match request.op.as_str() {
        "authority.chain" => authority::chain(document("records")?),
        "authority.append" => {
            let text = |name: &str| argument(name).and_then(Value::as_str).ok_or(format!("no text {name}"));
            authority::append(document("records")?, text("ts")?, text("kind")?, document("payload")?)
        }
        "authority.version" => authority::version(document("change")?),
        "authority.run" => authority::run(document("inputs")?),
        "authority.dag" => {
            let run_id = argument("run_id").and_then(Value::as_str).ok_or("no run id")?;
            authority::dag(run_id, document("ops")?)
        }
        "authority.replay" => {
            let confidence = argument("confidence").map_or_else(|| "null".to_owned(), Value::to_string);
            let source = argument("source").and_then(Value::as_str).unwrap_or("heuristic");
            authority::replay(document("records")?, Provenance { source, confidence: &confidence })
        }
        other => return Err(format!("{other} is not an operation of the oracle")),
    };
    in_terms(&request.op, answer.map_err(|error| format!("the oracle broke: {error}"))?)
}

/// What an oracle says to a question of this operation, in the corpus's terms.
///
/// # Errors
/// An output that the operation does not have, or that is not JSON.
pub fn in_terms(op: &str, said: authority::OracleAnswer) -> Result<Answer, String> {
    let outputs = match said {
        authority::OracleAnswer::Reject(codes) => return Ok(Answer::Reject { codes, out: Default::default() }),
        authority::OracleAnswer::Accept(outputs) => outputs,
    };
    let table = operation::table().find(op).ok_or("no operation of the table")?;
    let output = |(name, text): (String, String)| {
        let output = match table.kind(true, &name) {
            Some(Kind::Doc) => Output::Doc(text),
            Some(Kind::Value) => Output::Value(serde_json::from_str(&text).map_err(|why| why.to_string())?),
            other => return Err(format!("{name} is of kind {other:?}")),
        };
        Ok((name, output))
    };
    Ok(Answer::accept(outputs.into_iter().map(output).collect::<Result<Vec<_>, String>>()?))
}

/// Asks both sides, and demands one answer; it is the oracle's.
///
/// # Errors
/// Both answers, where they differ; or the oracle broke.
pub fn agree(request: &Request) -> Result<Answer, String> {
    let python = oracle(request)?;
    same(request, &python, &handler::answer(request))?;
    Ok(python)
}

/// Demands that the verifier's answer is the oracle's. The interpreter's own limits are not those of the verifier: what the oracle
/// calls A_LIMIT, the verifier may judge.
///
/// # Errors
/// Both answers, where they differ.
pub fn same(request: &Request, oracle: &Answer, verifier: &Answer) -> Result<(), String> {
    let limit = *oracle == Answer::reject("A_LIMIT") && !matches!(verifier, Answer::Fault { .. });
    if limit || oracle == verifier {
        return Ok(());
    }
    let (op, args) = (&request.op, &request.args);
    Err(format!("{op} {}\noracle:   {oracle:?}\nverifier: {verifier:?}", Value::Object(args.clone())))
}

/// A word for an answer: the outcome of a run, `accept`, or the codes of a rejection.
pub fn words(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Accept { out } => match out.get("outcome") {
            Some(Output::Value(Value::String(outcome))) => vec![outcome.clone()],
            _ => vec!["accept".to_owned()],
        },
        Answer::Reject { codes, .. } => codes.iter().cloned().collect(),
        other => vec![format!("{other:?}")],
    }
}
