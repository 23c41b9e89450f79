//! The frames of the testee, as the harness reads them.
//!
//! Contract: `contracts/interface/protocol.md`, Frames and Outcomes. Members that the protocol does not know are
//! skipped; a line that lacks one it needs, or has it in another type, is not a frame. What an output is depends on the
//! operation that was asked, so that is looked up afterwards.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use assize_corpus::{
    operation::{self, Kind},
    testee::{Answer, Output},
    unique::{self, Once},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, IgnoredAny},
};
use serde_json::{Value, value::RawValue};

use super::{
    Capabilities, Declaration, Introduction, Named,
    frame::{VERSION, head},
    limits::NAME,
};
use crate::clean::brief;

/// One frame.
#[derive(Debug, Clone, PartialEq)]
pub enum TesteeFrame {
    /// The declaration.
    Hello(Box<Introduction>),
    /// No version in common.
    Refuse {
        /// Why.
        why: String,
    },
    /// A judgement.
    Answer(Judged),
    /// Not done here.
    Unsupported {
        /// Of which question.
        id: String,
        /// What.
        feature: String,
    },
    /// It broke.
    Fault {
        /// Over which question.
        id: String,
        /// `panic`, or its own word.
        kind: String,
        /// For people.
        message: String,
    },
    /// Still there.
    Pong {
        /// What was sent.
        n: i64,
    },
    /// Receipts of the whole session.
    Bye {
        /// Answers written.
        served: u64,
        /// Their chain.
        chain: String,
    },
}

/// A judgement as it travels.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Judged {
    /// Of which question.
    pub id: String,
    /// Digests of what was judged.
    #[serde(default, deserialize_with = "once")]
    pub seen: BTreeMap<String, String>,
    /// Accept or reject.
    pub is: Verdict,
    #[serde(default)]
    codes: Option<Vec<String>>,
    #[serde(default, deserialize_with = "outputs")]
    out: BTreeMap<String, Value>,
}

/// Members whose names come once: where a name came twice, a wrong value could pass unseen.
fn once<'de, D: Deserializer<'de>, V: Deserialize<'de>>(members: D) -> Result<BTreeMap<String, V>, D::Error> {
    Ok(Once::deserialize(members)?.0)
}

/// The same of values, in which no name comes twice either: a map keeps the last of them in silence.
fn outputs<'de, D: Deserializer<'de>>(members: D) -> Result<BTreeMap<String, Value>, D::Error> {
    let members: BTreeMap<String, Box<RawValue>> = once(members)?;
    let value = |(name, raw): (String, Box<RawValue>)| match unique::repeated(raw.get()) {
        Some(twice) => Err(D::Error::custom(format_args!("in {name}, the name {twice:?} comes twice"))),
        None => Ok((name, serde_json::from_str(raw.get()).map_err(D::Error::custom)?)),
    };
    members.into_iter().map(value).collect()
}

/// Accept or reject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The operation succeeded.
    Accept,
    /// It refused.
    Reject,
}

impl Verdict {
    /// The word that goes into the chain.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
        }
    }
}

impl Judged {
    /// The answer, its outputs read as the operation's table says. One that cannot be read like that stays a plain value, and
    /// disagrees with every expectation of another kind.
    #[must_use]
    pub fn into_answer(self, op: &str) -> Answer {
        let accepts = self.is == Verdict::Accept;
        let operation = operation::table().find(op);
        let out = self.out.into_iter().map(|(name, value)| {
            let kind = operation.and_then(|operation| operation.kind(accepts, &name));
            let output = match (kind, value) {
                (Some(Kind::Doc), Value::String(text)) => Output::Doc(text),
                (Some(Kind::Bytes), Value::String(text)) => match STANDARD.decode(&text) {
                    Ok(bytes) => Output::Bytes(bytes),
                    Err(_) => Output::Value(Value::String(text)),
                },
                (_, value) => Output::Value(value),
            };
            (name, output)
        });
        let out = out.collect();
        match self.is {
            Verdict::Accept => Answer::Accept { out },
            Verdict::Reject => Answer::Reject { codes: BTreeSet::from_iter(self.codes.unwrap_or_default()), out },
        }
    }
}

#[derive(Deserialize)]
struct Hello {
    proto: u64,
    testee: Named,
    #[serde(default)]
    shim: Option<Box<RawValue>>,
    ops: Declaration,
    #[serde(default)]
    capabilities: Option<Box<RawValue>>,
    in_flight: usize,
}

/// `lang` stands inside `testee`; read separately, so that a name and a version stay one type.
#[derive(Deserialize)]
struct Spoken {
    testee: Lang,
}

#[derive(Deserialize)]
struct Lang {
    #[serde(default)]
    lang: Option<String>,
}

#[derive(Deserialize)]
struct Unsupported {
    id: String,
    feature: String,
}

#[derive(Deserialize)]
struct Fault {
    id: String,
    kind: String,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct Pong {
    n: i64,
}

#[derive(Deserialize)]
struct Bye {
    served: u64,
    chain: String,
}

#[derive(Deserialize)]
struct Refuse<'l> {
    #[serde(borrow)]
    why: Cow<'l, str>,
    #[serde(default)]
    supported: Vec<u64>,
}

/// The deepest nesting of a frame, which is level 1 itself. What is read of it is read by recursion.
const DEPTH: usize = 127;

/// Whether a text opens more levels than these, outside of its strings. What is not JSON may count as anything.
fn is_deeper(text: &[u8], most: usize) -> bool {
    let (mut depth, mut inside, mut escaped) = (0_usize, false, false);
    text.iter().any(|byte| {
        match (inside, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => inside = !inside,
            (false, b'[' | b'{') => depth += 1,
            (false, b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > most
    })
}

/// Reads one line, without its line feed.
///
/// # Errors
/// It is not a frame; the text says why, and has little of the line.
pub fn read(line: &[u8]) -> Result<TesteeFrame, String> {
    understood(line).map_err(brief)
}

fn understood(line: &[u8]) -> Result<TesteeFrame, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("no UTF-8 at byte {}", error.valid_up_to()))?;
    if is_deeper(line, DEPTH) {
        return Err(format!("no frame: it is nested deeper than {DEPTH} levels"));
    }
    let head = head(text).map_err(|error| format!("no complete frame: {error}"))?;
    match head.t.as_ref() {
        "answer" => {
            let judged: Judged = frame("answer", text)?;
            match (judged.is, &judged.codes) {
                (Verdict::Reject, None) => Err("no answer frame: a rejection needs `codes`".to_owned()),
                (Verdict::Accept, Some(_)) => {
                    Err("no answer frame: `codes` stand in a rejection alone, and `is` is accept".to_owned())
                }
                (Verdict::Reject, Some(codes)) if BTreeSet::from_iter(codes).len() < codes.len() => {
                    Err("no answer frame: `codes` is a set, and names one of them twice".to_owned())
                }
                _ => Ok(TesteeFrame::Answer(judged)),
            }
        }
        "unsupported" => {
            let Unsupported { id, feature } = frame("unsupported", text)?;
            Ok(TesteeFrame::Unsupported { id, feature })
        }
        "fault" => {
            let Fault { id, kind, message } = frame("fault", text)?;
            Ok(TesteeFrame::Fault { id, kind, message })
        }
        "pong" => frame::<Pong>("pong", text).map(|pong| TesteeFrame::Pong { n: pong.n }),
        "bye" => frame::<Bye>("bye", text).map(|bye| TesteeFrame::Bye { served: bye.served, chain: bye.chain }),
        "hello" => hello(text).map(|who| TesteeFrame::Hello(Box::new(who))),
        "refuse" => {
            let Refuse { why, supported } = frame("refuse", text)?;
            Ok(TesteeFrame::Refuse {
                why: format!("{why}; it supports protocol {supported:?}, the harness speaks {VERSION}"),
            })
        }
        other => Err(format!("unknown t {other:?}")),
    }
}

/// What stands together in the harness's own hello and in no testee's: a suite, and a range of versions in place of one.
#[derive(Deserialize)]
#[allow(dead_code, reason = "it is there or not; nobody reads it")]
struct Own {
    suite: IgnoredAny,
    proto: [IgnoredAny; 2],
}

fn hello(text: &str) -> Result<Introduction, String> {
    if serde_json::from_str::<Own>(text).is_ok() {
        return Err("no hello frame of its own: it sends back what it is sent; a testee answers with its name, its operations and \
                    the protocol that it picks"
            .to_owned());
    }
    let Hello { proto, testee, shim, ops, capabilities, in_flight } = frame("hello", text)?;
    let spoken: Spoken = frame("hello", text)?;
    // Serde would take an array for a name and a version as well.
    let shim: Option<Named> = match shim {
        Some(shim) if shim.get().starts_with('[') => return Err("no hello frame: shim is an array".to_owned()),
        Some(shim) => Some(frame("hello", shim.get())?),
        None => None,
    };
    if proto != VERSION {
        return Err(format!("hello picks protocol {proto}, which was not offered: pick {VERSION} or refuse"));
    }
    let names = [Some(&testee), shim.as_ref()].into_iter().flatten().flat_map(|named| [&named.name, &named.version]);
    if names.chain(&spoken.testee.lang).any(|name| name.len() > NAME) {
        return Err(format!("hello has a name, version or language of more than {NAME} bytes: shorten it"));
    }
    if in_flight == 0 {
        return Err("hello has in_flight 0: at least one case must be allowed".to_owned());
    }
    ops.check().map_err(|why| format!("no hello frame: {why}"))?;
    let capabilities = match capabilities {
        Some(given) if given.get().starts_with('{') => frame::<Capabilities>("hello", given.get())?,
        Some(_) => return Err("no hello frame: capabilities is not an object".to_owned()),
        None => Capabilities::default(),
    };
    capabilities.check().map_err(|why| format!("no hello frame: {why}"))?;
    Ok(Introduction { testee, lang: spoken.testee.lang, shim, ops, capabilities, in_flight })
}

fn frame<'l, T: Deserialize<'l>>(what: &str, text: &'l str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("no {what} frame: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &str) -> String {
        read(line.as_bytes()).unwrap_err()
    }

    fn hello_with(members: &str) -> String {
        format!(r#"{{"t":"hello","proto":1,"testee":{{"name":"x","version":""}},"in_flight":1,{members}}}"#)
    }

    #[test]
    fn reads_the_frames_of_the_protocol() {
        let Ok(TesteeFrame::Hello(who)) = read(
            br#"{"t":"hello","proto":1,"testee":{"name":"x","version":"2","lang":"go"},"shim":{"name":"s","version":"1"},
                "ops":{"canon.bytes":{"profile":["episode"]}},"in_flight":8,"more":[1]}"#,
        ) else {
            panic!("no hello");
        };
        assert_eq!((who.testee.name.as_str(), who.lang.as_deref(), who.in_flight), ("x", Some("go"), 8));
        assert_eq!(who.shim.unwrap().name, "s");
        assert_eq!(read(br#"{"t":"pong","n":17,"x":0}"#), Ok(TesteeFrame::Pong { n: 17 }));
        let Ok(TesteeFrame::Answer(judged)) =
            read(br#"{"t":"answer","id":"k","seen":{"doc":"d"},"is":"accept","out":{"bytes":"WzFd","sha256":"s"}}"#)
        else {
            panic!("no answer");
        };
        let expected = [("bytes", Output::Bytes(b"[1]".to_vec())), ("sha256", Output::Value("s".into()))];
        assert_eq!(judged.into_answer("canon.bytes"), Answer::accept(expected));
    }

    #[test]
    fn a_hello_is_an_echo_where_it_picks_no_version() {
        let own = r#"{"t":"hello","proto":[1,1],"run":"r","suite":{"rev":"","sha256":""},"limits":{}}"#;
        assert!(refused(own).contains("sends back what it is sent"));
        // A member that nobody knows is skipped, whatever it is called.
        assert!(read(hello_with(r#""ops":{},"suite":{"rev":"1"},"run":"r""#).as_bytes()).is_ok());
    }

    #[test]
    fn an_output_of_another_kind_stays_a_value() {
        let Ok(TesteeFrame::Answer(judged)) =
            read(br#"{"t":"answer","id":"k","is":"accept","out":{"bytes":"?","x":1}}"#)
        else {
            panic!("no answer");
        };
        let expected = [("bytes", Output::Value("?".into())), ("x", Output::Value(1.into()))];
        assert_eq!(judged.into_answer("canon.bytes"), Answer::accept(expected));
    }

    #[test]
    fn what_is_no_frame_says_why() {
        for (line, why) in [
            ("", "no complete frame"),
            ("null", "no complete frame"),
            ("[\"refuse\"]", "no complete frame: an array"),
            ("{\"t\":\"pong\",\"n\":1} x", "no complete frame"),
            ("{\"t\":\"dance\"}", "unknown t \"dance\""),
            ("{\"t\":\"answer\",\"id\":\"k\",\"is\":\"maybe\"}", "no answer frame"),
            ("{\"t\":\"answer\",\"id\":\"k\",\"is\":\"reject\"}", "needs `codes`"),
            ("{\"t\":\"answer\",\"id\":\"k\",\"is\":\"accept\",\"codes\":[]}", "in a rejection alone"),
            (
                "{\"t\":\"answer\",\"id\":\"k\",\"is\":\"reject\",\"codes\":[\"E_A\",\"E_A\"]}",
                "names one of them twice",
            ),
            ("{\"t\":\"answer\",\"is\":\"accept\"}", "missing field `id`"),
            ("{\"t\":\"answer\",\"id\":\"k\",\"is\":\"accept\",\"is\":\"reject\"}", "duplicate field `is`"),
            (
                "{\"t\":\"answer\",\"id\":\"k\",\"is\":\"accept\",\"out\":{\"sha256\":1,\"sha256\":2}}",
                "the name \"sha256\" comes twice",
            ),
            (
                "{\"t\":\"answer\",\"id\":\"k\",\"is\":\"accept\",\"seen\":{\"doc\":\"a\",\"doc\":\"b\"}}",
                "the name \"doc\" comes twice",
            ),
            (
                r#"{"t":"answer","id":"k","is":"accept","out":{"findings":[{"law":"wrong","law":"right"}]}}"#,
                "in findings, the name \"law\" comes twice",
            ),
            ("{\"t\":\"pong\",\"n\":\"1\"}", "no pong frame"),
            (
                "{\"t\":\"hello\",\"proto\":2,\"testee\":{\"name\":\"x\",\"version\":\"\"},\"ops\":{},\"in_flight\":1}",
                "not offered",
            ),
            (
                "{\"t\":\"hello\",\"proto\":1,\"testee\":{\"name\":\"x\",\"version\":\"\"},\"ops\":{},\"in_flight\":0}",
                "in_flight 0",
            ),
            ("{\"t\":\"hello\",\"proto\":1}", "no hello frame"),
            (
                hello_with(&format!(r#""ops":{{}},"capabilities":{{"max_integer":"{}"}}"#, "0".repeat(5000))).as_str(),
                "max_integer has 5000 digits",
            ),
            (
                hello_with(r#""ops":{"canon.bytes":{"profile":["episode"]},"canon.bytes":{}}"#).as_str(),
                "the name \"canon.bytes\" comes twice",
            ),
            (
                hello_with(r#""ops":{"canon.bytes":{"profile":["episode"],"profile":[]}}"#).as_str(),
                "the name \"profile\" comes twice",
            ),
            (
                hello_with(r#""ops":{},"capabilities":{"outputs":{"canon.bytes":[],"canon.bytes":[]}}"#).as_str(),
                "the name \"canon.bytes\" comes twice",
            ),
            (hello_with(&format!(r#""ops":{{"{}":{{}}}}"#, "x".repeat(5000))).as_str(), "ops has a word of more than"),
        ] {
            assert!(refused(line).contains(why), "{line}: {}", refused(line));
        }
        assert!(read(b"{\"t\":\"\xff\"}").unwrap_err().contains("no UTF-8 at byte 6"));
    }

    #[test]
    fn why_a_line_is_no_frame_has_little_of_the_line() {
        let long = "x".repeat(1 << 20);
        for line in [
            format!(r#"{{"t":"{long}"}}"#),
            format!(r#"{{"t":"pong","n":"{long}"}}"#),
            format!(r#"{{"t":"answer","id":"k","is":"accept","seen":{{"{long}":"a","{long}":"b"}}}}"#),
        ] {
            assert!(refused(&line).len() < 4096, "{line:.40}");
        }
    }

    #[test]
    fn what_is_nested_deeper_is_no_frame_wherever_it_stands() {
        let frame = |before: &str, levels: usize, after: &str| {
            read(format!("{before}{}{}{after}", "[".repeat(levels), "]".repeat(levels)).as_bytes())
        };
        // A member that nobody reads counts as well: what is passed on and what is altered on its way reads the whole.
        for (before, after, around) in [
            (r#"{"t":"pong","n":1,"more":"#, "}", 1),
            (r#"{"t":"answer","id":"k","seen":{},"is":"accept","out":{"a":"#, "}}", 2),
            (r#"{"t":"answer","id":"[[\"{\\","seen":{},"is":"accept","out":{"a":"#, "}}", 2),
        ] {
            assert!(frame(before, DEPTH - around, after).is_ok(), "{before}");
            for levels in [DEPTH - around + 1, 200, 100_000] {
                assert_eq!(frame(before, levels, after).unwrap_err(), "no frame: it is nested deeper than 127 levels");
            }
        }
        // Brackets in a string open nothing.
        let text = format!(r#"{{"t":"fault","id":"k","kind":"panic","message":"\"{}"}}"#, "[".repeat(1000));
        assert!(read(text.as_bytes()).is_ok());
    }
}
