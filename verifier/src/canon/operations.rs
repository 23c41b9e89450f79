//! `canon.bytes`.

use serde_json::Value;

use super::{CanonError, Profile, canonicalize};
use crate::operation::{Answer, Handler, Output, Question};

/// The operations of the system.
pub(crate) const TABLE: &[(&str, Handler)] = &[("canon.bytes", bytes)];

fn bytes(question: &mut Question<'_>) -> Answer {
    let Some(profile) = question.text_arg("profile").and_then(Profile::from_name) else {
        return Answer::reject("A_INPUT");
    };
    let Some(doc) = question.document("doc") else {
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
