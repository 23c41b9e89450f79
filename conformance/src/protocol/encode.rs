//! The frames of the harness, as they are written.
//!
//! Contract: `contracts/interface/protocol.md`, What T is not told. A question carries operation, arguments, documents
//! and folder under an opaque id; nothing that would tell which vector it is or what is expected.

use std::{collections::BTreeMap, io};

use assize_corpus::testee::Request;
use assize_verifier::digest::Digest;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Limits, frame::VERSION};

#[derive(Serialize)]
#[serde(tag = "t", rename_all = "lowercase")]
enum Frame<'a> {
    Hello {
        proto: [u64; 2],
        run: &'a str,
        suite: Suite<'a>,
        limits: Allowed,
    },
    Case {
        id: &'a str,
        op: &'a str,
        args: &'a Map<String, Value>,
        ms: u64,
        #[serde(rename = "in")]
        docs: BTreeMap<&'a str, Parcel<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        root: Option<&'a str>,
    },
    Ping {
        n: i64,
    },
    Bye {},
}

#[derive(Serialize)]
struct Suite<'a> {
    rev: &'a str,
    sha256: &'a str,
}

#[derive(Serialize)]
struct Allowed {
    line: usize,
    case_ms: u64,
    start_ms: u64,
}

#[derive(Serialize)]
struct Parcel<'a> {
    b64: String,
    sha256: &'a str,
}

/// The first frame.
///
/// # Errors
/// None is known: the members are plain.
pub fn hello(run: &str, suite_sha256: &str, limits: &Limits) -> io::Result<Vec<u8>> {
    let suite = Suite { rev: env!("CARGO_PKG_VERSION"), sha256: suite_sha256 };
    let limits = Allowed { line: limits.line, case_ms: limits.case_ms, start_ms: limits.start_ms };
    write(&Frame::Hello { proto: [VERSION, VERSION], run, suite, limits })
}

/// Digest of every document: what a receipt has to repeat.
#[must_use]
pub fn digests(request: &Request) -> BTreeMap<String, String> {
    request.docs.iter().map(|(name, bytes)| (name.clone(), Digest::of(bytes).to_hex())).collect()
}

/// One question; `digests` are those of its documents.
///
/// # Errors
/// The folder's path is not UTF-8.
pub fn case(id: &str, request: &Request, digests: &BTreeMap<String, String>, ms: u64) -> io::Result<Vec<u8>> {
    let docs = request.docs.iter().map(|(name, bytes)| {
        let sha256 = digests.get(name).map_or("", String::as_str);
        (name.as_str(), Parcel { b64: STANDARD.encode(bytes), sha256 })
    });
    let root = match &request.root {
        Some(path) => Some(path.to_str().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "the temporary folder's path is not UTF-8: set TMPDIR")
        })?),
        None => None,
    };
    write(&Frame::Case { id, op: &request.op, args: &request.args, ms, docs: docs.collect(), root })
}

/// Asks whether the testee is still there.
///
/// # Errors
/// None is known.
pub fn ping(n: i64) -> io::Result<Vec<u8>> {
    write(&Frame::Ping { n })
}

/// The last frame.
///
/// # Errors
/// None is known.
pub fn bye() -> io::Result<Vec<u8>> {
    write(&Frame::Bye {})
}

fn write(frame: &Frame<'_>) -> io::Result<Vec<u8>> {
    let mut line = Vec::with_capacity(512);
    serde_json::to_writer(&mut line, frame)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use assize_corpus::store;

    use super::*;

    #[test]
    fn every_frame_has_the_shape_of_its_contract() {
        let schema = store::embedded("contracts/interface/protocol.schema.json").unwrap();
        let mut schema: Value = serde_json::from_slice(schema).unwrap();
        schema["anyOf"] = serde_json::json!([{"$ref": "#/$defs/HarnessFrame"}]);
        let schema = jsonschema::validator_for(&schema).unwrap();
        let limits = Limits { line: 9, case_ms: 1, start_ms: 2, ends: 3, cpu_s: None, memory_mb: None };
        let mut request = Request {
            op: "canon.bytes".to_owned(),
            args: Map::from_iter([("profile".to_owned(), "jcs".into())]),
            docs: BTreeMap::from([("doc".to_owned(), b"[\xff]".to_vec())]),
            root: None,
        };
        let sent = digests(&request);
        let mut frames = vec![
            hello("r-1", &"0".repeat(64), &limits).unwrap(),
            case("k-1", &request, &sent, 7).unwrap(),
            ping(-3).unwrap(),
            bye().unwrap(),
        ];
        request.root = Some("sub/folder".into());
        frames.push(case("k-2", &request, &sent, 7).unwrap());
        for frame in &frames {
            let text = std::str::from_utf8(frame).unwrap().strip_suffix('\n').unwrap();
            assert!(!text.contains('\n'));
            let value: Value = serde_json::from_str(text).unwrap();
            assert!(schema.is_valid(&value), "{text}");
        }
        let value: Value = serde_json::from_slice(&frames[4]).unwrap();
        assert_eq!((&value["root"], &value["in"]["doc"]["b64"]), (&"sub/folder".into(), &"W/9d".into()));
    }
}
