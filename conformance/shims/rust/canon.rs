//! Crates that write canonical JSON as testees: `shim LIBRARY VERSION`. One more is a file like those beside this one, a main that
//! calls `text` or `value` with the crate's function.
//!
//! `value` is for one that writes what `serde_json` has read. That parser, with its feature `float_roundtrip`, itself refuses
//! lone surrogates and overflows: the libraries never see them.
#![allow(dead_code)]

use std::env;
use std::process::ExitCode;

use crate::atp::{accept, base64_text, reject, serve, sha256};
use serde_json::{Value, json};

/// Serves a library that writes a value; of what it refuses only the fact is told.
pub fn value<B: Into<Vec<u8>>, E>(write: impl Fn(&Value) -> Result<B, E>) -> ExitCode {
    value_up_to(None, write)
}

/// The same for a library that takes integers up to one alone.
pub fn value_up_to<B: Into<Vec<u8>>, E>(max: Option<&str>, write: impl Fn(&Value) -> Result<B, E>) -> ExitCode {
    served(&json!({"input": "value", "values": [], "max_depth": 127, "max_integer": max}), |octets| {
        let read = serde_json::from_slice::<Value>(octets).map_err(|_| "A_JSON")?;
        write(&read).map(Into::into).map_err(|_| "A_VALUE")
    })
}

/// Serves a library that reads the text itself, and does not tell what is not JSON from what is not I-JSON.
pub fn text<E>(transform: impl Fn(&[u8]) -> Result<String, E>) -> ExitCode {
    served(&json!({}), |octets| transform(octets).map(Into::into).map_err(|_| "A_JSON"))
}

fn served(capabilities: &Value, canonical: impl Fn(&[u8]) -> Result<Vec<u8>, &'static str>) -> ExitCode {
    let mut arguments = env::args().skip(1);
    let (library, version) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    let about = json!({
        "testee": {"name": library, "version": version, "lang": "rust"},
        "shim": {"name": "assize-canon-rust", "version": "2"},
        "ops": {"canon.bytes": {"profile": ["rfc8785"]}},
        "capabilities": capabilities,
        "in_flight": 8,
    });
    serve(&about, |request| match canonical(request.docs.get("doc").map_or(&[][..], Vec::as_slice)) {
        Ok(octets) => accept(json!({"bytes": base64_text(&octets), "sha256": sha256(&octets)})),
        Err(code) => reject(&[code]),
    })
}
