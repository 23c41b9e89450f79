//! The hashes of a contract and a receipt by itself, asked of the verifier and of the Python oracle.
//!
//! Spec: RCE Profile v0.1; Constitutional Receipt Standard v0.1; rulings EP-3 to EP-6, EP-26, EP-27 and EP-47.

use assize_corpus::handler;
use assize_corpus::testee::{Answer, Request};
use assize_oracle::episode;
use serde_json::Value;

use super::authority::in_terms;

/// A question about a contract.
pub fn hashes(contract: &[u8]) -> Request {
    request("episode.hashes", "contract", contract)
}

/// A question about a receipt.
pub fn receipt(receipt: &[u8], public_key: Option<&str>) -> Request {
    let mut request = request("episode.receipt", "receipt", receipt);
    request.args.extend(public_key.map(|key| ("public_key".to_owned(), key.into())));
    request
}

fn request(op: &str, document: &str, text: &[u8]) -> Request {
    let docs = [(document.to_owned(), text.to_vec())].into();
    Request { op: op.to_owned(), args: Default::default(), docs, root: None }
}

/// What the oracle says to a request, in the corpus's terms.
///
/// # Errors
/// The oracle broke, or the request is not one of its own.
pub fn oracle(request: &Request) -> Result<Answer, String> {
    let document = |name: &str| request.docs.get(name).map(Vec::as_slice).ok_or(format!("no document {name}"));
    let answer = match request.op.as_str() {
        "episode.hashes" => episode::hashes(document("contract")?),
        "episode.receipt" => {
            episode::receipt(document("receipt")?, request.args.get("public_key").and_then(Value::as_str))
        }
        other => return Err(format!("{other} is not an operation of the oracle")),
    };
    in_terms(&request.op, answer.map_err(|error| format!("the oracle broke: {error}"))?)
}

/// Asks both sides, and demands one answer.
///
/// # Errors
/// Both answers, where they differ; or the oracle broke.
pub fn agree(request: &Request) -> Result<Answer, String> {
    let (python, verifier) = (oracle(request)?, handler::answer(request));
    if python == verifier {
        return Ok(python);
    }
    Err(format!("{} {:?}\noracle:   {python:?}\nverifier: {verifier:?}", request.op, request.args))
}
