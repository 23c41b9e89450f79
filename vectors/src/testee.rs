//! What is asked, what is answered, and who answers.
//!
//! `seen` and framing are the process testee's business; here a question is a value and so is its answer. An [`Answer`]
//! is what the testee said, and no judgement of it: that is [`crate::agreement`].

use std::{collections::BTreeMap, path::PathBuf};

use assize_verifier::digest::Digest;

pub use assize_verifier::operation::{Answer, Output};

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The operation.
    pub op: String,
    /// Its arguments.
    pub args: serde_json::Map<String, serde_json::Value>,
    /// Documents by name, as exact bytes.
    pub docs: BTreeMap<String, Vec<u8>>,
    /// The folder of the case's files, for operations that read any.
    pub root: Option<PathBuf>,
}

/// An implementation under test.
pub trait Testee {
    /// Answers one question.
    fn answer(&mut self, request: &Request) -> Answer;
}

/// Digest of a complete answer, outputs that no case asserts included: two answers are the same if theirs are.
#[must_use]
pub fn digest(answer: &Answer) -> Digest {
    let mut bytes = Vec::new();
    let outputs = match answer {
        Answer::Accept { out } => {
            bytes.push(b'a');
            Some(out)
        }
        Answer::Reject { codes, out } => {
            bytes.push(b'r');
            put(&mut bytes, &codes.len().to_le_bytes());
            codes.iter().for_each(|code| put(&mut bytes, code.as_bytes()));
            Some(out)
        }
        Answer::Unsupported { feature } => {
            bytes.push(b'u');
            put(&mut bytes, feature.as_bytes());
            None
        }
        Answer::Fault { kind, message } => {
            bytes.push(b'f');
            put(&mut bytes, kind.as_bytes());
            put(&mut bytes, message.as_bytes());
            None
        }
    };
    for (name, output) in outputs.into_iter().flatten() {
        put(&mut bytes, name.as_bytes());
        match output {
            Output::Doc(text) => {
                bytes.push(b'd');
                put(&mut bytes, text.as_bytes());
            }
            Output::Bytes(content) => {
                bytes.push(b'b');
                put(&mut bytes, content);
            }
            Output::Value(value) => {
                bytes.push(b'v');
                put(&mut bytes, value.to_string().as_bytes());
            }
        }
    }
    Digest::of(&bytes)
}

/// With its length before it, so that nothing passes for a part of something else.
fn put(into: &mut Vec<u8>, bytes: &[u8]) {
    into.extend(bytes.len().to_le_bytes());
    into.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn answers_that_differ_anywhere_have_different_digests() {
        let text = |text: &str| Output::Doc(text.to_owned());
        let value = |json: &str| Output::Value(serde_json::from_str(json).unwrap());
        let rejected = |codes: &[&str], out: &[(&str, Output)]| Answer::Reject {
            codes: codes.iter().map(|code| (*code).to_owned()).collect(),
            out: out.iter().map(|(name, output)| ((*name).to_owned(), output.clone())).collect(),
        };
        let fault = |kind: &str, message: &str| Answer::Fault { kind: kind.to_owned(), message: message.to_owned() };
        let answers = [
            Answer::accept::<String>([]),
            Answer::accept([("a", text("bc"))]),
            Answer::accept([("ab", text("c"))]),
            Answer::accept([("a", text("b")), ("c", text(""))]),
            Answer::accept([("a", Output::Bytes(b"bc".to_vec()))]),
            Answer::accept([("a", value(r#""bc""#))]),
            Answer::accept([("a", value(r#"{"x": [1, 1.0]}"#))]),
            Answer::accept([("a", value(r#"{"x": [1, 1]}"#))]),
            rejected(&["A"], &[]),
            rejected(&["A", "B"], &[]),
            rejected(&["AB"], &[]),
            rejected(&["A"], &[("B", text(""))]),
            Answer::Unsupported { feature: "A".to_owned() },
            fault("A", ""),
            fault("", "A"),
        ];
        let digests: BTreeSet<String> = answers.iter().map(|answer| digest(answer).to_hex()).collect();
        assert_eq!(digests.len(), answers.len());
        assert!(answers.iter().all(|answer| digest(answer) == digest(&answer.clone())));
    }
}
