//! Traces of about 10 KB for measurements: mixed text as tools record it, and dense small tokens, which are the most that
//! a reader can be given to do for each byte.
//!
//! The same index gives the same text. Spelling is part of it: spaces, escapes that need not be, names out of order.

use std::{fmt::Write as _, fs, io, path::Path};

use fastrand::Rng;
use serde_json::Value;

use crate::{Episode, Pack, episode::text};

/// Bytes that a trace has at least; none has half as many again.
pub const TRACE_BYTES: usize = 10_000;

/// A kind of trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Paragraphs in several scripts with escapes, as agents write them, between names, numbers and nested objects.
    Mixed,
    /// Short records: a token for every twenty bytes, numbers of every form, names out of order.
    Records,
    /// Small numbers, literals, short strings and empty containers.
    Dense,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Mixed, Self::Records, Self::Dense];

    /// The kind of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "mixed" => Some(Self::Mixed),
            "records" => Some(Self::Records),
            "dense" => Some(Self::Dense),
            _ => None,
        }
    }

    /// The JSON text of the trace with this index.
    #[must_use]
    pub fn text(self, index: usize) -> String {
        let mut rng = Rng::with_seed(index as u64);
        match self {
            Self::Mixed => entries(&mut rng, index, 350),
            Self::Records => entries(&mut rng, index, 70),
            Self::Dense => dense(&mut rng),
        }
    }
}

/// A pack that matches, of one input, `count` traces of this kind, and one output.
///
/// # Panics
/// Never: every trace is JSON.
#[must_use]
pub fn pack(kind: Kind, count: usize) -> Pack {
    let value = |index| serde_json::from_str(&kind.text(index)).expect("a trace is JSON");
    let episode = Episode::wide(count, value);
    let mut pack = episode.sealed();
    // The builder lays traces out in its own way; a tool's way is what is to be measured.
    for (index, step) in transforms(&episode).enumerate() {
        pack.put(&format!("recorded_traces/{}.json", text(step, "step_id")), kind.text(index));
    }
    pack
}

/// The steps whose traces are bulk, in the order of their index.
fn transforms(episode: &Episode) -> impl Iterator<Item = &Value> {
    episode.steps().iter().filter(|step| step["opcode"] == "APPLY_TRANSFORM")
}

/// Writes a pack's files below a folder.
///
/// # Errors
/// The system would not write one.
pub fn write(pack: &Pack, folder: &Path) -> io::Result<()> {
    for (path, content) in &pack.files {
        let place = folder.join(path);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(place, content)?;
    }
    Ok(())
}

const WORDS: [&str; 24] = [
    "the",
    "tool",
    "returned",
    "a",
    "record",
    "of",
    "every",
    "call",
    "that",
    "it",
    "made",
    "with",
    "its",
    "arguments",
    "and",
    "what",
    "came",
    "back",
    "naïve",
    "Übergröße",
    "日本語",
    "данные",
    "🧭",
    "çalışma",
];
const BREAKS: [&str; 8] = ["\\n", "\\t", "\\\"", "\\\\", "\\/", "\\u00e9", "\\u0001", "\\ud83d\\ude00"];

/// Entries whose bodies have so many words.
fn entries(rng: &mut Rng, index: usize, words: usize) -> String {
    let mut text = format!("{{\"run\": \"{index:08x}\", \"attempt\": 1, \"entries\": [");
    let mut first = true;
    while text.len() < TRACE_BYTES {
        text.push_str(if first { "\n  " } else { ",\n  " });
        first = false;
        text.push_str("{\"title\": ");
        prose(rng, 6, &mut text);
        text.push_str(", \"body\": ");
        prose(rng, words, &mut text);
        let (id, share, rate) = (rng.u32(..), fraction(rng), rng.u32(1..999));
        let (small, flag) = (rng.i32(-500..500), rng.bool());
        let _ =
            write!(text, ", \"id\": {id}, \"share\": {share}, \"rate\": {rate}.50, \"cost\": {rate}e-{}", rng.u8(1..9));
        let _ = write!(text, ", \"größe\": [{small}, {small}.0, 0, -0.25, {}]", rng.u64(..1 << 53));
        text.push_str(", \"context\": {\"source\": {\"path\": ");
        let _ = write!(text, "\"src/module_{}/file_{}.py\", \"line\": {rate}", rng.u8(..), rng.u16(..));
        let _ = write!(
            text,
            ", \"cached\": {flag}, \"parent\": null}}, \"tags\": [\"a{rate}\", \"b\", \"\"], \"\\u00e4\": {{}}}}}}"
        );
    }
    text.push_str("\n]}\n");
    text
}

/// A fraction with all its digits. The builder reads traces with `serde_json`, which is one unit off at some of them.
fn fraction(rng: &mut Rng) -> f64 {
    loop {
        let fraction = rng.f64();
        if serde_json::from_str(&fraction.to_string()).is_ok_and(|read: f64| read.to_bits() == fraction.to_bits()) {
            return fraction;
        }
    }
}

/// A string of so many words; one in twelve is followed by an escape.
fn prose(rng: &mut Rng, words: usize, text: &mut String) {
    text.push('"');
    for number in 0..words {
        if number > 0 {
            text.push(' ');
        }
        text.push_str(rng.choice(WORDS).unwrap_or_default());
        if rng.u8(..12) == 0 {
            text.push_str(rng.choice(BREAKS).unwrap_or_default());
        }
    }
    text.push('"');
}

fn dense(rng: &mut Rng) -> String {
    const TOKENS: [&str; 16] = [
        "0",
        "-1",
        "7",
        "42",
        "1.5",
        "-0.25",
        "1e3",
        "true",
        "false",
        "null",
        "\"\"",
        "\"a\"",
        "[]",
        "{}",
        "[1]",
        "{\"b\":0,\"a\":1}",
    ];
    let mut text = String::from("[0");
    while text.len() < TRACE_BYTES {
        text.push(',');
        text.push_str(rng.choice(TOKENS).unwrap_or_default());
    }
    text.push(']');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canon::hash;

    #[test]
    fn traces_are_json_of_the_size() {
        for kind in Kind::ALL {
            for index in 0..20 {
                let text = kind.text(index);
                assert!((TRACE_BYTES..TRACE_BYTES * 3 / 2).contains(&text.len()), "{}", text.len());
                assert_eq!(text, kind.text(index), "the same index gives the same text");
                assert_ne!(text, kind.text(index + 1));
                serde_json::from_str::<Value>(&text).unwrap();
            }
        }
    }

    #[test]
    fn the_files_are_what_the_receipts_say() {
        for kind in Kind::ALL {
            let pack = pack(kind, 12);
            let traces: Vec<_> = pack.files.keys().filter(|path| path.starts_with("recorded_traces/step-")).collect();
            assert_eq!(traces.len(), 12);
            for (index, path) in traces.into_iter().enumerate() {
                assert_eq!(pack.text(path), kind.text(index));
                let id = path.trim_start_matches("recorded_traces/").trim_end_matches(".json");
                let trace: Value = serde_json::from_str(pack.text(path)).unwrap();
                assert_eq!(pack.receipts[pack.step(id)]["output_hash"], Value::from(hash(&trace)));
            }
        }
    }
}
