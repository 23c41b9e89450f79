//! What a testee may write: a stream of lines, from lawful frames to noise, and the pieces in which a pipe hands it over.
//!
//! Contract: `contracts/interface/protocol.schema.json`, the frames of the testee. Bytes that run out make a hello and
//! nothing more.

use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::pairs::{
    damage::Damage,
    draw::{self, index, int, odds, pick},
    emit::{Style, emit},
    json::Json,
};
use crate::seed::noise;

/// The ids that a question may have.
pub const IDS: [&str; 4] = ["k-1", "k-2", "k-3", "\u{e9}\n"];

/// The longest line of every stream.
pub const LINE: usize = 1024;

/// A stream, the questions that were asked before it, and how it arrives.
#[derive(Clone, PartialEq, Eq)]
pub struct Frames {
    /// How many of [`IDS`] were asked.
    pub asked: usize,
    /// Everything that the testee writes.
    pub stream: Vec<u8>,
    /// Lengths of the pieces in which it arrives, over and over; never zero.
    pub pieces: Vec<u8>,
}

impl Frames {
    /// The stream that a string of bytes stands for. Every string stands for one.
    #[must_use]
    pub fn from_bytes(octets: &[u8]) -> Self {
        let nothing = Self { asked: 0, stream: Vec::new(), pieces: vec![1] };
        Self::arbitrary(&mut Unstructured::new(octets)).unwrap_or(nothing)
    }

    /// The stream of a seed: the same for ever within one version of this crate.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self::from_bytes(&noise(seed, 512))
    }
}

impl<'a> Arbitrary<'a> for Frames {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let asked = index(u, IDS.len() + 1)?.unwrap_or(0);
        let mut pieces = Vec::new();
        for _ in 0..=int(u, 3)? {
            pieces.push(*pick(u, &[255, 1, 2, 7, 64])?);
        }
        let mut stream = Vec::new();
        for number in 0..=int(u, 7)? {
            let mut line = line(u, number)?;
            if odds(u, 1, 12)? {
                line = noisy(u)?;
            }
            stream.extend_from_slice(&line);
            stream.extend_from_slice(pick(u, &[b"\n".as_slice(), b"\n", b"\n", b"\n", b"\n", b"\r\n", b"\n\n", b""])?);
        }
        Ok(Self { asked, stream, pieces })
    }
}

/// One line that is a frame, or was one before something befell it. Line feeds between tokens become spaces.
fn line(u: &mut Unstructured<'_>, number: u32) -> Result<Vec<u8>> {
    let mut frame = if number == 0 && !odds(u, 1, 4)? { hello(u)? } else { frame(u)? };
    for _ in 0..*pick(u, &[0, 0, 0, 1, 1, 2])? {
        mutate(u, &mut frame)?;
    }
    let mut octets = emit(&frame, &Style::draw(u)?);
    for octet in octets.iter_mut().filter(|octet| **octet == b'\n') {
        *octet = b' ';
    }
    if odds(u, 1, 12)? {
        Damage::draw(u)?.apply(u, &mut octets)?;
    }
    Ok(octets)
}

/// Lines that are not frames by any spelling.
fn noisy(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    Ok(match int(u, 6)? {
        0 => vec![b'x'; LINE + 1],
        1 => [b"\"".as_slice(), &vec![b'x'; LINE - 2], b"\""].concat(),
        2 => [vec![b'['; 400], vec![b']'; 400]].concat(),
        3 => [br#"{"t":"pong","n":1,"x":"#.as_slice(), &[b'['; 200], &[b']'; 200], b"}"].concat(),
        4 => b"\xFF\xFE{\0}\0".to_vec(),
        5 => b"null".to_vec(),
        _ => u.bytes(u.len().min(24))?.to_vec(),
    })
}

fn text(t: &'static str) -> (&'static str, Json) {
    ("t", Json::text(t))
}

fn hello(u: &mut Unstructured<'_>) -> Result<Json> {
    let named = || Json::object([("name", Json::text("x")), ("version", Json::text("1"))]);
    let profiles = Json::List(vec![Json::text("episode"), Json::text("sovereign")]);
    let ops = Json::object([("canon.bytes", Json::object([("profile", profiles)]))]);
    let mut frame = Json::object([
        text("hello"),
        ("proto", Json::integer(1)),
        ("testee", named()),
        ("ops", if odds(u, 1, 4)? { Json::Object(Vec::new()) } else { ops }),
        ("in_flight", Json::token(*pick(u, &["1", "8", "64", "0", "1e3", "18446744073709551616"])?)),
    ]);
    if odds(u, 1, 3)? {
        frame.set("shim", named());
    }
    Ok(frame)
}

fn frame(u: &mut Unstructured<'_>) -> Result<Json> {
    let id = Json::text(pick(u, &[IDS[0], IDS[0], IDS[1], IDS[1], IDS[2], IDS[3], "k-9", ""])?);
    let digest = || Json::text(&"0".repeat(64));
    let seen = Json::object([("doc", digest())]);
    Ok(match int(u, 9)? {
        0..=2 => Json::object([
            text("answer"),
            ("id", id),
            ("seen", seen),
            ("is", Json::text("accept")),
            ("out", Json::object([("bytes", Json::text("WzFd")), ("sha256", digest())])),
        ]),
        3 | 4 => Json::object([
            text("answer"),
            ("id", id),
            ("seen", seen),
            ("is", Json::text("reject")),
            ("codes", Json::List(vec![Json::text(pick(u, &["A_JSON", "ABORT", "canon/episode"])?)])),
        ]),
        5 => Json::object([text("unsupported"), ("id", id), ("feature", Json::text("canon.bytes/episode"))]),
        6 => Json::object([
            text("fault"),
            ("id", id),
            ("kind", Json::text("panic")),
            ("message", Json::Text(draw::text(u, true)?)),
        ]),
        7 => Json::object([text("pong"), ("n", Json::token(*pick(u, &["1", "-1", "9223372036854775808", "1.0"])?))]),
        8 => Json::object([text("bye"), ("served", Json::integer(1)), ("chain", digest())]),
        _ => Json::object([
            text("refuse"),
            ("why", Json::text("proto")),
            ("supported", Json::List(vec![Json::integer(2)])),
        ]),
    })
}

/// One change to a frame's members.
fn mutate(u: &mut Unstructured<'_>, frame: &mut Json) -> Result<()> {
    let value = match int(u, 3)? {
        0 => Json::NULL,
        1 => Json::text(pick(u, &["answer", "hello", "accept", "reject", "maybe", ""])?),
        _ => draw::value(u, 2, true)?,
    };
    let Some(members) = frame.members_mut() else { return Ok(()) };
    let Some(at) = index(u, members.len())? else { return Ok(()) };
    match int(u, 5)? {
        0 => drop(members.remove(at)),
        1 | 2 => {
            if let Some((_, slot)) = members.get_mut(at) {
                *slot = value;
            }
        }
        3 => members.push(("more".into(), value)),
        // The same name again, before or after the first.
        4 => {
            if let Some((name, _)) = members.get(at).cloned() {
                members.push((name, value));
            }
        }
        _ => {
            if let Some((_, Json::Object(inner))) = members.get_mut(at) {
                let name = inner.first().map_or_else(|| "a".into(), |(name, _)| name.clone());
                inner.push((name, value));
            }
        }
    }
    Ok(())
}

impl fmt::Debug for Frames {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "Frames: {} asked, pieces {:?}", self.asked, self.pieces)?;
        writeln!(formatter, "  {}", self.stream.escape_ascii())
    }
}
