//! The testee's side of ATP/1, the line protocol of Assize, for testees and shims in Rust: copy this file next to your own and
//! write a function from a `Request` to an answer. It needs the crates `base64`, `serde_json` and `sha2`.
//!
//! Standard output belongs to the protocol: print to standard error, or not at all.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

const PROTOCOL: i64 = 1;
const BAD_INPUT: u8 = 3;

/// One question. `docs` holds the exact bytes to judge; `root` is the case's folder, if it has one.
pub struct Request {
    pub op: String,
    pub args: Map<String, Value>,
    pub docs: BTreeMap<String, Vec<u8>>,
    pub root: Option<String>,
}

/// The implementation accepts; `out` as it travels: doc as JSON text, bytes as base64, value as plain JSON.
pub fn accept(out: Value) -> Value {
    json!({"t": "answer", "is": "accept", "out": out})
}

/// The implementation refuses. This is a judgement: a panic is not one.
pub fn reject(codes: &[&str]) -> Value {
    json!({"t": "answer", "is": "reject", "codes": codes})
}

/// The implementation broke, and nobody knows what it would have said.
pub fn fault(kind: &str, message: &str) -> Value {
    json!({"t": "fault", "kind": kind, "message": message})
}

/// Bytes as they travel.
pub fn base64_text(octets: &[u8]) -> String {
    STANDARD.encode(octets)
}

/// SHA-256 as it travels.
pub fn sha256(octets: &[u8]) -> String {
    Sha256::digest(octets).iter().map(|octet| format!("{octet:02x}")).collect()
}

/// Serves one session over standard input and output. `about` is what hello says beside version and kind, `ops` included:
/// declaring binds.
pub fn serve(about: &Value, answer: impl Fn(&Request) -> Value) -> ExitCode {
    let mut session = Session { about, answer, limit: 8 << 20, greeted: false, served: 0, chain: "0".repeat(64) };
    match session.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("atp: {error}; see the protocol's page for the frames");
            ExitCode::from(BAD_INPUT)
        }
    }
}

struct Session<'a, F> {
    about: &'a Value,
    answer: F,
    limit: u64,
    greeted: bool,
    served: u64,
    chain: String,
}

impl<F: Fn(&Request) -> Value> Session<'_, F> {
    fn run(&mut self) -> io::Result<()> {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            (&mut input).take(self.limit + 1).read_until(b'\n', &mut line)?;
            if line.is_empty() {
                return Ok(());
            }
            if line.pop() != Some(b'\n') {
                return Err(bad("a line that is too long, or without its line feed"));
            }
            if self.step(&serde_json::from_slice(&line)?)? {
                return Ok(());
            }
        }
    }

    /// Does what one line asks; true when it was the last one.
    fn step(&mut self, frame: &Value) -> io::Result<bool> {
        match (text(frame, "t")?, self.greeted) {
            ("hello", false) => return self.hello(frame),
            ("case", true) => self.reply(text(frame, "id")?, frame)?,
            ("ping", true) => write(&json!({"t": "pong", "n": frame["n"]}))?,
            ("bye", true) => {
                write(&json!({"t": "bye", "served": self.served, "chain": self.chain}))?;
                return Ok(true);
            }
            (kind, _) => return Err(bad(&format!("a frame {kind:?} that has no place here"))),
        }
        Ok(false)
    }

    fn hello(&mut self, frame: &Value) -> io::Result<bool> {
        let (Some(low), Some(high)) = (frame["proto"][0].as_i64(), frame["proto"][1].as_i64()) else {
            return Err(bad("proto is missing or of a wrong type"));
        };
        if !(low..=high).contains(&PROTOCOL) {
            write(&json!({"t": "refuse", "why": "proto", "supported": [PROTOCOL]}))?;
            return Ok(true);
        }
        self.greeted = true;
        self.limit = frame["limits"]["line"].as_u64().unwrap_or(self.limit);
        let mut said = json!({"t": "hello", "proto": PROTOCOL, "in_flight": 1});
        for (name, value) in self.about.as_object().into_iter().flatten() {
            said[name] = value.clone();
        }
        write(&said)?;
        Ok(false)
    }

    /// Answers one question, and counts the answer once it is written.
    fn reply(&mut self, id: &str, frame: &Value) -> io::Result<()> {
        let mut said = self.judge(frame)?;
        said["id"] = id.into();
        if said.to_string().len() as u64 > self.limit {
            said = fault("limit", "the answer is longer than limits.line");
            said["id"] = id.into();
        }
        write(&said)?;
        if said["t"] == "answer" {
            self.served += 1;
            let verdict = said["is"].as_str().unwrap_or_default();
            self.chain = sha256(format!("{}\n{id}\n{verdict}", self.chain).as_bytes());
        }
        Ok(())
    }

    /// The answer to a question; a panic of the implementation is a fault, never a rejection.
    fn judge(&self, frame: &Value) -> io::Result<Value> {
        let (mut docs, mut seen) = (BTreeMap::new(), Map::new());
        for (name, parcel) in frame["in"].as_object().ok_or_else(|| bad("a case without in"))? {
            let Ok(octets) = STANDARD.decode(text(parcel, "b64")?) else {
                return Ok(fault("receipt", &format!("in.{name}: b64 does not decode")));
            };
            let found = sha256(&octets);
            if found != text(parcel, "sha256")? {
                return Ok(fault("receipt", &format!("in.{name}: the bytes have SHA-256 {found}")));
            }
            docs.insert(name.clone(), octets);
            seen.insert(name.clone(), found.into());
        }
        let op = text(frame, "op")?.to_owned();
        let args = frame["args"].as_object().cloned().ok_or_else(|| bad("a case without args"))?;
        let Some(choices) = self.about["ops"].get(&op).and_then(Value::as_object) else {
            return Ok(json!({"t": "unsupported", "feature": op}));
        };
        for (name, values) in choices {
            let value = args.get(name).unwrap_or(&Value::Null);
            if !values.as_array().is_some_and(|known| known.contains(value)) {
                return Ok(json!({"t": "unsupported", "feature": format!("{op}/{value}")}));
            }
        }
        let root = frame["root"].as_str().map(str::to_owned);
        let request = Request { op, args, docs, root };
        Ok(match catch_unwind(AssertUnwindSafe(|| (self.answer)(&request))) {
            Ok(mut said) => {
                if said["t"] == "answer" {
                    said["seen"] = seen.into();
                }
                said
            }
            Err(_) => fault("panic", "see standard error"),
        })
    }
}

/// Writes one line and passes it on at once: the harness waits for it.
fn write(frame: &Value) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(format!("{frame}\n").as_bytes())?;
    output.flush()
}

/// A member that a frame owes.
fn text<'a>(frame: &'a Value, name: &str) -> io::Result<&'a str> {
    frame[name].as_str().ok_or_else(|| bad(&format!("{name} is missing or of a wrong type")))
}

/// What the harness sent is not a frame. Nothing after it can be trusted, so the session ends.
fn bad(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
