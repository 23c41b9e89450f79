//! Libraries for RFC 8785 in Rust as testees: `canon LIBRARY VERSION`, beside a copy of `atp.rs`.
//!
//! Both write a value that `serde_json` has read, so that input is value. That parser, with its feature `float_roundtrip`,
//! itself refuses lone surrogates and overflows: the libraries never see them.

mod atp;

use std::env;
use std::process::ExitCode;

use atp::{accept, base64_text, reject, serve, sha256};
use serde_json::{Value, json};

type Write = fn(&Value) -> serde_json::Result<Vec<u8>>;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let (library, version) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    let write: Write = match library.as_str() {
        "serde_json_canonicalizer" => |value| serde_json_canonicalizer::to_vec(value),
        "serde_jcs" => |value| serde_jcs::to_vec(value),
        _ => return ExitCode::FAILURE,
    };
    let about = json!({
        "testee": {"name": library, "version": version, "lang": "rust"},
        "shim": {"name": "assize-canon-rust", "version": "1"},
        "ops": {"canon.bytes": {"profile": ["rfc8785"]}},
        "capabilities": {"input": "value", "values": [], "max_depth": 127},
        "in_flight": 8,
    });
    serve(&about, |request| {
        let Some(Ok(value)) = request.docs.get("doc").map(|octets| serde_json::from_slice::<Value>(octets)) else {
            return reject(&["A_JSON"]);
        };
        match write(&value) {
            Ok(octets) => accept(json!({"bytes": base64_text(&octets), "sha256": sha256(&octets)})),
            Err(_) => reject(&["A_VALUE"]),
        }
    })
}
