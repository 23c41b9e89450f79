//! From an answer to parts.

use assize_core::{Change, Output, Reply};
use serde_json::Value;

use crate::header::{
    ASSIZE_ACCEPT, ASSIZE_BYTES, ASSIZE_CODE, ASSIZE_DOCUMENT, ASSIZE_FAULT, ASSIZE_FILE, ASSIZE_FOLDER, ASSIZE_GONE,
    ASSIZE_JSON, ASSIZE_LIMIT_DEPTH, ASSIZE_LIMIT_SIZE, ASSIZE_LIST, ASSIZE_MESSAGE, ASSIZE_QUESTION, ASSIZE_REJECT,
    ASSIZE_TEXT, ASSIZE_UNSUPPORTED, assize_bytes, assize_kind, assize_part, assize_status,
};

/// An answer, which owns all that its parts point to. Nothing of it changes once it is made.
#[derive(Default)]
pub struct Answer {
    parts: Vec<assize_part>,
    bytes: Vec<Box<[u8]>>,
    items: Vec<Box<[assize_bytes]>>,
}

impl Answer {
    /// The status and the parts of what the core said.
    pub(crate) fn of(reply: &Reply<'_>) -> (assize_status, Self) {
        match reply {
            Reply::Answer { is, codes, out, files } => {
                let mut answer = Self::default();
                for code in codes.iter().flatten() {
                    answer.put(ASSIZE_CODE, "", code.as_bytes());
                }
                for (name, output) in out.iter() {
                    answer.put_output(name, output);
                }
                for (path, change) in files.iter().copied().flatten() {
                    match change {
                        Change::File(bytes) => answer.put(ASSIZE_FILE, path, bytes),
                        Change::Folder => answer.put(ASSIZE_FOLDER, path, &[]),
                        Change::Gone => answer.put(ASSIZE_GONE, path, &[]),
                    }
                }
                (if *is == "accept" { ASSIZE_ACCEPT } else { ASSIZE_REJECT }, answer)
            }
            Reply::Unsupported { feature } => {
                (ASSIZE_UNSUPPORTED, Self::message(&format!("the core does not answer {feature}")))
            }
            Reply::Fault { kind, message } => (ASSIZE_FAULT, Self::message(&format!("{kind}: {message}"))),
            Reply::Error { kind, message } => {
                let status = match *kind {
                    "size" => ASSIZE_LIMIT_SIZE,
                    "depth" => ASSIZE_LIMIT_DEPTH,
                    _ => ASSIZE_QUESTION,
                };
                (status, Self::message(message))
            }
        }
    }

    /// An answer that says why there is no judgement.
    pub(crate) fn message(message: &str) -> Self {
        let mut answer = Self::default();
        answer.put(ASSIZE_MESSAGE, "", message.as_bytes());
        answer
    }

    pub(crate) fn parts(&self) -> &[assize_part] {
        &self.parts
    }

    fn put_output(&mut self, name: &str, output: &Output) {
        match output {
            Output::Doc(text) => self.put(ASSIZE_DOCUMENT, name, text.as_bytes()),
            Output::Bytes(bytes) => self.put(ASSIZE_BYTES, name, bytes),
            Output::Value(Value::String(text)) => self.put(ASSIZE_TEXT, name, text.as_bytes()),
            Output::Value(value) => {
                let texts: Option<Vec<&str>> =
                    value.as_array().and_then(|values| values.iter().map(Value::as_str).collect());
                let kind = if texts.is_some() { ASSIZE_LIST } else { ASSIZE_JSON };
                let items = texts.into_iter().flatten().map(|text| self.keep(text.as_bytes())).collect();
                self.put_part(kind, name, value.to_string().as_bytes(), items);
            }
        }
    }

    fn put(&mut self, kind: assize_kind, name: &str, value: &[u8]) {
        self.put_part(kind, name, value, Box::default());
    }

    fn put_part(&mut self, kind: assize_kind, name: &str, value: &[u8], items: Box<[assize_bytes]>) {
        let (name, value) = (self.keep(name.as_bytes()), self.keep(value));
        // Moving the box leaves its items where they are.
        self.parts.push(assize_part { kind, name, value, items: items.as_ptr(), item_count: items.len() });
        self.items.push(items);
    }

    /// Bytes that stay where they are as long as the answer does.
    fn keep(&mut self, bytes: &[u8]) -> assize_bytes {
        let kept: Box<[u8]> = bytes.into();
        let place = assize_bytes { data: kept.as_ptr(), size: kept.len() };
        self.bytes.push(kept);
        place
    }
}
