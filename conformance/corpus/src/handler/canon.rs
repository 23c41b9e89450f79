//! `canon.bytes`.

use assize_verifier::canon::{CanonError, Profile, canonicalize};
use serde_json::Value;

use super::{document, text_arg};
use crate::testee::{Answer, Output, Request};

pub(super) fn bytes(request: &Request) -> Answer {
    let Some(profile) = text_arg(request, "profile").and_then(Profile::from_name) else {
        return Answer::reject("A_INPUT");
    };
    let Some(doc) = document(request, "doc") else {
        return Answer::reject("A_INPUT");
    };
    match canonicalize(profile, doc) {
        Ok(bytes) => Answer::accept([
            ("bytes", Output::Bytes(bytes.as_slice().to_vec())),
            ("sha256", Output::Value(Value::String(bytes.digest().to_hex()))),
        ]),
        Err(CanonError::Json(error)) if error.kind.is_limit() => Answer::reject("A_LIMIT"),
        Err(CanonError::Json(_)) => Answer::reject("A_JSON"),
        Err(_) if profile == Profile::Sovereign => Answer::reject("E_CANONICALIZATION_ERROR"),
        Err(_) => Answer::reject("A_VALUE"),
    }
}
